// The lane loops for the baseline instruction set.
#include <cstddef>
#include <cstdint>
#include <type_traits>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "sim/alu/alu_rows.h"
#include "sim/alu/sfu_tables.h"

namespace lanescope::sim {
namespace lanes_baseline {
#include "sim/alu/alu_rows_of_lanes.inl"
}  // namespace lanes_baseline

void add_lane_rows_baseline(AluTable& table) {
  lanes_baseline::add_rows(table);
}
}  // namespace lanescope::sim
