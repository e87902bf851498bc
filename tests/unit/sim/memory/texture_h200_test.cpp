// Texture filtering against a GPU's results: tests/cases/textures/h200.txt.

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "sim/alu/half.h"
#include "sim/memory/texture_filter.h"
#include "test_paths.h"

namespace lanescope::sim {
namespace {

// Calls `check` with the rest of each line that begins with `kind`; at least one line must.
template <typename Check>
void each_line(const std::string& kind, Check check) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/cases/textures/h200.txt");
  int found = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (first != kind) continue;
    SCOPED_TRACE(line);
    check(words);
    ++found;
  }
  EXPECT_GT(found, 20) << kind;
}

float float_of(const std::string& bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(std::stoul(bits, nullptr, 16)));
}

TEST(TextureOnH200, CornersHaveTheseWeights) {
  each_line("weights", [](std::istream& words) {
    int x = 0, y = 0, z = 0;
    words >> x >> y >> z;
    const std::array<int, 8> weights = corner_weights(x, y, z);
    for (const int weight : weights) {
      int seen = -1;
      words >> seen;
      EXPECT_EQ(weight, seen);
    }
  });
}

// A row that has exactly the line's texels.
struct Row {
  TextureDescription texture;
  std::vector<std::byte> bytes;
  Footprint footprint;

  explicit Row(const std::string& kind) {
    texture.linear_filter = true;
    texture.channel_bytes = static_cast<std::uint8_t>(std::stoi(kind.substr(1)) / 8);
    texture.normalized_float = kind[0] != 'f';
    texture.kind = kind[0] == 'f'   ? ChannelKind::floating
                   : kind[0] == 'u' ? ChannelKind::unsigned_integer
                                    : ChannelKind::signed_integer;
  }
  void add(const std::string& texel, int weight) {
    std::uint32_t bits = 0;
    if (texture.kind != ChannelKind::floating)
      bits = static_cast<std::uint32_t>(std::stoi(texel));
    else
      bits =
          texture.channel_bytes == 2 ? float_to_half(float_of(texel)) : std::bit_cast<std::uint32_t>(float_of(texel));
    footprint.add(TexelPlace{footprint.parts, 0, 0}, weight);
    bytes.resize(bytes.size() + texture.channel_bytes);
    std::memcpy(bytes.data() + bytes.size() - texture.channel_bytes, &bits, texture.channel_bytes);
    texture.extent[0] = static_cast<std::uint32_t>(footprint.parts);
  }
};

TEST(TextureOnH200, SumsAreRoundedLikeThis) {
  each_line("sum", [](std::istream& words) {
    std::string kind, texel;
    words >> kind;
    Row row(kind);
    for (int weight = 0; words >> texel && texel != "->" && words >> weight;) row.add(texel, weight);
    std::string seen;
    words >> seen;
    EXPECT_EQ(std::bit_cast<float>(filtered(row.texture, row.bytes.data(), row.footprint)[0]), float_of(seen));
  });
}

TEST(TextureOnH200, NormalizedCoordinatesHave21Bits) {
  each_line("normalized", [](std::istream& words) {
    std::string mode, coordinate, seen;
    TextureDescription texture;
    words >> mode >> texture.extent[0] >> coordinate >> seen;
    texture.linear_filter = texture.normalized_coordinates = true;
    texture.address[0] = mode == "wrap" ? AddressMode::wrap : AddressMode::clamp;
    std::vector<float> texels;
    for (std::uint32_t i = 0; i < texture.extent[0]; ++i) texels.push_back(static_cast<float>(i));
    Footprint footprint;
    add_footprint(footprint, texture, {float_of(coordinate)}, 0);
    const Texel texel = filtered(texture, reinterpret_cast<const std::byte*>(texels.data()), footprint);
    EXPECT_EQ(std::bit_cast<float>(texel[0]), float_of(seen));
  });
}

TEST(TextureOnH200, BordersHaveTheseColours) {
  each_line("border", [](std::istream& words) {
    std::string kind, colour, seen;
    words >> kind >> colour >> seen;
    Row row(kind);
    row.texture.normalized_float = kind.ends_with('n');
    row.texture.linear_filter = false;
    row.texture.border[0] = float_of(colour);
    row.footprint.add(std::nullopt, 256);
    EXPECT_EQ(filtered(row.texture, nullptr, row.footprint)[0], std::stoul(seen, nullptr, 16));
  });
}

TEST(TextureOnH200, SrgbBytesHaveTheseValues) {
  each_line("srgb", [](std::istream& words) {
    std::string code, seen;
    words >> code >> seen;
    Row row("u8");
    row.texture.srgb = true;
    row.add(code, 256);
    EXPECT_EQ(filtered(row.texture, row.bytes.data(), row.footprint)[0], std::stoul(seen, nullptr, 16));
  });
}

}  // namespace
}  // namespace lanescope::sim
