#pragma once
// One call of nvJitLink: its inputs and results. Internal to compile/.

#include <cstdint>
#include <string>
#include <vector>

#include "core/wording.h"

namespace lanescope::compile {

struct LinkJob {
  std::string library, arch, ptx;
};

struct LinkOutcome {
  enum class End : std::uint8_t {
    linked,
    refused,
    unknown_arch,
    not_created,
    not_loaded,  // nvJitLink could not be loaded
    not_started,
    too_slow,
    too_much_memory,
    crashed  // the worker process crashed
  };
  End end = End::linked;
  int code = 0;        // not_created: nvJitLink's error code
  Wording reason;      // not_loaded, not_started: why; crashed: the signal; too_much_memory: the limit
  std::string errors;  // refused: nvJitLink's log
  std::string info;    // ptxas's report of registers, spills and memory
  std::vector<std::uint8_t> cubin;
};

}  // namespace lanescope::compile
