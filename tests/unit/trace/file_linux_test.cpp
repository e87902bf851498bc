// Saved traces on a full disk, behind links, with permissions.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "full_disk_linux.h"
#include "golden.h"
#include "random_trace.h"
#include "trace/codec.h"

namespace lanescope::trace {
namespace {

namespace fs = std::filesystem;

class TraceOnDisk : public testing::Test {
 protected:
  std::string path(const char* name = "a.trace") const { return (folder_ / name).string(); }
  lanescope::test::TempFolder folder_;
};

void expect_same(const Trace& expected, const Result<Trace>& found) {
  ASSERT_TRUE(found);
  EXPECT_EQ(encode(expected), encode(*found));
}

TEST_F(TraceOnDisk, AFullDiskLeavesTheOldFile) {
  const Trace old = test::random_trace(10, 1, 3), bigger = test::random_trace(11, 30, 170);
  ASSERT_TRUE(save(old, path()));
  const auto result = [&] {
    const lanescope::test::FullDisk full(4096);
    return save(bigger, path());
  }();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.errors()[0].code, "trace.io");
  expect_same(old, open(path()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator{}), 1);
  if (fs::exists("/dev/full")) {
    EXPECT_EQ(save(old, "/dev/full").errors()[0].code, "trace.io");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
  }
}

TEST_F(TraceOnDisk, SavingKeepsLinksAndPermissions) {
  ASSERT_TRUE(save(test::random_trace(12), path()));
  ASSERT_EQ(::chmod(path().c_str(), 0640), 0);
  fs::create_symlink(path(), path("link"));
  const Trace other = test::random_trace(13);
  ASSERT_TRUE(save(other, path("link")));
  EXPECT_TRUE(fs::is_symlink(path("link")));
  expect_same(other, open(path()));
  struct stat now {};
  ASSERT_EQ(::stat(path().c_str(), &now), 0);
  EXPECT_EQ(now.st_mode & 07777, 0640u);
}

}  // namespace
}  // namespace lanescope::trace
