// The lane loops for AVX-512 F, BW, DQ, VL and CD; see operation.h.
#if defined(__x86_64__)
// GCC 12 warns about undefined inputs inside its own AVX-512 intrinsics.
#pragma GCC diagnostic ignored "-Wuninitialized"
#if !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "sim/alu/alu_rows.h"
#include "sim/alu/sfu_tables.h"

namespace lanescope::sim {
namespace lanes_avx512 {
#include "sim/alu/alu_rows_of_lanes.inl"
}  // namespace lanes_avx512

void add_lane_rows_avx512(AluTable& table) {
  lanes_avx512::add_rows(table);
}
}  // namespace lanescope::sim
#endif
