// Both languages: every phrase exists in both with the same values. The Chinese of a picture has no English except
// technical terms.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "diagram/words.h"
#include "expressions.h"
#include "gallery.h"
#include "test_paths.h"
#include "unit/glossary.h"
#include "words/phrases.h"

namespace lanescope::diagram {
namespace {

bool has_chinese(std::string_view text) {
  for (std::size_t i = 0; i + 2 < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    if (first >= 0xe4 && first <= 0xe9) return true;  // U+4E00 … U+9FFF
  }
  return false;
}

// Latin words that docs/glossary.md leaves in English, and names from kernels.
bool stays_english(const std::string& word) {
  static const std::set<std::string> words{"SASS", "warp", "lane", "sector", "bank", "wavefront", "block", "cluster",
                                           "grid", "tile", "shuffle", "half", "halves", "double", "xor", "i", "x",
                                           "Lane", "Sector", "Shuffle",
                                           // in pictures of matrix products
                                           "A", "B", "C", "f16", "f16x2", "f32",
                                           // in race reports: CUDA's functions
                                           "kernel", "store", "volatile", "atomicAdd", "__syncwarp", "__syncthreads",
                                           "__threadfence", "__pipeline_wait_prior"};
  return words.contains(word);
}

// The English words of a text, except the allowed ones. Opcodes (with a dot), addresses and 32-bit hex values do not
// count.
std::vector<std::string> english_words(const std::string& text) {
  std::vector<std::string> words;
  for (std::string& word : lanescope::test::all_words(text, "[A-Za-z_][A-Za-z0-9_.]*|0x[0-9a-f]+")) {
    const bool bits = word.size() == 8 && word.find_first_not_of("0123456789abcdef") == std::string::npos;
    const bool opcode = word.find('.') != std::string::npos || word.starts_with("0x") || bits;
    if (!opcode && !stays_english(word)) words.push_back(std::move(word));
  }
  return words;
}

// The values that are printed; values that only choose a word are left out.
std::set<char> places(std::string_view pattern) {
  std::set<char> found;
  for (std::size_t i = 0; i + 2 < pattern.size(); ++i)
    if (pattern[i] == '{' && pattern[i + 2] == '}') found.insert(pattern[i + 1]);
  return found;
}

TEST(Phrases, HaveBothLanguagesWithTheSameValues) {
  for (int i = 0; i < static_cast<int>(Phrase::count_); ++i) {
    const auto phrase = static_cast<Phrase>(i);
    const std::string english = pattern_of(phrase, Language::english), chinese = pattern_of(phrase, Language::chinese);
    SCOPED_TRACE(english);
    EXPECT_EQ(places(english), places(chinese));
    EXPECT_FALSE(english.empty());
    EXPECT_FALSE(has_chinese(english));
    EXPECT_EQ(english_words(chinese), std::vector<std::string>());
    // Except a technical term alone, and marks alone.
    const bool plain = english_words(english).size() < 2;
    EXPECT_TRUE(plain || has_chinese(chinese)) << chinese;
    EXPECT_EQ(english.ends_with('.'), chinese.ends_with("。")) << "a sentence in both, or in none";
    for (const char* half_width : {",", ": ", "; "}) {
      EXPECT_TRUE(!has_chinese(chinese) || english.starts_with("thread") ||
                  chinese.find(half_width) == std::string::npos)
          << "full-width punctuation in Chinese: " << chinese;
    }
  }
}

TEST(Phrases, KeepToTheGlossarysWords) {
  const auto words = lanescope::test::words_ruled_out();
  ASSERT_GT(words.size(), 20u) << "docs/glossary.md has its table in another form";
  for (int i = 0; i < static_cast<int>(Phrase::count_); ++i) {
    const std::string chinese = pattern_of(static_cast<Phrase>(i), Language::chinese);
    EXPECT_EQ(lanescope::test::ruled_out_in(chinese, words), "") << chinese;
  }
}

void expect_chinese(const std::string& text) {
  EXPECT_EQ(english_words(text), std::vector<std::string>()) << text;
}

TEST(Phrases, APictureInChineseSaysNothingInEnglish) {
  for (const test::Example& example : test::gallery()) {
    Options options;
    options.language = Language::chinese;
    const Scene scene = example.draw(options);
    SCOPED_TRACE(example.name);
    expect_chinese(scene.caption);
    expect_chinese(scene.title);
    EXPECT_TRUE(scene.caption.empty() || has_chinese(scene.caption)) << scene.caption;
    if (example.name.starts_with("phases") || example.name.starts_with("running")) continue;
    if (!example.name.starts_with("machine")) expect_chinese(scene.subtitle);  // the architecture
    for (const LegendItem& item : scene.legend) expect_chinese(item.text);
    if (example.name.starts_with("machine")) continue;  // the kernel's own text
    for (const Label& label : scene.labels)
      if (label.text.find('.') == std::string::npos && !label.text.starts_with("…")) {
        for (const std::string& word : english_words(label.text))
          EXPECT_TRUE(word == "bar" || word == "bra") << label.text;  // opcodes without a dot
      }
    for (const Tag& tag : scene.tags) {
      for (const std::string& word : english_words(tag.text)) EXPECT_TRUE(word == "bar" || word == "bra") << tag.text;
    }
  }
}

// Only the catalogue may hold words: a sentence in a view would be English in every language.
TEST(Phrases, NoViewHasWordsOfItsOwn) {
  std::size_t files = 0;
  std::vector<std::filesystem::directory_entry> entries;
  for (const char* folder : {LANESCOPE_SOURCE_DIR "/engine/diagram", LANESCOPE_SOURCE_DIR "/engine/words"})
    for (const auto& entry : std::filesystem::directory_iterator(folder)) entries.push_back(entry);
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() == ".def" || name == "svg.cpp") continue;
    ++files;
    std::ifstream in(entry.path());
    for (std::string line; std::getline(in, line);) {
      const std::size_t comment = line.find("//");
      if (comment != std::string::npos) line.resize(comment);
      for (const auto& literal : lanescope::test::all_found(line, "\"((?:[^\"\\\\]|\\\\.)*)\""))
        EXPECT_FALSE(lanescope::test::is_found(literal[1], "[A-Za-z]{2,} +[A-Za-z]{2,}")) << name << ": " << line;
    }
  }
  EXPECT_GT(files, 15u);
}

TEST(Phrases, ChooseBetweenSingularAndPlural) {
  const Say say(Language::english), chinese(Language::chinese);
  EXPECT_EQ(say(Phrase::lane_count, 1), "1 lane");
  EXPECT_EQ(say(Phrase::lane_count, 0), "0 lanes");
  EXPECT_EQ(say(Phrase::byte_count, 1024), "1,024 bytes");
  EXPECT_EQ(chinese(Phrase::byte_count, 1024), "1,024 字节");
  EXPECT_EQ(say(Phrase::addresses, "atom", 1), "atom · 1 address");
  EXPECT_EQ(say(Phrase::others_idle, "x", 1), "x; the other one has nothing to do.");
  EXPECT_EQ(say(Phrase::others_idle, "x", 6), "x; the other 6 have nothing to do.") << "a value inside a choice";
  EXPECT_EQ(say(Phrase::more_lines, 1, 1), "and 1 more line, with 1 sector");
}

TEST(Phrases, InChinese) {
  const auto caption = [](const std::string& name) {
    for (const test::Example& example : test::gallery())
      if (example.name == name) return example.draw({520, 0, Language::chinese}).caption;
    return std::string();
  };
  EXPECT_EQ(caption("sectors_stride_8"), "每个 lane 独占一个 sector：要 128 字节，搬 1,024 字节，用上 12.5 %。");
  EXPECT_EQ(caption("banks_stride_2"), "用到的每个 bank 都要供应 2 个不同的字：2 个 wavefront，其中 1 个是冲突。");
  EXPECT_EQ(caption("shuffle_down_8"), "lane i 取 lane i + 8 的值；lane 24–31 没有对应的 lane，收到的是自己的值。");
  EXPECT_EQ(caption("phases_grid_sync"), "第一次同步之后，9 个 block 里有 1 个有活干，另外 8 个在下一次同步那里等。");
}

// A Chinese character is as wide as it is high, so the measured space must be enough for it.
TEST(Phrases, ChineseIsMeasuredAtItsWidth) {
  EXPECT_FLOAT_EQ(text_width("全部执行", 10), 40);
  EXPECT_FLOAT_EQ(text_width("全部执行", 10, Face::mono), 40);
  EXPECT_FLOAT_EQ(text_width("，", 10), 10);
  EXPECT_EQ(fitted("全部执行", 31, 10), "全部…");
}

TEST(Phrases, AnSvgInChineseWrapsAndSaysItsLanguage) {
  Scene scene;
  scene.width = 200;
  scene.height = 10;
  scene.language = Language::chinese;
  scene.caption = "每个 lane 独占一个 sector：要 128 字节，搬 1,024 字节，用上 12.5 %。";
  const std::string svg = to_svg(scene, Theme::light);
  EXPECT_NE(svg.find("xml:lang=\"zh-CN\""), std::string::npos);
  std::size_t lines = 0;
  for (std::size_t at = 0; (at = svg.find("<text", at)) != std::string::npos; ++at) ++lines;
  EXPECT_GE(lines, 2u);
  for (const char* mark : {">，", ">。", ">："})
    EXPECT_EQ(svg.find(mark), std::string::npos) << "a line begins with " << mark;
  EXPECT_NE(svg.find("12.5 %"), std::string::npos) << "a number keeps its unit";
}

}  // namespace
}  // namespace lanescope::diagram
