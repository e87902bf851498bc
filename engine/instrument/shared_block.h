#pragma once
// The static shared variables of a recorded kernel, as one. A linker places several in an order of its own (nvJitLink
// put two of a kernel the other way round than the plain kernel has them), and a called function and its recorded copy
// would have one each: then addresses, and so banks, were those of the recorded kernel. Internal to instrument/.

#include "ptx/module.h"

namespace lanescope::instrument {

inline constexpr const char* shared_block = "lanescope_shared";

// The module with the variables that the kernel reaches joined in one, in the order in which the plain kernel has them:
// the module's, the kernel's, those of the functions it calls, each as declared. Others, and what a launch adds, are
// left as they are; so is a module where that changes nothing.
ptx::Module with_one_shared_block(const ptx::Module& module, const ptx::Function& kernel);

}  // namespace lanescope::instrument
