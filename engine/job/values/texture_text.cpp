#include "job/values/texture_text.h"

#include <array>
#include <optional>

#include "core/worded.h"
#include "job/values/argument.h"
#include "job/values/element_numbers.h"

namespace lanescope::job {

using sim::AddressMode;
using sim::ElementType;
using sim::TextureDescription;

namespace {

constexpr const char* example =
    "Write it like tex:f32[64,64]=iota, tex:linear,wrap,normalized:u8x4[64,32]=random:7, tex:float:u8[256]=iota, "
    "tex:layered:f32[64,64,4]=iota, tex:memory:f32[1024]=iota (for tex1Dfetch) or surf:f32x4[64,64]. Also known: "
    "point, "
    "clamp, mirror, border.";

Diagnostic error(const char* code, Wording message) {
  return {Severity::error, code, {}, std::move(message), example};
}

void set_modes(TextureDescription& made, AddressMode mode) {
  made.address = {mode, mode, mode};
}

bool set_option(TextureDescription& made, std::string_view option, bool& layered) {
  if (option == "layered") return layered = true;
  if (made.surface) return false;
  if (option == "linear") return made.linear_filter = true;
  if (option == "normalized") return made.normalized_coordinates = true;
  if (option == "float") return made.normalized_float = true;
  if (option == "memory") return made.linear_memory = true;
  if (option == "point") return true;
  for (const auto& [name, mode] : {std::pair{"clamp", AddressMode::clamp},
                                   {"wrap", AddressMode::wrap},
                                   {"mirror", AddressMode::mirror},
                                   {"border", AddressMode::border}})
    if (option == name) {
      set_modes(made, mode);
      return true;
    }
  return false;
}

// "u8x4"
bool set_type(TextureDescription& made, std::string_view text, ElementType& type) {
  std::string_view name = text;
  if (const std::size_t times = text.find('x'); times != std::string_view::npos) {
    const std::string_view channels = text.substr(times + 1);
    if (channels != "1" && channels != "2" && channels != "4") return false;
    made.channels = static_cast<std::uint8_t>(channels[0] - '0');
    name = text.substr(0, times);
  }
  const std::optional<ElementType> known = type_named(name);
  if (!known || sim::bytes_of(*known) == 8 || *known == ElementType::bf16) return false;
  type = *known;
  made.channel_bytes = static_cast<std::uint8_t>(sim::bytes_of(type));
  made.kind = is_floating(type) ? sim::ChannelKind::floating
              : is_signed(type) ? sim::ChannelKind::signed_integer
                                : sim::ChannelKind::unsigned_integer;
  return true;
}

// "64,32,4"
bool set_extents(TextureDescription& made, std::string_view text, bool layered) {
  std::array<std::uint32_t, 3> extents{};
  std::size_t count = 0;
  for (bool more = true; more; ++count) {
    const std::size_t comma = text.find(',');
    more = comma != std::string_view::npos;
    if (count == extents.size() || !parse_whole(text.substr(0, comma), extents[count]) || extents[count] == 0 ||
        extents[count] > 131072u * 1024u)
      return false;
    text.remove_prefix(more ? comma + 1 : text.size());
  }
  if (layered) {
    if (count < 2) return false;
    made.layers = extents[--count];
    extents[count] = 0;
  }
  made.extent = extents;
  return true;
}

std::optional<Diagnostic> problem_of(const TextureDescription& made, const Wording& shown) {
  const bool integers = !made.gives_floats();
  if (made.normalized_float && (made.kind == sim::ChannelKind::floating || made.channel_bytes == 4))
    return error("argument.type", worded("{}: only 8- and 16-bit integers are read as normalized floats.", shown));
  if (made.linear_filter && integers)
    return error("argument.type", worded("{}: linear filtering needs floats, or `float`.", shown));
  if (made.linear_memory && (made.dimensions() != 1 || made.layers != 0 || made.linear_filter ||
                             made.normalized_coordinates || made.extent[0] > 1u << 27))
    return error("argument.type",
                 worded("{}: linear memory has one dimension, no filter and no coordinates from 0 to 1.", shown));
  if (made.dimensions() == 3 && made.layers != 0)
    return error("argument.syntax", worded("{}: layers have one or two dimensions.", shown));
  return std::nullopt;
}

}  // namespace

bool is_texture_text(std::string_view text) {
  return text.starts_with("tex:") || text.starts_with("surf:");
}

Result<TextureText> read_texture_text(std::string_view text, const Wording& shown) {
  TextureDescription made;
  made.surface = text.starts_with("surf:");
  text.remove_prefix(text.find(':') + 1);
  const std::size_t open = text.find('['), close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open)
    return error("argument.syntax", worded("{} does not say how large it is.", shown));
  std::string_view before = text.substr(0, open);
  bool layered = false;
  if (const std::size_t colon = before.find(':'); colon != std::string_view::npos) {
    std::string_view options = before.substr(0, colon);
    before.remove_prefix(colon + 1);
    while (!options.empty()) {
      const std::string_view option = options.substr(0, options.find(','));
      if (!set_option(made, option, layered))
        return error("argument.syntax", worded("`{}` in {} is not understood.", option, shown));
      options.remove_prefix(std::min(option.size() + 1, options.size()));
    }
  }
  TextureText read;
  if (!set_type(made, before, read.type))
    return error("argument.type", worded("`{}` in {} is not a type of texels.", before, shown));
  const std::string_view extents = text.substr(open + 1, close - open - 1);
  if (!set_extents(made, extents, layered))
    return error("argument.number", worded("`{}` in {} is not a size of one to three dimensions.", extents, shown));
  // As in most programs, which set a mode for each dimension that there is. It matters: a single row that has a border
  // in y too is filtered with it.
  for (auto axis = static_cast<std::size_t>(made.dimensions()); axis < made.address.size(); ++axis)
    made.address[axis] = AddressMode::clamp;
  if (std::optional<Diagnostic> problem = problem_of(made, shown)) return std::move(*problem);
  const std::uint64_t area = std::uint64_t{made.extent[0]} * made.rows();
  if (area > largest_buffer_bytes || area * made.slices() > largest_buffer_bytes / made.texel_bytes())
    return Diagnostic{Severity::error,
                      "argument.too_large",
                      {},
                      worded("{} is larger than {} GiB.", shown, largest_buffer_bytes >> 30),
                      "Use fewer elements."};
  read.count = area * made.slices() * made.channels;
  read.rest = text.substr(close + 1);
  read.description = std::make_shared<const TextureDescription>(made);
  return read;
}

}  // namespace lanescope::job
