#pragma once
// What the types of a launch's arguments tell, as far as their declarations in the source show them: which of several
// kernels of one name it calls, and with which template arguments.

#include <string>
#include <vector>

#include "compile/host/launch_scan.h"
#include "job/request/kernel_signature.h"

namespace lanescope::job {

enum class OverloadFit { other, unknown, this_one };

// `parameters`: of the kernel; `others`: of the kernels of its name that differ in their parameters. `text`: the source
// of the launch. `this_one` only where no other fits; `other` where this one cannot be meant.
OverloadFit fit_of_overload(const compile::ScannedLaunch& launch, const std::string& text,
                            const std::vector<KernelParameter>& parameters,
                            const std::vector<std::vector<KernelParameter>>& others);

// `given`, the template arguments that the launch names, and those after them that follow from its arguments, up to the
// first that is not known, without defaults at the end.
std::vector<std::string> with_deduced(std::vector<std::string> given, const compile::ScannedLaunch& launch,
                                      const std::string& text, const SourceKernels& kernels,
                                      const KernelSignature& kernel);

}  // namespace lanescope::job
