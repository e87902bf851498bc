#pragma once
// One call of the compiler, as it is: no second thoughts about the source.

#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compile/host_headers.h"
#include "compile/nvrtc.h"

namespace lanescope::compile {

struct NvrtcJob {
  std::string name, text;
  HostLibrary library = HostLibrary::light;
  std::vector<std::string> empty_headers;  // names to give empty headers for
  std::vector<std::pair<std::string, std::string>> headers;  // name as included, and text
  std::vector<std::string> options;
  std::vector<std::string> name_expressions;
  const std::atomic<bool>* cancel = nullptr;
  std::chrono::steady_clock::time_point deadline;
};

struct NvrtcOutcome {
  Nvrtc::Code code = Nvrtc::success;
  std::string error;  // the code in NVRTC's words
  std::string log, ptx;
  std::vector<std::uint8_t> cubin;  // when --gpu-architecture is a real one
  std::map<std::string, std::string> mangled;  // name expression → lowered name
};

// With the code `cancelled` once *cancel is set, `too_slow` once the deadline has passed; the compilation may then go on for
// a while, unheeded.
// Runs on a thread of its own with a deep stack: NVRTC parses by recursion, and the stack of an
// ordinary thread overflows on a few thousand nested brackets.
NvrtcOutcome run_nvrtc(const Nvrtc& nvrtc, const NvrtcJob& job);

}  // namespace lanescope::compile
