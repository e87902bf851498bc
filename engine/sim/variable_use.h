#pragma once
// Whether a program can use a variable of its module.

namespace lanescope::ptx {
struct Variable;  // ptx/module.h
}

namespace lanescope::sim {

class Program;  // sim/launch.h

// Whether the kernel, a function that it can reach, or another variable's initialiser names the variable.
bool names_variable(const Program& program, const ptx::Variable& variable);

}  // namespace lanescope::sim
