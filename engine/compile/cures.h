#pragma once
// What a learner can do about a compiler error, for common mistakes.

#include <string>
#include <vector>

#include "compile/compiler_log.h"

namespace lanescope::compile {

struct CureContext {
  std::string text;                   // the source as the user wrote it
  std::string source_name;            // as in the log
  std::vector<std::string> defines;   // the user's macros
  std::vector<std::string> left_out;  // host functions and variables that were not compiled
  bool whole_program = false;  // host code was compiled too, so a cure may not assume that there are only kernels
};

// One sentence; empty for an unknown error.
Wording cure_for(const LogEntry& entry, const CureContext& context);

// Edit distance between two words: letters to insert, remove, replace or swap with a neighbour.
std::size_t edit_distance(const std::string& a, const std::string& b);

}  // namespace lanescope::compile
