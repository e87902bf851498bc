// Every label exists in both languages, with the same placeholders.

#include "gui/kit/labels.h"
#include "gui/parts/ui.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "diagram/words.h"
#include "gpu/gpu.h"
#include "gui/numbers/numbers.h"
#include "gui/state/state_store.h"
#include "metrics/report.h"
#include "test_paths.h"
#include "unit/glossary.h"
#include "words/messages.h"

namespace lanescope::gui {
namespace {

// The values of a label's placeholders: `{}`, `{0}`, `{0|one|many}`.
int places(const std::string& text) {
  int count = 0;
  std::set<char> numbered;
  for (std::size_t at = text.find('{'); at != std::string::npos; at = text.find('{', at + 1))
    if (text[at + 1] == '}')
      ++count;
    else
      numbered.insert(text[at + 1]);
  return count + static_cast<int>(numbered.size());
}

TEST(Labels, BothLanguagesSayTheSame) {
  for (int i = 0; i < static_cast<int>(Label::count_); ++i) {
    const std::string english = label_text(static_cast<Label>(i), Language::english);
    const std::string chinese = label_text(static_cast<Label>(i), Language::chinese);
    EXPECT_FALSE(english.empty()) << "label " << i;
    EXPECT_FALSE(chinese.empty()) << english;
    EXPECT_EQ(places(english), places(chinese)) << english;
  }
}

TEST(Labels, KeepToTheGlossarysWords) {
  const auto words = test::words_ruled_out();
  ASSERT_GT(words.size(), 20u) << "docs/glossary.md has its table in another form";
  for (int i = 0; i < static_cast<int>(Label::count_); ++i) {
    const std::string chinese = label_text(static_cast<Label>(i), Language::chinese);
    EXPECT_EQ(test::ruled_out_in(chinese, words), "") << chinese;
  }
}

TEST(Labels, KnowOneFromMany) {
  const char* pattern = label_text(Label::sectors_is_least, Language::english);
  EXPECT_EQ(fill_in(pattern, "1"), "1 sector in this request, the minimum");
  EXPECT_EQ(fill_in(pattern, "4"), "4 sectors in this request, the minimum");
  EXPECT_EQ(fill_in("{} of {}", "1", "2"), "1 of 2");
}

// A launch in which everything that is counted happened.
RunResult everything_happened() {
  RunResult result;
  trace::Totals& totals = result.outcome.first().trace.totals;
  totals.warp_instructions = totals.branches = totals.divergent_branches = 1;
  totals.barriers = totals.shuffles = totals.votes = 1;
  totals.lane_instructions = 32;
  for (trace::MemoryTotals& memory : totals.memory) memory = {1, 32, 128, 8, 4, 2, 1, 32};
  result.numbers = metrics::report(result.outcome.first().trace);
  return result;
}

TEST(Numbers, EveryRowOfTheTableReachesThePanel) {
  const RunResult result = everything_happened();
  std::vector<std::string> shown, named;
  for (const NumberRow& row : number_rows(result)) shown.push_back(row.name);
  for (const NumberRow& row : number_rows(result, metrics::names())) {
    named.push_back(row.name);
    EXPECT_NE(diagram::translated(row.label, Language::chinese), row.label) << row.name;
  }
  EXPECT_EQ(named.size(), metrics::names().size()) << "a lesson's point may name any number";
  for (const metrics::Measurement& number : result.numbers) {
    EXPECT_NE(std::ranges::find(named, number.name), named.end()) << number.name;
    EXPECT_EQ(std::ranges::find(shown, number.name) != shown.end(), number.panel != metrics::unlisted) << number.name;
  }
}

TEST(Numbers, StandByClassInTheOrderOfTheTable) {
  std::vector<std::string> shown;
  for (const NumberRow& row : number_rows(everything_happened())) shown.push_back(row.name);
  ASSERT_GT(shown.size(), 13u);
  EXPECT_EQ(std::vector(shown.begin(), shown.begin() + 5),
            (std::vector<std::string>{"global_load.requests", "global_load.sectors", "global_load.sectors_per_request",
                                      "global_load.efficiency", "global_load.bytes_moved"}));
  EXPECT_EQ(std::vector(shown.end() - 8, shown.end()),
            (std::vector<std::string>{"divergent_branches", "branches", "simt_efficiency", "barriers", "shuffles",
                                      "votes", "warp_instructions", "lane_instructions"}));
}

TEST(Numbers, OfNothingAreLeftOut) {
  RunResult result;
  result.outcome.first().trace.totals.branches = 3;
  result.outcome.first().trace.totals.of(trace::MemoryClass::shared_load) = {1, 32, 128, 0, 0, 1, 1, 0};
  result.numbers = metrics::report(result.outcome.first().trace);
  const auto names = [&](const std::vector<std::string>& always) {
    std::vector<std::string> shown;
    for (const NumberRow& row : number_rows(result, always)) shown.push_back(row.name);
    return shown;
  };
  const std::vector<std::string> of_class{"shared_load.requests", "shared_load.bank_conflicts",
                                          "shared_load.wavefronts_per_request"};
  std::vector<std::string> wanted = of_class;
  wanted.insert(wanted.end(), {"divergent_branches", "branches"});
  EXPECT_EQ(names({}), wanted) << "branches, of which none diverged";
  wanted = of_class;
  wanted.insert(wanted.end(), {"divergent_branches", "branches", "barriers"});
  EXPECT_EQ(names({"barriers", "global_load.sectors", "simt_efficiency"}), wanted);
}

TEST(Labels, APercentageIsRoundedAlikeEverywhere) {
  EXPECT_EQ(number_text(6.25, "%"), "6.3 %");
  EXPECT_EQ(number_text(6.25, "%"), diagram::percent(6.25, 100));
  EXPECT_EQ(number_text(100, "%"), "100.0 %");
  EXPECT_EQ(number_text(99.96, "%"), "99.9 %") << "100 only when it is all of it";
}

// Messages about a machine without a GPU and about a full disk are in the language on screen.
TEST(Labels, TheWindowsMessagesAreInBothLanguages) {
  const auto devices = gpu::devices();
  if (!devices) {
    for (const Diagnostic& why : devices.errors())
      for (const Wording& said : {why.message, why.cure}) {
        EXPECT_NE(diagram::translated(said, Language::chinese), said);
      }
  }
  StateStore store("/proc/no/such/folder");
  const auto saved = store.save_edit("lesson", "variant", "text");
  ASSERT_FALSE(saved);
  for (const Wording& said : {saved.errors().front().message, saved.errors().front().cure}) {
    EXPECT_NE(diagram::translated(said, Language::chinese), said);
  }
}

// Every phase of every lesson has a Chinese name, since comparing shows it.
TEST(Labels, PhasesHaveChineseNames) {
  const auto lessons = lesson::load_all(LANESCOPE_SOURCE_DIR "/lessons");
  ASSERT_TRUE(lessons);
  for (const lesson::Lesson& lesson : *lessons) {
    EXPECT_FALSE(lesson.phases.empty()) << lesson.id;
    EXPECT_EQ(lesson.untranslated.size(), 0u) << lesson.id;
    for (const lesson::PhaseName& phase : lesson.phases)
      EXPECT_NE(lesson::phase_title(lesson.phases, phase.name, "zh-CN"), phase.name) << lesson.id;
  }
}

TEST(Labels, LanguagesHaveTheCodesOfLessonTexts) {
  EXPECT_STREQ(code_of(Language::english), "en");
  EXPECT_STREQ(code_of(Language::chinese), "zh-CN");
  EXPECT_EQ(language_of("zh_CN.UTF-8"), Language::chinese);
  EXPECT_EQ(language_of("de_DE.UTF-8"), Language::english);
  EXPECT_EQ(language_of(""), Language::english);
}

}  // namespace
}  // namespace lanescope::gui
