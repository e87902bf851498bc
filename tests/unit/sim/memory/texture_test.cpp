// Texture and surface objects. Expectations follow the formulas of the programming guide's "Texture Fetching",
// implemented differently than in the interpreter.

#include "sim/memory/texture.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "sim/launcher.h"
#include "sim/memory/device_memory.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;

struct Made {
  TextureDescription description;
  std::vector<float> texels;  // of one channel
};

Made ramp(std::uint32_t width, std::uint32_t height = 0, std::uint32_t depth = 0) {
  Made made;
  made.description.extent = {width, height, depth};
  for (std::uint32_t i = 0; i < width * std::max(height, 1u) * std::max(depth, 1u); ++i)
    made.texels.push_back(static_cast<float>((i * 37u + 11u) % 101u) - 30.0f);
  return made;
}

int add_texture(Launcher& k, const Made& made) {
  const int number = k.add_buffer(made.texels);
  k.request.arguments.back().texture = std::make_shared<const TextureDescription>(made.description);
  return number;
}

// The run must complete, with no message except notes about uncounted accesses.
LaunchResult run_without_faults(Launcher& k) {
  LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  for (const Diagnostic& one : result.diagnostics) EXPECT_EQ(one.code, "count.texture") << format(one);
  EXPECT_EQ(result.diagnostics.size(), 1u);
  return result;
}

constexpr const char* parameters = ".param .u64 object, .param .u64 at, .param .u64 out";
// Each thread reads three coordinates (%f1 to %f3) and stores four numbers (%f4 to %f7).
std::string fetch_per_thread(const std::string& body) {
  return R"(ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [at]; ld.param.u64 %rd3, [out];
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r1, %r1, %r2, %r3;
    mul.wide.u32 %rd4, %r1, 12; add.u64 %rd2, %rd2, %rd4; mul.wide.u32 %rd4, %r1, 16; add.u64 %rd3, %rd3, %rd4;
    ld.global.f32 %f1, [%rd2]; ld.global.f32 %f2, [%rd2+4]; ld.global.f32 %f3, [%rd2+8];
)" + body +
         "\nst.global.v4.f32 [%rd3], {%f4, %f5, %f6, %f7};\nret;";
}

std::vector<float> fetched(const Made& made, const std::string& instruction, std::vector<float> coordinates) {
  Launcher k(kernel(parameters, fetch_per_thread(instruction)));
  add_texture(k, made);
  const std::size_t count = coordinates.size() / 3;
  k.block = {32, 1, 1};
  k.grid = {static_cast<std::uint32_t>((count + 31) / 32), 1, 1};
  coordinates.resize(std::size_t{k.grid.x} * 96);
  k.add_buffer(coordinates);
  const int out = k.add_buffer(std::vector<float>(std::size_t{k.grid.x} * 128));
  std::vector<float> values = Launcher::values<float>(run_without_faults(k), out);
  values.resize(count * 4);
  return values;
}

constexpr const char* tex1d = "tex.1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1}];";
constexpr const char* tex2d = "tex.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f2}];";
constexpr const char* tex3d = "tex.3d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f2, %f3, %f3}];";

// ---- the guide's formulas ---------------------------------------------------------------------------

// The guide's address modes, for texel indices. Empty: outside, with border.
std::optional<int> addressed(int i, int n, AddressMode mode, bool normalized) {
  if (mode == AddressMode::border) return i < 0 || i >= n ? std::nullopt : std::optional(i);
  if (mode == AddressMode::clamp || !normalized) return i < 0 ? 0 : i >= n ? n - 1 : i;
  if (mode == AddressMode::wrap) {
    while (i < 0) i += n;
    while (i >= n) i -= n;
    return i;
  }
  // frac(x) where floor(x) is even, else 1 - frac(x).
  for (;;) {
    if (i < 0)
      i = -1 - i;
    else if (i >= n)
      i = 2 * n - 1 - i;
    else
      return i;
  }
}

// A normalised coordinate has 21 bits after the binary point (seen on an H200; the guide does not say).
double in_texels(float coordinate, int n, bool normalized) {
  return normalized ? std::floor(double{coordinate} * (1 << 21)) / (1 << 21) * n : double{coordinate};
}

struct Axis {
  int lower = 0;
  double alpha = 0;
};
// xB = x - 0.5, i = floor(xB), alpha = frac(xB) with 8 bits.
Axis axis_of(float coordinate, int n, bool normalized) {
  const double xb = in_texels(coordinate, n, normalized) - 0.5;
  Axis axis{static_cast<int>(std::floor(xb)), 0};
  axis.alpha = std::floor((xb - axis.lower) * 256 + 0.5) / 256;  // may be 1, for which 9 bits are enough
  return axis;
}

double by_the_guide(const Made& made, const float* at) {
  const TextureDescription& t = made.description;
  const int axes = t.dimensions();
  double sum = 0;
  for (int corner = 0; corner < (t.linear_filter ? 1 << axes : 1); ++corner) {
    double weight = 1;
    std::size_t index = 0, stride = 1;
    bool outside = false;
    for (int a = 0; a < axes; ++a) {
      const auto axis_number = static_cast<std::size_t>(a);
      const int n = static_cast<int>(t.extent[axis_number]);
      int i = 0;
      if (t.linear_filter) {
        const Axis axis = axis_of(at[a], n, t.normalized_coordinates);
        const int upper = corner >> a & 1;
        i = axis.lower + upper;
        weight *= upper ? axis.alpha : 1 - axis.alpha;
      } else {
        i = static_cast<int>(std::floor(in_texels(at[a], n, t.normalized_coordinates)));
      }
      const std::optional<int> place = addressed(i, n, t.address[axis_number], t.normalized_coordinates);
      outside |= !place;
      index += stride * static_cast<std::size_t>(place.value_or(0));
      stride *= static_cast<std::size_t>(n);
    }
    if (!outside) sum += weight * double{made.texels[index]};
  }
  return static_cast<float>(sum);
}

std::vector<float> many_coordinates(float span) {
  std::vector<float> list;
  for (int i = 0; i < 400; ++i) {
    list.push_back(std::sin(static_cast<float>(i) * 1.7f) * span);
    list.push_back(std::cos(static_cast<float>(i) * 2.3f) * span);
    list.push_back(std::sin(static_cast<float>(i) * 0.9f + 1) * span);
  }
  for (int i = -12; i < 40; ++i)  // edges and centres of texels
    for (int axis = 0; axis < 3; ++axis) list.push_back(static_cast<float>(i) * 0.25f * span / 10);
  return list;
}

TEST(Texture, FetchesFollowTheGuideInAllModes) {
  for (const auto& [made, instruction] : {std::pair{ramp(9), tex1d}, {ramp(7, 5), tex2d}, {ramp(4, 3, 5), tex3d}})
    for (const bool linear : {false, true})
      for (const bool normalized : {false, true})
        for (const AddressMode mode :
             {AddressMode::wrap, AddressMode::clamp, AddressMode::mirror, AddressMode::border}) {
          Made one = made;
          one.description.linear_filter = linear;
          one.description.normalized_coordinates = normalized;
          // Along y, a one-dimensional texture is one row, which would be mixed with its border.
          const int axes = one.description.dimensions();
          one.description.address = {mode, axes == 1 ? AddressMode::clamp : mode, mode};
          // The combined weights of several axes are again multiples of 1/256 (texture_h200_test.cpp). The texels'
          // range is 100.
          const double near = !linear || axes == 1 ? 0 : axes == 2 ? 100 / 256.0 : 400 / 256.0;
          const std::vector<float> at = many_coordinates(normalized ? 3.0f : 14.0f);
          const std::vector<float> got = fetched(one, instruction, at);
          for (std::size_t i = 0; i < at.size() / 3; ++i)
            ASSERT_NEAR(got[4 * i], by_the_guide(one, &at[3 * i]), near)
                << instruction << " linear " << linear << " normalized " << normalized << " mode "
                << static_cast<int>(mode) << " at " << at[3 * i] << " " << at[3 * i + 1] << " " << at[3 * i + 2];
        }
}

TEST(Texture, AWeightHasEightBits) {
  Made made = ramp(2);
  made.texels = {0, 1};
  made.description.linear_filter = true;
  const std::vector<float> got = fetched(made, tex1d, {0.5f + 1.0f / 256, 0, 0, 0.5f + 0.4f / 256, 0, 0, 1.0f, 0, 0});
  EXPECT_EQ(got[0], 1.0f / 256);
  EXPECT_EQ(got[4], 0.0f);
  EXPECT_EQ(got[8], 0.5f);
}

TEST(Texture, ReadsIntegersAndNormalizedFloats) {
  const auto one = [](auto value, ChannelKind kind, bool normalized, const char* type) {
    Launcher k(kernel(".param .u64 object, .param .u64 out",
                      std::string("ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [out]; mov.f32 %f1, 0f3F000000;\n") +
                          "tex.1d.v4." + type + ".f32 {%r1, %r2, %r3, %r4}, [%rd1, {%f1}];\n" +
                          "st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4};\nret;"));
    k.add_buffer(std::vector{value, value});
    TextureDescription of;
    of.extent = {1, 0, 0};
    of.channels = 2;
    of.channel_bytes = sizeof value;
    of.kind = kind;
    of.normalized_float = normalized;
    k.request.arguments.back().texture = std::make_shared<const TextureDescription>(of);
    const int out = k.add_buffer(std::vector<std::uint32_t>(4));
    return Launcher::values<std::uint32_t>(run_without_faults(k), out);
  };
  const auto bits = [](float value) { return std::bit_cast<std::uint32_t>(value); };
  using Bits = std::vector<std::uint32_t>;
  EXPECT_EQ(one(std::uint8_t{200}, ChannelKind::unsigned_integer, false, "u32"), (Bits{200, 200, 0, 1}));
  EXPECT_EQ(one(std::int8_t{-3}, ChannelKind::signed_integer, false, "s32"), (Bits{0xfffffffd, 0xfffffffd, 0, 1}));
  EXPECT_EQ(one(std::uint8_t{51}, ChannelKind::unsigned_integer, true, "f32"),
            (Bits{bits(0.2f), bits(0.2f), 0, bits(1)}));
  EXPECT_EQ(one(std::int8_t{-128}, ChannelKind::signed_integer, true, "f32")[0], bits(-1.0f));
  EXPECT_EQ(one(std::int8_t{127}, ChannelKind::signed_integer, true, "f32")[0], bits(1.0f));
  EXPECT_EQ(one(std::uint16_t{13107}, ChannelKind::unsigned_integer, true, "f32")[0], bits(0.2f));
  EXPECT_EQ(one(std::int16_t{-32767}, ChannelKind::signed_integer, true, "f32")[0], bits(-1.0f));
  EXPECT_EQ(one(std::uint16_t{0x3c00}, ChannelKind::floating, false, "f32")[0], bits(1.0f)) << "half";
}

TEST(Texture, LayersAreChosenAndClamped) {
  Made made = ramp(4, 3, 5);
  made.description.extent = {4, 3, 0};
  made.description.layers = 5;
  const std::string instruction =
      "cvt.rni.s32.f32 %r5, %f3;\ntex.a2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%r5, %f1, %f2, %f2}];";
  const std::vector<float> got = fetched(made, instruction, {1.5f, 2.5f, 3, 0.5f, 0.5f, 9, 3.5f, 1.5f, 0});
  EXPECT_EQ(got[0], made.texels[3 * 12 + 2 * 4 + 1]);
  EXPECT_EQ(got[4], made.texels[4 * 12]) << "the last layer";
  EXPECT_EQ(got[8], made.texels[4 + 3]);
}

TEST(Texture, GatherTakesTheFourTexelsCounterClockwiseFromTheLowerLeft) {
  const Made made = ramp(7, 5);
  const std::vector<float> got =
      fetched(made, "tld4.r.2d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%f1, %f2}];", {3.0f, 2.0f, 0});
  // Between columns 2 and 3, and between rows 1 and 2.
  EXPECT_EQ(got, (std::vector<float>{made.texels[16], made.texels[17], made.texels[10], made.texels[9]}));
}

TEST(Texture, LinearMemoryIsFetchedByIndex) {
  Made made = ramp(50);
  made.description.linear_memory = true;
  const std::string fetch = "cvt.rni.s32.f32 %r5, %f1;\ntex.1d.v4.f32.s32 {%f4, %f5, %f6, %f7}, [%rd1, {%r5}];";
  EXPECT_EQ(fetched(made, fetch, {49, 0, 0})[0], made.texels[49]);
  Launcher k(kernel(parameters, fetch_per_thread(fetch)));
  add_texture(k, made);
  k.block = {1, 1, 1};
  k.add_buffer(std::vector<float>{50, 0, 0});
  const int out = k.add_buffer(std::vector<float>(4, 7));
  const LaunchResult result = k.run_anyway();
  EXPECT_EQ(std::ranges::count(result.diagnostics, "texture.outside", &Diagnostic::code), 1);
  EXPECT_EQ(Launcher::values<float>(result, out)[0], 0.0f);
}

// Block b fetches element b and stores one more into element b + 1 through a pointer. Blocks that run in parallel must
// notice that one fetches what another stores.
TEST(Texture, BlocksThatStoreWhatOthersFetchRunInOrder) {
  constexpr std::uint32_t blocks = 3000;
  std::vector<float> texels(blocks + 1, 7.0f);
  DeviceAllocation memory;
  memory.address = std::uint64_t{1} << 40;
  memory.bytes = texels.size() * 4;
  memory.data = reinterpret_cast<std::byte*>(texels.data());
  memory.name = "cudaMalloc";
  memory.written.reset(memory.bytes, memory.bytes);
  TextureObject object;
  object.handle = 1;
  object.description.extent = {blocks + 1, 0, 0};
  object.description.linear_memory = true;
  object.data = memory.data;
  object.in_global_memory = true;
  object.name = "texture object 1";
  Launcher k(kernel(".param .u64 object, .param .u64 texels", R"(
    ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [texels];
    mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd3, %r1, 4; add.u64 %rd2, %rd2, %rd3;
    tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];
    add.f32 %f1, %f1, 0f3f800000;
    st.global.f32 [%rd2+4], %f1;
    ret;)"));
  DeviceAllocation* const allocations[] = {&memory};
  k.request.device_memory = allocations;
  k.request.textures = std::make_shared<const std::vector<TextureObject>>(1, object);
  k.request.parameters.emplace(16);
  std::memcpy(k.request.parameters->data(), &object.handle, 8);
  std::memcpy(k.request.parameters->data() + 8, &memory.address, 8);
  k.block = {1, 1, 1};
  k.grid = {blocks, 1, 1};
  k.request.threads = 4;
  run_without_faults(k);
  for (std::uint32_t i = 0; i <= blocks; ++i) ASSERT_EQ(texels[i], static_cast<float>(7 + i)) << i;
}

TEST(Texture, QueriesTellItsSize) {
  Launcher k(kernel(".param .u64 object, .param .u64 out", R"(ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [out];
    txq.width.b32 %r1, [%rd1]; txq.height.b32 %r2, [%rd1]; txq.depth.b32 %r3, [%rd1]; txq.normalized_coords.b32 %r4, [%rd1];
    st.global.v4.u32 [%rd2], {%r1, %r2, %r3, %r4}; ret;)"));
  add_texture(k, ramp(4, 3, 5));
  const int out = k.add_buffer(std::vector<std::uint32_t>(4, 9));
  EXPECT_EQ(Launcher::values<std::uint32_t>(run_without_faults(k), out), (std::vector<std::uint32_t>{4, 3, 5, 0}));
}

TEST(Texture, MistakesAreFaults) {
  const auto fault = [](const Made& made, const std::string& instruction, const char* code) {
    Launcher k(kernel(parameters, fetch_per_thread(instruction)));
    add_texture(k, made);
    k.add_buffer(std::vector<float>(96));
    k.add_buffer(std::vector<float>(128));
    return k.fault(code).message;
  };
  EXPECT_THAT(fault(ramp(8), "mov.u64 %rd1, 4096;\n" + std::string(tex1d), "texture.no_object"), HasSubstr("0x1000"));
  EXPECT_THAT(fault(ramp(8), tex2d, "texture.wrong_shape"), HasSubstr("2 dimensions from arg 0, which has 1"));
  Made integers = ramp(8);
  integers.description.kind = ChannelKind::signed_integer;
  EXPECT_THAT(fault(integers, tex1d, "texture.wrong_type"), HasSubstr("which gives integers"));
  Made surface = ramp(8);
  surface.description.surface = true;
  EXPECT_THAT(fault(surface, tex1d, "texture.wrong_kind"), HasSubstr("surface object"));
  Launcher unwritten(kernel(parameters, fetch_per_thread(tex1d)));
  add_texture(unwritten, ramp(8));
  unwritten.request.arguments.back().uninitialised_from = 0;
  unwritten.add_buffer(std::vector<float>(96));
  unwritten.add_buffer(std::vector<float>(128));
  EXPECT_THAT(unwritten.fault("memory.uninitialised").message, HasSubstr("a texel of arg 0"));
}

// ---- surfaces ---------------------------------------------------------------------------------------

TextureDescription surface_of(std::uint32_t width, std::uint32_t height, std::uint32_t depth = 0) {
  TextureDescription of;
  of.surface = true;
  of.extent = {width, height, depth};
  of.kind = ChannelKind::unsigned_integer;
  return of;
}

// Thread (x, y) of an 8 × 4 block; %r1 = 4 x, %r2 = y.
Launcher with_surface(const std::string& body, const TextureDescription& of, std::size_t words) {
  Launcher k(kernel(".param .u64 object, .param .u64 out",
                    "ld.param.u64 %rd1, [object]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x; shl.b32 %r1, %r1, 2;\n"
                    "mov.u32 %r2, %tid.y; mad.lo.u32 %r3, %r2, 100, %r1;\n" +
                        body + "\nret;"));
  k.block = {8, 4, 1};
  k.add_buffer(std::vector<std::uint32_t>(words, 7));
  k.request.arguments.back().texture = std::make_shared<const TextureDescription>(of);
  return k;
}

TEST(Surface, IsWrittenAndReadByBytesOfARow) {
  Launcher k = with_surface(
      "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r3};\nbar.sync 0;\n"
      "xor.b32 %r4, %r1, 28;\nsuld.b.2d.b32.trap {%r5}, [%rd1, {%r4, %r2}];\n"
      "mad.lo.u32 %r6, %r2, 32, %r1;\ncvt.u64.u32 %rd3, %r6;\nadd.u64 %rd3, %rd3, %rd2;\n"
      "st.global.u32 [%rd3], %r5;",
      surface_of(8, 4), 32);
  const int out = k.add_buffer(std::vector<std::uint32_t>(32));
  const LaunchResult result = run_without_faults(k);
  const auto surface = Launcher::values<std::uint32_t>(result, 0), read = Launcher::values<std::uint32_t>(result, out);
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 8; ++x) {
      EXPECT_EQ(surface[y * 8 + x], y * 100 + 4 * x);
      EXPECT_EQ(read[y * 8 + x], y * 100 + 4 * (7 - x));
    }
  EXPECT_TRUE(result.arguments[0].stored_to);
}

TEST(Surface, OutsideIsAFaultNothingOrTheEdge) {
  const auto write = [](const char* mode) {
    return std::string("add.u32 %r1, %r1, 4;\nsust.b.2d.b32.") + mode + " [%rd1, {%r1, %r2}], {%r3};";
  };
  Launcher trap = with_surface(write("trap"), surface_of(8, 4), 32);
  trap.add_buffer(std::vector<std::uint32_t>(1));
  EXPECT_THAT(trap.fault("memory.out_of_bounds").message,
              HasSubstr("byte 32 of row 0, slice 0 is outside of arg 0, which has 32 bytes per row, 4 rows"));
  Launcher zero = with_surface(write("zero"), surface_of(8, 4), 32);
  zero.add_buffer(std::vector<std::uint32_t>(1));
  const auto dropped = Launcher::values<std::uint32_t>(run_without_faults(zero), 0);
  EXPECT_EQ(dropped[0], 7u) << "nobody writes the first column";
  EXPECT_EQ(dropped[7], 24u) << "thread 6's; thread 7's is dropped";
  Launcher clamp = with_surface(write("clamp"), surface_of(8, 4), 32);
  clamp.add_buffer(std::vector<std::uint32_t>(1));
  EXPECT_EQ(Launcher::values<std::uint32_t>(run_without_faults(clamp), 0)[7], 28u) << "thread 7's lands on the edge";
  Launcher odd =
      with_surface("add.u32 %r1, %r1, 2;\nsust.b.2d.b32.zero [%rd1, {%r1, %r2}], {%r3};", surface_of(8, 4), 32);
  odd.add_buffer(std::vector<std::uint32_t>(1));
  EXPECT_THAT(odd.fault("memory.misaligned").message, HasSubstr("at byte 2 of a row"));
}

TEST(Surface, BlocksSeeOneAnotherInOrderWhateverTheThreads) {
  // Each block adds 1 to what it reads. Only if they run in order is the sum the number of blocks.
  Launcher k = with_surface(
      "suld.b.2d.b32.trap {%r5}, [%rd1, {%r1, %r2}];\nadd.u32 %r5, %r5, 1;\n"
      "sust.b.2d.b32.trap [%rd1, {%r1, %r2}], {%r5};",
      surface_of(8, 4), 32);
  k.add_buffer(std::vector<std::uint32_t>(1));
  k.grid = {3000, 1, 1};
  k.request.threads = 4;
  EXPECT_EQ(Launcher::values<std::uint32_t>(run_without_faults(k), 0), std::vector<std::uint32_t>(32, 3007));
}

TEST(Surface, VectorsAndNarrowElements) {
  TextureDescription of = surface_of(8, 4);
  of.channels = 4;
  of.channel_bytes = 1;
  Launcher k = with_surface(
      "cvt.u16.u32 %h1, %r1;\nmov.u16 %h2, 258;\n"
      "sust.b.2d.v4.b8.trap [%rd1, {%r1, %r2}], {%h1, %h2, %h1, %h2};\n"
      "suld.b.2d.v2.b16.trap {%h3, %h4}, [%rd1, {%r1, %r2}];\n"
      "sust.b.2d.v2.b16.trap [%rd1, {%r1, %r2}], {%h4, %h3};",
      of, 32);
  k.add_buffer(std::vector<std::uint32_t>(1));
  const auto texels = Launcher::values<std::uint32_t>(run_without_faults(k), 0);
  for (std::uint32_t x = 0; x < 8; ++x) EXPECT_EQ(texels[x], (4 * x | 2u << 8) * 0x10001u);
}

// Seen on an H200: beyond the edge an axis has one texel, and its weight is not divided between two corners.
TEST(Texture, BeyondTheLastSliceAFetchGivesWhatTheSliceGives) {
  Made solid = ramp(13, 9, 5), slice = ramp(13, 9);
  slice.texels.assign(solid.texels.end() - 13 * 9, solid.texels.end());
  solid.description.linear_filter = slice.description.linear_filter = true;
  const std::vector<float> places = {11.952f, 8.063f, 6.953f, 9.864f, 4.138f, 15.83f, 4.154f, 5.077f, 4.615f,
                                     0.962f,  3.952f, 4.666f, 7.135f, 2.006f, 8.277f, 5.231f, 0.538f, 5.154f};
  EXPECT_EQ(fetched(solid, tex3d, places), fetched(slice, tex2d, places));
}

// Seen on an H200: a row of a layered texture has no border above and below, as that of a plain one has.
TEST(Texture, ALayerOfRowsHasNoBorderAboveAndBelow) {
  Made layers = ramp(13), plain = ramp(13);
  layers.description.layers = 1;
  layers.description.linear_filter = plain.description.linear_filter = true;
  layers.description.address[1] = AddressMode::border;
  const std::string layered = "mov.u32 %r1, 0; tex.a1d.v4.f32.f32 {%f4, %f5, %f6, %f7}, [%rd1, {%r1, %f1}];";
  const std::vector<float> places = {6.141f, 0, 0, 0.598f, 0, 0, 4.769f, 0, 0, 10.904f, 0, 0};
  EXPECT_EQ(fetched(layers, layered, places), fetched(plain, tex1d, places));
}

// Seen on an H200.
TEST(Texture, AnInfiniteNormalisedCoordinateWrapsToTheFirstTexel) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  for (const AddressMode mode : {AddressMode::wrap, AddressMode::mirror}) {
    Made row = ramp(13);
    row.description.normalized_coordinates = true;
    row.description.address[0] = mode;
    for (const float coordinate : {infinite, -infinite, 1e20f, -1e20f, 0x1p23f})
      EXPECT_EQ(fetched(row, tex1d, {coordinate, 0, 0})[0], row.texels[0]) << coordinate;
  }
}

}  // namespace
}  // namespace lanescope::sim
