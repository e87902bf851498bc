#include "gpu/worker.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "gpu/message.h"
#include "gpu/wire_ends.h"

namespace lanescope::gpu {
namespace {

using test::noise;
using Ends = test::WireEnds;

// The bytes that arrive when `bytes` are sent.
std::vector<Bytes> over(Wire& from, Wire& to, const std::vector<Bytes>& bytes) {
  EXPECT_TRUE(from.send({{"count", bytes.size()}}, Outgoing(bytes.begin(), bytes.end())));
  auto got = to.receive();
  EXPECT_TRUE(got);
  return got ? std::move(got->bytes) : std::vector<Bytes>{};
}

template <typename Element>
Bytes counting(std::size_t count, Element first, Element step) {
  std::vector<Element> elements;
  for (std::size_t i = 0; i < count; ++i) elements.push_back(static_cast<Element>(first + step * Element(i)));
  const std::span<const std::byte> bytes = std::as_bytes(std::span(elements));
  return {bytes.begin(), bytes.end()};
}

// What a rule makes is not sent: sixteen megabytes of iota, a result that is all ones.
TEST(GpuMessage, WhatFollowsARuleIsMadeAtTheOtherEnd) {
  Ends ends;
  const Bytes iota = counting<float>(4'194'304, 0, 1), ones = counting<float>(100'000, 1, 0), zeros(1 << 20);
  EXPECT_EQ(over(ends.here, ends.there, {iota, ones, zeros}), (std::vector{iota, ones, zeros}));
  EXPECT_EQ(ends.here.bytes_sent(), 0u);
  Bytes almost = iota;
  almost.at(almost.size() - 1) ^= std::byte{1};
  std::thread reader([&] { EXPECT_EQ(ends.there.receive()->bytes.at(0), almost); });
  ASSERT_TRUE(ends.here.send({}, {almost}));
  reader.join();
  EXPECT_EQ(ends.here.bytes_sent(), almost.size()) << "one bit is not the rule's";
}

Out with(const ContentRule& rule, const Bytes& bytes) {
  Out out(bytes);
  out.rule = rule;
  return out;
}

// A rule that is not found in the bytes is told with them: random numbers in bounds, permutations, any seed.
TEST(GpuMessage, ARuleThatIsToldIsSentIfItIsTrue) {
  Ends ends;
  using Kind = ContentRule::Kind;
  using Type = ContentRule::Type;
  const ContentRule rules[] = {
      {.kind = Kind::random, .type = Type::f32, .first = 123'456},
      {.kind = Kind::random_within, .type = Type::u32, .first = 3, .low = 10, .high = 99},
      {.kind = Kind::random_within,
       .type = Type::f64,
       .first = 3,
       .low = std::bit_cast<std::uint64_t>(-1.0),
       .high = std::bit_cast<std::uint64_t>(1.0)},
      {.kind = Kind::permutation, .type = Type::u32, .first = 7},
  };
  for (const ContentRule& rule : rules) {
    Bytes bytes(4u << 20);
    ASSERT_TRUE(fill(bytes, rule));
    for (int turn = 0; turn < 2; ++turn) {
      const std::uint64_t before = ends.here.bytes_written();
      ASSERT_TRUE(ends.here.send({}, {with(rule, bytes)}));
      EXPECT_EQ(ends.there.receive()->bytes.at(0), bytes);
      EXPECT_LT(ends.here.bytes_written() - before, 100u);
    }
    if (rule.kind == Kind::permutation) {  // both ends keep it
      ASSERT_TRUE(ends.there.send({}, {bytes}));
      EXPECT_EQ(ends.here.receive()->bytes.at(0), bytes);
      EXPECT_EQ(ends.there.bytes_sent(), 0u);
    }
    bytes.at(bytes.size() - 1) ^= std::byte{1};
    std::thread reader([&] { EXPECT_EQ(ends.there.receive()->bytes.at(0), bytes); });
    const std::uint64_t before = ends.here.bytes_sent();
    ASSERT_TRUE(ends.here.send({}, {with(rule, bytes)}));
    reader.join();
    EXPECT_EQ(ends.here.bytes_sent() - before, bytes.size()) << "one bit is not the rule's";
  }
}

// Between machines, a buffer of hundreds of megabytes is sent once, too.
TEST(GpuMessage, TheLimitOfWhatBothKeepCanBeRaised) {
  const Bytes large = noise(40u << 20, 5);
  for (const bool raised : {false, true}) {
    Ends ends;
    if (raised)
      for (Wire* wire : {&ends.here, &ends.there}) wire->keep_at_most(Wire::most_kept_elsewhere);
    for (int turn = 0; turn < 2; ++turn) {
      std::thread reader([&] { EXPECT_TRUE(ends.there.receive()->bytes.at(0) == large); });
      ASSERT_TRUE(ends.here.send({}, {large}));
      reader.join();
    }
    EXPECT_EQ(ends.here.bytes_sent(), large.size() * (raised ? 1 : 2));
  }
}

// A rule from the other end that no program of ours sends: no crash, no memory for it, no message.
TEST(GpuMessage, ARuleThatIsNoneIsNoMessage) {
  constexpr std::uint64_t by_rule = ~2ull, counting = 0, permutation = 3, f32 = 5;
  const std::vector<std::vector<std::uint64_t>> bad{
      {8192, by_rule, counting, 99, 0, 0, 0, 0},      // an unknown type
      {8192, by_rule, 99, f32, 0, 0, 0, 0},           // an unknown kind
      {8191, by_rule, counting, f32, 0, 0, 0, 0},     // no whole number of elements
      {8192, by_rule, permutation, f32, 7, 0, 0, 0},  // not of whole numbers
      {~0ull, by_rule, counting, f32, 0, 0, 0, 0},    // longer than any message
      {8ull << 30 | 8, by_rule, counting, f32, 0, 0, 0, 0},
      {8192, by_rule, counting, f32},  // cut off
  };
  for (const std::vector<std::uint64_t>& words : bad) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    Wire wire(pipe[0], -1);
    const std::uint64_t lengths[2] = {1, 1};
    ASSERT_EQ(::write(pipe[1], lengths, sizeof lengths), static_cast<ssize_t>(sizeof lengths));
    ASSERT_EQ(::write(pipe[1], "\xf6", 1), 1);
    const auto size = static_cast<ssize_t>(8 * words.size());
    ASSERT_EQ(::write(pipe[1], words.data(), static_cast<std::size_t>(size)), size);
    ::close(pipe[1]);
    EXPECT_FALSE(wire.receive()) << words[0] << " " << words.size();
    ::close(pipe[0]);
  }
}

// A kibibyte on the wire may not take gigabytes: the receiver says how many bytes may be made or named.
TEST(GpuMessage, WhatDoesNotTravelHasALimit) {
  Ends ends;
  const Bytes ones = counting<std::uint8_t>(1 << 20, 1, 0), other = noise(8192, 3);
  const auto send_and_receive = [&](const Outgoing& bytes, std::uint64_t most) {
    EXPECT_TRUE(ends.here.send({}, bytes));
    return ends.there.receive(most).has_value();
  };
  EXPECT_TRUE(send_and_receive({ones, ones}, 2u << 20));
  EXPECT_TRUE(send_and_receive({other}, 0)) << "it arrives in full";
  EXPECT_TRUE(send_and_receive({other, other}, 16384));
  EXPECT_FALSE(send_and_receive({ones, ones}, (2u << 20) - 1));
  Ends again;
  EXPECT_TRUE(again.here.send({}, {other, other, other}));
  EXPECT_FALSE(again.there.receive(16383)) << "the second and third are named";
}

rusage resources() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used;
}

// 81 bytes that ask for 1 GiB: refused before the memory is taken.
TEST(GpuMessage, ARefusedBlockTakesNoMemory) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  Wire wire(pipe[0], -1);
  const std::uint64_t lengths[2] = {1, 1}, block[] = {1ull << 30, ~2ull, 0, 1, 0, 0, 0, 0};
  ASSERT_EQ(::write(pipe[1], lengths, sizeof lengths), static_cast<ssize_t>(sizeof lengths));
  ASSERT_EQ(::write(pipe[1], "\xf6", 1), 1);
  ASSERT_EQ(::write(pipe[1], block, sizeof block), static_cast<ssize_t>(sizeof block));
  const long before = resources().ru_maxrss;
  EXPECT_FALSE(wire.receive(64u << 20));
  EXPECT_LT(resources().ru_maxrss - before, 128l << 10) << "KiB";
  for (const int end : pipe) ::close(end);
}

TEST(GpuMessage, ArgumentsSurviveTheWire) {
  Ends ends;
  const std::vector<Argument> sent{
      {.is_buffer = true, .bytes = {std::byte{0}, std::byte{255}, std::byte{7}}, .base_offset = 2, .restored = false},
      {.is_buffer = false, .bytes = {std::byte{42}}}};
  Outgoing bytes;
  const Message list = to_message(sent, bytes);
  ASSERT_TRUE(ends.here.send(list, bytes));
  auto got = ends.there.receive();
  ASSERT_TRUE(got);
  const std::vector<Argument> back = arguments_from(got->head, got->bytes);
  ASSERT_EQ(back.size(), 2u);
  EXPECT_EQ(back[0].bytes, sent[0].bytes);
  EXPECT_TRUE(back[0].is_buffer);
  EXPECT_EQ(back[0].base_offset, 2u);
  EXPECT_FALSE(back[0].restored);
  EXPECT_TRUE(back[1].restored);
  EXPECT_EQ(back[1].bytes, sent[1].bytes);
}

TEST(GpuMessage, BytesThatBothEndsHaveAreNamedAndNotSent) {
  Ends ends;
  const Bytes one = noise(5000, 1), two = noise(5000, 2), few(10, std::byte{3});
  EXPECT_EQ(over(ends.here, ends.there, {one, two, few}), (std::vector{one, two, few}));
  EXPECT_EQ(ends.here.bytes_sent(), 10010u);
  EXPECT_EQ(over(ends.here, ends.there, {one, few}), (std::vector{one, few}));
  EXPECT_EQ(ends.here.bytes_sent(), 10020u) << "few bytes go over again";
  // Results that were sent back are also known at both ends, and so are bytes first sent by the other end.
  Bytes result = two;
  result[4999] ^= std::byte{9};
  EXPECT_EQ(over(ends.there, ends.here, {two, result}), (std::vector{two, result}));
  EXPECT_EQ(ends.there.bytes_sent(), 5000u);
  EXPECT_EQ(over(ends.here, ends.there, {result, one, two}), (std::vector{result, one, two}));
  EXPECT_EQ(ends.here.bytes_sent(), 10020u);
  // Neither end keeps bytes that were marked as sent only once.
  const Bytes other = noise(6000, 4);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(ends.here.send({}, {Out(other, true)}));
    EXPECT_EQ(ends.there.receive()->bytes.at(0), other);
  }
  EXPECT_EQ(ends.here.bytes_sent(), 22020u);
  EXPECT_EQ(over(ends.there, ends.here, {other, one}), (std::vector{other, one}));
  EXPECT_EQ(ends.there.bytes_sent(), 11000u);
}

TEST(GpuMessage, BothEndsForgetTheSameBytes) {
  Ends ends;
  std::vector<Bytes> all;
  for (unsigned i = 0; i < 40; ++i) all.push_back(noise(2u << 20, i));
  std::thread other([&] {
    for (unsigned i = 0; i < 80; ++i) {
      auto got = ends.there.receive();
      ASSERT_TRUE(got);
      EXPECT_EQ(got->bytes.front(), all[i % 40]) << i;
    }
  });
  for (unsigned i = 0; i < 80; ++i) ASSERT_TRUE(ends.here.send({{"i", i}}, {all[i % 40]}));
  other.join();
  EXPECT_EQ(ends.here.bytes_sent(), 80ull * (2u << 20)) << "those that were asked for again had been forgotten";
}

TEST(GpuMessage, TimingIsRestoredWithItsInterval) {
  Timing timing;
  timing.samples = {3e-6, 1e-6, 2e-6};
  timing.discarded = 16;
  timing.stop_reason = "time limit";
  const Timing back = timing_from(to_message(timing));
  EXPECT_EQ(back.samples, timing.samples);
  EXPECT_DOUBLE_EQ(back.seconds.median, 2e-6);
  EXPECT_EQ(back.discarded, 16u);
}

TEST(GpuMessage, AClosedOrBrokenPipeIsNoMessage) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  Wire wire(ends[0], -1);
  const std::uint64_t lengths[2] = {3, 0};
  ASSERT_EQ(::write(ends[1], lengths, sizeof lengths), static_cast<ssize_t>(sizeof lengths));
  ASSERT_EQ(::write(ends[1], "\xff\xff\xff", 3), 3);
  EXPECT_FALSE(wire.receive());
  // A reference to bytes that were never sent.
  const std::uint64_t named[] = {1, 1, 5000, 0};
  ASSERT_EQ(::write(ends[1], named, 2 * sizeof *named), static_cast<ssize_t>(2 * sizeof *named));
  ASSERT_EQ(::write(ends[1], "\xf6", 1), 1);
  ASSERT_EQ(::write(ends[1], named + 2, 2 * sizeof *named), static_cast<ssize_t>(2 * sizeof *named));
  EXPECT_FALSE(wire.receive());
  ::close(ends[1]);
  EXPECT_FALSE(wire.receive());
  ::close(ends[0]);
}

TEST(GpuWorker, AProgramThatEndsAtOnceIsALostWorker) {
  const auto session = open_in_worker({"/bin/true"}, 0);
  ASSERT_FALSE(session.ok());
  EXPECT_EQ(session.errors().front().code, "gpu.worker_lost");
  EXPECT_FALSE(session.errors().front().cure.empty());
}

TEST(GpuWorker, AProgramThatIsNotThereIsADiagnostic) {
  EXPECT_FALSE(open_in_worker({"/no/such/program"}, 0).ok());
}

// A program that reads its input and never answers.
const std::vector<std::string> silent{"/bin/sh", "-c", "cat > /dev/null"};

TEST(GpuWorker, ARequestThatNobodyWantsAnyMoreEndsSoon) {
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(); };
  const auto at_once = open_in_worker(silent, 0, [] { return Wish::end_now; });
  ASSERT_FALSE(at_once.ok());
  EXPECT_EQ(at_once.errors().front().code, "gpu.cancelled");
  const auto looked = devices_in_worker(silent, [] { return Wish::end_now; });
  ASSERT_FALSE(looked.ok());
  EXPECT_EQ(looked.errors().front().code, "gpu.cancelled");
  EXPECT_LT(seconds(), 2);
  const auto soon = open_in_worker(silent, 0, [] { return Wish::end_soon; });
  ASSERT_FALSE(soon.ok());
  EXPECT_EQ(soon.errors().front().code, "gpu.cancelled");
  EXPECT_LT(seconds(), 8);
}

TEST(GpuWorker, DevicesOfAProgramThatEndsAtOnceAreALostWorker) {
  const auto looked = devices_in_worker({"/bin/true"});
  ASSERT_FALSE(looked.ok());
  EXPECT_EQ(looked.errors().front().code, "gpu.worker_lost");
}

// A kernel's printf goes to the standard output of the process that launched it, which also carries the worker's
// answers.
TEST(GpuWorker, WhatIsPrintedDoesNotEndUpAmongTheAnswers) {
  Ends ends;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::dup2(ends.down[0], STDIN_FILENO);
    ::dup2(ends.up[1], STDOUT_FILENO);
    for (const int end : {ends.down[0], ends.down[1], ends.up[0], ends.up[1]}) ::close(end);
    std::thread([] {
      struct stat first {
      }, now{};
      ::fstat(STDOUT_FILENO, &first);
      for (int tries = 0; tries < 200;
           ++tries) {  // until the worker has redirected its output, for a fifth of a second at most
        ::fstat(STDOUT_FILENO, &now);
        if (now.st_ino != first.st_ino || now.st_dev != first.st_dev) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      while (::write(STDOUT_FILENO, "lane 5\n", 7) > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }).detach();
    ::_exit(serve(STDIN_FILENO, STDOUT_FILENO));
  }
  for (int asked = 0; asked < 3; ++asked) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ASSERT_TRUE(ends.here.send({{"do", "sing"}}));
    const auto answer = ends.here.receive();
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->head.contains("errors"));
  }
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
}

TEST(GpuWorker, ServesUntilItsInputClosesAndSurvivesNonsense) {
  int down[2], up[2];
  ASSERT_EQ(::pipe(down), 0);
  ASSERT_EQ(::pipe(up), 0);
  Wire asking(up[0], down[1]);
  ASSERT_TRUE(asking.send({{"do", "sing"}}));
  ASSERT_TRUE(asking.send({{"do", "open"}}));  // the device is missing
  ::close(down[1]);
  EXPECT_EQ(serve(down[0], up[1]), 0);
  for (int answers = 0; answers < 2; ++answers) {
    const auto answer = asking.receive();
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->head.contains("errors"));
  }
  for (const int end : {down[0], up[0], up[1]}) ::close(end);
}

}  // namespace
}  // namespace lanescope::gpu
