// What a worker sends back after a run, measured in bytes on the wire, and that nothing is lost by it.

#include "gpu/results.h"

#include <thread>

#include "gpu/wire_ends.h"

namespace lanescope::gpu {
namespace {

using test::noise;

constexpr std::size_t size = 8u << 20;

// A parent, its worker, and the kernel's argument at both.
class ResultsOfARun : public testing::Test {
 protected:
  // Runs a kernel that leaves `after` in the only buffer. Returns what the parent gets.
  Bytes run(Argument given, const Bytes& after) {
    const std::uint64_t down = ends_.here.bytes_written(), up = ends_.there.bytes_written();
    std::thread worker([&] {
      std::optional<Parcel> request = ends_.there.receive();
      ASSERT_TRUE(request);
      std::vector<Argument> arguments = arguments_from(request->head, request->bytes);
      Results results(std::span(request->bytes).last(1), arguments);
      arguments[0].bytes = after;
      arguments[0].address = 4711;
      Outgoing blocks;
      const Message answer = results.to_message(arguments, blocks);
      ASSERT_TRUE(ends_.there.send(answer, blocks));
      results.remember(ends_.there);
    });
    Outgoing blocks;
    std::vector<Argument> sent{std::move(given)};
    const Message list = to_message(sent, blocks);
    const std::vector<Bytes> expected = expected_hashes(sent);
    blocks.insert(blocks.end(), expected.begin(), expected.end());
    EXPECT_TRUE(ends_.here.send(list, blocks));
    std::optional<Parcel> answer = ends_.here.receive(size);
    worker.join();
    if (!answer) return {};
    std::vector<Argument> back = results_from(answer->head, answer->bytes, std::move(sent), ends_.here);
    EXPECT_EQ(back.at(0).address, 4711u);
    sent_ = ends_.here.bytes_written() - down;
    returned_ = ends_.there.bytes_written() - up;
    return std::move(back[0].bytes);
  }
  static Argument buffer(Bytes before) { return {.is_buffer = true, .bytes = std::move(before)}; }

  test::WireEnds ends_;
  std::uint64_t sent_ = 0, returned_ = 0;  // bytes on the wire
};

TEST_F(ResultsOfARun, ABufferThatDidNotChangeStays) {
  const Bytes before = noise(size, 1);
  EXPECT_TRUE(run(buffer(before), before) == before);
  EXPECT_LT(returned_, 2048u);
}

TEST_F(ResultsOfARun, WhatIsExpectedStays) {
  const Bytes before = noise(size, 1), after = noise(size, 2);
  Argument given = buffer(before);
  given.expected = after;
  EXPECT_TRUE(run(given, after) == after);
  EXPECT_LT(sent_, size + 20'000);
  EXPECT_LT(returned_, 2048u);
  // Nor is it sent to the worker again, by the launch that reads it.
  EXPECT_TRUE(run(buffer(after), after) == after);
  EXPECT_LT(sent_ + returned_, 2048u);
}

TEST_F(ResultsOfARun, OnlyThePiecesThatDifferAreSent) {
  const Bytes before = noise(size, 1);
  Bytes expected = before, after = before;
  for (std::size_t at = size / 2; at < size; ++at) expected[at] = after[at] ^= std::byte{7};
  after[3] ^= std::byte{1};
  after[size - 1] ^= std::byte{1};
  Argument given = buffer(before);
  given.expected = expected;
  EXPECT_TRUE(run(given, after) == after);
  EXPECT_LT(returned_, 2 * size / 1024 + 4096);
  EXPECT_GT(returned_, 2 * size / 1024);
  EXPECT_TRUE(run(buffer(after), before) == before);
  EXPECT_LT(sent_, 2048u) << "both ends put together the same";
}

TEST_F(ResultsOfARun, AResultThatNobodyExpectsComesWhole) {
  const Bytes after = noise(size, 2), wrong = noise(size, 3), short_one = noise(100, 4);
  EXPECT_TRUE(run(buffer(noise(size, 1)), after) == after);
  EXPECT_GT(returned_, size);
  Argument given = buffer(noise(size, 5));
  for (const Bytes* guess : {&wrong, &short_one}) {
    given.expected = *guess;
    EXPECT_TRUE(run(given, after) == after) << "a guess changes no result";
  }
  EXPECT_TRUE(run(buffer(short_one), noise(100, 6)) == noise(100, 6));
}

TEST_F(ResultsOfARun, TheUnusedPartOfARecordingStays) {
  Bytes after(size);
  for (std::size_t at = 0; at < size; at += 1 << 20) after[at] = std::byte{1};
  EXPECT_TRUE(run({.is_buffer = true, .zero_bytes = size}, after) == after);
  EXPECT_LT(returned_, 8 * 4096 + 8192u);
  EXPECT_GT(returned_, 8 * 4096u);
  // Sizes that are no whole number of pieces.
  for (const std::size_t bytes : {4096u, 4097u, 8191u, 100'001u}) {
    Bytes odd(bytes);
    EXPECT_TRUE(run({.is_buffer = true, .zero_bytes = bytes}, odd) == odd);
    odd.back() = std::byte{1};
    EXPECT_TRUE(run({.is_buffer = true, .zero_bytes = bytes}, odd) == odd);
  }
}

// An answer that does not fit what was sent.
TEST(ResultsOfAForeignWorker, AreRefused) {
  test::WireEnds ends;
  const std::vector<Argument> sent{{.is_buffer = true, .bytes = noise(8192, 1)}};
  const auto answered = [&](const Message& one, std::vector<Bytes> blocks) {
    return results_from(Message::array({one}), blocks, sent, ends.here).at(0).bytes;
  };
  const auto pieces = [](std::initializer_list<int> list) {
    std::vector<std::uint8_t> bytes(list.begin(), list.end());
    return Message{{"address", 1}, {"bytes", 0}, {"pieces", Message::binary(bytes)}};
  };
  EXPECT_EQ(answered(pieces({1, 0}), {noise(4096, 2)}).size(), 8192u);
  const std::vector<std::pair<Message, std::vector<Bytes>>> bad{
      {{{"address", 1}, {"bytes", 0}}, {noise(8191, 1)}},   // a byte less
      {{{"address", 1}, {"bytes", 1}}, {noise(8192, 1)}},   // no such block
      {{{"address", 1}, {"bytes", -1}}, {noise(8192, 1)}},  //
      {{{"bytes", 0}}, {noise(8192, 1)}},                   // no address
      {7, {noise(8192, 1)}},                                // no object
      {pieces({1}), {Bytes()}},                             // too few
      {pieces({1, 1, 1}), {Bytes()}},                       // too many
      {pieces({1, 2}), {Bytes()}},                          // nothing was expected
      {pieces({1, 9}), {noise(4096, 2)}},                   // unknown
      {pieces({1, 0}), {noise(4095, 2)}},                   // not enough bytes
      {pieces({1, 0}), {noise(4097, 2)}},                   // too many bytes
      {{{"address", 1}, {"bytes", 0}, {"pieces", 3}}, {Bytes()}},
  };
  for (const auto& [one, blocks] : bad) EXPECT_THROW(answered(one, blocks), Message::exception) << one;
  std::vector<Bytes> none;
  EXPECT_THROW(results_from(Message::array(), none, sent, ends.here), Message::exception);
  EXPECT_THROW(results_from({{"a", 1}}, none, sent, ends.here), Message::exception);
  EXPECT_THROW(Results({}, sent), Message::exception) << "a request without hashes";
}

}  // namespace
}  // namespace lanescope::gpu
