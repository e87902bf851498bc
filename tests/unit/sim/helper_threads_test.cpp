#include "sim/helper_threads.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace lanescope::sim {
namespace {

TEST(HelperThreads, EachPieceIsDoneOnceHoweverManyHelp) {
  for (const int helpers : {0, 1, 2, 7, 33}) {
    SCOPED_TRACE(std::to_string(helpers) + " helpers");
    HelperThreads team(helpers);
    EXPECT_EQ(team.count(), helpers);
    for (int round = 0; round < 20; ++round) {
      // Plain ints: what the helpers wrote must be visible here without further synchronisation.
      std::vector<int> done(1000, 0);
      std::atomic<std::size_t> next{0};
      std::mutex mutex;
      std::vector<int> came;
      team.run([&](int number) {
        {
          const std::lock_guard lock(mutex);
          came.push_back(number);
        }
        for (std::size_t i; (i = next++) < done.size();) ++done[i];
      });
      EXPECT_EQ(done, std::vector<int>(1000, 1));
      const std::set<int> different(came.begin(), came.end());
      EXPECT_EQ(different.size(), came.size());
      EXPECT_TRUE(different.contains(0));
      EXPECT_LE(*different.rbegin(), helpers);
    }
  }
}

TEST(HelperThreads, ComeWhenTheCallerGivesThemTime) {
  HelperThreads team(1);
  std::atomic<bool> came{false};
  team.run([&](int number) {
    if (number != 0) came = true;
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!came && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
  });
  EXPECT_TRUE(came);
}

TEST(HelperThreads, AreWaitedForAfterTheyFellAsleep) {
  HelperThreads team(2);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  std::atomic<int> within{0}, ended{0};
  team.run([&](int number) {
    if (number == 0) {
      const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
      while (within == 0 && std::chrono::steady_clock::now() < give_up) std::this_thread::yield();
      return;
    }
    ++within;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    ++ended;
  });
  EXPECT_GE(within, 1);
  EXPECT_EQ(ended, within);
}

TEST(HelperThreads, ServeManyCallersAtOnce) {
  std::vector<std::thread> callers;
  std::atomic<int> sum{0};
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&] {
      for (int launch = 0; launch < 50; ++launch) {
        HelperThreads team(3);
        std::atomic<int> left{100};
        team.run([&](int) {
          while (left-- > 0) ++sum;
        });
      }
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(sum, 6 * 50 * 100);
}

}  // namespace
}  // namespace lanescope::sim
