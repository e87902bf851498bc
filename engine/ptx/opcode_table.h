#pragma once
// opcodes.def as data. The head of that file explains the columns.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/wording.h"
#include "ptx/instruction.h"

namespace lanescope::ptx {

// clang-format off
enum class Category : std::uint8_t {
  arithmetic, bits, logic, compare, select, move, convert, load, store, atomic, reduction, prefetch,
  async_copy, mbarrier, barrier, fence, warp, shuffle, vote, branch, call, return_, video, tensor,
  texture, misc
};
// clang-format on
const char* name_of(Category category);

struct OpcodeInfo {
  const char* enumerator;  // "bar_sync"
  const char* mnemonic;    // "bar.sync"
  Category category;
  const char* operands;   // "aa?"
  const char* modifiers;  // "ROUND ftz … INT"
  const char* effect;     // one line for readers
};

// One entry of the operands column; the head of opcodes.def explains the letters.
struct OperandRole {
  char letter = 'a';
  bool optional = false;
  bool or_wider = false;
  enum class Width : std::uint8_t { type, second_type, wide, predicate, bits32, cas, any };
  Width width = Width::type;
};

extern const int opcode_count;  // the opcodes are 0 … opcode_count - 1

// Precondition: an opcode of the table.
const OpcodeInfo& info(Opcode opcode);
inline const char* name_of(Opcode opcode) {
  return info(opcode).mnemonic;
}

// The opcode that `mnemonic` and the following words name, and how many of these words belong to its name: ("cp",
// {"async", "wait_all"}) gives cp_async_wait_all and 2.
struct OpcodeMatch {
  Opcode opcode{};
  std::size_t words = 0;
};
std::optional<OpcodeMatch> find_opcode(std::string_view mnemonic, std::span<const std::string> words);

// The entries of the operands column. `*` and `c` stand alone or last.
std::span<const OperandRole> roles(Opcode opcode);

// True if `modifier` (without its dot) is allowed after the mnemonic.
bool allows_modifier(Opcode opcode, std::string_view modifier);

// What is wrong with the modifiers of `instruction` as a whole (a required one is missing), as half a sentence; empty
// if they are right.
Wording missing_modifier(const Instruction& instruction);

// Sets the decoded fields (type, space, rounding, …) from the modifiers.
void understand_modifiers(Instruction& instruction);

// Number of leading operands that are destinations: 0, 1, or 2 for a pair `%r1|%p1`. A vector counts as one. 0 for a
// call, whose results are in Instruction::call_results.
int destination_count(const Instruction& instruction);

}  // namespace lanescope::ptx
