#pragma once
// Variables of a module that a launch may have read before they were set (they start as zeros).

#include <functional>
#include <vector>

#include "sim/decode/decode.h"
#include "sim/launch.h"

namespace lanescope::sim {

// The variables without an initialiser that an executed instruction refers to, if memory of their kind was read and
// `given` does not say that they were filled or written. Needs the trace's totals. In the order of declaration.
std::vector<UnfilledVariable> unfilled_variables(const Program& program, const trace::Trace& trace,
                                                 const std::string& user_file,
                                                 const std::function<bool(const ptx::Variable&)>& given);

}  // namespace lanescope::sim
