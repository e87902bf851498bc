// Tensor maps of the driver API. They are bytes on the host; the device does not know them until a kernel copies with
// them.

#include <algorithm>
#include <cstring>
#include <span>

#include "device/api/driver/driver.h"
#include "sim/memory/tensor_map.h"

namespace lanescope::device::api {

namespace {

using sim::TensorMap;

// The parameters that both ways to make a map share. False if a map cannot hold them.
struct TensorParts {
  CUtensorMapDataType type;
  cuuint32_t rank;
  const void* address;
  const cuuint64_t *dim, *stride;
  const cuuint32_t* step;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion l2;
  CUtensorMapFloatOOBfill fill;
};

bool take_parts(const TensorParts& parts, TensorMap& map) {
  if (parts.rank < 1 || parts.rank > TensorMap::most_dimensions || parts.dim == nullptr || parts.step == nullptr ||
      parts.stride == nullptr)
    return false;
  if (parts.type >= sim::tensor_types || parts.interleave > CU_TENSOR_MAP_INTERLEAVE_32B ||
      parts.swizzle > CU_TENSOR_MAP_SWIZZLE_128B || parts.l2 > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
      parts.fill > CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA)
    return false;
  map.type = static_cast<sim::TensorType>(parts.type);
  map.rank = parts.rank;
  map.interleave = static_cast<std::uint8_t>(parts.interleave);
  map.swizzle = static_cast<std::uint8_t>(parts.swizzle);
  map.l2_promotion = static_cast<std::uint8_t>(parts.l2);
  map.fills_nan = parts.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
  map.address = place(parts.address);
  std::copy_n(parts.dim, parts.rank, map.dim.begin());
  std::copy_n(parts.step, parts.rank, map.step.begin());
  std::copy_n(parts.stride, parts.rank - 1, map.stride.begin() + 1);
  return true;
}

Status put_map(const TensorMap& map, CUtensorMap* to) {
  if (to == nullptr || !is_allowed(map)) return Status::invalid_value;
  const sim::TensorMapBytes bytes = encode(map);
  std::memcpy(to, bytes.data(), sizeof bytes);
  return Status::success;
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;
namespace sim = lanescope::sim;
using sim::TensorMap;

extern "C" {

CUresult cuTensorMapEncodeTiled(CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                const cuuint64_t* dim, const cuuint64_t* stride, const cuuint32_t* box,
                                const cuuint32_t* step, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) {
  return driver_answer(
      [&](Device&) {
        TensorMap map;
        if (!take_parts({type, rank, address, dim, stride, step, interleave, swizzle, l2, fill}, map) || box == nullptr)
          return Status::invalid_value;
        std::copy_n(box, rank, map.box.begin());
        return put_map(map, to);
      },
      Reports::nothing, Needs::driver);
}

CUresult cuTensorMapEncodeIm2col(CUtensorMap* to, CUtensorMapDataType type, cuuint32_t rank, void* address,
                                 const cuuint64_t* dim, const cuuint64_t* stride, const int* lower, const int* upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t* step,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion l2, CUtensorMapFloatOOBfill fill) {
  return driver_answer(
      [&](Device&) {
        TensorMap map;
        if (!take_parts({type, rank, address, dim, stride, step, interleave, swizzle, l2, fill}, map) || rank < 3 ||
            lower == nullptr || upper == nullptr)
          return Status::invalid_value;
        map.im2col = true;
        std::copy_n(lower, rank - 2, map.lower.begin());
        std::copy_n(upper, rank - 2, map.upper.begin());
        map.channels = channels;
        map.pixels = pixels;
        return put_map(map, to);
      },
      Reports::nothing, Needs::driver);
}

CUresult cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  return driver_answer(
      [&](Device&) {
        if (map == nullptr || address == nullptr) return Status::invalid_value;
        sim::TensorMapBytes bytes;
        std::memcpy(bytes.data(), map, sizeof bytes);
        std::optional<TensorMap> changed = sim::decode_tensor_map(bytes);
        if (!changed) return Status::invalid_value;
        changed->address = place(address);
        return put_map(*changed, map);
      },
      Reports::nothing, Needs::driver);
}

}  // extern "C"
