// The figures of lesson 2, halving by halving, against what follows from each kernel's rule alone, and what it says
// about the machine code.

#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "job/run/numbers.h"
#include "job/shipped_lessons/lesson_sass.h"
#include "test_paths.h"

namespace lanescope::divergence {
namespace {

const char* const folder = LANESCOPE_SOURCE_DIR "/lessons/02_divergence";

// "LDS" of "LDS R3, [R5]"
std::string opcode(const compile::SassInstruction& one) {
  return one.text.substr(0, one.text.find_first_of(" ."));
}

int line_of(const std::string& source, const std::string& what) {
  const std::size_t at = source.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

// Which threads add at a step, and which two words each reads: -1 if it does not add.
struct Rule {
  const char* variant;
  bool from_the_top;  // steps block / 2, block / 4, …; else 1, 2, …
  int last_step;      // of those, the last ones
  int (*word)(int thread, int step, int block);
};
const Rule rules[] = {
    {"reduce_modulo", false, 1, [](int t, int step, int) { return t % (2 * step) == 0 ? t : -1; }},
    {"reduce_strided", false, 1, [](int t, int step, int block) { return 2 * step * t < block ? 2 * step * t : -1; }},
    {"reduce_sequential", true, 1, [](int t, int step, int) { return t < step ? t : -1; }},
    {"reduce_last_warp", true, 32, [](int t, int step, int) { return t < step ? t : -1; }},
};

struct Halving {
  int warps = 0, lanes = 0, divergent = 0, degree = 0, conflicts = 0;
};

// The largest number of different words in one bank.
int crowd(const std::vector<int>& words) {
  std::map<int, std::set<int>> banks;
  std::size_t most = 0;
  for (const int word : words) {
    std::set<int>& bank = banks[word % 32];
    bank.insert(word);
    most = std::max(most, bank.size());
  }
  return static_cast<int>(most);
}

Halving halving_of(const Rule& rule, int step, int block) {
  Halving made;
  for (int warp = 0; warp < block / 32; ++warp) {
    std::vector<int> own, other;
    for (int t = 32 * warp; t < 32 * (warp + 1); ++t)
      if (const int word = rule.word(t, step, block); word >= 0) own.push_back(word), other.push_back(word + step);
    const int lanes = static_cast<int>(own.size());
    if (lanes == 0) continue;
    ++made.warps;
    made.lanes += lanes;
    made.divergent += lanes < 32;
    for (const std::vector<int>& words : {own, other}) {
      made.degree = std::max(made.degree, crowd(words));
      made.conflicts += crowd(words) - 1;
    }
  }
  return made;
}

std::vector<int> steps_of(const Rule& rule, int block) {
  std::vector<int> steps;
  for (int step = 1; step < block; step *= 2) steps.push_back(rule.from_the_top ? block / 2 / step : step);
  std::erase_if(steps, [&](int step) { return rule.from_the_top && step < rule.last_step; });
  return steps;
}

double number_in(const job::Outcome& outcome, const std::string& name) {
  const Result<lesson::Formula> formula = lesson::Formula::parse(name, lesson::Dialect::numbers);
  if (!formula || formula->references().size() != 1) {
    ADD_FAILURE() << name;
    return -1;
  }
  const Result<std::optional<double>> value = job::number_of(outcome, formula->references()[0]);
  EXPECT_TRUE(value.ok() && value->has_value()) << name;
  return value.ok() ? value->value_or(-1) : -1;
}

TEST(LessonDivergence, EachHalvingIsAsItsRuleSays) {
  for (const Rule& rule : rules)
    for (const int block : {64, 128, 256, 512, 1024}) {
      const test::LessonRun made =
          test::run_variant(test::lesson_in("02_divergence"), rule.variant, {{"block", block}});
      int number = 0;
      for (const int step : steps_of(rule, block)) {
        const Halving expected = halving_of(rule, step, block);
        const auto seen = [&](const std::string& mark, const char* what) {
          return number_in(made.outcome, fmt::format("@{}[{}].{}", mark, number, what));
        };
        ++number;
        const std::string where = fmt::format("{}, {} threads, step {}", rule.variant, block, step);
        EXPECT_EQ(seen("add", "warps"), expected.warps) << where;
        EXPECT_EQ(seen("add", "executed_lanes"), expected.lanes) << where;
        EXPECT_EQ(seen("test", "divergent"), expected.divergent) << where;
        EXPECT_EQ(seen("add", "bank_degree"), expected.degree) << where;
        EXPECT_EQ(seen("add", "shared_load.bank_conflicts"), expected.conflicts) << where;
      }
      EXPECT_EQ(number_in(made.outcome, fmt::format("@add[{}].executions", number)) > 0, true) << rule.variant;
      EXPECT_EQ(number_in(made.outcome, fmt::format("@add[{}].executions", number + 1)), 0)
          << rule.variant << ": there are no more halvings";
    }
}

// What lesson 2 teaches, as plain figures for 256 threads: they catch an error that the model above shares with the
// kernels.
TEST(LessonDivergence, TheModelHasTheFiguresOfTheLesson) {
  const auto figures = [](const Rule& rule, int Halving::*figure) {
    std::vector<int> found;
    for (const int step : steps_of(rule, 256)) found.push_back(halving_of(rule, step, 256).*figure);
    return found;
  };
  const Rule &modulo = rules[0], &strided = rules[1], &sequential = rules[2], &last_warp = rules[3];
  EXPECT_EQ(figures(modulo, &Halving::warps), (std::vector<int>{8, 8, 8, 8, 8, 4, 2, 1}));
  EXPECT_EQ(figures(modulo, &Halving::lanes), (std::vector<int>{128, 64, 32, 16, 8, 4, 2, 1}))
      << "half of each warp at step 1, one lane in every other at 32";
  EXPECT_EQ(figures(modulo, &Halving::divergent), (std::vector<int>{8, 8, 8, 8, 8, 4, 2, 1}));
  EXPECT_EQ(figures(modulo, &Halving::conflicts), std::vector<int>(8, 0));
  EXPECT_EQ(figures(strided, &Halving::warps), (std::vector<int>{4, 2, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(figures(strided, &Halving::lanes), (std::vector<int>{128, 64, 32, 16, 8, 4, 2, 1}));
  EXPECT_EQ(figures(strided, &Halving::divergent), (std::vector<int>{0, 0, 0, 1, 1, 1, 1, 1})) << "from step 8 on";
  EXPECT_EQ(figures(strided, &Halving::degree), (std::vector<int>{2, 4, 8, 8, 8, 4, 2, 1}));
  EXPECT_EQ(figures(sequential, &Halving::divergent), (std::vector<int>{0, 0, 0, 1, 1, 1, 1, 1}))
      << "none above 32 threads";
  EXPECT_EQ(figures(sequential, &Halving::conflicts), std::vector<int>(8, 0));
  EXPECT_EQ(figures(last_warp, &Halving::divergent), (std::vector<int>{0, 0, 0}));
  EXPECT_EQ(figures(last_warp, &Halving::conflicts), (std::vector<int>{0, 0, 0}));
}

TEST(LessonDivergence, TheTextShowsEveryHalvingOfTheFour) {
  for (const char* file : {"/text.md", "/text.zh-CN.md"}) {
    const std::string text = test::read_file(folder + std::string(file));
    for (const Rule& rule : rules)
      for (std::size_t number = 1; number <= steps_of(rule, 256).size(); ++number)
        for (const char* shown : {"@add[{}].warps]]", "@add[{}].executed_lanes /", "@test[{}].divergent]]",
                                  "@add[{}].bank_degree]]", "@add[{}].shared_load.bank_conflicts]]"}) {
          const std::string placeholder = rule.variant + fmt::format(fmt::runtime(shown), number);
          EXPECT_NE(text.find(placeholder), std::string::npos) << file << ": " << placeholder;
        }
  }
}

TEST(LessonDivergence, TheAdditionIsGuardedAndNotBehindABranch) {
  NEEDS_SASS();
  for (const char* kernel : {"reduce_modulo", "reduce_strided", "reduce_sequential", "reduce_last_warp"}) {
    const std::string file = std::string(kernel) + ".cu";
    const int line = line_of(test::read_file(std::string(folder) + "/" + file), "// @add");
    std::map<std::string, int> guarded;
    for (const compile::SassInstruction& one : test::sass_of(folder, file, kernel).instructions) {
      const bool at_the_test = one.line == line || one.line == line - 1;
      if (at_the_test) {
        EXPECT_FALSE(one.text.starts_with("BRA")) << kernel << ": " << one.text;
      }
      if (one.line == line && one.predicate.starts_with("@!P")) ++guarded[opcode(one)];
    }
    EXPECT_EQ(guarded["LDS"], 2) << kernel;
    EXPECT_EQ(guarded["FADD"], 1) << kernel;
    EXPECT_EQ(guarded["STS"], 1) << kernel;
  }
}

TEST(LessonDivergence, ARemainderIsManyInstructions) {
  NEEDS_SASS();
  const int line = line_of(test::read_file(std::string(folder) + "/reduce_modulo.cu"), "// @test");
  const compile::Sass sass = test::sass_of(folder, "reduce_modulo.cu", "reduce_modulo");
  const auto count = std::count_if(sass.instructions.begin(), sass.instructions.end(),
                                   [&](const compile::SassInstruction& one) { return one.line == line; });
  EXPECT_GE(count, 17) << "the text says: some twenty";
  EXPECT_LE(count, 25);
}

}  // namespace
}  // namespace lanescope::divergence
