#pragma once
// A tensor map: the 128 bytes that describe a tensor in global memory for cp.async.bulk.tensor, as made by
// cuTensorMapEncodeTiled() and cuTensorMapEncodeIm2col(). Names and limits: "CUDA Driver API", Tensor Map Object
// Management.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace lanescope::sim {

// In the order of CUtensorMapDataType.
enum class TensorType : std::uint8_t { u8, u16, u32, i32, u64, i64, f16, f32, f64, bf16, f32_ftz, tf32, tf32_ftz };
inline constexpr std::uint32_t tensor_types = 13;

constexpr std::uint32_t bytes_of(TensorType type) {
  constexpr std::array<std::uint8_t, tensor_types> bytes{1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
  return bytes[static_cast<std::size_t>(type)];
}
constexpr bool is_floating(TensorType type) {
  return type >= TensorType::f16;
}

struct TensorMap {
  static constexpr std::uint64_t bytes = 128;
  static constexpr std::uint64_t alignment = 64;
  static constexpr std::uint32_t most_dimensions = 5;

  TensorType type = TensorType::f32;
  std::uint32_t rank = 1;
  bool im2col = false;
  bool fills_nan = false;         // elements outside are NaN, not zero
  std::uint8_t interleave = 0;    // 0: none, 1: of 16 bytes, 2: of 32 bytes
  std::uint8_t swizzle = 0;       // 0: none, else within 16 << swizzle bytes: 1, 2, 3
  std::uint8_t l2_promotion = 0;  // as CUtensorMapL2promotion; no effect on what is copied
  std::uint64_t address = 0;
  std::array<std::uint64_t, most_dimensions> dim{1, 1, 1, 1, 1};   // elements
  std::array<std::uint64_t, most_dimensions> stride{};             // bytes from an element to the next; [0] unused
  std::array<std::uint32_t, most_dimensions> box{1, 1, 1, 1, 1};   // elements of the tensor; tiled
  std::array<std::uint32_t, most_dimensions> step{1, 1, 1, 1, 1};  // elementStrides: takes every step-th element
  std::array<std::int32_t, 3> lower{}, upper{};                    // corners of the pixels' box: W, H, D; im2col
  std::uint32_t channels = 1, pixels = 1;                          // per pixel, and per column; im2col

  bool operator==(const TensorMap&) const = default;
};

using TensorMapBytes = std::array<std::uint64_t, TensorMap::bytes / 8>;

// NVIDIA does not document the bytes. These are the same as those of driver 580.159.04 for an H100
// (tests/cases/tensor_map/maps.txt), so a GPU accepts our maps.
TensorMapBytes encode(const TensorMap& map);
// nullopt if the bytes are not such a map.
std::optional<TensorMap> decode_tensor_map(const TensorMapBytes& bytes);

// The field that tensormap.replace changes. Values are those of the instruction: for `rank` one less, for types and
// modes a code.
enum class TensorField : std::uint8_t { address, rank, stride, box, dim, step, type, interleave, swizzle, fill };
// `ordinal` is that of the dimension; for strides, 0 is dimension 1. Afterwards the bytes need not be a valid map.
void replace_field(TensorMapBytes& bytes, TensorField field, std::uint32_t ordinal, std::uint64_t value);

// Whether the driver makes such a map; if not, it answers CUDA_ERROR_INVALID_VALUE. The rules are those of "CUDA Driver
// API". In addition a box has less than 256 KiB and an address has 57 bits: bounds between what the driver accepted and
// what it refused.
bool is_allowed(const TensorMap& map);

}  // namespace lanescope::sim
