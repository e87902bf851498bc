#pragma once
// Joins the static shared variables of a recorded kernel into one variable, so that addresses and banks stay those of
// the plain kernel. Separate variables would move: a linker chooses their order (nvJitLink swapped two), and a called
// function and its recorded copy would each have their own. Internal to instrument/.

#include "ptx/module.h"

namespace lanescope::instrument {

inline constexpr const char* shared_block = "lanescope_shared";

// Returns the module with all static shared variables that the kernel reaches joined into one. They keep the plain
// kernel's order: the module's variables, the kernel's, then those of called functions, each in order of declaration.
// Other variables do not change. Dynamic shared memory begins where the plain kernel's does: if it needs an alignment
// of more than 16 bytes, the block is filled up to it. If joining would change nothing, the module is returned as it
// is.
ptx::Module with_one_shared_block(const ptx::Module& module, const ptx::Function& kernel);

}  // namespace lanescope::instrument
