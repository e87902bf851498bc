#pragma once
// The PTX text that recording consists of. Internal to instrument/.
//
// Registers of the recorder, declared once a function (names no compiler gives):
//   %lanescope_r0  capacity        %lanescope_r1  lanemask_lt       %lanescope_d0  this warp's headers
//   %lanescope_d1  this warp's lanes + 8 × lane id                  %lanescope_d2  this warp's counter
// all set by the prologue; the higher ones are scratch.

#include <string>

#include "ptx/module.h"

namespace lanescope::instrument {

inline constexpr const char* parameter_name = "lanescope_control";
inline constexpr const char* variable_name = "lanescope_control_address";

std::string register_declarations();

// At a kernel's entry: reads the Control, leaves for `plain_label` when the block is not chosen, else sets the registers.
// With `publish` it also stores the Control's address where called functions find it.
std::string kernel_prologue(const std::string& plain_label, bool publish);
// At the entry of the recorded copy of a called function.
std::string function_prologue();

// One record of `site` by the active lanes; `guard` empty or "%p1" / "!%p1": only those lanes have executed.
// `lane_value`: empty, or a 64-bit register whose value each executed lane stores.
// With `always` the record is made by the lowest active lane, also when no lane has executed.
std::string record(int site, const std::string& guard, const std::string& lane_value, bool always = false);

// %lanescope_d3 = the address that `operand` (an address) names, in its own space.
std::string address_of(const ptx::Function& function, const ptx::Operand& operand);
// %lanescope_d3 = a shuffle's second source in the low word, its third in the high one.
std::string shuffle_operands(const std::string& b, const std::string& c);
inline constexpr const char* lane_register = "%lanescope_d3";

}  // namespace lanescope::instrument
