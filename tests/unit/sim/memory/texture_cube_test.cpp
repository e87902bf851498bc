// Cube maps. Expectations come from the table of the programming guide's "Cubemap Textures", read backwards: from a
// texel of a face to the direction that meets it.

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

#include "sim/launcher.h"
#include "sim/memory/texture.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;

constexpr std::uint32_t cube_width = 4;
constexpr std::uint32_t texels_of_face = cube_width * cube_width;

struct Direction {
  float x, y, z, layer = 0;
};

// The direction that meets a face at s and t, both from -1 to 1, scaled by m.
Direction towards(int face, float s, float t, float m) {
  s *= m, t *= m;
  switch (face) {
    case 0:
      return {m, -t, -s};
    case 1:
      return {-m, -t, s};
    case 2:
      return {s, m, t};
    case 3:
      return {s, -m, -t};
    case 4:
      return {s, -t, m};
    default:
      return {-s, -t, -m};
  }
}

// From -1 to 1 over the face: `texel` 0.5 is the middle of the first texel.
float on_face(float texel) {
  return texel / cube_width * 2 - 1;
}

TextureDescription cube_map(std::uint32_t cubes, bool layered, bool linear) {
  TextureDescription of;
  of.extent = {cube_width, cube_width, 0};
  of.layers = 6 * cubes;
  of.cube = true;
  of.layered_cube = layered;
  of.normalized_coordinates = true;
  of.linear_filter = linear;
  return of;
}

float texel_value(int face, std::uint32_t x, std::uint32_t y) {
  return static_cast<float>(static_cast<std::uint32_t>(face) * 100 + y * 10 + x);
}

std::vector<float> cube_texels(std::uint32_t cubes) {
  std::vector<float> all;
  for (std::uint32_t face = 0; face < 6 * cubes; ++face)
    for (std::uint32_t i = 0; i < texels_of_face; ++i)
      all.push_back(texel_value(static_cast<int>(face), i % cube_width, i / cube_width));
  return all;
}

constexpr const char* tex_cube = "tex.cube.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2, %f3, %f3}];";
constexpr const char* tex_layered_cube =
    "cvt.rni.s32.f32 %r5, %f4;\ntex.acube.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%r5, %f1, %f2, %f3}];";

// One thread per direction. The last argument is the result.
Launcher cube_launch(const TextureDescription& of, const std::string& fetch, std::vector<Direction> at) {
  Launcher k(kernel(".param .u64 object, .param .u64 at, .param .u64 out",
                    "ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [at]; ld.param.u64 %rd3, [out];\n"
                    "mov.u32 %r3, %tid.x; mul.wide.u32 %rd4, %r3, 16; add.u64 %rd2, %rd2, %rd4;\n"
                    "mul.wide.u32 %rd4, %r3, 4; add.u64 %rd3, %rd3, %rd4;\n"
                    "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd2];\n" +
                        fetch + "\nst.global.f32 [%rd3], %f5;\nret;"));
  k.add_buffer(cube_texels(of.layers / 6));
  k.request.arguments.back().texture = std::make_shared<const TextureDescription>(of);
  std::vector<float> numbers;
  for (const Direction& one : at) numbers.insert(numbers.end(), {one.x, one.y, one.z, one.layer});
  k.block = {static_cast<std::uint32_t>(at.size()), 1, 1};
  k.add_buffer(numbers);
  k.add_buffer(std::vector<float>(at.size()));
  return k;
}

std::vector<float> fetched_from_cube(const TextureDescription& of, const std::string& fetch,
                                     const std::vector<Direction>& at) {
  Launcher k = cube_launch(of, fetch, at);
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  for (const Diagnostic& one : result.diagnostics) EXPECT_EQ(one.code, "count.texture") << format(one);
  return Launcher::values<float>(result, 2);
}

TEST(CubeMaps, ADirectionMeetsTheTexelOfTheGuidesTable) {
  std::vector<Direction> at;
  std::vector<float> expected;
  for (int face = 0; face < 6; ++face)
    for (std::uint32_t i = 0; i < texels_of_face; ++i) {
      const std::uint32_t x = i % cube_width, y = i / cube_width;
      const float m = i % 3 == 0 ? 1.0f : i % 3 == 1 ? 0.25f : 50.0f;  // only the direction counts, not its length
      at.push_back(towards(face, on_face(static_cast<float>(x) + 0.5f), on_face(static_cast<float>(y) + 0.5f), m));
      expected.push_back(texel_value(face, x, y));
    }
  for (const bool linear : {false, true})
    EXPECT_EQ(fetched_from_cube(cube_map(1, false, linear), tex_cube, at), expected) << "linear " << linear;
}

// In the middle of four texels, and a quarter of a texel beside the middle of one.
TEST(CubeMaps, TexelsOfOneFaceAreMixed) {
  std::vector<Direction> at;
  std::vector<float> expected;
  for (int face = 0; face < 6; ++face) {
    at.push_back(towards(face, on_face(2), on_face(3), 1));
    expected.push_back(texel_value(face, 1, 2) + 5.5f);  // half a column and half a row on
    at.push_back(towards(face, on_face(1.75f), on_face(2.5f), 1));
    expected.push_back(texel_value(face, 1, 2) + 0.25f);
  }
  EXPECT_EQ(fetched_from_cube(cube_map(1, false, true), tex_cube, at), expected);
}

TEST(CubeMaps, LayersAreCubesAndAreClamped) {
  std::vector<Direction> at;
  std::vector<float> expected;
  for (const int layer : {0, 1, 2, 7}) {
    Direction one = towards(3, on_face(1.5f), on_face(2.5f), 1);
    one.layer = static_cast<float>(layer);
    at.push_back(one);
    expected.push_back(texel_value(6 * std::min(layer, 2) + 3, 1, 2));
  }
  EXPECT_EQ(fetched_from_cube(cube_map(3, true, false), tex_layered_cube, at), expected);
}

TEST(CubeMaps, AFetchAtTheEdgeOfAFaceIsNoted) {
  const auto noted = [](const Direction& at, bool linear) {
    Launcher k = cube_launch(cube_map(1, false, linear), tex_cube, {at});
    return std::ranges::count(k.run_anyway().diagnostics, "texture.cube_edge", &Diagnostic::code);
  };
  EXPECT_EQ(noted({1, 1, 0.5f}, false), 1) << "between two faces";
  EXPECT_EQ(noted({0, 0, 0}, false), 1) << "no direction";
  const Direction first = towards(4, on_face(0.25f), on_face(2.5f), 1);
  EXPECT_EQ(noted(first, true), 1) << "mixed with a texel beyond the face";
  EXPECT_EQ(noted(first, false), 0) << "the nearest texel is on the face";
}

TEST(CubeMaps, OtherFetchesAreFaults) {
  const auto fault = [](const TextureDescription& of, const std::string& fetch, const char* code) {
    Launcher k = cube_launch(of, fetch, {{1, 0, 0}});
    return k.fault(code).message;
  };
  const std::string flat = "tex.2d.v4.f32.f32 {%f5, %f6, %f7, %f8}, [%rd1, {%f1, %f2}];";
  EXPECT_THAT(fault(cube_map(1, false, false), flat, "texture.wrong_shape"), HasSubstr("arg 0 is a cube map"));
  TextureDescription plain = cube_map(1, false, false);
  plain.cube = false;
  EXPECT_THAT(fault(plain, tex_cube, "texture.wrong_shape"), HasSubstr("which is not a cube map"));
  EXPECT_THAT(fault(cube_map(2, true, false), tex_cube, "texture.wrong_shape"), HasSubstr("with layers"));
  fault(cube_map(1, false, false), "txq.array_size.b32 %r1, [%rd1];", "texture.cube_query");
}

}  // namespace
}  // namespace lanescope::sim
