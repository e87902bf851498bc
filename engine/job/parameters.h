#pragma once
// Do the arguments fit the kernel's parameters, and does the launch fit the hardware? Answered before anything runs, in
// the words of the user's source where the mangled name tells them.

#include <string>
#include <vector>

#include "core/result.h"
#include "job/job.h"
#include "ptx/module.h"

namespace lanescope::job {

// The parameters' types in C++ ("float const*"), from a mangled name; empty when it tells none (extern "C").
std::vector<std::string> parameter_types(const std::string& mangled);
// A mangled name as the source writes it: "reduce<float, 4>"; the name itself when it is not mangled.
std::string source_name(const std::string& mangled);

// Codes: argument.too_few, argument.too_many, argument.mismatch; each names the parameter's number, its type in C++ and
// PTX and what was given, and lists all parameters. A 64-bit integer is accepted for a pointer: it is an address.
Diagnostics check_arguments(const ptx::Function& kernel, const std::vector<sim::Argument>& arguments,
                            const std::vector<ArgumentText>& texts);

// Codes: launch.bad_extent (zero, or beyond the grid's and block's limits), launch.too_many_threads, launch.shared_memory.
// Source of the limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
Diagnostics check_launch(const trace::Launch& launch, const std::string& arch);

}  // namespace lanescope::job
