#include "compile/host/host_types.h"

#include <map>

#include "core/long_type.h"

namespace lanescope::compile {

std::int64_t size_of(std::string_view type) {
  static const std::map<std::string_view, std::int64_t> sizes{{"float", 4},
                                                              {"double", 8},
                                                              {"int", 4},
                                                              {"unsigned", 4},
                                                              {"unsignedint", 4},
                                                              {"char", 1},
                                                              {"unsignedchar", 1},
                                                              {"bool", 1},
                                                              {"short", 2},
                                                              {"unsignedshort", 2},
                                                              {"long", bytes_of_long},
                                                              {"unsignedlong", bytes_of_long},
                                                              {"longlong", 8},
                                                              {"unsignedlonglong", 8},
                                                              {"size_t", 8},
                                                              {"half", 2},
                                                              {"__half", 2},
                                                              {"__nv_bfloat16", 2},
                                                              {"float2", 8},
                                                              {"float4", 16},
                                                              {"int2", 8},
                                                              {"int4", 16},
                                                              {"double2", 16},
                                                              {"int8_t", 1},
                                                              {"uint8_t", 1},
                                                              {"int16_t", 2},
                                                              {"uint16_t", 2},
                                                              {"int32_t", 4},
                                                              {"uint32_t", 4},
                                                              {"int64_t", 8},
                                                              {"uint64_t", 8},
                                                              {"uint", 4},
                                                              {"uchar", 1},
                                                              {"float3", 12},
                                                              {"int3", 12},
                                                              {"uint2", 8},
                                                              {"uint4", 16},
                                                              {"uchar4", 4},
                                                              {"half2", 4},
                                                              {"__half2", 4}};
  if (type.ends_with('*')) return 8;
  const auto known = sizes.find(type);
  return known == sizes.end() ? 0 : known->second;
}

}  // namespace lanescope::compile
