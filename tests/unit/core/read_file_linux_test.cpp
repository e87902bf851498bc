// Pipes and devices in place of a file.

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "core/os/read_file.h"
#include "golden.h"

namespace lanescope {
namespace {

TEST(ReadFile, NeitherADeviceWithoutEndNorUnreadableMemory) {
  std::string found;
  EXPECT_EQ(read_file("/dev/zero", found, 1u << 20), ESPIPE) << "it has no end";
  if (std::filesystem::exists("/proc/self/mem")) {
    EXPECT_EQ(read_file("/proc/self/mem", found), EIO) << "nothing lies at address 0";
  }
}

// A FIFO: its other end may or may not be opened later.
TEST(ReadFile, WaitsForNobodyAtANamedPipe) {
  test::TempFolder folder;
  const std::string path = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string found;
  EXPECT_EQ(read_file(path, found), ESPIPE);
}

TEST(ReadFile, ReadsWhatAShellPipes) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(::write(ends[1], "late", 4), 4);
    ::close(ends[1]);
  });
  std::string found;
  EXPECT_EQ(read_file("/proc/self/fd/" + std::to_string(ends[0]), found), 0);
  EXPECT_EQ(found, "late");
  later.join();
  ::close(ends[0]);
}

}  // namespace
}  // namespace lanescope
