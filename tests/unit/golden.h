#pragma once
// Golden files: tests/cases/<stage>/<name>. With LANESCOPE_REWRITE=1 in the environment a test writes what it got
// instead of comparing; a person reads the diff.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

namespace lanescope::test {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

inline void write_file(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << text;
}

inline std::filesystem::path case_path(const std::string& name) {
  return std::filesystem::path(LANESCOPE_SOURCE_DIR) / "tests" / "cases" / name;
}

inline void expect_golden(const std::string& name, const std::string& actual) {
  const std::filesystem::path path = case_path(name);
  const char* rewrite = std::getenv("LANESCOPE_REWRITE");
  if (rewrite && std::string(rewrite) == "1") {
    write_file(path, actual);
    return;
  }
  ASSERT_TRUE(std::filesystem::exists(path)) << path << " is missing; LANESCOPE_REWRITE=1 writes it";
  EXPECT_EQ(actual, read_file(path)) << "tests/cases/" << name << " differs; LANESCOPE_REWRITE=1 rewrites it";
}

// A folder that is gone when the test is over.
class TempFolder {
 public:
  TempFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "lanescope_test_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace lanescope::test
