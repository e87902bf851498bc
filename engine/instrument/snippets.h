#pragma once
// The PTX text that recording consists of. Internal to instrument/.
//
// Registers of the recorder, declared once per function (names no compiler gives), set by the prologue:
//   %lanescope_d0  the first region
//   %lanescope_r1  events this lane has dropped; not in entry_record
//   %lanescope_d1  where it stores that count; not in entry_record
//   %lanescope_r2  the next unit that this lane writes
//   %lanescope_r13 the last unit of its part, where it counts what it dropped
//   %lanescope_r14 this lane's clock, or the records that it took part in (Header::order)
//   %lanescope_r15 the lanes below
// The others are scratch.

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/instrument.h"

namespace lanescope::instrument {

inline constexpr const char* buffer_parameter = "lanescope_buffer";
inline constexpr const char* places_parameter = "lanescope_places";
inline constexpr const char* control_parameter = "lanescope_control";

std::string register_declarations();

// At a kernel's entry: leaves for `plain_label` when the block is not chosen, else sets the registers.
std::string kernel_prologue(const std::string& plain_label);

// An entry into a basic block by the active lanes: a unit, each. The writer puts down its %lanescope_r2 where others
// have who executed, and counts on beyond its part's end, always in the last unit: what stands there in the end says
// how many were dropped.
std::string entry_record(int index, bool clocks);

// What each executed lane adds to a record: one word.
struct LaneWord {
  std::string source;  // register, number or symbol
  enum class Kind : std::uint8_t { bits32, bits64, symbol } kind{};
  int upper_as = -1;  // in a record of many: the earlier word that is thought to have the same upper one; none: its own
  bool has_upper() const { return kind != Kind::bits32; }  // a symbol's address is read as 64 bits
};

// One record of `group` (its index) by the active lanes; `guard` empty or "%p1" / "!%p1": only those lanes have
// executed. `clocks`: Instrumented::clocks.
std::string record(int index, const RecordGroup& group, const std::string& guard, const std::vector<LaneWord>& words,
                   bool clocks);

}  // namespace lanescope::instrument
