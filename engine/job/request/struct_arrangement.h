#pragma once
// Numbers of struct arguments at the offsets that the source's declarations give them.

#include <vector>

#include "job/request/kernel_signature.h"
#include "job/run/job.h"

namespace lanescope::job {

// Moves the numbers of {f32=1,f32=2,f32=3,f32=4,i32=5}, or of each struct in &{2*{…}}, to their places in a struct of
// this layout, such as that of struct { float4 centre; int kind; }. Changes nothing unless the argument has the same
// numbers in the same order, so an argument whose padding is written out stays as it is.
void arrange(RequestedArgument& argument, const StructLayout& layout);

// A variable as the source or a header of it declares it, such as `params` in "__constant__ Params params;". Without a
// type if it is unknown. The type of an array is that of its elements.
KernelParameter declared_variable(const compile::Source& source, const std::string& name);
// The kernel's parameters as the source declares them; none if they are unknown.
std::vector<KernelParameter> declared_parameters(const Request& request, const std::string& kernel);

}  // namespace lanescope::job
