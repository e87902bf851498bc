// `lanescope exec` reads what the libraries write.

#include "device/run_log.h"

#include <gtest/gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <thread>

#include "core/os/abilities.h"
#include "core/os/environment.h"
#include "core/os/machine.h"
#include "core/worded.h"
#include "device/exec_options.h"
#include "device/launch_watch.h"

namespace lanescope::device {
namespace {

// Removes the file at the end.
class RunLogFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "lanescope_run_log_" + std::to_string(own_process());
    std::remove(path_.c_str());
  }
  void TearDown() override { std::remove(path_.c_str()); }
  std::string path_;
};

LaunchRow example() {
  LaunchRow row;
  row.kernel = "add<float, 4>";
  row.source_file = "a folder/add.cu";
  row.launch = {{3, 2, 1}, {256, 1, 1}, 64, 128, true};
  row.completed = row.counted = true;
  row.totals.warp_instructions = 11;
  row.totals.lane_instructions = 12;
  row.totals.branches = 13;
  row.totals.divergent_branches = 14;
  row.totals.barriers = 15;
  row.totals.shuffles = 16;
  row.totals.votes = 17;
  row.totals.of(trace::MemoryClass::global_load) = {1, 2, 3, 4, 5, 6, 7, 8};
  row.totals.of(trace::MemoryClass::shared_store) = {9, 8, 7, 6, 5, 4, 3, 2};
  row.costliest = {"add.cu", 7, false, 4, 5};
  row.races = 2;
  row.seconds = 0.25;
  row.diagnostics = {
      {Severity::error, "memory.out_of_bounds", {"add.cu", 7, 3}, worded("{} bytes past {}", 4, "arg 0"), "Cure."}};
  return row;
}

TEST_F(RunLogFile, LaunchesThatAreAlikeAreOneRow) {
  LaunchRow one = example();
  one.diagnostics.clear();
  LaunchRow other = one;
  other.totals.branches += 1;
  {
    RunLog log(path_);
    for (int i = 0; i < 3; ++i) {
      log.add(one);
      log.add(other);
    }
    log.add(CopyRow{});
    log.add(one);
  }
  auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 3u);
  const auto& first = std::get<LaunchRow>((*rows)[0]);
  EXPECT_EQ(first.totals, one.totals);
  EXPECT_EQ(first.times, 4u);
  EXPECT_EQ(first.seconds, 1.0);
  EXPECT_EQ(std::get<LaunchRow>((*rows)[1]).totals, other.totals);
  EXPECT_EQ(std::get<LaunchRow>((*rows)[1]).times, 3u);
}

// So a program that is killed loses none of them, and the log of a long program stays short.
TEST_F(RunLogFile, RepetitionsAreInTheFileAtOnceAndDoNotMakeItLonger) {
  if (!can_stand_in_for_cuda()) GTEST_SKIP() << "no program runs under `exec` on Windows; its log is not mapped there";
  LaunchRow one = example();
  one.diagnostics.clear();
  one.seconds = 0.25;
  RunLog log(path_);
  log.add(one);
  log.add(one);
  const auto bytes = std::filesystem::file_size(path_);
  for (int i = 0; i < 12'345; ++i) log.add(one);
  EXPECT_EQ(std::filesystem::file_size(path_), bytes);
  const auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(std::get<LaunchRow>(rows->front()).times, 12'347u);
  EXPECT_EQ(std::get<LaunchRow>(rows->front()).seconds, 12'347 * 0.25);
}

// What a call returned; a fault of a kernel stays an error, and so does what follows.
TEST_F(RunLogFile, ErrorsThatTheProgramFetchedAreWarnings) {
  LaunchRow refused = example(), faulty = example();
  refused.refused = refused.diagnostics[0].code;
  const Diagnostic error = refused.diagnostics[0];
  {
    RunLog log(path_);
    log.add(refused);
    log.add(faulty);
    log.add(error);
    log.add_fetched();
    log.add(refused);
    log.add(error);
  }
  auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 5u);
  const auto severity = [&](std::size_t at) {
    const auto* launch = std::get_if<LaunchRow>(&(*rows)[at]);
    return launch != nullptr ? launch->diagnostics.at(0).severity : std::get<Diagnostic>((*rows)[at]).severity;
  };
  EXPECT_EQ(severity(0), Severity::warning);
  EXPECT_EQ(severity(1), Severity::error);
  EXPECT_EQ(severity(2), Severity::warning);
  EXPECT_EQ(severity(3), Severity::error);
  EXPECT_EQ(severity(4), Severity::error);
}

TEST_F(RunLogFile, EachDifferenceBetweenLaunchesIsKept) {
  LaunchRow row = example();
  row.diagnostics.clear();
  std::vector<LaunchRow> rows(14, row);
  rows[1].kernel = "subtract";
  rows[2].source_file = "other.cu";
  rows[3].launch.grid.x = 4;
  rows[4].launch.block.z = 2;
  rows[5].launch.dynamic_shared_bytes = 0;
  rows[6].launch.cooperative = false;
  rows[7].launch.cluster.x = 2;
  rows[8].completed = false;
  rows[9].totals.of(trace::MemoryClass::global_load).sectors += 1;
  rows[10].costliest.line += 1;
  rows[11].looked_for_races = true;
  rows[12].races = 0;
  rows[13].refused = "launch.empty";
  {
    RunLog log(path_);
    for (int twice = 0; twice < 2; ++twice)
      for (const LaunchRow& one : rows) log.add(one);
    for (int i = 0; i < 2; ++i) log.add(example());  // with a diagnostic: told one by one
  }
  const auto read = read_run_log(path_);
  ASSERT_TRUE(read.ok());
  ASSERT_EQ(read->size(), rows.size() + 2);
  for (std::size_t i = 0; i < read->size(); ++i)
    EXPECT_EQ(std::get<LaunchRow>((*read)[i]).times, i < rows.size() ? 2u : 1u) << "row " << i;
}

TEST_F(RunLogFile, ALaunchLikeOneThatWasCutOffIsLeftOut) {
  std::ofstream(path_) << R"({"again":{"process":1,"number":7,"times":1,"nanoseconds":1000}})"
                       << "\n";
  const auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  EXPECT_TRUE(rows->empty());
}

TEST_F(RunLogFile, RowsComeBackWhole) {
  const LaunchRow sent = example();
  {
    RunLog log(path_);
    log.add(sent);
    log.add(CopyRow{CopyDirection::device_to_host, 4096, 3});
    log.add(MissingCall{"cudaGraphInstantiate", 3});
    log.add(sent.diagnostics.front());
  }
  const auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 4u);
  const auto& launch = std::get<LaunchRow>((*rows)[0]);
  EXPECT_EQ(launch.kernel, sent.kernel);
  EXPECT_EQ(launch.source_file, sent.source_file);
  EXPECT_EQ(launch.launch.grid, sent.launch.grid);
  EXPECT_EQ(launch.launch.block, sent.launch.block);
  EXPECT_EQ(launch.launch.dynamic_shared_bytes, 64u);
  EXPECT_EQ(launch.launch.static_shared_bytes, 128u);
  EXPECT_TRUE(launch.launch.cooperative && launch.completed && launch.counted);
  EXPECT_EQ(launch.totals, sent.totals);
  EXPECT_EQ(launch.costliest, sent.costliest);
  EXPECT_EQ(launch.races, 2u);
  EXPECT_EQ(launch.seconds, 0.25);
  ASSERT_EQ(launch.diagnostics.size(), 1u);
  EXPECT_EQ(format(launch.diagnostics[0]), format(sent.diagnostics[0]));
  EXPECT_EQ(launch.diagnostics[0].message.pattern(), "{} bytes past {}");
  EXPECT_EQ(std::get<CopyRow>((*rows)[1]), (CopyRow{CopyDirection::device_to_host, 4096, 3}));
  EXPECT_EQ(std::get<MissingCall>((*rows)[2]), (MissingCall{"cudaGraphInstantiate", 3, own_process()}));
  EXPECT_EQ(std::get<Diagnostic>((*rows)[3]).code, "memory.out_of_bounds");
}

TEST_F(RunLogFile, ALineThatWasCutOffIsLeftOut) {
  {
    RunLog log(path_);
    log.add(CopyRow{CopyDirection::host_to_device, 1, 1});
    log.add(CopyRow{CopyDirection::host_to_device, 2, 1});
  }
  std::string text;
  std::getline(std::ifstream(path_), text, '\0');
  std::ofstream(path_) << text.substr(0, text.size() - 5);
  const auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  ASSERT_EQ(rows->size(), 1u);
  EXPECT_EQ(std::get<CopyRow>(rows->front()).bytes, 1u);
}

TEST_F(RunLogFile, ANumberThatNoProgramWroteIsLeftOut) {
  RunLog(path_).add(CopyRow{CopyDirection::host_to_device, 1, 1});
  std::string line;
  std::getline(std::ifstream(path_), line);
  const std::size_t at = line.find("\"bytes\":1");
  ASSERT_NE(at, std::string::npos) << line;
  for (const char* number : {"4e67", "-1", "1.5", "18446744073709551616"})
    std::ofstream(path_, std::ios::app) << std::string(line).replace(at, 9, std::string("\"bytes\":") + number) << "\n";
  const auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->size(), 1u);
}

TEST_F(RunLogFile, LaunchesThatHaveNotEndedAreFollowedAndNotAmongTheRows) {
  RunningLaunches launches(path_);
  EXPECT_FALSE(launches.latest()) << "there is no file yet";
  RunLog log(path_);
  log.add(CopyRow{CopyDirection::host_to_device, 1, 1});
  EXPECT_FALSE(launches.latest());
  log.add(RunningRow{"spin", "a folder/spin.cu", 7, {3, 2, 1}, {32, 1, 1}, 10.5, 1});
  log.add(RunningRow{"spin", "a folder/spin.cu", 7, {3, 2, 1}, {32, 1, 1}, 20.5, 2});
  const std::optional<RunningRow> seen = launches.latest();
  ASSERT_TRUE(seen);
  EXPECT_EQ(seen->kernel, "spin");
  EXPECT_EQ(seen->line, 7);
  EXPECT_EQ(seen->grid, (Dim3{3, 2, 1}));
  EXPECT_EQ(seen->seconds, 20.5);
  EXPECT_EQ(seen->blocks_done, 2u);
  EXPECT_FALSE(launches.latest()) << "nothing new";
  std::ofstream(path_, std::ios::app) << R"({"running":{"kernel":"half)";
  EXPECT_FALSE(launches.latest()) << "a line that is being written";
  const auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->size(), 1u);
}

TEST(RareLines, AreAllowedAtOnceThenRarely) {
  RareLines lines;
  std::vector<int> told;
  for (int now = 10; now <= 4000; now += 10)
    if (lines.allow(std::chrono::seconds(now))) told.push_back(now);
  EXPECT_EQ(told, (std::vector{10, 70, 370, 970, 1570, 2170, 2770, 3370, 3970}));
}

TEST(LaunchWatch, TellsAgainAndAgainWhileALaunchRuns) {
  std::mutex guard;
  std::condition_variable told;
  std::vector<RunningRow> rows;
  LaunchWatch watch(std::chrono::milliseconds(1), [&](const RunningRow& row) {
    const std::lock_guard lock(guard);
    rows.push_back(row);
    told.notify_all();
  });
  EXPECT_FALSE(watch.running());
  watch.begin({"spin", "spin.cu", 5, {4, 1, 1}, {32, 1, 1}, 0, 0});
  watch.progress().blocks_done = 3;
  EXPECT_EQ(watch.running()->kernel, "spin");
  {
    std::unique_lock lock(guard);
    ASSERT_TRUE(told.wait_for(lock, std::chrono::minutes(1), [&] { return rows.size() >= 3; }));
    EXPECT_EQ(rows.back().kernel, "spin");
    EXPECT_EQ(rows.back().blocks_done, 3u);
    EXPECT_GE(rows.back().seconds, rows.front().seconds);
  }
  watch.end();
  EXPECT_FALSE(watch.running());
}

TEST_F(RunLogFile, SeveralWritersDoNotMixTheirLines) {
  if (!can_stand_in_for_cuda())
    GTEST_SKIP() << "no program runs under `exec` on Windows, where two may write at one place";
  {
    RunLog first(path_), second(path_);
    std::vector<std::jthread> threads;
    for (RunLog* log : {&first, &first, &second, &second})
      threads.emplace_back([log] {
        for (int i = 0; i < 200; ++i) log->add(example());
      });
  }
  const auto rows = read_run_log(path_);
  ASSERT_TRUE(rows.ok());
  EXPECT_EQ(rows->size(), 800u);
}

TEST_F(RunLogFile, WhatIsNotThereIsTold) {
  const auto rows = read_run_log(path_);
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.errors().front().code, "io.cannot_read");
  RunLog nowhere("");
  EXPECT_FALSE(nowhere.is_open());
  nowhere.add(CopyRow{});
}

TEST(ExecOptions, ComeThroughTheEnvironmentWhole) {
  const ExecOptions sent{"/a \"folder\"/log", true, true, 12345, "add|mul<.*>", "3-5", "sm_80", 7, false};
  EXPECT_EQ(exec_options_from(to_environment(sent)), sent);
  EXPECT_EQ(exec_options_from(""), ExecOptions{});
  EXPECT_EQ(exec_options_from("{\"log\": 3}"), ExecOptions{});
  set_variable(exec_variable, to_environment(sent));
  EXPECT_EQ(exec_options_from_environment(), sent);
  unset_variable(exec_variable);
  EXPECT_EQ(exec_options_from_environment(), ExecOptions{});
}

TEST(ExecOptions, ListsOfLaunches) {
  for (const char* good : {"", "1", "3-5", "1,4-", "2-2,7"}) EXPECT_TRUE(is_launch_list(good)) << good;
  for (const char* bad : {"0", "a", "5-3", "1,", "-3", "1-2-3", "1 ", "99999999999999999999"})
    EXPECT_FALSE(is_launch_list(bad)) << bad;
  std::string named;
  for (std::uint64_t i = 1; i <= 8; ++i)
    if (names_launch("1,3-4,7-", i)) named += std::to_string(i);
  EXPECT_EQ(named, "13478");
  EXPECT_TRUE(names_launch("", 1));
}

}  // namespace
}  // namespace lanescope::device
