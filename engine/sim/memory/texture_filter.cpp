#include "sim/memory/texture_filter.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <span>

#include "sim/alu/half.h"
#include "sim/memory/srgb.h"

namespace lanescope::sim {

namespace {

constexpr double furthest = 0x1p40;  // largest coordinate in texels; all beyond it are outside

// std::floor; the baseline x86-64 has no instruction for it.
double floor_of(double x) {
  if (!(std::abs(x) < 0x1p52)) return x;
  const auto whole = static_cast<double>(static_cast<std::int64_t>(x));
  return whole > x ? whole - 1 : whole;
}

// The coordinate in texels.
double position(const TextureDescription& texture, std::size_t axis, float coordinate) {
  double at = coordinate;
  if (texture.normalized_coordinates) {
    // Two extents are a period of both modes. On an H200, an infinite coordinate counts as 0.
    const AddressMode mode = texture.address[axis];
    if ((mode == AddressMode::wrap || mode == AddressMode::mirror) && std::abs(at) >= 0x1p22)
      at = std::isfinite(at) ? std::fmod(at, 2.0) : 0.0;
    // An H200 uses 21 fractional bits of a normalised coordinate.
    at = floor_of(at * 0x1p21) * 0x1p-21 * texture.extent[axis];
  }
  return std::isnan(at) ? 0.0 : std::clamp(at, -furthest, furthest);
}

std::int64_t modulo(std::int64_t value, std::int64_t by) {
  const std::int64_t rest = value % by;
  return rest < 0 ? rest + by : rest;
}

// The mode of an axis. Without normalised coordinates, wrap and mirror are clamp.
AddressMode mode_of(const TextureDescription& texture, std::size_t axis) {
  const AddressMode mode = texture.address[axis];
  const bool repeats = mode == AddressMode::wrap || mode == AddressMode::mirror;
  return repeats && !texture.normalized_coordinates ? AddressMode::clamp : mode;
}

// The position of index `i` on an axis; none if it is outside.
std::optional<std::int64_t> resolved(const TextureDescription& texture, std::size_t axis, std::int64_t i) {
  const auto extent = static_cast<std::int64_t>(texture.extent[axis]);
  if (i >= 0 && i < extent) return i;
  switch (mode_of(texture, axis)) {
    case AddressMode::wrap:
      return modulo(i, extent);
    case AddressMode::mirror: {
      const std::int64_t in_period = modulo(i, 2 * extent);
      return in_period < extent ? in_period : 2 * extent - 1 - in_period;
    }
    case AddressMode::border:
      return std::nullopt;
    case AddressMode::clamp:
      break;
  }
  return std::clamp<std::int64_t>(i, 0, extent - 1);
}

std::int64_t layer_of(const TextureDescription& texture, std::int64_t layer) {
  return std::clamp<std::int64_t>(layer, 0, std::max<std::int64_t>(texture.layers, 1) - 1);
}

std::optional<TexelPlace> texel_place(const TextureDescription& texture, const std::array<std::int64_t, 3>& index,
                                      std::int64_t layer) {
  std::array<std::int64_t, 3> at{0, 0, layer};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(texture.dimensions()); ++axis) {
    const std::optional<std::int64_t> found = resolved(texture, axis, index[axis]);
    if (!found) return std::nullopt;
    at[axis] = *found;
  }
  return TexelPlace{at[0], at[1], at[2]};
}

// The lower of the two texels around a coordinate, and the weight of the upper one in 256ths.
struct Between {
  std::int64_t lower = 0;
  int weight = 0;
};
Between between(const TextureDescription& texture, std::size_t axis, float coordinate) {
  const auto fixed = static_cast<std::int64_t>(floor_of((position(texture, axis, coordinate) - 0.5) * 256 + 0.5));
  return {fixed >> 8, static_cast<int>(fixed & 255)};
}

// The largest integer of a channel.
double largest_of(const TextureDescription& texture) {
  const bool is_signed = texture.kind == ChannelKind::signed_integer;
  return static_cast<double>((std::int64_t{1} << (8 * texture.channel_bytes - (is_signed ? 1 : 0))) - 1);
}

// The low bits of an integer, extended as the channel's type says.
std::uint32_t integer_channel(const TextureDescription& texture, std::uint32_t bits) {
  const int unused = 32 - 8 * texture.channel_bytes;
  if (texture.kind != ChannelKind::signed_integer) return bits << unused >> unused;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(bits << unused) >> unused);
}

std::uint32_t read_channel(const TextureDescription& texture, const std::byte* at, std::size_t channel) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, texture.channel_bytes);
  if (texture.kind == ChannelKind::floating)
    return texture.channel_bytes == 4 ? bits
                                      : std::bit_cast<std::uint32_t>(half_to_float(static_cast<std::uint16_t>(bits)));
  const std::uint32_t value = integer_channel(texture, bits);
  if (!texture.normalized_float) return value;
  if (texture.is_srgb(channel)) return std::bit_cast<std::uint32_t>(linear_of_srgb(bits));
  const double largest = largest_of(texture);
  const bool is_signed = texture.kind == ChannelKind::signed_integer;
  const double fraction = is_signed ? std::max(static_cast<std::int32_t>(value) / largest, -1.0) : bits / largest;
  return std::bit_cast<std::uint32_t>(static_cast<float>(fraction));
}

// The border colour of a channel of normalised integers, as such an integer. Measured on an H200: an unsigned channel
// of n bits cuts the colour to n fractional bits and takes 1 from the upper half.
double border_integer(const TextureDescription& texture, std::size_t channel) {
  const double largest = largest_of(texture), colour = texture.border[channel];
  if (std::isnan(colour)) return 0;
  if (texture.kind == ChannelKind::signed_integer) return floor_of(std::clamp(colour, -1.0, 1.0) * largest + 0.5);
  const double cut = floor_of(std::clamp(colour, 0.0, 1.0) * (largest + 1));
  return cut > largest / 2 ? cut - 1 : cut;
}

std::uint32_t border_of(const TextureDescription& texture, std::size_t channel) {
  const float colour = texture.border[channel];
  if (texture.kind == ChannelKind::floating) return std::bit_cast<std::uint32_t>(colour);
  if (!texture.normalized_float) return integer_channel(texture, std::bit_cast<std::uint32_t>(colour));
  const double fraction = texture.is_srgb(channel) ? std::clamp(std::isnan(colour) ? 0.0f : colour, 0.0f, 1.0f)
                                                   : border_integer(texture, channel) / largest_of(texture);
  return std::bit_cast<std::uint32_t>(static_cast<float>(fraction));
}

std::uint32_t one_of(const TextureDescription& texture) {
  return texture.gives_floats() ? std::bit_cast<std::uint32_t>(1.0f) : 1u;
}

// One level of a mipmap, or a texture that has no others. Its weights add up to `all`.
void add_level(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& coordinate,
               std::int64_t layer, std::uint32_t level, int all) {
  const auto axes = static_cast<std::size_t>(texture.dimensions());
  const std::int64_t in_layer = layer_of(texture, layer);
  if (!texture.linear_filter) {
    std::array<std::int64_t, 3> index{};
    for (std::size_t axis = 0; axis < axes; ++axis)
      index[axis] = static_cast<std::int64_t>(floor_of(position(texture, axis, coordinate[axis])));
    footprint.add(texel_place(texture, index, in_layer), all, level);
    return;
  }
  // A one-dimensional texture without layers is a single row. If y has border mode, this row has a border above and
  // below.
  const bool beside_border = axes == 1 && texture.layers == 0 && texture.address[1] == AddressMode::border;
  std::array<Between, 3> at{};
  for (std::size_t axis = 0; axis < axes; ++axis) at[axis] = between(texture, axis, coordinate[axis]);
  if (beside_border) at[1] = {-1, 128};
  // The lower and the upper index along each axis; none means the border.
  std::array<std::array<std::optional<std::int64_t>, 2>, 3> sides{{{0, 0}, {0, 0}, {in_layer, in_layer}}};
  for (std::size_t axis = 0; axis < axes; ++axis) {
    sides[axis][0] = resolved(texture, axis, at[axis].lower);
    if (at[axis].weight != 0) sides[axis][1] = resolved(texture, axis, at[axis].lower + 1);
    const bool beyond = at[axis].lower < 0 || at[axis].lower + 1 >= std::int64_t{texture.extent[axis]};
    if (beyond && mode_of(texture, axis) == AddressMode::clamp) at[axis].weight = 0;  // both are the same texel
  }
  if (beside_border) sides[1][0].reset();
  const std::array<int, 8> weights = corner_weights(at[0].weight, at[1].weight, at[2].weight, all);
  for (std::size_t corner = 0; corner < weights.size(); ++corner) {
    if (weights[corner] == 0) continue;
    const std::optional<std::int64_t>&x = sides[0][corner & 1u], &y = sides[1][corner >> 1 & 1u],
          &z = sides[2][corner >> 2];
    footprint.add(x && y && z ? std::optional(TexelPlace{*x, *y, *z}) : std::nullopt, weights[corner], level);
  }
}

int in_256ths(float level) {
  return std::isnan(level) ? 0 : static_cast<int>(std::clamp(level, -1024.0f, 1024.0f) * 256);
}

int limited(const TextureDescription& texture, int level) {
  const int wanted = std::max(in_256ths(texture.lowest_level), std::min(level, in_256ths(texture.highest_level)));
  return std::clamp(wanted, 0, static_cast<int>(texture.levels - 1) * 256);
}

// In texels of level 0.
std::array<double, 3> scaled(const TextureDescription& texture, const std::array<float, 3>& gradient) {
  std::array<double, 3> made{};
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(texture.dimensions()); ++axis)
    made[axis] = std::abs(double{gradient[axis]}) * texture.extent[axis];
  return made;
}

double length_of(std::array<double, 3> components) {
  std::ranges::sort(components, std::greater<>());
  return components[0] + components[1] * 11 / 32;
}

}  // namespace

void add_footprint(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& coordinate,
                   std::int64_t layer) {
  add_level(footprint, texture, coordinate, layer, 0, 256);
}

void add_footprint_of_mipmap(Footprint& footprint, const TextureDescription& texture,
                             const std::array<float, 3>& coordinate, std::int64_t layer, int level) {
  const int first = texture.linear_between_levels ? level >> 8 : (level + 128) >> 8;
  const int of_next = texture.linear_between_levels ? level & 255 : 0;
  const auto number = static_cast<std::uint32_t>(first);
  add_level(footprint, texture.level(number), coordinate, layer, number, 256 - of_next);
  if (of_next != 0) add_level(footprint, texture.level(number + 1), coordinate, layer, number + 1, of_next);
}

int level_for(const TextureDescription& texture, std::optional<float> level) {
  return limited(texture, level ? in_256ths(*level) + in_256ths(texture.level_bias) : 0);
}

int level_for_gradients(const TextureDescription& texture, const std::array<float, 3>& dx,
                        const std::array<float, 3>& dy, bool& certain) {
  const std::array<double, 3> x = scaled(texture, dx), y = scaled(texture, dy);
  const auto is_zero = [](double component) { return component == 0; };
  const auto zeros = [&](const std::array<double, 3>& of) { return std::ranges::count_if(of, is_zero); };
  bool share_an_axis = false;
  for (std::size_t axis = 0; axis < x.size(); ++axis) share_an_axis |= x[axis] != 0 && y[axis] != 0;
  certain = std::min(zeros(x), zeros(y)) >= 1 &&
            (std::max(zeros(x), zeros(y)) == 3 || (zeros(x) == 2 && zeros(y) == 2 && !share_an_axis));
  const double length = std::max(length_of(x), length_of(y));
  if (!(length > 0)) return limited(texture, in_256ths(-1024));
  int power = 0;
  const double part = (std::frexp(std::min(length, 0x1p100), &power) * 2 - 1) * 256;
  const double interval = floor_of(part);
  const double logarithm = interval == 0 ? 0 : std::log2(1 + (interval + 0.5) / 256);
  return limited(texture,
                 (power - 1) * 256 + static_cast<int>(floor_of(logarithm * 256 + 0.5)) + in_256ths(texture.level_bias));
}

// Measured on an H200: the weight of each axis is divided between its two sides, z first, then x, then y, in whole
// 256ths.
std::array<int, 8> corner_weights(int x, int y, int z, int all) {
  std::array<int, 8> weights{};
  const int of_back = (all * z + 127) >> 8;
  for (std::size_t back = 0; back < 2; ++back) {
    const int of_z = back != 0 ? of_back : all - of_back;
    const int right = (of_z * x + 128) >> 8;
    for (std::size_t side = 0; side < 2; ++side) {
      const int of_x = side != 0 ? right : of_z - right;
      const int upper = (of_x * y + (side != 0 ? 128 : 127)) >> 8;
      weights[side + 2 + 4 * back] = upper;
      weights[side + 4 * back] = of_x - upper;
    }
  }
  return weights;
}

void add_gathered(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& coordinate,
                  std::int64_t layer) {
  const Between x = between(texture, 0, coordinate[0]);
  const Between y = between(texture, 1, coordinate[1]);
  constexpr std::array<std::array<int, 2>, 4> order{{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
  for (const auto& [right, down] : order)
    footprint.add(texel_place(texture, {x.lower + right, y.lower + down, 0}, layer_of(texture, layer)), 256);
}

CubeFace cube_face(const std::array<float, 3>& direction) {
  const auto [x, y, z] = direction;
  const float along_x = std::abs(x), along_y = std::abs(y), along_z = std::abs(z);
  CubeFace made;
  float m = along_z, s = z < 0 ? -x : x, t = -y;
  made.face = z < 0 ? 5 : 4;
  // Of two that are equally long the guide does not say which counts; on an H200 it is the later one.
  if (along_x > along_y && along_x > along_z) {
    made.face = x < 0 ? 1 : 0;
    m = along_x, s = x < 0 ? z : -z;
  } else if (along_y > along_z) {
    made.face = y < 0 ? 3 : 2;
    m = along_y, s = x, t = y < 0 ? -z : z;
  }
  const auto on_face = [m](float value) {
    if (m == 0) return 0.5f;  // no direction
    return static_cast<float>((double{value} / double{m} + 1) / 2);
  };
  made.coordinate = {on_face(s), on_face(t), 0};
  made.on_edge = !(std::abs(s) < m && std::abs(t) < m);
  return made;
}

bool add_cube_footprint(Footprint& footprint, const TextureDescription& texture, const std::array<float, 3>& direction,
                        std::int64_t layer) {
  const CubeFace at = cube_face(direction);
  const std::int64_t cubes = std::max<std::int64_t>(texture.layers / 6, 1);
  add_footprint(footprint, texture, at.coordinate, std::clamp<std::int64_t>(layer, 0, cubes - 1) * 6 + at.face);
  bool beyond = false;
  for (std::size_t axis = 0; axis < 2 && texture.linear_filter; ++axis) {
    const Between found = between(texture, axis, at.coordinate[axis]);
    beyond |= found.lower < 0 || (found.weight != 0 && found.lower + 1 >= std::int64_t{texture.extent[axis]});
  }
  return !at.on_edge && !beyond;
}

std::uint64_t offset_of(const TextureDescription& texture, const TexelPlace& place) {
  const auto row = static_cast<std::uint64_t>(place.z) * texture.rows() + static_cast<std::uint64_t>(place.y);
  return row * texture.pitch() + static_cast<std::uint64_t>(place.x) * texture.texel_bytes();
}

std::uint64_t offset_of(const TextureDescription& texture, const Footprint::Part& part) {
  if (part.level == 0) return offset_of(texture, part.place);
  return texture.level_offset(part.level) + offset_of(texture.level(part.level), part.place);
}

Texel texel_at(const TextureDescription& texture, const std::byte* data, const Footprint::Part& part) {
  Texel texel{0, 0, 0, one_of(texture)};
  if (!part.inside) {
    for (std::size_t channel = 0; channel < texel.size(); ++channel) texel[channel] = border_of(texture, channel);
    return texel;
  }
  const std::byte* const at = data + offset_of(texture, part);
  for (std::size_t channel = 0; channel < texture.channels; ++channel)
    texel[channel] = read_channel(texture, at + channel * texture.channel_bytes, channel);
  return texel;
}

namespace {

// Rounds to the nearest float, ties away from zero.
float rounded_away(double value) {
  const auto nearest = static_cast<float>(value);
  const float next = std::nextafter(nearest, value > nearest ? HUGE_VALF : -HUGE_VALF);
  const bool halfway = nearest != value && std::abs(value - nearest) == std::abs(next - value);
  return halfway && std::abs(next) > std::abs(nearest) ? next : nearest;
}

// Rounds to the nearest half float, ties away from zero.
float rounded_to_half(double value) {
  if (value == 0 || !std::isfinite(value)) return static_cast<float>(value);
  const double step = std::ldexp(1.0, std::max(std::ilogb(value), -14) - 10);
  return static_cast<float>(std::round(value / step) * step);
}

// `sum` is a weighted sum of integers, which is exact: so a tie is one.
float rounded_to_16_bits(const TextureDescription& texture, double sum) {
  const bool is_signed = texture.kind == ChannelKind::signed_integer;
  const double most = is_signed ? 32767 : 65535;
  const double scaled = sum * most / largest_of(texture);
  return static_cast<float>(std::max(std::floor(scaled + 0.5), is_signed ? -most : 0.0) / most);
}

// A channel, not clamped.
double integer_of(const TextureDescription& texture, const std::byte* at) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, at, texture.channel_bytes);
  const std::uint32_t value = integer_channel(texture, bits);
  const bool is_signed = texture.kind == ChannelKind::signed_integer;
  return is_signed ? static_cast<double>(static_cast<std::int32_t>(value)) : value;
}

// For a sum: of integers the integer, otherwise the float.
double channel_of(const TextureDescription& texture, const std::byte* data, const Footprint::Part& part,
                  std::size_t channel) {
  const std::byte* at = part.inside ? data + offset_of(texture, part) + channel * texture.channel_bytes : nullptr;
  if (texture.kind == ChannelKind::floating)
    return part.inside ? std::bit_cast<float>(read_channel(texture, at, channel)) : texture.border[channel];
  if (texture.is_srgb(channel))
    return std::bit_cast<float>(part.inside ? read_channel(texture, at, channel) : border_of(texture, channel));
  return part.inside ? integer_of(texture, at) : border_integer(texture, channel);
}

// sRGB values that are blended keep no bit below the eighth of the largest one.
void cut_to_8_bits_of_largest(std::span<double> values) {
  const double largest = std::ranges::max(values);
  if (largest <= 0) return;
  const double step = std::ldexp(1.0, std::ilogb(largest) - 7);
  for (double& value : values) value = floor_of(value / step) * step;
}

}  // namespace

Texel filtered(const TextureDescription& texture, const std::byte* data, const Footprint& footprint) {
  // A linear filter rounds even a single texel to 16 bits, which signed bytes show.
  if (footprint.parts == 1 && !(texture.linear_filter && texture.kind == ChannelKind::signed_integer))
    return texel_at(texture, data, footprint.part[0]);
  Texel made{0, 0, 0, one_of(texture)};
  for (std::size_t channel = 0; channel < texture.channels; ++channel) {
    std::array<double, 16> of_part;
    for (int i = 0; i < footprint.parts; ++i)
      of_part[static_cast<std::size_t>(i)] =
          channel_of(texture, data, footprint.part[static_cast<std::size_t>(i)], channel);
    const std::span<double> values(of_part.data(), static_cast<std::size_t>(footprint.parts));
    if (texture.is_srgb(channel)) cut_to_8_bits_of_largest(values);
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * footprint.part[i].weight / 256;
    const bool by_half = texture.channel_bytes == 2 || texture.is_srgb(channel);
    const bool by_integers = texture.kind != ChannelKind::floating && !texture.is_srgb(channel);
    const float result = by_integers ? rounded_to_16_bits(texture, sum)
                         : by_half   ? rounded_to_half(sum)
                                     : rounded_away(sum);
    made[channel] = std::bit_cast<std::uint32_t>(result);
  }
  return made;
}

}  // namespace lanescope::sim
