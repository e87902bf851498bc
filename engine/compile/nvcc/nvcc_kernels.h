#pragma once
// Kernels that NVRTC refuses and nvcc takes: nvcc reads host code and the extensions of g++ too.

#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"

namespace lanescope::compile {

// compile(), and if it refuses a source that nvcc may take, and nvcc is on this machine: the PTX that nvcc makes of the
// same text for the same architecture, with the same include folders, definitions and language. Ptx::compiler_name is
// then "nvcc", and a note in Ptx::warnings (compile.by_nvcc) has NVRTC's first error. nvcc takes seconds; it ends with
// Options::cancel, and after Options::most_seconds. If nvcc refuses the source too, the errors are NVRTC's, with a note
// if nvcc's first one is elsewhere. If nvcc is not there, a note says how to get it, where NVRTC's errors are of the
// kind that nvcc does not make.
//
// Results are cached in this process only: g++'s own headers are inputs, which nothing here reads.
Result<Ptx> compile_with_either(const Source& source, const Options& options);

// The rest is internal, for tests.

// Whether nvcc may take what NVRTC refused with `errors`: false for a source without host code, host headers and
// extensions of g++, so that nobody waits for nvcc because of a spelling mistake in such a kernel.
bool nvcc_may_take(const Diagnostics& errors, const Source& source);
// Whether NVRTC's refusal is of the kind that nvcc does not make.
bool is_of_nvrtc_alone(const Diagnostic& error, std::string_view source_name);

// What makes nvcc compile the kernels of these names, behind the source's text: nvcc compiles a template for which
// something asks. Names that are mangled are not among them.
std::string table_of_kernels(const std::vector<std::string>& names);
// Takes that table out of nvcc's PTX; the mangled names in order.
std::vector<std::string> take_table_of_kernels(std::string& ptx);

}  // namespace lanescope::compile
