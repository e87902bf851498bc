#pragma once
// Semantic tests of arithmetic instructions. A case is one form of an instruction, the source of its operand values,
// and the expected result per lane, computed without the interpreter's code. Every case runs on every instruction set
// of this machine, with all lanes and with some of them.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/alu/operation.h"

namespace lanescope::sim {

// The sources of one lane in written order, each in the low bits of a word.
struct Sources {
  std::uint64_t a = 0, b = 0, c = 0, d = 0;
  bool carry = false;  // CC.CF
};
struct Results {
  std::uint64_t d = 0;       // the first destination
  std::uint64_t second = 0;  // the second destination: p|q, or an element of a vector …
  std::uint64_t third = 0, fourth = 0;
  bool carry = false;  // CC.CF after the instruction
  Results(std::uint64_t first = 0, std::uint64_t next = 0) : d(first), second(next) {}
};
using Reference = std::function<Results(const Sources&)>;

// Operand values, made when a case runs: most test runs need only a few of them.
class Inputs {
 public:
  Inputs(std::vector<Sources> values);
  Inputs(std::function<std::vector<Sources>()> make);
  std::vector<Sources> operator()() const { return make_(); }
  // These values after `change`.
  Inputs then(std::function<void(std::vector<Sources>&)> change) const;

 private:
  std::function<std::vector<Sources>()> make_;
};

struct AluCase {
  std::string mnemonic;  // "add.sat.s32"
  // "%r0, %r1, %r2"; %b: 8-bit, %h: 16-bit, %r: 32-bit, %d: 64-bit, %q: 128-bit registers, %p: predicates.
  std::string operands;
  Inputs inputs;
  Reference reference;
  // For approximate results: true if `actual` is acceptable although it differs from the reference. Empty: it never is.
  std::function<bool(const Sources&, std::uint64_t actual)> accepts;
};

// All cases, made on the first call by the functions that the files alu_*_test.cpp registered before main().
const std::vector<AluCase>& alu_cases();
// For static initialisers: `const bool added = add_alu_cases(…)`.
bool add_alu_cases(void (*add)(std::vector<AluCase>& cases));

// Runs one case; its failures become failures of the current test.
void run_alu_case(const AluCase& test);

// The first destination for each of the inputs, with all lanes; empty if the form is not supported (a failure).
std::vector<std::uint64_t> alu_results(const std::string& mnemonic, const std::string& operands,
                                       const std::vector<Sources>& inputs, Isa isa);

// A parsed instruction and the registers that it uses.
struct ParsedInstruction {
  ptx::Instruction instruction;
  std::vector<ptx::Type> register_types;  // by RegisterId; empty if the text did not parse (a failure)
};
ParsedInstruction parse_instruction(const std::string& text);
// True if select_alu() accepts it; `operation` receives the result.
bool selects(const ParsedInstruction& parsed, Isa isa, Operation& operation);

// Expands "add.{u16,s16}{,.sat}" to all combinations.
std::vector<std::string> expanded(const std::string& pattern);

// The instruction sets of this machine.
std::vector<Isa> available_isas();

}  // namespace lanescope::sim
