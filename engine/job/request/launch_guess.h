#pragma once
// A first launch of a kernel that nothing in its file launches: guessed from its signature and its code.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "job/request/launch_constants.h"
#include "job/request/launch_form.h"

namespace lanescope::job {

// Every array gets 4,096 elements, and the sizes are such that their product is that: n = 4,096, or 64 × 64, or
// 16 × 16 × 16. If indices are compared with a single size, it is 4,000, so that the last block has threads beyond it.
// A block is as large as __launch_bounds__ or the kernel's shared arrays say, else 256 threads (16 × 16); the grid
// covers the sizes. `known` are arguments that the file's own launch tells (empty: it does not): the sizes among them
// replace the guessed ones.
LaunchForm guessed_launch(const SourceKernels& kernels, const KernelSignature& kernel, const LaunchConstants& constants,
                          const std::vector<std::string>& template_arguments,
                          const std::vector<std::string>& known = {});

// Guessed template arguments; those of an explicit instantiation and defaults come first. A type that the kernel calls
// is a struct of the source or its headers that has such a call.
std::vector<std::string> guessed_template_arguments(const compile::Source& source, const KernelSignature& kernel);

// "WARPS * 32" with these template arguments in place of the names of the kernel's template parameters.
std::string with_template_arguments(std::string_view expression, const KernelSignature& kernel,
                                    std::span<const std::string> arguments);

}  // namespace lanescope::job
