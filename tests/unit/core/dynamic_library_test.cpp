#include "core/os/dynamic_library.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace lanescope {
namespace {

TEST(DynamicLibrary, ThatIsOpenElsewhereIsFoundAndNoOtherIsLoaded) {
  const DynamicLibrary c = DynamicLibrary::opened_elsewhere("libc.so.6");
  ASSERT_TRUE(c) << c.error();
  pid_t (*process)() = nullptr;
  ASSERT_TRUE(c.find("getpid", process));
  EXPECT_EQ(process(), ::getpid());

  const char* const seldom = "libBrokenLocale.so.1";  // part of the C library, and used by nobody
  EXPECT_FALSE(DynamicLibrary::opened_elsewhere(seldom));
  if (!DynamicLibrary::open(seldom)) GTEST_SKIP() << "not on this machine";
  EXPECT_TRUE(DynamicLibrary::opened_elsewhere(seldom));
}

TEST(DynamicLibrary, ThatDoesNotExistSaysWhyAndHasNoSymbols) {
  const DynamicLibrary none = DynamicLibrary::open("libno_such_library.so");
  EXPECT_FALSE(none);
  EXPECT_NE(none.error().find("libno_such_library.so"), std::string::npos) << none.error();
  pid_t (*process)() = ::getpid;
  EXPECT_FALSE(none.find("getpid", process));
  EXPECT_EQ(process, nullptr);
}

}  // namespace
}  // namespace lanescope
