#pragma once
// Golden files: a test's input and its expected output are side by side under tests/cases/<stage>/, for people to read
// and compare. With LANESCOPE_REWRITE=1 a run writes the expectations; a person then reads the difference before
// committing it.
//
//   class Printed : public testing::TestWithParam<lanescope::test::Case> {};
//   TEST_P(Printed, Text) { expect_golden(GetParam().sibling(".out"), my_stage(GetParam().text()));
//   } INSTANTIATE_TEST_SUITE_P(Cases, Printed, testing::ValuesIn(cases("ptx", ".ptx")), case_name);

#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace lanescope::test {

// An input file of a stage.
struct Case {
  std::filesystem::path path;
  std::string name;    // file name without the suffix; characters other than letters and digits become `_`
  std::string suffix;  // such as ".err.ptx"

  std::string text() const;
  // The same path with `other` in place of the input's suffix.
  std::filesystem::path sibling(std::string_view other) const;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.path.filename().string(); }
};

// The files in tests/cases/<stage>/ (without subfolders) whose names end in `suffix` but in none of `excluded`, by
// name. A stage without files gives one failing case, so that a wrong name is noticed.
std::vector<Case> cases(std::string_view stage, std::string_view suffix, std::vector<std::string_view> excluded = {});

// For INSTANTIATE_TEST_SUITE_P.
std::string case_name(const testing::TestParamInfo<Case>& info);

// Fails with a readable difference unless the file `expected` contains `actual`; when rewriting, writes it. A relative
// path starts at tests/cases: expect_golden("lesson/bad_texts.txt", report).
void expect_golden(const std::filesystem::path& expected, std::string_view actual);

// tests/cases/<name>: a stage's folder or a file.
std::filesystem::path case_path(const std::filesystem::path& name);
// The contents of a file; fails the test if it cannot be read.
std::string read_file(const std::filesystem::path& path);
// Creates missing folders; fails the test if it cannot write.
void write_file(const std::filesystem::path& path, std::string_view text);
// True if expectations are being rewritten.
bool rewriting();

// The differing lines as "-expected" and "+actual", with three lines of context and line numbers; empty if equal.
std::string difference(std::string_view expected, std::string_view actual);

// A temporary folder that is removed after the test.
class TempFolder {
 public:
  TempFolder();
  ~TempFolder();
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace lanescope::test
