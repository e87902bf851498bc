#pragma once
// One call of nvJitLink: what goes in and what comes back. Internal to compile/.

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
    not_loaded,  // nvJitLink's own
    not_started,
    too_slow,
    too_much_memory,
    crashed  // of the process that it runs in
  };
  End end = End::linked;
  int code = 0;        // not_created: nvJitLink's
  Wording reason;      // not_loaded, not_started: why; crashed: the signal; too_much_memory: the limit
  std::string errors;  // refused: nvJitLink's log
  std::string info;    // ptxas's report of registers, spills and memory
  std::vector<std::uint8_t> cubin;
};

}  // namespace lanescope::compile
