#include "core/os/files.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "core/os/environment.h"
#include "core/os/read_file.h"
#include "core/os/write_all.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

class Files : public testing::Test {
 protected:
  Files() : folder_(make_scratch_folder("lanescope-files")) {}
  ~Files() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void SetUp() override { ASSERT_FALSE(folder_.empty()); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    Descriptor file;
    ASSERT_EQ(open_to_write(path(name), file), 0);
    ASSERT_EQ(write_all(file.get(), text.data(), text.size()), 0);
  }
  std::string text_of(const std::string& name) const {
    std::string text;
    EXPECT_EQ(read_file(path(name), text), 0);
    return text;
  }

  std::string folder_;
};

TEST_F(Files, AScratchFolderIsNewEachTime) {
  const std::string another = make_scratch_folder("lanescope-files");
  EXPECT_NE(another, folder_);
  EXPECT_TRUE(fs::is_empty(another));
  fs::remove(another);
}

TEST_F(Files, SayWhyTheyCannotBeOpened) {
  Descriptor file;
  EXPECT_EQ(open_to_read(path("none"), file), ENOENT);
  EXPECT_FALSE(file);
  FileFacts facts;
  EXPECT_EQ(facts_of(path("none"), facts), ENOENT);
  EXPECT_NE(open_to_write(folder_, file), 0);
}

TEST_F(Files, KeepBytesAsTheyAre) {
  const std::string bytes("a\r\nb\n\x1a\0\xff", 8);
  write("bytes", bytes);
  EXPECT_EQ(text_of("bytes"), bytes);
  FileFacts facts;
  ASSERT_EQ(facts_of(path("bytes"), facts), 0);
  EXPECT_TRUE(facts.regular);
  EXPECT_FALSE(facts.folder);
  EXPECT_EQ(facts.bytes, bytes.size());
  ASSERT_EQ(facts_of(folder_, facts), 0);
  EXPECT_TRUE(facts.folder);
}

TEST_F(Files, HaveNamesInAnyScript) {
  write("教程 é.cu", "kernel");
  EXPECT_EQ(text_of("教程 é.cu"), "kernel");
}

TEST_F(Files, ANewOneReplacesNone) {
  Descriptor file;
  EXPECT_EQ(create_new(path("教程 é.svg"), file), 0);
  file.close();
  write("教程 é.svg", "kept");
  EXPECT_EQ(create_new(path("教程 é.svg"), file), EEXIST);
  EXPECT_EQ(text_of("教程 é.svg"), "kept");
}

TEST(EnvironmentVariables, AreUtf8) {
  set_variable("LANESCOPE_TEST_OF_VARIABLES", "C:/Users/Jürgen/教程");
  EXPECT_EQ(value_of_variable("LANESCOPE_TEST_OF_VARIABLES"), "C:/Users/Jürgen/教程");
  unset_variable("LANESCOPE_TEST_OF_VARIABLES");
  EXPECT_EQ(value_of_variable("LANESCOPE_TEST_OF_VARIABLES"), std::nullopt);
}

TEST_F(Files, AreReadFromAnyPlaceToTheirEnd) {
  write("digits", "0123456789");
  Descriptor file;
  ASSERT_EQ(open_to_read(path("digits"), file), 0);
  char got[16] = {};
  EXPECT_EQ(read_some_at(file.get(), 7, got, sizeof got), 3);
  EXPECT_EQ(std::string(got, 3), "789");
  EXPECT_EQ(read_some_at(file.get(), 2, got, 4), 4);
  EXPECT_EQ(std::string(got, 4), "2345");
  EXPECT_EQ(read_some_at(file.get(), 10, got, 1), 0);
}

TEST_F(Files, WhatIsAppendedStandsBehindWhatOthersWrote) {
  Descriptor first, second;
  ASSERT_EQ(open_to_append(path("log"), Readers::this_user, first), 0);
  ASSERT_EQ(open_to_append(path("log"), Readers::this_user, second), 0);
  ASSERT_EQ(write_all(first.get(), "a", 1), 0);
  ASSERT_EQ(write_all(second.get(), "b", 1), 0);
  ASSERT_EQ(write_all(first.get(), "c", 1), 0);
  EXPECT_EQ(text_of("log"), "abc");
  ASSERT_EQ(cut_file(first.get(), 2), 0);
  EXPECT_EQ(text_of("log"), "ab");
}

TEST_F(Files, ALockIsHeldUntilTheFileIsClosed) {
  Descriptor first, second;
  ASSERT_EQ(open_to_append(path("lock"), Readers::all, first), 0);
  ASSERT_EQ(open_to_append(path("lock"), Readers::all, second), 0);
  EXPECT_EQ(lock_file(first.get()), Lock::taken);
  EXPECT_EQ(lock_file(second.get()), Lock::held_by_another);
  ASSERT_EQ(write_all(second.get(), "x", 1), 0);  // the lock is advisory: reading and writing still work
  EXPECT_EQ(text_of("lock"), "x");
  first.close();
  EXPECT_EQ(lock_file(second.get()), Lock::taken);
}

TEST_F(Files, ANamelessOneHoldsWhatIsWritten) {
  Descriptor file;
  make_nameless_file(file);
  ASSERT_TRUE(file);
  ASSERT_EQ(write_all(file.get(), "said", 4), 0);
  char got[8] = {};
  EXPECT_EQ(read_some_at(file.get(), 0, got, sizeof got), 4);
  EXPECT_EQ(std::string(got), "said");
}

}  // namespace
}  // namespace lanescope
