#pragma once
// One call of NVRTC: its inputs and results. Internal to compile/.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compile/host/host_headers.h"
#include "core/wording.h"

namespace lanescope::compile {

// An NVRTC that loads, as reported by the process that loads it.
struct NvrtcLibrary {
  std::string path;  // the file, even if it was found by a bare name
  int major = 0, minor = 0;
  std::vector<int> architectures;  // 75, 80, …
};

struct NvrtcJob {
  std::string name, text;
  HostLibrary library = HostLibrary::light;
  std::vector<std::string> empty_headers;                    // names of headers to replace by empty ones
  std::vector<std::pair<std::string, std::string>> headers;  // name as included, and text
  std::vector<std::string> options;
  std::vector<std::string> name_expressions;
  // These end the call for its caller; they are not part of the request.
  const std::atomic<bool>* cancel = nullptr;
  std::chrono::steady_clock::time_point deadline;
};

struct NvrtcOutcome {
  // NVRTC's codes (0 = success), and our negative codes for calls that ended without an answer.
  using Code = int;
  static constexpr Code success = 0, out_of_memory = 1, compilation_failed = 6;
  static constexpr Code cancelled = -1, too_slow = -2, too_much_memory = -3, crashed = -4, not_started = -5,
                        not_loaded = -6;

  Code code = success;
  Wording error;  // NVRTC's text for the code; the signal of a crash; why it was not started or loaded
  std::string log, ptx;
  std::vector<std::uint8_t> cubin;             // if --gpu-architecture is a real architecture
  std::map<std::string, std::string> mangled;  // name expression → lowered name
};

}  // namespace lanescope::compile
