#include "core/os/program_name.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "golden.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;

// Other tests expect the default name, so each test restores it.
class ProgramName : public testing::Test {
 protected:
  void SetUp() override {
    ::unsetenv(called_as_variable);
    test::write_file(file("run"), "");
    fs::permissions(file("run"), fs::perms::owner_all);
    test::write_file(file("text"), "");
  }
  void TearDown() override {
    set_program_name("lanescope");
    ::unsetenv(called_as_variable);
  }
  std::string file(const char* name) const { return (folder_ / name).string(); }
  static std::string told() {
    const char* value = std::getenv(called_as_variable);
    return value == nullptr ? "" : value;
  }

 private:
  test::TempFolder folder_;
};

TEST_F(ProgramName, IsWhatWasTyped) {
  EXPECT_EQ(program_name(), "lanescope");
  set_program_name(file("run").c_str());
  EXPECT_EQ(program_name(), file("run"));
  EXPECT_EQ(told(), file("run")) << "what the program starts as itself says the same";
}

TEST_F(ProgramName, AWrappersNameComesFirst) {
  ::setenv(called_as_variable, file("run").c_str(), 1);
  set_program_name("lanescope");
  EXPECT_EQ(program_name(), file("run"));
}

TEST_F(ProgramName, WhatCannotBeTypedIsNotBelieved) {
  for (const std::string& wrong :
       {file("nowhere"), file("text"), fs::path(file("run")).parent_path().string(), std::string("\x1b[31mlanescope"),
        std::string("lanescope; rm"), std::string("`id`"), std::string("-x"), std::string(5000, 'a'), std::string()}) {
    SCOPED_TRACE(wrong.substr(0, 100));
    EXPECT_FALSE(can_be_typed(wrong));
    ::setenv(called_as_variable, wrong.c_str(), 1);
    set_program_name("lanescope");
    EXPECT_EQ(program_name(), "lanescope");
    EXPECT_EQ(told(), "lanescope");
  }
  set_program_name(nullptr);
  EXPECT_EQ(program_name(), "lanescope");
}

TEST_F(ProgramName, IsQuotedWhereAShellWouldTakeItApart) {
  EXPECT_EQ(as_typed("./run"), "./run");
  EXPECT_EQ(as_typed("../课程/run"), "../课程/run");
  EXPECT_EQ(as_typed("my files/run"), "'my files/run'");
  EXPECT_EQ(as_typed("it's/run"), "'it'\\''s/run'");
  EXPECT_EQ(as_typed("~/run"), "'~/run'") << "the shell has replaced its own";
  EXPECT_EQ(as_typed("$HOME/run"), "'$HOME/run'");
}

}  // namespace
}  // namespace lanescope
