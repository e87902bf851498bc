// Links, permissions and a full device.

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>

#include <gtest/gtest.h>

#include "core/os/replace_file.h"
#include "full_disk_linux.h"
#include "golden.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

TEST(ReplaceFile, KeepsALinkAndThePermissions) {
  test::TempFolder folder;
  const std::string file = (folder / "file").string(), link = (folder / "link").string();
  test::write_file(file, "old");
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  fs::create_symlink("file", link);
  ASSERT_EQ(replace_file(link, "new"), 0);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(test::read_file(file), "new");
  EXPECT_EQ(fs::status(file).permissions(), fs::perms(0640));
}

TEST(ReplaceFile, AFailureLeavesWhatWasThere) {
  test::TempFolder folder;
  const std::string path = (folder / "a").string();
  test::write_file(path, "old");
  {
    const test::FullDisk full(2);
    EXPECT_EQ(replace_file(path, "new"), EFBIG);
  }
  EXPECT_EQ(test::read_file(path), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator{}), 1)
      << "nothing is left beside it";
}

TEST(ReplaceFile, ADeviceIsWrittenTo) {
  if (!fs::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  EXPECT_EQ(replace_file("/dev/full", "new"), ENOSPC);
}

}  // namespace
}  // namespace lanescope
