// The lessons' Chinese uses the terms of docs/glossary.md.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "test_paths.h"
#include "unit/glossary.h"

namespace lanescope {
namespace {

TEST(LessonChinese, UsesNoWordThatTheGlossaryRulesOut) {
  std::vector<std::string> words = test::words_ruled_out();
  ASSERT_GT(words.size(), 20u) << "docs/glossary.md has its table in another form";
  // Correct in other contexts: 一块 GPU, 不必存储, 相邻的线程组成一个 tile.
  for (const char* everyday : {"块", "存储", "线程组"}) std::erase(words, everyday);
  int files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(LANESCOPE_SOURCE_DIR "/lessons")) {
    const std::string name = entry.path().filename().string();
    if (name != "text.zh-CN.md" && name != "lesson.toml") continue;
    ++files;
    std::ifstream in(entry.path());
    int number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      const std::string word = test::ruled_out_in(line, words);
      EXPECT_EQ(word, "") << entry.path() << ':' << number << ": " << line;
    }
  }
  EXPECT_GE(files, 14);
}

}  // namespace
}  // namespace lanescope
