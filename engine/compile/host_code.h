#pragma once
// A file written for nvcc holds host code as well, which NVRTC refuses. This takes out what NVRTC
// objected to, for another attempt: the text keeps its length and its lines, so that places stay
// true.

#include <string>
#include <vector>

#include "compile/compiler.h"
#include "compile/compiler_log.h"
#include "compile/host_headers.h"

namespace lanescope::compile {

// How a source is put to the compiler.
struct Attempt {
  std::string text;
  // Cooperative groups without libcu++: the same kernels, compiled in a tenth of the time. (Over 67
  // kernels that use every collective, the PTX was the same on sm_75 and sm_90; reduce_update_async
  // alone needs libcu++.)
  bool light_cooperative_groups = true;
  HostLibrary library = HostLibrary::light;
  bool device_is_default = false;  // unannotated constexpr and member functions count as __device__
  bool nvcc_prelude = false;       // <cmath> and <cstdlib> come in unasked, as nvcc has it
  std::vector<std::string> empty_headers;
  // Names of host functions, variables and classes; "<header>" for includes.
  std::vector<std::string> left_out;
};

// The first attempt: the text as it is, but for Thrust, which takes seconds to read and which
// kernels seldom use.
Attempt first_attempt(const Source& source);

// Changes `attempt` where the errors of the last one say that it may help. False: nothing is left
// to try.
bool improve(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
             const std::vector<std::string>& system_paths);

// The compiler refuses it because it belongs to the host.
bool is_host_refusal(const LogEntry& entry);

}  // namespace lanescope::compile
