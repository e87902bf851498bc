#include "job/values/source_types.h"

#include "core/long_type.h"

namespace lanescope::job {

std::string element_of_type(std::string_view type) {
  constexpr bool wide = bytes_of_long == 8;
  static constexpr std::pair<std::string_view, std::string_view> known[] = {{"float", "f32"},
                                                                            {"double", "f64"},
                                                                            {"int", "i32"},
                                                                            {"unsignedint", "u32"},
                                                                            {"unsigned", "u32"},
                                                                            {"uint", "u32"},
                                                                            {"char", "i8"},
                                                                            {"signedchar", "i8"},
                                                                            {"unsignedchar", "u8"},
                                                                            {"uchar", "u8"},
                                                                            {"bool", "u8"},
                                                                            {"short", "i16"},
                                                                            {"unsignedshort", "u16"},
                                                                            {"longlong", "i64"},
                                                                            {"long", wide ? "i64" : "i32"},
                                                                            {"unsignedlonglong", "u64"},
                                                                            {"unsignedlong", wide ? "u64" : "u32"},
                                                                            {"size_t", "u64"},
                                                                            {"half", "f16"},
                                                                            {"__half", "f16"},
                                                                            {"int8_t", "i8"},
                                                                            {"uint8_t", "u8"},
                                                                            {"int16_t", "i16"},
                                                                            {"uint16_t", "u16"},
                                                                            {"int32_t", "i32"},
                                                                            {"uint32_t", "u32"},
                                                                            {"int64_t", "i64"},
                                                                            {"uint64_t", "u64"},
                                                                            {"longlongint", "i64"},
                                                                            {"ushort", "u16"},
                                                                            {"unsignedshortint", "u16"},
                                                                            {"unsignedlongint", wide ? "u64" : "u32"},
                                                                            {"longint", wide ? "i64" : "i32"},
                                                                            {"unsignedlonglongint", "u64"},
                                                                            {"ulong", wide ? "u64" : "u32"},
                                                                            {"clock_t", wide ? "i64" : "i32"},
                                                                            {"ptrdiff_t", "i64"},
                                                                            {"ssize_t", "i64"},
                                                                            {"intptr_t", "i64"},
                                                                            {"uintptr_t", "u64"},
                                                                            {"nv_bfloat16", "bf16"},
                                                                            {"__nv_bfloat16", "bf16"}};
  for (const auto& [name, element] : known)
    if (name == type) return std::string(element);
  return {};
}

std::pair<std::string_view, int> vector_type(std::string_view type) {
  const bool vector = type.size() > 2 && type.back() >= '1' && type.back() <= '4' &&
                      !element_of_type(type.substr(0, type.size() - 1)).empty();
  return vector ? std::pair{type.substr(0, type.size() - 1), type.back() - '0'} : std::pair{type, 1};
}

}  // namespace lanescope::job
