// The position of a record's words in its region, and the room they take.

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "compile/compiler.h"
#include "instrumented_runs.h"
#include "ptx/module.h"

namespace lanescope::instrument {
namespace {

TEST(InstrumentRecords, ARecordTakesRoomForTheLanesThatExecuted) {
  // Every fourth lane loads and stores: 8 lanes with two words each, in whole units after the header and the upper
  // words.
  Runs runs;
  const Case one{"few lanes",
                 R"(
__global__ void few(const int* in, int* out) {
  if (threadIdx.x % 4 == 0) out[threadIdx.x] = in[threadIdx.x];
})",
                 "few",
                 {.grid = {1}, .block = {32}},
                 {buffer(sim::ElementType::i32, 32), buffer(sim::ElementType::i32, 32)}};
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 1, runs));
  const std::byte* first = runs.recording.buffer.data() + runs.recording.control.records;
  const auto word_at = [&](std::size_t unit, std::size_t word) {
    std::uint32_t value = 0;
    std::memcpy(&value, first + unit * sizeof(Header) + 4 * word, sizeof value);
    return value;
  };
  ASSERT_EQ(runs.kernel.groups.size(), 1u);
  EXPECT_EQ(runs.kernel.groups[0].units(0, 8), 2u + 4u);
  EXPECT_EQ(word_at(0, 1), 0x11111111u);
  for (std::uint32_t lane = 1; lane < 8; ++lane)
    for (std::size_t word = 0; word < 2; ++word)
      EXPECT_EQ(word_at(2, 2 * lane + word), word_at(2, word) + 16 * lane) << "the addresses, without gaps";
  for (std::size_t word = 0; word < 4; ++word) EXPECT_EQ(word_at(6, word), 0u) << "behind the record";
}

TEST(InstrumentRecords, OneBaseWithoutAGuardHasItsUpperWordInTheHeader) {
  Runs runs;
  const Case one{"one store",
                 "__global__ void k(int* out) { out[threadIdx.x] = 1; }",
                 "k",
                 {.grid = {2}, .block = {40}},
                 {buffer(sim::ElementType::i32, 40)}};
  ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, runs));
  ASSERT_EQ(runs.kernel.groups.size(), 1u);
  EXPECT_TRUE(runs.kernel.groups[0].short_header);
  EXPECT_EQ(runs.kernel.groups[0].units(0, 32), 1u + 8u);
  Header header;
  std::memcpy(&header, runs.recording.buffer.data() + runs.recording.control.records, sizeof header);
  EXPECT_EQ(header.executed, 0xffffffffu);
  EXPECT_EQ(header.order, runs.ranges.at(0).address >> 32) << "where the order is in others";
  auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
  ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
  EXPECT_TRUE(job::compare_records(runs.plain.trace, *trace, Pass::memory, 0, 2, runs.ranges).agrees());
}

TEST(InstrumentRecords, WordsAsFarApartInAllLanesAreKeptOnce) {
  // Five rows of a matrix: four words. If each lane has its own row length, the distances differ between lanes.
  for (const bool same : {true, false}) {
    SCOPED_TRACE(same);
    Runs runs;
    const Case one{"a column",
                   R"(
__global__ void k(const int* in, int* out, int n) {
  int i = threadIdx.x;
  if (n == 0) n = 1 + i % 5;
  if (i % 3 == 1) return;
  out[i] = in[i] + in[i + n] + in[i + 2 * n];
})",
                   "k",
                   {.grid = {2}, .block = {48}},
                   {buffer(sim::ElementType::i32, 256), buffer(sim::ElementType::i32, 48), scalar(same ? 40 : 0)}};
    ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, runs));
    ASSERT_EQ(runs.kernel.groups.back().words, 4);
    std::uint32_t parallel = 0;
    for (std::size_t region = 0; region < 4; ++region) {
      Header header;
      std::memcpy(&header,
                  runs.recording.buffer.data() + runs.recording.control.records +
                      runs.recording.lanes[0].first_unit(4, region) * sizeof header,
                  sizeof header);
      parallel += header.group & Header::parallel ? 1 : 0;
    }
    EXPECT_EQ(parallel, same ? 4u : 0u);
    auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
    ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
    EXPECT_TRUE(job::compare_records(runs.plain.trace, *trace, Pass::memory, 0, 2, runs.ranges).agrees());
  }
}

TEST(InstrumentRecords, ManyWordsThatRunBesideEachOtherAreOneRecord) {
  // Seven rows of two arrays: one record. If each lane has its own row length, the record holds every word of every
  // lane.
  for (const int more : {0, 3}) {
    SCOPED_TRACE(more);
    Runs runs;
    const Case one{"a high column",
                   R"(
__global__ void k(const int* in, int* out, int n, int more) {
  int i = threadIdx.x;
  n += i * more;
  if (i % 3 == 1) return;
  out[i] = in[i] + in[i + n] + in[i + 2 * n] + in[i + 3 * n] + in[i + 4 * n] + in[i + 5 * n];
})",
                   "k",
                   {.grid = {2}, .block = {48}},
                   {buffer(sim::ElementType::i32, 1024), buffer(sim::ElementType::i32, 48), scalar(40), scalar(more)}};
    RegionShape roomy;
    for (std::uint32_t lane = 0; lane < roomy.lanes.size(); ++lane) roomy.lanes[lane] = {lane * 200, lane * 200 + 200};
    ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, runs, 0xffffffff, &roomy));
    ASSERT_EQ(runs.kernel.groups.size(), 1u);
    const RecordGroup& group = runs.kernel.groups.front();
    EXPECT_EQ(group.words, 7);
    EXPECT_EQ(group.sites, 7);
    EXPECT_FALSE(group.short_header);
    EXPECT_EQ(group.units(Header::parallel, 32), 2u + 2u + 8u);
    EXPECT_EQ(group.units(0, 32), 2u + 7u * 16u);
    for (std::size_t region = 0; region < 4; ++region) {
      Header header;
      std::memcpy(&header,
                  runs.recording.buffer.data() + runs.recording.control.records +
                      runs.recording.lanes[0].first_unit(4, region) * sizeof header,
                  sizeof header);
      EXPECT_EQ((header.group & Header::parallel) != 0, more == 0) << region;
    }
    auto trace = decode(runs.kernel, runs.recording, one.launch, runs.plain.trace);
    ASSERT_TRUE(trace.ok()) << format(trace.errors().front());
    const auto comparison = job::compare_records(runs.plain.trace, *trace, Pass::memory, 0, 2, runs.ranges);
    EXPECT_TRUE(comparison.agrees()) << testing::PrintToString(comparison.differences);
    EXPECT_EQ(comparison.interpreted, 28u);

    // The expected room is that for words at equal distances. Events that do not fit are counted, and fit the next
    // time.
    Runs tight;
    ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, tight, 60));
    const EventCount first = count_events(tight.kernel, tight.recording);
    EXPECT_EQ(first.written + first.dropped, 28u);
    EXPECT_EQ(first.dropped > 0, more != 0);
    const RegionShape larger = enlarged(tight.kernel, tight.recording);
    Runs again;
    ASSERT_NO_FATAL_FAILURE(run_both(one, Pass::memory, 0, 2, again, 0xffffffff, &larger));
    EXPECT_EQ(count_events(again.kernel, again.recording).written, 28u);
  }
}

TEST(InstrumentRecords, WhatOnlyAGatherTellsIsNotExpectedBesideEachOther) {
  const char* source = R"(
__global__ void k(const int* in, const int* where, int* out) {
  int i = threadIdx.x, sum = 0;
  for (int j = 0; j < 8; ++j) sum += in[where[i * 8 + j]];
  out[i] = sum;
})";
  auto compiled = compile::compile({.name = "case.cu", .text = source}, {.name_expressions = {"k"}});
  ASSERT_TRUE(compiled.ok());
  auto module = ptx::parse(compiled->text, "case.ptx");
  ASSERT_TRUE(module.ok());
  auto made = instrument(*module, compiled->mangled.at("k"), Pass::memory);
  ASSERT_TRUE(made.ok());
  for (const RecordGroup& group : made->groups) EXPECT_LE(group.words, 4);
}

TEST(InstrumentRecords, UpperWordsThatDifferAreKeptOfEachLane) {
  // Half of the lanes read shared memory through a pointer, half global memory, so their upper words may differ.
  Runs runs;
  ASSERT_NO_FATAL_FAILURE(run_both(cases()[6], Pass::memory, 0, 1, runs));
  const std::byte* first = runs.recording.buffer.data() + runs.recording.control.records;
  bool wide = false;
  for (std::size_t unit = 0; unit + 1 < runs.recording.lanes[0].units(); ++unit) {
    Header header;
    std::memcpy(&header, first + unit * sizeof header, sizeof header);
    const std::uint32_t number = header.group & ~Header::wide;
    wide = wide || ((header.group & Header::wide) && number > 0 && number <= runs.kernel.groups.size());
  }
  EXPECT_TRUE(wide);
}

}  // namespace
}  // namespace lanescope::instrument
