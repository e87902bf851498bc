#pragma once
// One call of NVRTC: what goes in and what comes back. Internal to compile/.

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

// An NVRTC that loads, as the process that loads it tells.
struct NvrtcLibrary {
  std::string path;  // the file, also when it was found by a bare name
  int major = 0, minor = 0;
  std::vector<int> architectures;  // 75, 80, …
};

struct NvrtcJob {
  std::string name, text;
  HostLibrary library = HostLibrary::light;
  std::vector<std::string> empty_headers;                    // names to give empty headers for
  std::vector<std::pair<std::string, std::string>> headers;  // name as included, and text
  std::vector<std::string> options;
  std::vector<std::string> name_expressions;
  // What ends it, for who waits; no part of what is asked.
  const std::atomic<bool>* cancel = nullptr;
  std::chrono::steady_clock::time_point deadline;
};

struct NvrtcOutcome {
  // NVRTC's codes: 0 = success; and what ended it before it could answer.
  using Code = int;
  static constexpr Code success = 0, out_of_memory = 1, compilation_failed = 6;
  static constexpr Code cancelled = -1, too_slow = -2, too_much_memory = -3, crashed = -4, not_started = -5,
                        not_loaded = -6;

  Code code = success;
  Wording error;  // the code in NVRTC's words; of a crash the signal; why it was not started or loaded
  std::string log, ptx;
  std::vector<std::uint8_t> cubin;             // when --gpu-architecture is a real one
  std::map<std::string, std::string> mangled;  // name expression → lowered name
};

}  // namespace lanescope::compile
