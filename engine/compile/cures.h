#pragma once
// What a learner can do about an error of the compiler, for the mistakes that are common.

#include <string>
#include <vector>

#include "compile/compiler_log.h"

namespace lanescope::compile {

struct CureContext {
  std::string text;                   // the source as the user wrote it
  std::string source_name;            // as the log names it
  std::vector<std::string> left_out;  // host functions and variables that were not compiled
  bool whole_program = false;         // they were: a cure for kernels alone may not be given
};

// One sentence; empty for an error that is not known.
Wording cure_for(const LogEntry& entry, const CureContext& context);

// Edit distance between two words: letters to insert, remove, change or swap with a neighbour.
//
std::size_t edit_distance(const std::string& a, const std::string& b);

}  // namespace lanescope::compile
