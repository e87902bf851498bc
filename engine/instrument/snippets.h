#pragma once
// The PTX text that records events. Internal to instrument/.
//
// The recorder's registers. They are declared once per function, have names that no compiler uses, and are set by the
// prologue:
//   %lanescope_d0  the first region
//   %lanescope_r1  the number of events that this lane dropped; not used by entry_record
//   %lanescope_d1  the address where that number is stored; not used by entry_record
//   %lanescope_r2  the next unit that this lane writes
//   %lanescope_r13 the last unit of its part, which holds the number of dropped events
//   %lanescope_r14 this lane's clock, or the number of records that it took part in (Header::order)
//   %lanescope_r15 the mask of the lanes below this one
// The others are scratch registers.

#include <cstdint>
#include <string>
#include <vector>

#include "instrument/instrument.h"

namespace lanescope::instrument {

inline constexpr const char* buffer_parameter = "lanescope_buffer";
inline constexpr const char* places_parameter = "lanescope_places";
inline constexpr const char* control_parameter = "lanescope_control";

std::string register_declarations();

// The code at a kernel's entry. It branches to `plain_label` if the block is not chosen, and otherwise sets the
// registers.
std::string kernel_prologue(const std::string& plain_label);

// Records that the active lanes enter a basic block, in one unit. The writer stores its %lanescope_r2 where other
// records have `executed`. Once its part is full, it keeps counting and overwrites the last unit, so the final content
// of that unit tells how many records were dropped.
std::string entry_record(int index, bool clocks);

// One word that each executing lane adds to a record.
struct LaneWord {
  std::string source;  // register, number or symbol
  enum class Kind : std::uint8_t { bits32, bits64, symbol } kind{};
  // In a record of many words: the earlier word whose upper half this word probably shares; -1 if it has its own.
  int upper_as = -1;
  bool has_upper() const { return kind != Kind::bits32; }  // a symbol's address is read as 64 bits
};

// Writes one record of `group` (`index` is the group's index) by the active lanes. `guard` is empty, "%p1" or "!%p1":
// only the lanes for which it is true have executed. `clocks`: see Instrumented::clocks.
std::string record(int index, const RecordGroup& group, const std::string& guard, const std::vector<LaneWord>& words,
                   bool clocks);

}  // namespace lanescope::instrument
