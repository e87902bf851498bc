#pragma once
// Checks that the arguments match the kernel's parameters, before anything runs. Messages use the types of the user's
// source if the mangled name has them. (sim::run() checks whether the launch fits the hardware.)

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "job/run/job.h"
#include "ptx/module.h"

namespace lanescope::job {

// The parameters' types in C++ ("float const*"), from a mangled name; empty when it tells none (extern "C").
std::vector<std::string> parameter_types(const std::string& mangled);
// What the elements are that a pointer of this type in C++ leads to, signed where they are integers; nothing of a type
// that is not in the list, and of char, through which any bytes may be seen. Vectors have their elements' type.
std::optional<sim::ElementType> pointed_at(const std::string& pointer);
// The mangled name of the kernel that `name` means: mangled too, or as the source writes it. Code:
// compile.no_such_kernel, with the nearest.
Result<std::string> entry_named(const ptx::Module& module, const std::string& name);

// Codes: argument.too_few, argument.too_many, argument.mismatch; each names the parameter's number, its type in C++ and
// PTX and what was given, and lists all parameters. A 64-bit integer is accepted for a pointer: it is an address.
// argument.other_elements, a warning: a buffer's elements are not what the pointer leads to.
Diagnostics check_arguments(const ptx::Function& kernel, const std::vector<sim::Argument>& arguments,
                            const std::vector<RequestedArgument>& texts);

}  // namespace lanescope::job
