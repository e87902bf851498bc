#pragma once
// Variables of a module that a launch may have read before they were set (they begin as zeros).

#include <functional>
#include <vector>

#include "sim/decode/decode.h"
#include "sim/launch.h"

namespace lanescope::sim {

// Those without an initialiser which an instruction that was executed refers to, of whose kind of memory something was
// read, and that `given` does not say somebody else filled or wrote. Needs the trace's totals. In the order of their
// declarations.
std::vector<UnfilledVariable> unfilled_variables(const Program& program, const trace::Trace& trace,
                                                 const std::string& user_file,
                                                 const std::function<bool(const ptx::Variable&)>& given);

}  // namespace lanescope::sim
