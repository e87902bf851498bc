#pragma once
// Which header declares a name of CUDA's libraries or of the host's, which functions only the host has, what to do
// where a compiler does not find them, and the values of some of them.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/wording.h"

namespace lanescope::compile {

// The header of a type, function or macro: "half" is in "cuda_fp16.h". Empty if it is not known.
std::string_view header_declaring(std::string_view name);

// The header of a member of namespace std: "tuple" is in "tuple". Empty if it is not known.
std::string_view header_of_std(std::string_view member);

// Whether libcu++ has the member of std: it has nearly everything in the headers that we replace, but no containers and
// streams.
bool is_in_libcu(std::string_view std_member);

// The header of a namespace; `member` is the name behind its `::`, which decides among those of libcu++.
std::string_view header_of_namespace(std::string_view name, std::string_view member);

// The header of CUDA's samples that declares it: "checkCudaErrors" is in "helper_cuda.h".
std::string_view header_of_samples(std::string_view name);

// Functions of the host's C library that device code does not have: rand, strlen.
bool only_in_c_library(std::string_view name);

// The member of std that a compiler's message names: "sort" of `void  ::std::sort<int *> (T1, T1)`. Empty if it is of
// another namespace.
std::string_view member_of_std(std::string_view function);

// Whether the operand types of a compiler's message have one such as float3.
bool names_vector_type(const std::string& message);

// Cures, empty where none is known. `function`: as the compiler spells it.
Wording cure_c_library(const std::string& name);
Wording cure_std_member(const std::string& member);
Wording cure_host_library(const std::string& function);

// `cub::BlockScan<…>`, `namespace cg = cooperative_groups;`: for a namespace that the line names and whose header the
// text does not include.
Wording cure_namespace(std::string_view source_line, std::string_view text);

// Of a function of <cmath> that sizes are computed with: "ceil", "sqrtf".
std::optional<double> value_of_cmath(std::string_view function, double argument);

// Members of cudaDeviceProp that are the same on every GPU since compute capability 3.0 ("CUDA C++ Programming Guide",
// "Technical Specifications per Compute Capability"), as the code names them: ".maxGridSize[0]".
std::span<const std::pair<std::string_view, std::int64_t>> properties_of_every_device();

}  // namespace lanescope::compile
