#pragma once
// A file written for nvcc also contains host code, which NVRTC refuses. Removes the code that NVRTC refused, for
// another attempt. The text keeps its length and its lines, so that places stay valid.

#include <string>
#include <utility>
#include <vector>

#include "compile/compiler_log.h"
#include "compile/host/host_headers.h"
#include "compile/source.h"

namespace lanescope::compile {

// A header of the user's with host code taken out.
struct TrimmedHeader {
  std::string path;                // as the compiler names it
  std::vector<std::string> names;  // as #includes write it
  std::string text;
};

// How a source is presented to the compiler.
struct Attempt {
  std::string text;
  std::vector<TrimmedHeader> headers;  // in place of those on disk
  // Cooperative groups without libcu++: the same kernels, compiled in a tenth of the time. (Over 67 kernels that use
  // every collective, the PTX was the same on sm_75 and sm_90; reduce_update_async alone needs libcu++.)
  bool light_cooperative_groups = true;
  HostLibrary library = HostLibrary::light;
  bool device_is_default = false;  // unannotated constexpr and member functions count as __device__
  bool nvcc_prelude = false;       // <cmath> and <cstdlib> come in unasked, as nvcc has it
  bool old_standard = false;       // C++14: `register` is a word of it
  bool new_standard = false;       // C++20: concepts, designated initialisers
  bool half_prelude = false;       // and <cuda_fp16.h>, <cuda_bf16.h>, by the header of a library for the host
  bool wide_integers = false;      // __int128, which nvcc has unasked
  bool std_prelude = false;        // and <type_traits>, <utility>, <limits>, …
  bool thrust_functors = false;    // and thrust::plus and its like: names of libcu++'s, as Thrust has them
  bool without_cub = false;        // its headers are empty: they take seconds
  bool sliced = false;             // leave_out_unreached() was tried
  std::vector<std::string> empty_headers;
  // Of these, those that nobody knows to be of the host: no kernel needs a name of theirs, and no #if of the source
  // asks for one.
  std::vector<std::string> missing_headers;
  // Names of host functions, variables and classes; "<header>" for includes; "#error …".
  std::vector<std::string> left_out;
};

// The first attempt: the text as it is, but for Thrust and CUB, which take seconds to read. Kernels seldom use Thrust;
// CUB is given to them when they turn out to need it. And __GNUC__ has another name.
Attempt first_attempt(const Source& source, const std::vector<std::string>& system_paths);

// Changes `attempt` according to the errors of the last one. False: nothing is left
// to try.
bool improve(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
             const std::vector<std::string>& system_paths);

// The last attempt, for errors outside kernels: leaves out everything that no kernel needs. False: it cannot help.
bool leave_out_host(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                    const std::vector<std::string>& system_paths);

// Name and text of each header of the attempt. A header has its text under the first of its names; under the others it
// is included by that, so that its guard holds.
std::vector<std::pair<std::string, std::string>> header_texts(const Attempt& attempt);

// Every error lies in a kernel or another declaration for the device.
bool concerns_device_code_alone(const Attempt& attempt, const std::vector<LogEntry>& log, const Source& source);

// The compiler refuses it because it belongs to the host.
bool is_host_refusal(const LogEntry& entry);

}  // namespace lanescope::compile
