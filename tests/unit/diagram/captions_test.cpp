// Captions are true sentences. Each expected one was worked out by hand.

#include <gtest/gtest.h>

#include "diagram/words.h"
#include "gallery.h"
#include "words/phrases.h"

namespace lanescope::diagram {
namespace {

std::string caption(const std::string& name) {
  for (const test::Example& example : test::gallery())
    if (example.name == name) return example.draw({}).caption;
  ADD_FAILURE() << "no example " << name;
  return "";
}
std::string subtitle(const std::string& name) {
  for (const test::Example& example : test::gallery())
    if (example.name == name) return example.draw({}).subtitle;
  return "";
}

TEST(Caption, Sectors) {
  EXPECT_EQ(caption("sectors_stride_1"), "Every byte that moves is used: 128 bytes asked, 128 moved, 100 % used.");
  EXPECT_EQ(caption("sectors_stride_2"), "4 lanes share each sector: 128 bytes asked, 256 moved, 50 % used.");
  EXPECT_EQ(caption("sectors_stride_8"),
            "Every lane has a sector to itself: 128 bytes asked, 1,024 moved, 12.5 % used.");
  EXPECT_EQ(caption("sectors_offset_1"),
            "One sector more than needed, as the bytes start 4 bytes into a sector: 128 bytes "
            "asked, 160 moved, 80 % used.");
  EXPECT_EQ(caption("sectors_same_word"), "All 32 lanes read the same 4 bytes: 4 bytes asked, 32 moved, 12.5 % used.");
  EXPECT_EQ(caption("sectors_no_lane"), "No lane executes: nothing is asked, and nothing moves.");
  EXPECT_EQ(caption("sectors_one_lane"), "One lane alone: 4 bytes asked, 32 moved, 12.5 % used.");
  EXPECT_EQ(caption("sectors_double_stride_3"),
            "32 lanes touch 24 sectors where 8 would do: 256 bytes asked, 768 moved, 33.3 % used.");
  EXPECT_EQ(subtitle("sectors_stride_8"), "8 lines · 32 sectors · a cell is a 4-byte word");
  EXPECT_EQ(subtitle("sectors_half"), "1 line · 2 sectors · a cell is 2 bytes");
}

// Bytes that begin within a sector cost one more only if they extend past its end.
TEST(Caption, BytesWithinASectorCostNoneMore) {
  test::OneAccess what;
  what.executed = LaneMask::first(4);
  what.first += 8;
  trace::Trace trace = test::one_access(what);
  EXPECT_EQ(sectors(trace, trace.events[0], {}).caption,
            "No fewer sectors would do: 16 bytes asked, 32 moved, 50 % used.");
  what.first += 12;
  trace = test::one_access(what);
  EXPECT_EQ(
      sectors(trace, trace.events[0], {}).caption,
      "One sector more than needed, as the bytes start 20 bytes into a sector: 16 bytes asked, 64 moved, 25 % used.");
}

TEST(Caption, Banks) {
  EXPECT_EQ(caption("banks_stride_1"), "Every lane has a bank to itself: one wavefront, no conflict.");
  EXPECT_EQ(caption("banks_broadcast"), "All 32 lanes read the same word: a broadcast, one wavefront, no conflict.");
  EXPECT_EQ(caption("banks_half"),
            "Lanes that meet in a bank read the same word there: a broadcast, one wavefront, no "
            "conflict.");
  EXPECT_EQ(caption("banks_stride_8"),
            "Every bank in use must serve 8 different words: 8 wavefronts, 7 of them conflicts.");
  EXPECT_EQ(caption("banks_column"), "One bank must serve 32 different words: 32 wavefronts, 31 of them conflicts.");
  EXPECT_EQ(caption("banks_stride_2"),
            "Every bank in use must serve 2 different words: 2 wavefronts, 1 of them a conflict.");
  EXPECT_EQ(caption("banks_float4"),
            "With 16 bytes per lane, 8 lanes are served at a time: 4 wavefronts, the fewest for a full "
            "warp, so no conflict.");
  EXPECT_EQ(caption("banks_float4_partial"),
            "With 16 bytes per lane, 8 lanes are served at a time: 2 wavefronts, the fewest for these "
            "lanes, so no conflict.");
  EXPECT_EQ(caption("banks_double_stride_2"),
            "With 8 bytes per lane, 16 lanes are served at a time: 4 wavefronts where 2 would do, so 2 "
            "conflicts.");
  EXPECT_EQ(
      caption("banks_of_other_blocks"),
      "32 lanes access the shared memory of 2 other blocks of the cluster, at the words shown. How many wavefronts "
      "this takes is not documented, and no counter tells it.");
  EXPECT_EQ(subtitle("banks_stride_1"), "1 wavefront, no conflict");
  EXPECT_EQ(subtitle("banks_stride_8"), "8 wavefronts, 7 of them conflicts");
}

TEST(Caption, ManyLanesWritingOrUpdatingAWordIsNoBroadcast) {
  test::OneAccess what;
  what.space = trace::MemorySpace::shared;
  what.stride = 0;
  what.operation = trace::Operation::store;
  trace::Trace trace = test::one_access(what);
  EXPECT_EQ(banks(trace, trace.events[0], {}).caption, "All 32 lanes write the same word: one wavefront, no conflict.");
  what.operation = trace::Operation::atomic;
  trace = test::one_access(what);
  EXPECT_EQ(banks(trace, trace.events[0], {}).caption,
            "All 32 lanes update the same word: they are combined first, so one wavefront, no conflict.");
  trace.sites[0].turns = trace::Turns::lanes;
  EXPECT_EQ(banks(trace, trace.events[0], {}).caption,
            "One bank serves 32 lanes, one after another: 32 wavefronts, 31 of them conflicts.");
}

TEST(Caption, Lanes) {
  EXPECT_EQ(caption("lanes_all"), "All 32 lanes execute.");
  EXPECT_EQ(caption("lanes_guarded"), "20 of 32 lanes execute; 4 are guarded off, 8 wait on another path.");
  EXPECT_EQ(caption("lanes_partial_warp"), "All 20 lanes of this warp execute; a full warp has 32.");
  EXPECT_EQ(caption("lanes_none"),
            "No lane executes (16 are guarded off, 16 wait on another path): no request, no cost.");
  EXPECT_EQ(caption("lanes_exited"), "1 of 32 lanes executes; 31 have exited.");
  EXPECT_EQ(caption("lanes_branch"), "The warp splits: 16 lanes take the branch, 16 go straight on.");
}

TEST(Caption, BlockLanes) {
  EXPECT_EQ(caption("block_lanes_modulo"), "All 8 warps run this step, with 8 of 32 lanes each.");
  EXPECT_EQ(subtitle("block_lanes_modulo"), "8 warps busy, 8 of 32 lanes each");
  EXPECT_EQ(caption("block_lanes_late"),
            "2 of 8 warps run this step, with 1 of 32 lanes each; the other 6 have nothing to do.");
}

TEST(Caption, Film) {
  EXPECT_EQ(caption("film_short"), "All 32 lanes run in both steps.");
  EXPECT_EQ(caption("film_modulo"), "In 25 of 53 steps not every lane runs; at the emptiest, 1 of 32 does.");
}

TEST(Caption, Shuffle) {
  EXPECT_EQ(caption("shuffle_down_8"),
            "Lane i takes the value of lane i + 8; lanes 24–31 have no partner and get their own "
            "value back.");
  EXPECT_EQ(caption("shuffle_pairs_of_halves"),
            "Lanes i and i xor 2 exchange their values. A value is two halves: low | high.");
  EXPECT_EQ(caption("shuffle_bits"),
            "Lanes 0–31 take the value of lane 31. The values are 32 bits in hex: the code does not tell what they "
            "stand for.");
  EXPECT_EQ(caption("shuffle_xor_1"), "Lanes i and i xor 1 exchange their values.");
  EXPECT_EQ(caption("shuffle_broadcast"), "Lanes 0–31 take the value of lane 0.");
  EXPECT_EQ(caption("shuffle_from_inactive"),
            "Lane i takes the value of lane i + 4. Lanes 12–15 read a lane that does not take "
            "part: the result is undefined.");
}

TEST(Caption, Atomics) {
  EXPECT_EQ(caption("atomics_one_address"), "All 32 lanes meet on one address and take turns: 32 deep.");
  EXPECT_EQ(caption("atomics_halves"),
            "32 lanes on 8 addresses: each queue is 4 deep. Two halves share a word: up to 8 lanes "
            "meet in each of 4 words.");
  EXPECT_EQ(caption("atomics_own_address"), "32 lanes, 32 addresses: no two lanes wait for the same one.");
  EXPECT_EQ(caption("atomics_histogram"), "32 lanes on 12 addresses: the longest queue is 3 deep.");
}

TEST(Caption, GroupsPhasesAndSums) {
  EXPECT_EQ(caption("matrices_halves"),
            "One instruction does 2,048 multiplications. A lane holds 8 elements of A, 4 of B and 4 of C; lane 0's are "
            "marked.");
  EXPECT_EQ(caption("groups_tile_8"), "Groups of 8: 4 per warp, each with ranks 0 to 7 and its own shuffle range.");
  EXPECT_EQ(caption("groups_coalesced"), "One group of 13 lanes, with ranks 0 to 12.");
  EXPECT_EQ(caption("phases_grid_sync"),
            "After the first sync 1 of 9 blocks has work; the other 8 wait at the next sync.");
  EXPECT_EQ(caption("running_sum_half"), "After 2,048 additions the sum stays at 2,048; exactly, it would be 4,096.");
  EXPECT_EQ(running_sum({{1, 2, 3}, {1, 2, 3}, "half"}, {}).caption, "After 3 additions the sum is 3, exactly.");
  EXPECT_EQ(running_sum({{1, 2, 3}, {}, "half"}, {}).caption, "After 3 additions the sum is 3.");
  EXPECT_EQ(running_sum({}, {}).caption, "Nothing was added.");
}

// sm_90: 64 warps, 32 blocks, 65,536 registers and 227 KiB of shared memory, plus 1 KiB per block.
TEST(Caption, MachineCode) {
  EXPECT_EQ(
      caption("machine_stride"),
      "2 of 6 lines appear in more than one place. 8 blocks fit on a multiprocessor, limited by its number of warps.");
  MachineCode code = test::stride_code();
  const auto drawn = [&] { return machine_code(code, {}).caption; };
  std::swap(code.instructions[9], code.instructions[10]);  // LDG, then all of line 8
  EXPECT_EQ(drawn(),
            "The 6 lines are in source order. 8 blocks fit on a multiprocessor, limited by its number of warps.");
  code.instructions[0].line = 7;
  code.registers = 168;
  EXPECT_EQ(drawn(),
            "Each of the 6 lines is in one place, but not in source order. 1 block fits on a multiprocessor, "
            "limited by its registers.");
  for (auto& instruction : code.instructions) instruction.line = 3;
  code.registers = 255, code.threads = 1024;
  EXPECT_EQ(drawn(),
            "All instructions come from one line. Not one block of this size fits on a multiprocessor, limited by its "
            "registers.");
  code.registers = 10, code.threads = 64, code.barriers = 16;
  EXPECT_EQ(
      drawn(),
      "All instructions come from one line. 4 blocks fit on a multiprocessor, limited by its number of barriers.");
  code.arch = "sm_999";
  EXPECT_EQ(drawn(), "All instructions come from one line.");
}

std::string caption_of(std::size_t phases_, std::vector<std::vector<std::uint64_t>> work) {
  PhaseWork what;
  what.phases.resize(phases_);
  for (std::uint32_t block = 0; block < work.size(); ++block) what.blocks.push_back({block, work[block]});
  return phases(what, {}).caption;
}

// Blocks wait for each other between two syncs; after the last sync no block waits.
TEST(Caption, GridSyncTellsWaitingFromHavingDone) {
  EXPECT_EQ(caption_of(3, {{5, 0, 1}, {5, 0, 0}, {5, 0, 0}}),
            "After the first sync no block has work until the next sync: all 3 only meet there.");
  EXPECT_EQ(caption_of(2, {{5, 1}, {5, 0}, {5, 0}}),
            "After the first sync 1 of 3 blocks has work; the other 2 are done.");
  EXPECT_EQ(caption_of(3, {{5, 2, 0}, {5, 3, 0}}),
            "All 2 blocks work up to the last sync; nothing is left to do after it.");
  EXPECT_EQ(caption_of(2, {{0, 2}, {5, 3}}),
            "In \"phase 1\" 1 of 2 blocks has work; the other 1 waits at the next sync.");
  EXPECT_EQ(caption_of(2, {{4, 2}, {5, 3}}), "All 2 blocks work in every phase.");
  EXPECT_EQ(caption_of(2, {{4}}), "The only block works up to the last sync; nothing is left to do after it.");
}

TEST(Words, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1024), "1,024");
  EXPECT_EQ(grouped(18446744073709551615ull), "18,446,744,073,709,551,615");
}

TEST(Words, PercentagesNeverRoundToAllOrNothing) {
  EXPECT_EQ(percent(1, 8), "12.5 %");
  EXPECT_EQ(percent(1, 1), "100 %");
  EXPECT_EQ(percent(0, 5), "0 %");
  EXPECT_EQ(percent(99999, 100000), "99.9 %");
  EXPECT_EQ(percent(1, 100000), "0.1 %");
  EXPECT_EQ(percent(1, 0), "–");
}

TEST(Words, SetsOfLanes) {
  const Say say(Language::english), chinese(Language::chinese);
  EXPECT_EQ(say.lane_set(LaneMask::all()), "0–31");
  EXPECT_EQ(say.lane_set({0x80000001u}), "0 and 31");
  EXPECT_EQ(say.lane_set({0x0000010fu}), "0–3 and 8");
  EXPECT_EQ(say.lane_set({0x00010111u}), "0, 4, 8 and 16");
  EXPECT_EQ(chinese.lane_set({0x00010111u}), "0、4、8 和 16");
  EXPECT_EQ(say.lane_set({0x55555555u}), "16 lanes");
  EXPECT_EQ(chinese.lane_set({0x55555555u}), "16 个 lane");
  EXPECT_EQ(say.lanes_named(LaneMask::lane(5)), "lane 5");
  EXPECT_EQ(say.lanes_named({0x55555555u}), "16 lanes");
  EXPECT_EQ(say.at_start(say.lanes_named(LaneMask::first(8))), "Lanes 0–7");
}

TEST(Words, FittingCutsBetweenCharacters) {
  EXPECT_EQ(fitted("abc", 1000, 12), "abc");
  EXPECT_EQ(fitted("ab–cd–ef", text_width("ab–c…", 12, Face::mono) + 0.1f, 12, Face::mono), "ab–c…");
  EXPECT_EQ(fitted("abc", 3, 12), "");
}

}  // namespace
}  // namespace lanescope::diagram
