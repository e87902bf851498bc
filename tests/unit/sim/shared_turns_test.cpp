// Which lanes of an atomic on shared memory take turns: what the model says of each kernel of tests/cases/turns, beside
// the machine code that ptxas makes of it.
#include "sim/decode/shared_turns.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "compile/machine_code/disassembly.h"
#include "core/os/subprocess.h"
#include "golden.h"
#include "ptx/module.h"
#include "sim/decode/decode.h"
#include "sim/launch.h"

namespace lanescope::sim {
namespace {

using compile::find_toolchain;
using trace::Turns;

const lanescope::test::Case& the_kernels() {
  static const std::vector<lanescope::test::Case> all = lanescope::test::cases("turns", ".cu");
  return all.front();
}

std::vector<std::string> names_of_kernels(const std::string& text) {
  std::vector<std::string> names;
  constexpr std::string_view lead = "\nKERNEL(";
  for (std::size_t at = text.find(lead); at != std::string::npos; at = text.find(lead, at + 1))
    names.push_back(text.substr(at + lead.size(), text.find(',', at) - at - lead.size()));
  return names;
}

Result<compile::Ptx> compiled(const char* arch, bool machine_code) {
  const std::string text = the_kernels().text();
  return compile::compile({"kernels.cu", text, {}},
                          {.arch = arch, .name_expressions = names_of_kernels(text), .machine_code = machine_code});
}

std::string text_of(Turns turns) {
  return turns == Turns::words ? "words" : turns == Turns::lanes ? "lanes" : "lanes of a part";
}

struct Atomic {
  std::string opcode;
  int ptx_line = 0;
  Turns turns{};
};

// The atomics of a kernel that may access shared memory.
std::vector<Atomic> atomics_of(const ptx::Module& module, const std::string& kernel) {
  const auto program = prepare(module, kernel);
  EXPECT_TRUE(program.ok()) << kernel;
  std::vector<Atomic> found;
  if (!program.ok()) return found;
  for (const trace::Site& site : (*program)->sites)
    if ((site.operation == trace::Operation::atomic || site.operation == trace::Operation::reduction) &&
        (site.space == trace::MemorySpace::shared || site.space == trace::MemorySpace::none))
      found.push_back({site.opcode, site.ptx_line, site.turns});
  return found;
}

TEST(SharedTurns, AreAsTheModelSays) {
  NEEDS_NVRTC();
  const auto ptx = compiled("sm_90", false);
  ASSERT_TRUE(ptx.ok()) << format(ptx.errors().front());
  const auto module = ptx::parse(ptx->text, "kernels.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  std::string lines;
  for (const std::string& name : names_of_kernels(the_kernels().text()))
    for (const Atomic& atomic : atomics_of(*module, ptx->mangled.at(name)))
      lines += fmt::format("{}: {}, {}\n", name, atomic.opcode, text_of(atomic.turns));
  lanescope::test::expect_golden(the_kernels().sibling(".out"), lines);
}

// What ptxas did with an atomic of this PTX line: ATOMS.POPC.INC, a vote and one lane, a scan over the warp, or
// nothing.
std::string turns_in(const std::vector<compile::SassInstruction>& instructions, int ptx_line) {
  bool popc = false, votes = false, scans = false, atomics = false;
  for (const compile::SassInstruction& one : instructions) {
    if (one.ptx_line != ptx_line) continue;
    popc |= one.text.starts_with("ATOMS.POPC.INC");
    votes |= one.text.starts_with("VOTE") || one.text.find("REDUX") != std::string::npos;
    scans |= one.text.starts_with("SHFL.UP");
    atomics |= one.text.starts_with("ATOM");
  }
  if (!atomics) return "gone";
  return scans ? "lanes of a part" : popc || votes ? "words" : "lanes";
}

// All kernels by one run of the disassembler, since each run reads all of the machine code.
std::string disassembled(const std::vector<std::uint8_t>& cubin) {
  const std::string program = compile::find_toolchain()->disassembler_path;
  const ProgramOutcome outcome =
      run_program(program, {"-c", "-ndf", "-gi", "-gp", "{input}"}, cubin, std::chrono::seconds(120));
  EXPECT_EQ(outcome.exit_status, 0) << outcome.errors;
  return outcome.output;
}

// ptxas keeps the small array of one kernel in registers, so it knows more than the text of the PTX shows. For sm_80 it
// knows less: that votes and shuffles give all lanes the same, and that the result of an ordered atomic is not used.
bool is_decided_otherwise(const std::string& kernel, const std::string& arch) {
  const std::set<std::string> for_sm_80 = {"ballot_in_div",   "nested_loops", "of_all",
                                           "of_ballot",       "of_redux",     "of_shfl",
                                           "popc_ballot",     "sem_acqrel",   "sem_acqrel_uni",
                                           "shfl_lane_param", "warpid",       "shfl_const_lane_uniform_val_down"};
  return kernel == "local_array" || (arch == "sm_80" && for_sm_80.contains(kernel));
}

class SharedTurnsOf : public testing::TestWithParam<const char*> {};

TEST_P(SharedTurnsOf, AreThoseOfTheMachineCode) {
  NEEDS_SASS();
  const auto ptx = compiled(GetParam(), true);
  ASSERT_TRUE(ptx.ok()) << format(ptx.errors().front());
  const auto module = ptx::parse(ptx->text, "kernels.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  const std::string text = disassembled(ptx->cubin);
  int compared = 0;
  for (const std::string& name : names_of_kernels(the_kernels().text())) {
    const std::string mangled = ptx->mangled.at(name);
    const auto instructions = compile::parse_disassembly(text, mangled);
    for (const Atomic& atomic : atomics_of(*module, mangled)) {
      const bool same = text_of(atomic.turns) == turns_in(instructions, atomic.ptx_line);
      EXPECT_NE(same, is_decided_otherwise(name, GetParam()))
          << name << ", " << atomic.opcode << ": " << turns_in(instructions, atomic.ptx_line);
      ++compared;
    }
  }
  EXPECT_GT(compared, 150);
}

INSTANTIATE_TEST_SUITE_P(Architectures, SharedTurnsOf, testing::Values("sm_80", "sm_90", "sm_100"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace lanescope::sim
