// Work outside the frame: the newest request of a slot wins, and a replaced request never arrives.

#include "gui/session/worker.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace lanescope::gui {
namespace {

using namespace std::chrono_literals;

void drain_until_idle(Worker& worker) {
  const auto start = std::chrono::steady_clock::now();
  while (!worker.idle() && std::chrono::steady_clock::now() - start < 10s) {
    worker.drain();
    std::this_thread::sleep_for(1ms);
  }
}

// Work that runs until it is asked to end.
Worker::Work until_cancelled(std::atomic<bool>& started, Worker::Completion completion) {
  return [&started, completion = std::move(completion)](sim::Progress& progress) {
    started = true;
    while (!progress.cancel) std::this_thread::sleep_for(1ms);
    return completion;
  };
}

TEST(Worker, RunsCompletionsOnlyWhenDrained) {
  std::atomic<int> woken{0};
  std::thread::id ran_on;
  Worker worker([&] { ++woken; });
  worker.post("run", [&](sim::Progress&) { return [&] { ran_on = std::this_thread::get_id(); }; });
  while (woken == 0) std::this_thread::sleep_for(1ms);
  EXPECT_EQ(ran_on, std::thread::id());
  EXPECT_TRUE(worker.drain());
  EXPECT_EQ(ran_on, std::this_thread::get_id());
  EXPECT_FALSE(worker.drain());
}

TEST(Worker, NewestRequestOfASlotWins) {
  std::vector<int> arrived;
  std::atomic<bool> started{false};
  Worker worker([] {});
  worker.post("run", until_cancelled(started, [&] { arrived.push_back(1); }));
  while (!started) std::this_thread::sleep_for(1ms);
  worker.post("run", [&](sim::Progress&) { return [&] { arrived.push_back(2); }; });
  worker.post("run", [&](sim::Progress&) { return [&] { arrived.push_back(3); }; });
  drain_until_idle(worker);
  EXPECT_EQ(arrived, std::vector<int>{3});
}

TEST(Worker, AFinishedResultIsDroppedWhenReplacedBeforeItWasSeen) {
  std::vector<int> arrived;
  std::atomic<int> woken{0};
  Worker worker([&] { ++woken; });
  worker.post("run", [&](sim::Progress&) { return [&] { arrived.push_back(1); }; });
  while (woken == 0) std::this_thread::sleep_for(1ms);
  worker.post("run", [&](sim::Progress&) { return [&] { arrived.push_back(2); }; });
  drain_until_idle(worker);
  EXPECT_EQ(arrived, std::vector<int>{2});
}

TEST(Worker, SlotsDoNotReplaceOneAnother) {
  std::vector<int> arrived;
  Worker worker([] {});
  worker.post("a", [&](sim::Progress&) { return [&] { arrived.push_back(1); }; });
  worker.post("b", [&](sim::Progress&) { return [&] { arrived.push_back(2); }; });
  drain_until_idle(worker);
  EXPECT_EQ(arrived, (std::vector<int>{1, 2}));
}

TEST(Worker, StoppedWorkStillReports) {
  bool reported = false;
  std::atomic<bool> started{false};
  Worker worker([] {});
  worker.post("run", until_cancelled(started, [&] { reported = true; }));
  while (!started) std::this_thread::sleep_for(1ms);
  EXPECT_TRUE(worker.status("run").busy);
  EXPECT_FALSE(worker.status("other").busy);
  worker.stop("run");
  drain_until_idle(worker);
  EXPECT_TRUE(reported);
  EXPECT_FALSE(worker.status("run").busy);
}

TEST(Worker, EndsWhileWorkRuns) {
  std::atomic<bool> started{false};
  {
    Worker worker([] {});
    worker.post("run", until_cancelled(started, {}));
    while (!started) std::this_thread::sleep_for(1ms);
  }
  SUCCEED();
}

}  // namespace
}  // namespace lanescope::gui
