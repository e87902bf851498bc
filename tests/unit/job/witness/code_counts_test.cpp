// Counts of machine instructions, laid beside the accesses of the PTX.

#include "job/witness/code_counts.h"

#include <gmock/gmock.h>

#include <tuple>

#include "job/numbers.h"

namespace lanescope::job {
namespace {

using trace::MemoryClass;
using trace::MemorySpace;
using trace::Operation;

class CodeCounts : public testing::Test {
 protected:
  CodeCounts() { trace_.events_dropped = 1; }  // only sums are there

  // An access in line `line`, PTX line 10 × `line`.
  trace::MemoryTotals& site(int line, MemorySpace space, Operation operation) {
    trace::Site one;
    one.id = static_cast<std::uint32_t>(trace_.sites.size());
    one.kind = trace::EventKind::memory;
    one.space = space;
    one.operation = operation;
    one.line = line;
    one.ptx_line = 10 * line;
    trace_.sites.push_back(one);
    return trace_.totals.sites.emplace_back().memory;
  }
  // At addresses 0x0, 0x10, ….
  void code(int line, const char* text, int ptx_line) {
    compile::SassInstruction one;
    one.address = static_cast<std::uint32_t>(16 * listed_.instructions.size());
    one.text = text;
    one.line = line;
    one.ptx_line = ptx_line;
    listed_.instructions.push_back(one);
  }
  void code(int line, const char* text) { code(line, text, 10 * line); }
  // The counts in the order of metrics_of_code(): executions of global, local, shared and distributed accesses and of
  // copies; lanes, sectors, wavefronts, ideal wavefronts.
  void counted(std::uint32_t address, std::vector<std::uint64_t> values, const char* function = "k") {
    counted_.instructions.push_back({function, address, std::move(values)});
  }
  std::vector<CodeCount> counts() const { return code_counts(counted_, SassCode(listed_), "k"); }
  // line, in_ptx, interpreted, counted
  std::vector<std::tuple<int, bool, int, int>> lines(Number number) const {
    std::vector<std::tuple<int, bool, int, int>> all;
    const SassCode sass(listed_);
    for (const LineCount& one : by_line(number, trace_, sass, counts()))
      all.emplace_back(one.line, one.in_ptx, static_cast<int>(one.interpreted),
                       one.counted ? static_cast<int>(*one.counted) : -1);
    return all;
  }
  Wording explained(Number number, std::uint64_t counted) const {
    const SassCode sass(listed_);
    return explain_by_code_counts(number, trace_, sass, counts(), counted);
  }

  trace::Trace trace_;
  compile::Sass listed_;
  gpu::CountedInstructions counted_{.names = metrics_of_code(), .instructions = {}};
};

TEST_F(CodeCounts, AreThoseOfTheKernelAtTheirAddresses) {
  code(1, "LDG.E R2, [R4]");
  code(2, "LDL R2, [R4]");
  code(3, "LDS R2, [R4]");
  code(4, "LDGSTS.E [R21], desc[UR8][R2.64]");
  code(5, "LD.E R4, [R2]");
  code(6, "EXIT");
  counted(0x0, {1, 0, 0, 0, 0, 16, 32, 0, 0});
  counted(0x10, {0, 2, 0, 0, 0, 16, 0, 0, 0});
  counted(0x20, {0, 0, 4, 0, 0, 16, 0, 64, 128});
  counted(0x30, {0, 0, 0, 0, 8, 16, 32, 64, 128});
  counted(0x40, {1, 2, 4, 8, 0, 16, 32, 0, 0});
  counted(0x0, {100, 100, 100, 100, 100, 100, 100, 100, 100}, "other");
  counted(0x900, {100, 100, 100, 100, 100, 100, 100, 100, 100});  // at no instruction
  const std::vector<CodeCount> counts = this->counts();
  ASSERT_EQ(counts.size(), 6u);
  EXPECT_EQ(counts[0].global, 1u);
  EXPECT_EQ(counts[0].lanes, 16u);
  EXPECT_EQ(counts[0].sectors, 32u);
  EXPECT_EQ(counts[1].local, 2u);
  EXPECT_EQ(counts[2].shared, 4u);
  EXPECT_EQ(counts[2].wavefronts, 64u);
  EXPECT_EQ(counts[2].ideal_wavefronts, 128u);
  EXPECT_EQ(counts[3].global, 8u) << "a copy";
  EXPECT_EQ(counts[3].sectors, std::nullopt);
  EXPECT_EQ(counts[4].global + counts[4].local + counts[4].shared + counts[4].distributed, 1u + 2 + 4 + 8);
  EXPECT_EQ(counts[4].sectors, std::nullopt) << "its lanes reach several spaces";
  EXPECT_EQ(counts[5].lanes, 0u);
}

TEST_F(CodeCounts, AreSummedBySourceLine) {
  site(7, MemorySpace::global, Operation::load).requests = 12;
  site(7, MemorySpace::global, Operation::store).requests = 3;
  site(8, MemorySpace::global, Operation::load).requests = 5;
  site(9, MemorySpace::global, Operation::load).requests = 6;
  code(7, "LDG.E R2, [R4]");
  code(7, "LDG.E R3, [R4+0x4]");
  code(7, "STG.E [R4], R2");
  code(9, "LDG.E R3, [R8]");
  code(11, "LDG.E R3, [R10]", 0);
  for (const std::uint32_t address : {0x0, 0x10, 0x20, 0x30, 0x40}) counted(address, {4, 0, 0, 0, 0, 128, 9, 0, 0});
  EXPECT_THAT(lines(requests_of(MemoryClass::global_load)),
              testing::ElementsAre(std::tuple(7, true, 12, 8), std::tuple(8, true, 5, 0), std::tuple(9, true, 6, 4),
                                   std::tuple(11, false, 0, 4)));
  EXPECT_THAT(lines(requests_of(MemoryClass::global_store)), testing::ElementsAre(std::tuple(7, true, 3, 4)));
}

// l1tex counts a request per 4 bytes of a lane there.
TEST_F(CodeCounts, OfLocalMemoryAreInTheCountersUnit) {
  site(3, MemorySpace::local, Operation::store).requests = 5;
  code(3, "STL.128 [R1], R4");
  counted(0, {0, 5, 0, 0, 0, 160, 0, 0, 0});
  EXPECT_THAT(lines(requests_of(MemoryClass::local_store)), testing::ElementsAre(std::tuple(3, true, 5, 20)));
}

TEST_F(CodeCounts, OfSharedMemoryGiveConflicts) {
  trace::MemoryTotals& memory = site(3, MemorySpace::shared, Operation::load);
  memory.wavefronts = 7;
  memory.ideal_wavefronts = 4;
  code(3, "LDS R4, [R1]");
  counted(0, {0, 0, 4, 0, 0, 128, 0, 8, 4});
  EXPECT_THAT(lines(conflicts_of(MemoryClass::shared_load)), testing::ElementsAre(std::tuple(3, true, 3, 4)));
}

TEST_F(CodeCounts, TellTheLinesWhereTheCodeDiffers) {
  const Number loads = requests_of(MemoryClass::global_load);
  site(7, MemorySpace::global, Operation::load).requests = 12;
  site(8, MemorySpace::global, Operation::load).requests = 5;
  site(9, MemorySpace::global, Operation::load).requests = 2;
  trace_.totals.memory[static_cast<std::size_t>(MemoryClass::global_load)].requests = 19;
  code(7, "LDG.E R2, [R4]");
  code(9, "LDG.E R3, [R4+0x4]");
  code(1, "LDG.E R4, [R6]", 0);
  counted(0x0, {4, 0, 0, 0, 0, 0, 0, 0, 0});
  counted(0x10, {2, 0, 0, 0, 0, 0, 0, 0, 0});
  counted(0x20, {1, 0, 0, 0, 0, 0, 0, 0, 0});
  EXPECT_EQ(
      explained(loads, 7),
      "counted for each machine instruction, the kernel makes exactly 7; the lines that differ: line 7: 4 instead "
      "of 12 (LDG.E R2, [R4] at 0x0); line 8: 0 instead of 5, because ptxas removed the access; line 1: 1 that "
      "are no accesses in the PTX (LDG.E R4, [R6] at 0x20)");
  EXPECT_EQ(explained(loads, 8), "") << "the instructions make 7";
  const auto beside_drivers = [&](std::uint64_t counted) {
    return explain_drivers_by_code_counts(loads, trace_, SassCode(listed_), counts(), counted,
                                          "vprintf is the driver's");
  };
  EXPECT_EQ(beside_drivers(7), "") << "no more than the kernel's own";
  EXPECT_THAT(beside_drivers(20),
              testing::StartsWith("counted for each machine instruction, the kernel itself makes 7; "
                                  "the lines that differ: line 7: 4 instead of 12"));
  EXPECT_THAT(beside_drivers(20), testing::EndsWith("; vprintf is the driver's"));
  trace_.totals.memory[static_cast<std::size_t>(MemoryClass::global_load)].requests = 18;
  EXPECT_EQ(beside_drivers(20), "") << "the lines do not make the launch's number";
}

// The counter takes an access whose lanes reach both spaces for either.
// As on an H200, where ptxas had narrowed the load of line 2 (seed 120101).
TEST_F(CodeCounts, OfCopiesHaveTheModelsSectors) {
  trace::MemoryTotals& copy = site(1, MemorySpace::global, Operation::load);
  copy.requests = 9, copy.sectors = 9;
  trace::MemoryTotals& load = site(2, MemorySpace::global, Operation::load);
  load.requests = 36, load.sectors = 154;
  trace_.totals.memory[static_cast<std::size_t>(MemoryClass::global_load)].sectors = 163;
  code(1, "LDGSTS.E [R13], desc[UR36][R8.64]");
  code(2, "LDG.E.U16 R20, desc[UR36][R20.64]");
  counted(0x0, {0, 0, 0, 0, 9, 80, 0, 0, 0});
  counted(0x10, {36, 0, 0, 0, 0, 320, 115, 0, 0});
  const Number sectors = sectors_of(MemoryClass::global_load);
  EXPECT_NE(explained(sectors, 124).find("with the model's 9 sectors of copies"), std::string::npos)
      << explained(sectors, 124);
  EXPECT_EQ(explained(sectors, 125), "") << "the sum is another";
  counted_.instructions[0].values[4] = 8;
  EXPECT_EQ(explained(sectors, 124), "") << "the copy is executed less often than in the model";
}

TEST_F(CodeCounts, TellAccessesThatReachTwoSpaces) {
  trace::MemoryTotals& model = trace_.totals.memory[static_cast<std::size_t>(MemoryClass::local_load)];
  model.requests = site(7, MemorySpace::local, Operation::load).requests = 8;
  code(7, "LDL R2, [R4]");
  code(9, "LD.E.64 R2, [R4]", 0);
  counted(0x0, {0, 6, 0, 0, 0, 192, 0, 0, 0});
  counted(0x10, {3, 3, 0, 0, 0, 96, 0, 0, 0});
  const auto mixed = [&](std::uint64_t counted) {
    return explain_mixed_by_code_counts(requests_of(MemoryClass::local_load), trace_, SassCode(listed_), counts(),
                                        counted);
  };
  EXPECT_EQ(mixed(7),
            "counted for each machine instruction, the kernel makes 12 requests; the lines that differ: line 9: 6 that "
            "are no accesses in the PTX (LD.E.64 R2, [R4] at 0x10); line 7: 6 instead of 8 (LDL R2, [R4] at 0x0); the "
            "counter differs, because in 3 generic accesses some lanes reach local memory and others global memory "
            "(LD.E.64 R2, [R4] at 0x10, line 9)");
  EXPECT_NE(mixed(6), "");
  EXPECT_EQ(mixed(5), "") << "three accesses of 8 bytes are six requests";
  model.requests = 9;
  EXPECT_EQ(mixed(7), "") << "the lines do not make the launch's number";
}

TEST_F(CodeCounts, TellThatLanesLeaveABarrierApart) {
  site(3, MemorySpace::none, Operation::none);
  trace_.sites.back().kind = trace::EventKind::barrier;
  trace_.totals.sites.back().executions = 3;
  trace_.totals.sites.back().executed_lanes = 66;
  code(3, "BAR.SYNC.DEFER_BLOCKING 0x0");
  code(4, "IMAD R2, R3, R4, RZ");
  code(5, "LDG.E R2, [R4]");
  code(6, "BAR.RED.OR.DEFER_BLOCKING 0x0, !P0");
  const auto counted_as = [&](std::uint64_t executions, std::uint64_t lanes) {
    counted_.instructions.clear();
    counted(0x20, {executions, 0, 0, 0, 0, lanes, 0, 0, 0});
    return vote_of_lanes_apart(trace_, SassCode(listed_), counts());
  };
  EXPECT_EQ(counted_as(3, 66), "");
  EXPECT_EQ(counted_as(5, 60), "") << "the others may have gone elsewhere";
  EXPECT_EQ(counted_as(5, 90), "") << "it is reached from elsewhere too";
  EXPECT_EQ(counted_as(5, 66),
            "on the GPU, lanes of the same warp leave a barrier apart (BAR.SYNC.DEFER_BLOCKING 0x0 at 0x0, line 3: 3 "
            "executions in the model, and 5 of LDG.E R2, [R4] at 0x20 by the same lanes); a vote at a barrier, as of "
            "__syncthreads_or(), then reaches only the lanes that are together");
  listed_.instructions[1].text = "BRA 0x40";
  EXPECT_EQ(counted_as(5, 66), "") << "not in a row";
  listed_.instructions[1].text = "IMAD R2, R3, R4, RZ";
  listed_.instructions.pop_back();
  EXPECT_EQ(counted_as(5, 66), "") << "no vote";
}

}  // namespace
}  // namespace lanescope::job
