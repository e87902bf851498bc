// The old file stays until the new contents are complete.

#include "core/os/replace_file.h"

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <thread>

#include <gtest/gtest.h>

#include "core/os/files.h"
#include "golden.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

std::size_t entries(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator{}));
}

TEST(ReplaceFile, WritesPiecesOneAfterAnother) {
  test::TempFolder folder;
  const std::string path = (folder / "a").string(), first = "one ", second = "two";
  ASSERT_EQ(replace_file(path, {std::as_bytes(std::span(first)), std::as_bytes(std::span(second))}, Flush::to_disk), 0);
  EXPECT_EQ(test::read_file(path), "one two");
  ASSERT_EQ(replace_file(path, "shorter"), 0);
  EXPECT_EQ(test::read_file(path), "shorter");
  EXPECT_EQ(entries(folder.path()), 1u) << "nothing is left beside it";
}

TEST(ReplaceFile, AReaderThatIsDoneSoonIsNoObstacle) {
  test::TempFolder folder;
  const std::string path = (folder / "a").string();
  test::write_file(path, "old");
  Descriptor reader;
  ASSERT_EQ(open_to_read(path, reader), 0);
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    reader.close();
  });
  EXPECT_EQ(replace_file(path, "new"), 0);
  later.join();
  EXPECT_EQ(test::read_file(path), "new");
}

TEST(ReplaceFile, SaysWhyNot) {
  test::TempFolder folder;
  EXPECT_EQ(replace_file((folder / "none" / "a").string(), "new"), ENOENT);
  EXPECT_EQ(replace_file(folder.path().string(), "new"), EISDIR);
  EXPECT_EQ(entries(folder.path()), 0u);
}

}  // namespace
}  // namespace lanescope
