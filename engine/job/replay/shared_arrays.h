#pragma once
// The shared variables of a program as its source declares them, so that an address becomes tile[1][0].

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "job/run/job.h"
#include "ptx/instruction.h"
#include "sim/memory/shared_places.h"

namespace lanescope::job {

struct SharedArray {
  std::string name;                       // "tile"; empty if it is not known
  std::uint64_t address = 0, bytes = 0;   // bytes: all of it; of dynamic shared memory, what the launch gives
  std::uint64_t element = 0;              // bytes of an element; 0: not known, elements cannot be named
  std::vector<std::uint64_t> dimensions;  // of each index; empty: a single variable
  ptx::Type type = ptx::Type::none;       // of an element, or of each member of a vector such as float4

  bool has(std::uint64_t at) const { return at >= address && at - address < bytes; }
  // "tile[1][0]", "quad[3].y", "nodes[2] + 8 B"; "tile + 132 B" if elements cannot be named. The address lies within
  // it. `owner` follows the name: "tile@1[1][0]".
  std::string text(std::uint64_t at, std::string_view owner = "") const;
  // The address of "[1][0]" or ".y", "[3].y" behind the name; none if there is no such element.
  std::optional<std::uint64_t> find(std::string_view element) const;
};

// The array at an address, one whose elements can be named before others; null: none.
const SharedArray* array_at(const std::vector<SharedArray>& arrays, std::uint64_t address);

// `kernel`: as in the source with its template arguments, "tiled<32>", for declarations whose length depends on them.
// `dynamic_bytes`: of the launch. An array whose declaration is not found in `source` has no element.
std::vector<SharedArray> shared_arrays(const std::vector<sim::SharedPlace>& places, std::string_view source,
                                       const std::string& kernel, std::uint64_t dynamic_bytes);
// Those of a launch 1, 2, … of an outcome.
std::vector<SharedArray> shared_of(const Outcome& outcome, int launch, const sim::Program& program);

}  // namespace lanescope::job
