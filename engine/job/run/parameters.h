#pragma once
// Checks before a run that the arguments match the kernel's parameters. Messages use the types of the user's source if
// the mangled name has them. (sim::run() checks whether the launch fits the hardware.)

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "job/run/job.h"
#include "ptx/module.h"

namespace lanescope::job {

// The parameters' C++ types ("float const*") from a mangled name; empty if the name has none (extern "C").
std::vector<std::string> parameter_types(const std::string& mangled);
// The element type behind a C++ pointer or reference type, as an argument names it: "u32" for "uint2 const*". Empty for
// an unknown type.
std::string element_behind(const std::string& pointer);
// The same, signed for every integer; nullopt also for types of one byte, which may point to any bytes.
std::optional<sim::ElementType> pointed_at(const std::string& pointer);
// The mangled name of the kernel `name`, which may be mangled or as in the source. Code: compile.no_such_kernel, with
// the nearest name.
Result<std::string> entry_named(const ptx::Module& module, const std::string& name);

// Codes: argument.too_few, argument.too_many, argument.mismatch. Each names the parameter's number, its C++ and PTX
// type and the given argument, and lists all parameters. A 64-bit integer is accepted for a pointer: it is an address.
// argument.other_elements (a warning): the buffer's element type differs from the pointer's. `declared`: as
// RequestedLaunch::declared.
Diagnostics check_arguments(const ptx::Function& kernel, std::span<const sim::Argument> arguments,
                            std::span<const RequestedArgument> texts, std::span<const std::string> declared = {});

// The same, one list per parameter; a single list if there are too few or too many arguments.
std::vector<Diagnostics> check_each_argument(const ptx::Function& kernel, std::span<const sim::Argument> arguments,
                                             std::span<const RequestedArgument> texts,
                                             std::span<const std::string> declared = {});

// What the interpreter calls "arg 1" is called `out`, as the lesson does. `problems` are those of this launch.
void name_arguments(Diagnostics& problems, const Request& request, const RequestedLaunch& launch);

}  // namespace lanescope::job
