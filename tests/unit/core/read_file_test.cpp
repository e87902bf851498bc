// A whole file, or the system's reason.

#include "core/os/read_file.h"

#include <cerrno>

#include <gtest/gtest.h>

#include "golden.h"

namespace lanescope {
namespace {

TEST(ReadFile, GivesAllBytes) {
  test::TempFolder folder;
  const std::string path = (folder / "a").string(), text(200'000, 'x');
  std::string found = "from before";
  test::write_file(path, "");
  EXPECT_EQ(read_file(path, found), 0);
  EXPECT_EQ(found, "");
  test::write_file(path, text + std::string(1, '\0') + "end");
  EXPECT_EQ(read_file(path, found), 0);
  EXPECT_EQ(found, text + std::string(1, '\0') + "end");
  EXPECT_EQ(read_file(path, found, text.size() + 4), 0) << "exactly as many as may be";
  EXPECT_EQ(read_file(path, found, text.size() + 3), EFBIG);
  EXPECT_EQ(found, "");
}

TEST(ReadFile, SaysWhyNot) {
  test::TempFolder folder;
  std::string found;
  EXPECT_EQ(read_file((folder / "none").string(), found), ENOENT);
  EXPECT_EQ(read_file(folder.path().string(), found), EISDIR);
}

}  // namespace
}  // namespace lanescope
