#pragma once
// Which of several kernels of one name a launch in the source calls, as far as its arguments' declarations tell.

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

}  // namespace lanescope::job
