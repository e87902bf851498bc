// The lane loops for AVX2, FMA, F16C and BMI2; see operation.h.
#if defined(__x86_64__)
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/alu/alu_rows.h"
#include "sim/alu/sfu_tables.h"

namespace lanescope::sim {
namespace lanes_avx2 {
#include "sim/alu/alu_rows_of_lanes.inl"
}  // namespace lanes_avx2

void add_lane_rows_avx2(AluTable& table) {
  lanes_avx2::add_rows(table);
}
}  // namespace lanescope::sim
#endif
