#pragma once
// A launch as the options of `lanescope trace` give it, and the request that they mean.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/dim3.h"
#include "core/result.h"

namespace lanescope::compile {
struct Source;  // compile/source.h
}

namespace lanescope::job {

struct Request;  // job/run/job.h

struct LaunchOptions {
  std::string kernel;   // with template arguments; empty = the file's only one
  std::string grid;     // "64", "8,8,1"; empty = as in the file's own launch
  std::string block;    // the same
  std::string cluster;  // the same; empty = as the kernel declares
  std::optional<std::uint32_t> shared_bytes;
  bool cooperative = false;
  std::vector<std::string> arguments;
  std::vector<std::string> symbols;  // "filter=f32[64]=iota"
  std::vector<std::string> then;     // further launches: "scale<<<4,256>>>(same:0)"
  std::string arch;                  // "sm_90", "compute_90", "90"; empty = the imitated GPU's, or a newer one for PTX
};

// "8,8,1" of this option ("--grid"). Code: command.bad_extent.
// As it is typed: "4", "8,8" or "8,8,2".
std::string extent_text(const Dim3& extent);
Result<Dim3> parse_extent(const std::string& text, const char* option);
// The bytes of dynamic shared memory. Code: command.bad_shared.
Result<std::uint32_t> parse_shared(const std::string& text);

// A file of this name and text. #include "beside.h" searches the file's own folder first, as every compiler does.
compile::Source source_of_file(const std::string& file, std::string text, std::vector<std::string> include_paths = {},
                               std::vector<std::string> defines = {});

// Fills what the options leave open from the first `// run:` line of their kernel (or of the only kernel that such
// lines name), with its macros if the source has none. Returns a note about what it took; for a line that is wrong,
// warnings that say why it is not used.
Diagnostics take_run_line(LaunchOptions& options, compile::Source& source);

// Adds notes about what was taken from the source to `notes`. Codes: compile.bad_define, compile.unknown_arch,
// ptx.for_another_gpu, command.bad_extent, command.bad_symbol, and those of complete_from_source() and add_launch().
Result<Request> request_from(compile::Source source, const LaunchOptions& options, Diagnostics& notes);

}  // namespace lanescope::job
