#pragma once
// The types of C++ and CUDA as sources name them, written without blanks: "unsignedint", "float4", "int*".

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>

namespace lanescope {

// The size of `long` in CUDA C++. NVRTC and nvcc take that of the system on which they run: 8 bytes on Linux, 4 on
// Windows ("NVRTC", Integer Size).
inline constexpr std::size_t bytes_of_long = sizeof(long);

// "float" → "f32", as an argument names it; empty for a vector, a pointer and an unknown type.
constexpr std::string_view element_of_type(std::string_view type) {
  constexpr bool wide = bytes_of_long == 8;
  constexpr std::string_view i_long = wide ? "i64" : "i32", u_long = wide ? "u64" : "u32";
  constexpr std::pair<std::string_view, std::string_view> known[] = {
      {"float", "f32"},
      {"double", "f64"},
      {"half", "f16"},
      {"__half", "f16"},
      {"nv_bfloat16", "bf16"},
      {"__nv_bfloat16", "bf16"},
      {"bool", "u8"},
      {"char", "i8"},
      {"signedchar", "i8"},
      {"int8_t", "i8"},
      {"unsignedchar", "u8"},
      {"uchar", "u8"},
      {"uint8_t", "u8"},
      {"short", "i16"},
      {"int16_t", "i16"},
      {"unsignedshort", "u16"},
      {"unsignedshortint", "u16"},
      {"ushort", "u16"},
      {"uint16_t", "u16"},
      {"int", "i32"},
      {"int32_t", "i32"},
      {"unsigned", "u32"},
      {"unsignedint", "u32"},
      {"uint", "u32"},
      {"uint32_t", "u32"},
      {"long", i_long},
      {"longint", i_long},
      {"clock_t", i_long},
      {"unsignedlong", u_long},
      {"unsignedlongint", u_long},
      {"ulong", u_long},
      {"longlong", "i64"},
      {"longlongint", "i64"},
      {"int64_t", "i64"},
      {"ptrdiff_t", "i64"},
      {"ssize_t", "i64"},
      {"intptr_t", "i64"},
      {"unsignedlonglong", "u64"},
      {"unsignedlonglongint", "u64"},
      {"uint64_t", "u64"},
      {"size_t", "u64"},
      {"uintptr_t", "u64"},
  };
  for (const auto& [name, element] : known)
    if (name == type) return element;
  return {};
}

// "float4" → "float" and 4; 1 for other types.
constexpr std::pair<std::string_view, int> vector_type(std::string_view type) {
  const bool vector = type.size() > 2 && type.back() >= '1' && type.back() <= '4' &&
                      !element_of_type(type.substr(0, type.size() - 1)).empty();
  return vector ? std::pair{type.substr(0, type.size() - 1), type.back() - '0'} : std::pair{type, 1};
}

// The size of a number, a vector or a pointer in bytes; 0 for an unknown type.
constexpr std::int64_t bytes_of_type(std::string_view type) {
  if (type.ends_with('*')) return 8;
  const auto [one, count] = vector_type(type);
  const std::string_view element = element_of_type(one);
  if (element.empty()) return 0;
  const std::int64_t bytes = element.ends_with('8') ? 1 : element.ends_with("16") ? 2 : element.ends_with("32") ? 4 : 8;
  return bytes * count;
}

}  // namespace lanescope
