// A file that is written inside a program that closes descriptors which are not its own.

#include "device/appended_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iterator>

#include "core/os/machine.h"

namespace lanescope::device {
namespace {

class AppendedFileTest : public testing::Test {
 protected:
  void SetUp() override {
    number_ = ::dup(0);  // the number that the next file gets
    ::close(number_);
    ASSERT_EQ(file_.open(path_, Readers::this_user), 0);
    ASSERT_EQ(file_.append("a", 1), 0);
  }
  void TearDown() override {
    file_.close();
    std::remove(path_.c_str());
    std::remove(other_.c_str());
  }
  static std::string text(const std::string& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  int number_ = -1;
  const std::string path_ = testing::TempDir() + "lanescope_appended_" + std::to_string(own_process());
  const std::string other_ = path_ + "_other";
  AppendedFile file_;
};

TEST_F(AppendedFileTest, IsOpenedAgainWhereItsDescriptorIsClosed) {
  ASSERT_EQ(::close(number_), 0);
  EXPECT_EQ(file_.append("b", 1), 0);
  EXPECT_EQ(text(path_), "ab");
}

TEST_F(AppendedFileTest, AnotherFileUnderItsNumberIsNeitherWrittenNorClosed) {
  ASSERT_EQ(::close(number_), 0);
  ASSERT_EQ(::open(other_.c_str(), O_WRONLY | O_CREAT, 0600), number_);
  EXPECT_EQ(file_.append("b", 1), 0);
  EXPECT_EQ(file_.close(), 0);
  EXPECT_EQ(text(path_), "ab");
  EXPECT_EQ(::write(number_, "c", 1), 1) << "still open";
  EXPECT_EQ(text(other_), "c");
  ::close(number_);
}

TEST_F(AppendedFileTest, ItsLockIsTakenAgain) {
  EXPECT_EQ(file_.lock(), Lock::taken);
  ::close(number_);
  EXPECT_EQ(file_.append("b", 1), 0);
  AppendedFile another;
  ASSERT_EQ(another.open(path_, Readers::this_user), 0);
  EXPECT_EQ(another.lock(), Lock::held_by_another);
}

TEST_F(AppendedFileTest, AnotherFileUnderItsNameIsNotWritten) {
  ::close(number_);
  std::rename(path_.c_str(), other_.c_str());
  std::ofstream(path_) << "not ours";
  EXPECT_EQ(file_.append("b", 1), EBADF);
  EXPECT_EQ(text(path_), "not ours");
}

TEST_F(AppendedFileTest, WhatWasWrittenLastCanBeCutOff) {
  ::close(number_);
  ASSERT_EQ(file_.append("bc", 2), 0);
  std::uint64_t bytes = 0;
  EXPECT_EQ(file_.size(bytes), 0);
  EXPECT_EQ(bytes, 3u);
  EXPECT_EQ(file_.cut(2), 0);
  EXPECT_EQ(text(path_), "ab");
}

}  // namespace
}  // namespace lanescope::device
