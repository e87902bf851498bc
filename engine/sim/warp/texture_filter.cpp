#include "sim/warp/texture_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/alu/half.h"

namespace lanescope::sim {

namespace {

constexpr double furthest = 0x1p40;  // of a coordinate, in texels: beyond, nothing changes but where it wraps to

// In texels.
double position(const TextureDescription& texture, float coordinate, std::uint32_t extent) {
  const double at = double{coordinate} * (texture.normalized_coordinates ? extent : 1.0);
  return std::isnan(at) ? 0.0 : std::clamp(at, -furthest, furthest);
}

std::int64_t modulo(std::int64_t value, std::int64_t by) {
  const std::int64_t rest = value % by;
  return rest < 0 ? rest + by : rest;
}

// Where index `i` of an axis lies; none: outside.
std::optional<std::int64_t> resolved(const TextureDescription& texture, std::size_t axis, std::int64_t i) {
  const auto extent = static_cast<std::int64_t>(texture.extent[axis]);
  AddressMode mode = texture.address[axis];
  if (!texture.normalized_coordinates && (mode == AddressMode::wrap || mode == AddressMode::mirror))
    mode = AddressMode::clamp;
  switch (mode) {
    case AddressMode::wrap:
      return modulo(i, extent);
    case AddressMode::mirror: {
      const std::int64_t in_period = modulo(i, 2 * extent);
      return in_period < extent ? in_period : 2 * extent - 1 - in_period;
    }
    case AddressMode::border:
      return i >= 0 && i < extent ? std::optional(i) : std::nullopt;
    case AddressMode::clamp:
      break;
  }
  return std::clamp<std::int64_t>(i, 0, extent - 1);
}

std::int64_t layer_of(const TextureDescription& texture, std::int64_t layer) {
  return std::clamp<std::int64_t>(layer, 0, std::max<std::int64_t>(texture.layers, 1) - 1);
}

std::optional<TexelPlace> place_of(const TextureDescription& texture, const std::array<std::int64_t, 3>& index,
                                   std::int64_t layer) {
  std::array<std::int64_t, 3> at{0, 0, layer};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(texture.dimensions()); ++axis) {
    const std::optional<std::int64_t> found = resolved(texture, axis, index[axis]);
    if (!found) return std::nullopt;
    at[axis] = *found;
  }
  return TexelPlace{at[0], at[1], at[2]};
}

// The lower of the two texels that a coordinate lies between, and the weight of the upper one, of 256.
struct Between {
  std::int64_t lower = 0;
  std::int64_t weight = 0;
};
Between between(const TextureDescription& texture, float coordinate, std::uint32_t extent) {
  const auto fixed = static_cast<std::int64_t>(std::floor((position(texture, coordinate, extent) - 0.5) * 256 + 0.5));
  return {fixed >> 8, fixed & 255};
}

std::uint32_t read_channel(const TextureDescription& texture, const std::byte* at) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, texture.channel_bytes);
  const int unused = 32 - 8 * texture.channel_bytes;
  const bool is_signed = texture.kind == ChannelKind::signed_integer;
  const std::int32_t value = static_cast<std::int32_t>(bits << unused) >> unused;
  if (texture.kind == ChannelKind::floating)
    return texture.channel_bytes == 4 ? bits
                                      : std::bit_cast<std::uint32_t>(half_to_float(static_cast<std::uint16_t>(bits)));
  if (!texture.normalized_float) return is_signed ? static_cast<std::uint32_t>(value) : bits;
  const double largest = std::exp2(8 * texture.channel_bytes - (is_signed ? 1 : 0)) - 1;
  const double fraction = is_signed ? std::max(value / largest, -1.0) : bits / largest;
  return std::bit_cast<std::uint32_t>(static_cast<float>(fraction));
}

std::uint32_t one_of(const TextureDescription& texture) {
  return texture.gives_floats() ? std::bit_cast<std::uint32_t>(1.0f) : 1u;
}

}  // namespace

Footprint footprint_of(const TextureDescription& texture, const std::array<float, 3>& coordinate, std::int64_t layer) {
  const auto axes = static_cast<std::size_t>(texture.dimensions());
  const std::int64_t in_layer = layer_of(texture, layer);
  Footprint made;
  if (!texture.linear_filter) {
    std::array<std::int64_t, 3> index{};
    for (std::size_t axis = 0; axis < axes; ++axis)
      index[axis] = static_cast<std::int64_t>(std::floor(position(texture, coordinate[axis], texture.extent[axis])));
    made.part[0] = {place_of(texture, index, in_layer), 1};
    made.parts = 1;
    return made;
  }
  std::array<Between, 3> at{};
  for (std::size_t axis = 0; axis < axes; ++axis) at[axis] = between(texture, coordinate[axis], texture.extent[axis]);
  for (std::size_t corner = 0; corner < std::size_t{1} << axes; ++corner) {
    double weight = 1;
    std::array<std::int64_t, 3> index{};
    for (std::size_t axis = 0; axis < axes; ++axis) {
      const bool upper = (corner >> axis & 1u) != 0;
      index[axis] = at[axis].lower + (upper ? 1 : 0);
      weight *= static_cast<double>(upper ? at[axis].weight : 256 - at[axis].weight) / 256;
    }
    if (weight != 0) made.part[static_cast<std::size_t>(made.parts++)] = {place_of(texture, index, in_layer), weight};
  }
  return made;
}

Footprint gathered(const TextureDescription& texture, const std::array<float, 3>& coordinate, std::int64_t layer) {
  const Between x = between(texture, coordinate[0], texture.extent[0]);
  const Between y = between(texture, coordinate[1], texture.extent[1]);
  constexpr std::array<std::array<int, 2>, 4> order{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  Footprint made;
  for (const auto& [right, down] : order)
    made.part[static_cast<std::size_t>(made.parts++)] = {
        place_of(texture, {x.lower + right, y.lower + down, 0}, layer_of(texture, layer)), 1};
  return made;
}

std::uint64_t offset_of(const TextureDescription& texture, const TexelPlace& place) {
  const auto row = static_cast<std::uint64_t>(place.z) * texture.rows() + static_cast<std::uint64_t>(place.y);
  return row * texture.pitch() + static_cast<std::uint64_t>(place.x) * texture.texel_bytes();
}

Texel texel_at(const TextureDescription& texture, const std::byte* data, const std::optional<TexelPlace>& place) {
  Texel texel{0, 0, 0, one_of(texture)};
  for (std::size_t channel = 0; channel < texel.size(); ++channel) {
    if (!place)
      texel[channel] = texture.gives_floats() ? std::bit_cast<std::uint32_t>(texture.border[channel])
                                              : static_cast<std::uint32_t>(texture.border[channel]);
    else if (channel < texture.channels)
      texel[channel] = read_channel(texture, data + offset_of(texture, *place) + channel * texture.channel_bytes);
  }
  return texel;
}

Texel filtered(const TextureDescription& texture, const std::byte* data, const Footprint& footprint) {
  if (footprint.parts == 1) return texel_at(texture, data, footprint.part[0].place);
  std::array<double, 4> sum{};
  for (int i = 0; i < footprint.parts; ++i) {
    const Footprint::Part& part = footprint.part[static_cast<std::size_t>(i)];
    const Texel texel = texel_at(texture, data, part.place);
    for (std::size_t channel = 0; channel < sum.size(); ++channel)
      sum[channel] += part.weight * double{std::bit_cast<float>(texel[channel])};
  }
  Texel made{};
  for (std::size_t channel = 0; channel < sum.size(); ++channel)
    made[channel] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[channel]));
  return made;
}

}  // namespace lanescope::sim
