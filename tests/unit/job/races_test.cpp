// The race detector on CUDA kernels with known verdicts: litmus kernels, the corpus, every lesson, and kernels with a
// barrier removed.

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "golden.h"
#include "job/lesson/lesson_check.h"
#include "job/request/directives.h"
#include "job/run/race_text.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

std::string verdict_of(const sim::RaceReport& report) {
  std::set<std::string> found;
  for (const sim::Race& race : report.races)
    found.insert(std::string(sim::name_of(race.kind)) + " " + sim::name_of(race.cure));
  std::string text;
  for (const std::string& one : found) text += (text.empty() ? "" : ", ") + one;
  return text.empty() ? "safe" : text;
}

std::string told(const Outcome& outcome) {
  std::string text;
  for (const sim::Race& race : outcome.first().races.races) {
    const RaceText words = race_text(race, outcome.first().trace, outcome.request);
    text +=
        words.title + "\n  " + words.first + "\n  " + words.second + "\n  " + words.where + "\n  " + words.cure + "\n";
  }
  return text;
}

Outcome watched(Request request) {
  request.races = true;
  return run(request);
}

// The lines that begin with `// verdict: `, in order.
std::vector<std::string> verdicts(const std::string& source) {
  const std::string begin = "// verdict: ";
  std::vector<std::string> found;
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(begin)) found.push_back(line.substr(begin.size()));
  return found;
}

std::vector<DirectedRun> runs_of(const std::string& file, const std::string& source) {
  Result<std::vector<DirectedRun>> runs = directed_runs(file, source);
  if (!runs) ADD_FAILURE() << file << ": " << format(runs.errors().front());
  return runs ? std::move(*runs) : std::vector<DirectedRun>{};
}

TEST(Races, LitmusKernelsGetTheirVerdicts) {
  for (const test::Case& file : test::cases("races", ".cu")) {
    const std::string name = file.path.filename().string();
    const std::vector<std::string> expected = verdicts(file.text());
    const std::vector<DirectedRun> runs = runs_of(name, file.text());
    ASSERT_EQ(runs.size(), expected.size()) << name << ": a kernel without a verdict";
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Outcome outcome = watched(runs[i].request);
      const std::string kernel = name + ": " + runs[i].request.first().kernel;
      EXPECT_EQ(outcome.first().races.complete(), outcome.completed) << kernel;
      EXPECT_EQ(outcome.completed ? verdict_of(outcome.first().races) : "fault " + outcome.diagnostics.back().code,
                expected[i])
          << kernel << "\n"
          << told(outcome);
    }
  }
}

// Of each race of the kernel: whether its cure is a barrier, in the order of the report.
std::vector<bool> barriers_told(const std::string& body) {
  const std::string source =
      "// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0\n"
      "__global__ void k(const int* in, int* out) {\n  __shared__ int s[64];\n  const int t = threadIdx.x;\n"
      "  s[t] = in[t];\n  __syncthreads();\n" +
      body + "  __syncthreads();\n  out[t] += s[t];\n}\n";
  std::vector<bool> found;
  for (const DirectedRun& one : runs_of("step.cu", source)) {
    const Outcome outcome = watched(one.request);
    for (const sim::Race& race : outcome.first().races.races) {
      if (!sim::accuses(race.kind)) continue;
      const std::string cure = race_text(race, outcome.first().trace, outcome.request).cure;
      EXPECT_NE(cure.find("atomicAdd()") != std::string::npos, cure.find("__syncthreads()") != std::string::npos)
          << cure;
      found.push_back(cure.find("__syncthreads()") != std::string::npos);
    }
  }
  return found;
}

// A barrier is no cure for two threads that run the same write, or the same read and write, in one step.
TEST(Races, NoBarrierIsToldWhereNoneHelps) {
  EXPECT_EQ(barriers_told("  s[t & 15] += 1;\n"), (std::vector<bool>{false, false}));
  EXPECT_EQ(barriers_told("  int v = s[t & 15];\n  s[t & 15] = v + 1;\n"), (std::vector<bool>{false, false}));
  EXPECT_EQ(barriers_told("  out[t & 15] = t;\n"), (std::vector<bool>{false}));
  EXPECT_EQ(barriers_told("  if (t % 3) s[1] = t;\n  out[t & 15] = t;\n"), (std::vector<bool>{false, false}));
  EXPECT_EQ(barriers_told("  for (int i = 0; i < in[5]; i++) out[(t & 15) + i] = t;\n"), std::vector<bool>{false});
  // These a barrier does order.
  EXPECT_EQ(barriers_told("  s[t] += s[t ^ 32];\n"), (std::vector<bool>{true}));
  EXPECT_EQ(barriers_told("  s[t] = t;\n  s[63 - t] = 1 + t;\n"), (std::vector<bool>{true}));
  EXPECT_EQ(barriers_told("  for (int i = 0; i < in[3]; i++) s[(t + 32 * i) & 63] = t + i;\n"),
            (std::vector<bool>{true}));
}

TEST(Races, TheCorpusIsNotAccused) {
  for (const test::Case& file : test::cases("corpus", ".cu")) {
    const std::string name = file.path.filename().string();
    for (const DirectedRun& one : runs_of(name, file.text())) {
      const Outcome outcome = watched(one.request);
      ASSERT_TRUE(outcome.completed) << name << ": " << one.request.first().kernel;
      EXPECT_TRUE(outcome.first().races.complete()) << name << ": " << one.request.first().kernel;
      EXPECT_EQ(verdict_of(outcome.first().races), "safe") << name << ": " << one.request.first().kernel << "\n"
                                                           << told(outcome);
    }
  }
}

// Each __syncthreads() of the corpus is needed: without it there is a race, or a read of something not yet written. One
// exception: softmax's block_reduce() protects its array against a second use, and each of its two instances has its
// own array that is used once.
TEST(Races, EveryBarrierOfTheCorpusIsMissed) {
  const std::string barrier = "__syncthreads();";
  for (const test::Case& file : test::cases("corpus", ".cu")) {
    const std::string source = file.text();
    int number = 0;
    for (std::size_t at = source.find(barrier); at != std::string::npos; at = source.find(barrier, at + 1)) {
      ++number;
      std::string mutated = source;
      mutated.replace(at, barrier.size(), ";");
      bool missed = false;
      for (const DirectedRun& one : runs_of(file.path.filename().string(), mutated)) {
        const Outcome outcome = watched(one.request);
        missed |= !outcome.completed || outcome.first().races.accuses();
      }
      const bool needed = !(file.name == "softmax" && number == 1);
      EXPECT_EQ(missed, needed) << file.path.filename() << ": without its __syncthreads() number " << number;
    }
  }
}

// `lanescope check` notices a barrier removed from a lesson's kernel, and one added to the kernel that lacks one on
// purpose.
TEST(Races, TheContentCheckerNoticesARemovedBarrier) {
  Result<lesson::Lesson> lesson =
      lesson::load((std::filesystem::path(LANESCOPE_SOURCE_DIR) / "lessons" / "02_divergence").string());
  ASSERT_TRUE(lesson.ok()) << format(lesson.errors().front());
  const auto has = [](const Diagnostics& problems, const std::string& code) {
    return std::any_of(problems.begin(), problems.end(), [&](const Diagnostic& one) { return one.code == code; });
  };
  EXPECT_FALSE(has(check_lesson(*lesson), "lesson.race"));
  EXPECT_FALSE(has(check_lesson(*lesson), "lesson.not_broken"));
  lesson::Lesson racy = *lesson;
  std::string& sequential = racy.sources.at("reduce_sequential.cu");
  sequential.replace(sequential.rfind("__syncthreads();"), 16, ";");
  EXPECT_TRUE(has(check_lesson(racy), "lesson.race"));
  lesson::Lesson mended = *lesson;
  mended.sources.at("reduce_missing_barrier.cu") = mended.sources.at("reduce_sequential.cu");
  std::string& source = mended.sources.at("reduce_missing_barrier.cu");
  source.replace(source.find("reduce_sequential"), 17, "reduce_missing_barrier");
  EXPECT_TRUE(has(check_lesson(mended), "lesson.not_broken"));
}

}  // namespace
}  // namespace lanescope::job
