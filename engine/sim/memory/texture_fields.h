#pragma once
// The fields of a texture's description in messages and saved runs (core/json_fields.h).

#include <tuple>

#include "core/json_fields.h"
#include "sim/memory/texture.h"

namespace lanescope::sim {

template <typename Visit, ConstOr<TextureDescription> T>
void fields(Visit& visit, T& texture) {
  visit("surface", texture.surface);
  visit("extent", std::tie(texture.extent[0], texture.extent[1], texture.extent[2]));
  visit("layers", texture.layers);
  visit("levels", std::tie(texture.levels, texture.linear_between_levels, texture.level_bias, texture.lowest_level,
                           texture.highest_level));
  visit("cube", std::tie(texture.cube, texture.layered_cube));
  visit("row_bytes", texture.row_bytes);
  visit("linear_memory", texture.linear_memory);
  visit("channels", texture.channels);
  visit("channel_bytes", texture.channel_bytes);
  visit("kind", texture.kind);
  visit("address", std::tie(texture.address[0], texture.address[1], texture.address[2]));
  visit("linear_filter", texture.linear_filter);
  visit("normalized_coordinates", texture.normalized_coordinates);
  visit("normalized_float", texture.normalized_float);
  visit("srgb", texture.srgb);
  visit("border", std::tie(texture.border[0], texture.border[1], texture.border[2], texture.border[3]));
}

}  // namespace lanescope::sim
