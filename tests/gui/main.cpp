#include <gtest/gtest.h>

#include <cstdio>

#include "core/os/dynamic_library.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  // Each window loads OpenGL and its driver and unloads them again. glibc gives some of the memory for their
  // thread-local variables only once, so after some two hundred windows the driver could not be loaded. So it stays.
  lanescope::DynamicLibrary::open("libGLX.so.0");
  const int rc = RUN_ALL_TESTS();
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  std::printf("%d passed, %d failed\n", all.successful_test_count(), all.failed_test_count());
  return rc;
}
