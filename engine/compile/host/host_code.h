#pragma once
// A file written for nvcc also contains host code, which NVRTC refuses. This removes the refused code for another
// attempt. The text keeps its lines, and its length except where Attempt::scoped_calls says so, so that places stay
// valid.

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "compile/compiler_log.h"
#include "compile/host/host_headers.h"
#include "compile/source.h"

namespace lanescope::compile {

// One of the user's headers with host code removed.
struct TrimmedHeader {
  std::string path;                // as the compiler names it
  std::vector<std::string> names;  // as in #include lines
  std::string text;
};

// What the compiler receives for a source.
struct Attempt {
  std::string text;
  std::vector<TrimmedHeader> headers;  // replace those on disk
  // Use cooperative groups without libcu++: the same kernels compile in a tenth of the time. (For 67 kernels that use
  // every collective, the PTX was the same on sm_75 and sm_90; only reduce_update_async needs libcu++.)
  bool light_cooperative_groups = true;
  HostLibrary library = HostLibrary::light;
  bool device_is_default = false;         // unannotated constexpr and member functions count as __device__
  bool nvcc_prelude = false;              // include <cmath> and <cstdlib> as nvcc does
  bool old_standard = false;              // C++14, in which `register` is a keyword
  bool new_standard = false;              // C++20: concepts, designated initialisers
  bool half_prelude = false;              // include <cuda_fp16.h> and <cuda_bf16.h>, as a host library's header does
  bool wide_integers = false;             // __int128, which nvcc enables by default
  bool std_prelude = false;               // include <type_traits>, <utility>, <limits>, …
  bool thrust_functors = false;           // thrust::plus and similar as names of libcu++'s, as in Thrust
  bool without_cub = false;               // CUB's headers are empty, because they take seconds
  std::vector<SourcePlace> scoped_calls;  // `::` was put before the call at this place of the texts
  bool sliced = false;                    // leave_out_unreached() was tried
  std::vector<std::string> empty_headers;
  // Missing headers that cannot be identified as host headers: no kernel needs a name from them, and no #if of the
  // source tests one.
  std::vector<std::string> missing_headers;
  // Names of host functions, variables and classes; "<header>" for includes; "#error …".
  std::vector<std::string> left_out;
  std::vector<std::string> other_kernels;  // leave_out_other_kernels() left them out, because they do not compile
};

// The user's header that the compiler calls `file`, read if it is not yet in the attempt. nullptr if it is not one of
// the user's headers or shares its name with another.
TrimmedHeader* header_of(Attempt& attempt, const std::string& file, const Source& source,
                         const std::vector<std::string>& system_paths);

// The first attempt: the unchanged text without Thrust and CUB, which take seconds to read. Kernels seldom use Thrust;
// CUB is added if they need it. __GNUC__ has another name.
Attempt first_attempt(const Source& source, const std::vector<std::string>& system_paths);

// Changes `attempt` according to the errors of the last one. False: nothing is left to try.
bool improve(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
             const std::vector<std::string>& system_paths);

// The last attempt for errors outside kernels: leaves out everything that no kernel needs. False: it cannot help.
bool leave_out_host(Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                    const std::vector<std::string>& system_paths);

// Name and text of each header of the attempt. The first name of a header has the text; the others include the first,
// so that its include guard works.
std::vector<std::pair<std::string, std::string>> header_texts(const Attempt& attempt);

// The log of an attempt with the columns of the source.
std::vector<LogEntry> with_columns_of_source(std::vector<LogEntry> log, const Attempt& attempt);

// True if every error lies in a kernel or another device declaration, but not in a host member of a class that has
// device members; with `whole_classes`, there too.
bool concerns_device_code_alone(const Attempt& attempt, const std::vector<LogEntry>& log, const Source& source,
                                bool whole_classes = false);

// True if the compiler stopped at an #include line whose header it did not find.
bool lacks_a_header(const std::vector<LogEntry>& log);

// True if the compiler refuses the code because it is host code.
bool is_host_refusal(const LogEntry& entry);

}  // namespace lanescope::compile
