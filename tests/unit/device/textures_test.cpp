// CUDA arrays, texture objects and surface objects of both APIs, through the entry points.

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

#include "unit/device/exec_libraries.h"

namespace lanescope {
namespace {

using device_test::Dim;
using device_test::Program;

// look(object, out): out[0] = tex2D(object, 1.5, 1.5). look_from(box, out): the same, with the handle in memory.
// down(object, out): the texel of a cube map that (0.5, -1, -0.5) meets. put(object): writes one texel of a surface.
// first(object, out): tex1Dfetch of element 3.
constexpr const char* texture_text = R"(.version 8.0
.target sm_75
.address_size 64
.visible .entry look(.param .u64 object, .param .u64 out)
{
  .reg .b64 %rd<4>; .reg .f32 %f<8>;
  ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [out];
  mov.f32 %f1, 0f3FC00000;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd1, {%f1, %f1}];
  st.global.f32 [%rd2], %f2;
  ret;
}
.visible .entry look_from(.param .u64 box, .param .u64 out)
{
  .reg .b64 %rd<5>; .reg .f32 %f<8>;
  ld.param.u64 %rd1, [box]; ld.param.u64 %rd2, [out];
  ld.global.u64 %rd3, [%rd1];
  mov.f32 %f1, 0f3FC00000;
  tex.2d.v4.f32.f32 {%f2, %f3, %f4, %f5}, [%rd3, {%f1, %f1}];
  st.global.f32 [%rd2], %f2;
  ret;
}
.visible .entry down(.param .u64 object, .param .u64 out)
{
  .reg .b64 %rd<4>; .reg .f32 %f<10>;
  ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [out];
  mov.f32 %f1, 0f3F000000; mov.f32 %f2, 0fBF800000; mov.f32 %f3, 0fBF000000;
  tex.cube.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f2, %f3, %f3}];
  st.global.f32 [%rd2], %f4;
  ret;
}
.visible .entry put(.param .u64 object)
{
  .reg .b64 %rd<2>; .reg .b32 %r<4>;
  ld.param.u64 %rd1, [object];
  mov.u32 %r1, 4; mov.u32 %r2, 1; mov.b32 %r3, 0f42280000;
  sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};
  ret;
}
.visible .entry first(.param .u64 object, .param .u64 out)
{
  .reg .b64 %rd<4>; .reg .b32 %r<3>; .reg .f32 %f<8>;
  ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, 3;
  tex.1d.v4.f32.s32 {%f2, %f3, %f4, %f5}, [%rd1, {%r1}];
  st.global.f32 [%rd2], %f2;
  ret;
}
)";

// In the layout of the headers.
struct Channels {
  int x = 32, y = 0, z = 0, w = 0, kind = 2;
};
struct Linear {
  void* memory;
  Channels channels;
  std::size_t bytes;
};
struct Pitched {
  void* memory;
  Channels channels;
  std::size_t width, height, pitch;
};
struct Resource {
  int kind = 0;
  union {
    void* array;
    Linear linear;
    Pitched pitched;
    int reserved[32];
  };
  unsigned flags = 0;
  explicit Resource(int of_kind) : kind(of_kind), reserved{} {}
};
struct Texture {
  int address[3] = {1, 1, 1}, filter = 0, read = 0, srgb = 0;
  float border[4] = {};
  int normalized = 0;
  unsigned anisotropy = 0;
  int mipmap_filter = 0;
  float mipmaps[3] = {};
  int options[2] = {};
};

class Textures : public device_test::ExecLibraries {
 protected:
  Program program_{texture_text};
  char look_ = 0, look_from_ = 0, put_ = 0, first_ = 0, down_ = 0;
  void** registered_ = nullptr;
  void *array_ = nullptr, *out_ = nullptr;
  std::uint64_t object_ = 0;
  std::vector<float> texels_ = std::vector<float>(12);  // 4 by 3

  void SetUp() override {
    ExecLibraries::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    registered_ = start(program_, &look_, "look");
    void* none = nullptr;
    for (const auto& [host, name] :
         {std::pair(&look_from_, "look_from"), {&put_, "put"}, {&first_, "first"}, {&down_, "down"}})
      call<void>("__cudaRegisterFunction", registered_, host, name, name, -1, none, none, none, none, none);
    for (std::size_t i = 0; i < texels_.size(); ++i) texels_[i] = static_cast<float>(i);
    out_ = allocate(4);
  }
  void TearDown() override {
    if (registered_ != nullptr) call<void>("__cudaUnregisterFatBinary", registered_);
  }
  void make_array(unsigned flags = 0) {
    const Channels channels;
    ASSERT_EQ(call("cudaMallocArray", &array_, &channels, std::size_t{4}, std::size_t{3}, flags), 0);
    ASSERT_EQ(call("cudaMemcpy2DToArray", array_, std::size_t{0}, std::size_t{0}, texels_.data(), std::size_t{16},
                   std::size_t{16}, std::size_t{3}, 1),
              0);
  }
  Resource of_array() const {
    Resource resource(0);
    resource.array = array_;
    return resource;
  }
  int make_texture(const Resource& resource, const Texture& texture) {
    return call("cudaCreateTextureObject", &object_, &resource, &texture, static_cast<void*>(nullptr));
  }
  template <typename... T>
  int start_kernel(const char* host, T*... arguments) {
    void* all[] = {arguments...};
    return launch(host, {1}, {1}, all);
  }
  float result() {
    float value = -1;
    EXPECT_EQ(call("cudaMemcpy", static_cast<void*>(&value), static_cast<const void*>(out_), std::size_t{4}, 2), 0);
    return value;
  }
};

TEST_F(Textures, AHandleIsTheSameInAnArgumentAndInMemory) {
  make_array();
  ASSERT_EQ(make_texture(of_array(), {}), 0);
  EXPECT_EQ(start_kernel(&look_, &object_, &out_), 0);
  EXPECT_EQ(result(), 5) << "column 1 of row 1";
  void* box = allocate(8);
  EXPECT_EQ(call("cudaMemcpy", box, static_cast<const void*>(&object_), std::size_t{8}, 1), 0);
  EXPECT_EQ(call("cudaMemset", out_, 0, std::size_t{4}), 0);
  EXPECT_EQ(start_kernel(&look_from_, &box, &out_), 0);
  EXPECT_EQ(result(), 5);
  Resource told(3);
  EXPECT_EQ(call("cudaGetTextureObjectResourceDesc", &told, object_), 0);
  EXPECT_EQ(told.array, array_);
  EXPECT_EQ(call("cudaDestroyTextureObject", object_), 0);
  EXPECT_EQ(call("cudaDestroyTextureObject", object_), 0) << "again, which is a warning";
  EXPECT_EQ(start_kernel(&look_, &object_, &out_), 0);
  EXPECT_NE(call("cudaDeviceSynchronize"), 0) << "the object is gone";
}

TEST_F(Textures, LinearFilteringAndNormalisedIntegers) {
  make_array();
  Texture texture;
  texture.filter = 1;
  texture.normalized = 1;  // 1.5 is beyond the end: clamped to the last texel
  ASSERT_EQ(make_texture(of_array(), texture), 0);
  EXPECT_EQ(start_kernel(&look_, &object_, &out_), 0);
  EXPECT_EQ(result(), 11);
  const Channels bytes{8, 0, 0, 0, 1};
  const std::array<std::uint8_t, 4> contents{0, 51, 102, 255};
  ASSERT_EQ(call("cudaMallocArray", &array_, &bytes, std::size_t{2}, std::size_t{2}, 0u), 0);
  ASSERT_EQ(call("cudaMemcpyToArray", array_, std::size_t{0}, std::size_t{0}, contents.data(), std::size_t{4}, 1), 0);
  texture.filter = 1;
  EXPECT_EQ(make_texture(of_array(), texture), 26) << "integers are not filtered";
  texture.filter = texture.normalized = 0;
  texture.read = 1;
  ASSERT_EQ(make_texture(of_array(), texture), 0);
  EXPECT_EQ(start_kernel(&look_, &object_, &out_), 0);
  EXPECT_EQ(result(), 1);
}

// Rows of an array follow one another: 24 bytes from the middle of row 0 end in row 1.
TEST_F(Textures, RunsOfBytesAreCopiedBetweenArrays) {
  make_array();
  void* const from = array_;
  make_array();
  ASSERT_EQ(call("cudaMemcpyArrayToArray", array_, std::size_t{0}, std::size_t{1}, static_cast<const void*>(from),
                 std::size_t{8}, std::size_t{0}, std::size_t{24}, 3),
            0);
  std::vector<float> copied(12);
  ASSERT_EQ(call("cudaMemcpyFromArray", static_cast<void*>(copied.data()), static_cast<const void*>(array_),
                 std::size_t{0}, std::size_t{0}, std::size_t{48}, 2),
            0);
  EXPECT_EQ(copied, (std::vector<float>{0, 1, 2, 3, 2, 3, 4, 5, 6, 7, 10, 11}));
  EXPECT_EQ(call("cudaMemcpyArrayToArray", array_, std::size_t{0}, std::size_t{2}, static_cast<const void*>(from),
                 std::size_t{0}, std::size_t{0}, std::size_t{20}, 3),
            1)
      << "it would pass the end of the array";
}

TEST_F(Textures, OfPlainAndOfPitchedMemory) {
  void *memory = nullptr, *rows = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(call("cudaMalloc", &memory, std::size_t{48}), 0);
  ASSERT_EQ(call("cudaMemcpy", memory, static_cast<const void*>(texels_.data()), std::size_t{48}, 1), 0);
  Resource linear(2);
  linear.linear = {memory, {}, 48};
  ASSERT_EQ(make_texture(linear, {}), 0);
  EXPECT_EQ(start_kernel(&first_, &object_, &out_), 0);
  EXPECT_EQ(result(), 3);
  ASSERT_EQ(call("cudaMallocPitch", &rows, &pitch, std::size_t{16}, std::size_t{3}), 0);
  ASSERT_EQ(call("cudaMemcpy2D", rows, pitch, static_cast<const void*>(texels_.data()), std::size_t{16},
                 std::size_t{16}, std::size_t{3}, 1),
            0);
  Resource pitched(3);
  pitched.pitched = {rows, {}, 4, 3, pitch};
  ASSERT_EQ(make_texture(pitched, {}), 0);
  EXPECT_EQ(start_kernel(&look_, &object_, &out_), 0);
  EXPECT_EQ(result(), 5);
  pitched.pitched.width = 200;
  EXPECT_EQ(make_texture(pitched, {}), 1) << "a row is longer than the pitch";
  linear.linear.bytes = 4096;
  EXPECT_EQ(make_texture(linear, {}), 1) << "past the allocation";
}

TEST_F(Textures, ASurfaceIsWrittenAndReadBack) {
  make_array();
  std::uint64_t surface = 0;
  const Resource plain = of_array();
  EXPECT_EQ(call("cudaCreateSurfaceObject", &surface, &plain), 1) << "the array was not made for it";
  make_array(2);
  const Resource resource = of_array();
  ASSERT_EQ(call("cudaCreateSurfaceObject", &surface, &resource), 0);
  EXPECT_EQ(start_kernel(&put_, &surface), 0);
  std::vector<float> back(12);
  ASSERT_EQ(call("cudaMemcpy2DFromArray", static_cast<void*>(back.data()), std::size_t{16}, array_, std::size_t{0},
                 std::size_t{0}, std::size_t{16}, std::size_t{3}, 2),
            0);
  texels_[5] = 42;
  EXPECT_EQ(back, texels_);
  EXPECT_EQ(call("cudaDestroySurfaceObject", surface), 0);
}

TEST_F(Textures, ArraysAreCheckedAndSayWhatTheyAre) {
  make_array();
  EXPECT_EQ(call("cudaMemcpy2DToArray", array_, std::size_t{4}, std::size_t{0}, texels_.data(), std::size_t{16},
                 std::size_t{16}, std::size_t{3}, 1),
            1)
      << "past the end of a row";
  Channels told;
  std::size_t extent[3] = {};
  unsigned flags = 9;
  EXPECT_EQ(call("cudaArrayGetInfo", &told, static_cast<void*>(extent), &flags, array_), 0);
  EXPECT_EQ(extent[0], 4u);
  EXPECT_EQ(extent[1], 3u);
  EXPECT_EQ(told.kind, 2);
  EXPECT_EQ(flags, 0u);
  const Channels three{32, 32, 32, 0, 2};
  EXPECT_EQ(call("cudaMallocArray", &array_, &three, std::size_t{4}, std::size_t{3}, 0u), 20);
  EXPECT_EQ(call("cudaFreeArray", static_cast<void*>(&told)), 400);
}

struct Extent {
  std::size_t width = 2, height = 2, depth = 6;
};

TEST_F(Textures, CubeMapsAreSixSquares) {
  const Channels one;
  EXPECT_EQ(call("cudaMalloc3DArray", &array_, &one, Extent{2, 3, 6}, 4u), 1) << "not a square";
  EXPECT_EQ(call("cudaMalloc3DArray", &array_, &one, Extent{2, 2, 5}, 4u), 1);
  EXPECT_EQ(call("cudaMalloc3DArray", &array_, &one, Extent{2, 2, 12}, 4u), 1) << "layers were not asked for";
  EXPECT_EQ(call("cudaMalloc3DArray", &array_, &one, Extent{2, 2, 12}, 5u), 0);
  EXPECT_EQ(call("cudaMalloc3DArray", &array_, &one, Extent{}, 4u), 0);
  Extent extent;
  unsigned flags = 0;
  EXPECT_EQ(call("cudaArrayGetInfo", static_cast<void*>(nullptr), static_cast<void*>(&extent), &flags, array_), 0);
  EXPECT_EQ(extent.depth, 6u);
  EXPECT_EQ(flags, 4u);
  std::vector<float> faces(24);
  for (std::size_t i = 0; i < faces.size(); ++i) faces[i] = static_cast<float>(i);
  ASSERT_EQ(call("cudaMemcpyToArray", array_, std::size_t{0}, std::size_t{0}, faces.data(), std::size_t{96}, 1), 0);
  Texture texture;
  EXPECT_EQ(make_texture(of_array(), texture), 801) << "coordinates that are not normalized";
  texture.normalized = 1;
  texture.options[1] = 1;
  EXPECT_EQ(make_texture(of_array(), texture), 801) << "seamless";
  texture.options[1] = 0;
  ASSERT_EQ(make_texture(of_array(), texture), 0);
  EXPECT_EQ(start_kernel(&down_, &object_, &out_), 0);
  EXPECT_EQ(result(), 15) << "column 1 of row 1 of face 3, which -y meets";
}

TEST_F(Textures, OfTheDriverPromoteBytesToFractionsUnlessTheyAreReadAsIntegers) {
  struct Descriptor {
    std::size_t width = 2, height = 2;
    int format = 1;  // unsigned bytes
    unsigned channels = 1;
  } descriptor;
  ASSERT_EQ(call("cuInit", 0u), 0);
  ASSERT_EQ(call("cuArrayCreate_v2", &array_, &descriptor), 0);
  const std::array<std::uint8_t, 4> contents{0, 51, 102, 255};
  ASSERT_EQ(call("cudaMemcpyToArray", array_, std::size_t{0}, std::size_t{0}, contents.data(), std::size_t{4}, 1), 0);
  struct Sampling {
    int address[3] = {1, 1, 1}, filter = 0;
    unsigned flags = 0, anisotropy = 0;
    int rest[20] = {};
  } sampling;
  const Resource resource = of_array();
  ASSERT_EQ(call("cuTexObjectCreate", &object_, &resource, &sampling, static_cast<void*>(nullptr)), 0);
  EXPECT_EQ(start_kernel(&look_, &object_, &out_), 0);
  EXPECT_EQ(result(), 1);
  sampling.flags = 1;
  ASSERT_EQ(call("cuTexObjectCreate", &object_, &resource, &sampling, static_cast<void*>(nullptr)), 0);
  EXPECT_EQ(start_kernel(&look_, &object_, &out_), 0);
  EXPECT_NE(call("cudaDeviceSynchronize"), 0) << "floats are fetched from integers";
}

}  // namespace
}  // namespace lanescope
