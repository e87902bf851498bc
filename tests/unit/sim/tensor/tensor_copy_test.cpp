// cp.async.bulk.tensor and cp.reduce.async.bulk.tensor in the interpreter. Expectations are loops on the host that
// follow "PTX ISA", Tensors.

#include "core/worded.h"
#include "sim/launcher.h"
#include "sim/memory/address_space.h"
#include "sim/memory/tensor_map.h"
#include "sim/tensor/own_features.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;
using U16 = std::uint16_t;
using U32 = std::uint32_t;

// The tensor is the first buffer.
constexpr std::uint64_t tensor_address = address_space::buffers;
constexpr U32 shared_dump = 4096;  // bytes from the start of the box's array

// 32 × 20 elements of 2 bytes in rows of 80 bytes, in boxes of 16 × 8.
TensorMap map_of_halves() {
  TensorMap map;
  map.type = TensorType::u16;
  map.rank = 2;
  map.address = tensor_address;
  map.dim = {32, 20, 1, 1, 1};
  map.stride = {0, 80, 0, 0, 0};
  map.box = {16, 8, 1, 1, 1};
  return map;
}

std::vector<std::byte> bytes_of_map(const TensorMap& map) {
  const TensorMapBytes words = encode(map);
  std::vector<std::byte> bytes(sizeof words);
  std::memcpy(bytes.data(), words.data(), sizeof words);
  return bytes;
}

// %rd1 the map, %rd2 the tensor, %rd3 out; %r1 thread, %p1 thread 0, %r2 the box in shared memory, %r4 the object.
std::string with_map(const std::string& body) {
  return test::for_target("sm_100a", kernel(".param .align 64 .b8 map[128], .param .u64 tensor, .param .u64 out", R"(
    .shared .align 1024 .b8 box[4096];
    .shared .align 8 .b64 object;
    mov.b64 %rd1, map;
    cvta.param.u64 %rd1, %rd1;
    ld.param.u64 %rd2, [tensor];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, box;
    mov.u32 %r4, object;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [object], 1;
    bar.sync 0;
)" + body + "\nret;\n"));
}

// 32 threads store the array's contents.
const std::string dump = R"(
    mov.u32 %r10, %r1;
  DUMP:
    shl.b32 %r11, %r10, 2;
    add.u32 %r12, %r2, %r11;
    ld.shared.u32 %r13, [%r12];
    cvt.u64.u32 %rd10, %r11;
    add.u64 %rd10, %rd3, %rd10;
    st.global.u32 [%rd10], %r13;
    add.u32 %r10, %r10, 32;
    setp.lt.u32 %p5, %r10, 1024;
    @%p5 bra DUMP;
)";

const std::string fill_with_ones = R"(
    mov.u32 %r10, %r1;
  FILL:
    shl.b32 %r11, %r10, 2;
    add.u32 %r12, %r2, %r11;
    st.shared.u32 [%r12], -1;
    add.u32 %r10, %r10, 32;
    setp.lt.u32 %p5, %r10, 1024;
    @%p5 bra FILL;
    bar.sync 0;
)";

// Fills the array: half k gets the value k.
const std::string fill_with_index = R"(
    mov.u32 %r10, %r1;
  FILL:
    shl.b32 %r11, %r10, 2;
    add.u32 %r12, %r2, %r11;
    shl.b32 %r13, %r10, 1;
    add.u32 %r14, %r13, 1;
    shl.b32 %r14, %r14, 16;
    or.b32 %r13, %r13, %r14;
    st.shared.u32 [%r12], %r13;
    add.u32 %r10, %r10, 32;
    setp.lt.u32 %p5, %r10, 1024;
    @%p5 bra FILL;
    fence.proxy.async.shared::cta;
    bar.sync 0;
)";

const std::string await_box = R"(
  AGAIN:
    mbarrier.try_wait.parity.shared.b64 %p2, [object], 0;
    @!%p2 bra AGAIN;
)";

std::string load(const std::string& dimensions, const std::string& at, U32 expected, U32 behind = 0,
                 const std::string& more = "") {
  return "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], " + std::to_string(expected) +
         ";\n@%p1 cp.async.bulk.tensor." + dimensions + ".shared::cluster.global." +
         (more.empty() ? "tile" : "im2col") + ".mbarrier::complete_tx::bytes [%r2+" + std::to_string(behind) +
         "], [%rd1, {" + at + "}], [%r4]" + more + ";\n" + await_box;
}

std::vector<U16> numbered(std::size_t count) {
  std::vector<U16> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<U16>(i + 1);
  return values;
}

struct TensorRun {
  LaunchResult result;
  std::vector<U16> tensor, out;
};
TensorRun run_tensor_copy(const std::string& body, const TensorMap& map, std::size_t halves = 1024, bool races = true) {
  Launcher k(with_map(body));
  k.request.races = races;
  Argument passed;
  passed.raw_parameter = bytes_of_map(map);
  k.request.arguments.push_back(passed);
  const int tensor = k.add_buffer(numbered(halves));
  const int out = k.add_buffer(std::vector<U16>(shared_dump / 2));
  TensorRun ran;
  ran.result = k.run_anyway();
  for (const Diagnostic& diagnostic : ran.result.diagnostics)
    EXPECT_EQ(diagnostic.code, "count.bulk_copy") << format(diagnostic);
  EXPECT_TRUE(ran.result.completed);
  ran.tensor = Launcher::values<U16>(ran.result, tensor);
  ran.out = Launcher::values<U16>(ran.result, out);
  return ran;
}

Diagnostic fault_of(const std::string& body, const TensorMap& map, const std::string& code,
                    std::vector<std::byte> parameter = {}) {
  Launcher k(with_map(body));
  Argument passed;
  passed.raw_parameter = parameter.empty() ? bytes_of_map(map) : std::move(parameter);
  k.request.arguments.push_back(passed);
  k.add_buffer(numbered(1024));
  k.add_buffer(std::vector<U16>(shared_dump / 2));
  return k.fault(code);
}

// The tensor's element, or 0 outside.
U16 element(int x, int y) {
  return x < 0 || x >= 32 || y < 0 || y >= 20 ? U16{0} : static_cast<U16>(y * 40 + x + 1);
}

TEST(TensorCopy, LoadsABoxAndFillsWhatLiesOutside) {
  for (const int x : {-24, -16, -8, 0, 8, 16, 24, 32, 40})
    for (const int y : {-9, -8, -1, 0, 12, 15, 20}) {
      const std::string at = std::to_string(x) + ", " + std::to_string(y);
      const TensorRun ran = run_tensor_copy(fill_with_ones + load("2d", at, 256) + dump, map_of_halves());
      for (int j = 0; j < 8; ++j)
        for (int i = 0; i < 16; ++i)
          ASSERT_EQ(ran.out[j * 16 + i], element(x + i, y + j)) << at << ": " << i << " " << j;
      EXPECT_EQ(ran.out[128], 0xffff) << "nothing behind the box";
      EXPECT_FALSE(ran.result.races.accuses());
    }
}

TEST(TensorCopy, FillsFloatsWithNaN) {
  TensorMap map = map_of_halves();
  map.type = TensorType::bf16;
  map.fills_nan = true;
  const TensorRun ran = run_tensor_copy(fill_with_ones + load("2d", "-8, 0", 256) + dump, map);
  EXPECT_EQ(ran.out[7], 0x7ff7);
  EXPECT_EQ(ran.out[8], 1);
}

// Swizzling exchanges the 16-byte pieces of a 128-byte row by the row's number modulo 8.
TEST(TensorCopy, SwizzlesByTheAddressInSharedMemory) {
  for (const int mode : {1, 2, 3})
    for (const U32 behind : {0u, 128u, 1024u}) {
      TensorMap map = map_of_halves();
      const int columns = 8 << mode;  // one span
      map.swizzle = static_cast<std::uint8_t>(mode);
      map.dim = {64, 20, 1, 1, 1};
      map.stride[1] = 128;
      map.box = {static_cast<U32>(columns), 16, 1, 1, 1};
      const TensorRun ran = run_tensor_copy(
          fill_with_ones + load("2d", "0, 0", static_cast<U32>(columns) * 32, behind) + dump, map, 1280);
      for (int j = 0; j < 16; ++j)
        for (int i = 0; i < columns; ++i) {
          const int address = static_cast<int>(behind) + (j * columns + i) * 2;
          const int moved = address ^ (address / 128 % (1 << mode)) * 16;
          ASSERT_EQ(ran.out[moved / 2], j * 64 + i + 1) << mode << " " << behind << ": " << i << " " << j;
        }
    }
}

TEST(TensorCopy, OfOneToFiveDimensions) {
  for (U32 rank = 1; rank <= 5; ++rank) {
    TensorMap map;
    map.type = TensorType::u16;
    map.rank = rank;
    map.address = tensor_address;
    map.dim = {8, 3, 2, 4, 3};
    map.stride = {0, 16, 48, 96, 384};
    map.box = {8, 2, 2, 2, 2};
    int at[5] = {0, 0, 0, 0, 0}, box[5] = {8, 1, 1, 1, 1};
    std::string coordinates = "0";
    U32 bytes = 16;
    for (U32 d = 1; d < rank; ++d) {
      at[d] = static_cast<int>(d) - 2;
      box[d] = 2;
      bytes *= 2;
      coordinates += ", " + std::to_string(at[d]);
    }
    const TensorRun ran =
        run_tensor_copy(fill_with_ones + load(std::to_string(rank) + "d", coordinates, bytes) + dump, map);
    std::size_t next = 0;
    for (int e = 0; e < box[4]; ++e)
      for (int d = 0; d < box[3]; ++d)
        for (int c = 0; c < box[2]; ++c)
          for (int b = 0; b < box[1]; ++b)
            for (int a = 0; a < 8; ++a) {
              const int y = at[1] + b, z = at[2] + c, w = at[3] + d, v = at[4] + e;
              const bool inside = y >= 0 && y < 3 && z >= 0 && z < 2 && w >= 0 && w < 4 && v >= 0 && v < 3;
              const int value = inside ? v * 192 + w * 48 + z * 24 + y * 8 + a + 1 : 0;
              ASSERT_EQ(ran.out[next++], value) << rank << "d";
            }
    EXPECT_EQ(ran.out[next], 0xffff);
  }
}

// Every second row.
TEST(TensorCopy, TakesEverySoManiethElement) {
  TensorMap map = map_of_halves();
  map.step[1] = 2;
  map.box[1] = 7;
  const TensorRun ran = run_tensor_copy(fill_with_ones + load("2d", "0, 15", 4 * 32) + dump, map);
  for (int j = 0; j < 4; ++j)
    for (int i = 0; i < 16; ++i) ASSERT_EQ(ran.out[j * 16 + i], element(i, 15 + 2 * j));
  EXPECT_EQ(ran.out[64], 0xffff);
}

const std::string store = "@%p1 cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%rd1, {24, 15}], [%r2];\n";
const std::string wait_for_group = "@%p1 cp.async.bulk.commit_group;\n@%p1 cp.async.bulk.wait_group 0;\nbar.sync 0;\n";

TEST(TensorCopy, StoresWhatLiesInTheTensor) {
  for (const int swizzle : {0, 1}) {
    TensorMap map = map_of_halves();
    map.swizzle = static_cast<std::uint8_t>(swizzle);
    const TensorRun ran = run_tensor_copy(fill_with_index + store + wait_for_group, map);
    for (int y = 0; y < 25; ++y)
      for (int x = 0; x < 40; ++x) {
        const int i = x - 24, j = y - 15;
        const bool copied = x < 32 && y < 20 && i >= 0 && j >= 0 && j < 8;
        const int address = (j * 16 + i) * 2;
        const int from = swizzle == 0 ? address : address ^ address / 128 % 2 * 16;
        ASSERT_EQ(ran.tensor[static_cast<std::size_t>(y * 40 + x)], copied ? from / 2 : y * 40 + x + 1)
            << x << " " << y;
      }
    EXPECT_FALSE(ran.result.races.accuses());
  }
}

TEST(TensorCopy, ReducesIntoTheTensor) {
  TensorMap map = map_of_halves();
  map.type = TensorType::u32;
  map.dim[0] = 16;
  map.box = {4, 8, 1, 1, 1};
  const TensorRun ran =
      run_tensor_copy(fill_with_index +
                          "@%p1 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group "
                          "[%rd1, {0, 0}], [%r2];\n" +
                          wait_for_group,
                      map);
  const auto word = [&](int i) { return ran.tensor[i] | static_cast<U32>(ran.tensor[i + 1]) << 16; };
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 16; i += 2) {
      const U32 before = static_cast<U32>(j * 40 + i + 1) | static_cast<U32>(j * 40 + i + 2) << 16;
      const int k = j * 8 + i;
      const U32 added = static_cast<U32>(k) | static_cast<U32>(k + 1) << 16;
      ASSERT_EQ(word(j * 40 + i), i < 8 ? before + added : before) << i << " " << j;
    }
}

// Pixels of a 3 × 3 image with a border of one, from the lower corner on.
TEST(TensorCopy, LoadsPixelsOfImages) {
  TensorMap map;
  map.type = TensorType::u16;
  map.rank = 4;
  map.im2col = true;
  map.address = tensor_address;
  map.dim = {8, 3, 3, 2, 1};
  map.stride = {0, 16, 48, 144, 0};
  map.lower = {-1, -1, 0};
  map.upper = {-1, -1, 0};
  map.channels = 8;
  map.pixels = 12;
  for (const int right : {0, 1, 2}) {
    const std::string offsets = ", {" + std::to_string(right) + ", 1}";
    const TensorRun ran = run_tensor_copy(
        "mov.u16 %h1, 1;\n" + fill_with_ones + load("4d", "0, -1, -1, 0", 12 * 16, 0, offsets) + dump, map);
    std::size_t next = 0;
    for (int n = 0; n < 2 && next < 12 * 8; ++n)
      for (int h = -1; h < 2 && next < 12 * 8; ++h)
        for (int w = -1; w < 2 && next < 12 * 8; ++w)
          for (int c = 0; c < 8; ++c) {
            const int x = w + right, y = h + 1;
            const bool inside = x >= 0 && x < 3 && y >= 0 && y < 3;
            ASSERT_EQ(ran.out[next++], inside ? n * 72 + y * 24 + x * 8 + c + 1 : 0) << right << ": " << n << h << w;
          }
    EXPECT_EQ(ran.out[next], 0xffff);
  }
}

// A map in global memory, where a kernel or a copy put it.
TEST(TensorCopy, TakesItsMapFromGlobalMemory) {
  Launcher k(
      with_map("prefetch.tensormap [%rd3];\nmov.u64 %rd1, %rd3;\n"
               "@%p1 cp.async.bulk.prefetch.tensor.2d.L2.global.tile [%rd1, {0, 0}];\n" +
               fill_with_ones + load("2d", "0, 0", 256) + dump));
  k.request.arguments.emplace_back().raw_parameter.resize(128);
  k.add_buffer(numbered(1024));
  std::vector<U16> out(shared_dump / 2);
  const std::vector<std::byte> map = bytes_of_map(map_of_halves());
  std::memcpy(out.data(), map.data(), map.size());
  const int argument = k.add_buffer(out);
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  EXPECT_EQ(Launcher::values<U16>(result, argument)[17], element(1, 1));
}

// A map without an address and with other sizes: the kernel completes it in shared memory and publishes it in global
// memory.
TEST(TensorCopy, TakesAMapThatTheKernelMade) {
  TensorMap map = map_of_halves();
  map.address = 0;
  map.dim = {8, 8, 1, 1, 1};
  map.stride[1] = 16;
  map.box = {8, 1, 1, 1, 1};
  const std::string body = R"(
    .shared .align 128 .b8 made[128];
    mov.u32 %r20, made;
    setp.lt.u32 %p7, %r1, 16;
    mul.wide.u32 %rd20, %r1, 8;
    add.u64 %rd21, %rd1, %rd20;
    @%p7 ld.b64 %rd22, [%rd21];
    shl.b32 %r21, %r1, 3;
    add.u32 %r21, %r21, %r20;
    @%p7 st.shared.b64 [%r21], %rd22;
    bar.sync 0;
    @!%p1 bra PUBLISH;
    tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r20], %rd2;
    tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r20], 0, 32;
    mov.u32 %r22, 20;
    tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r20], 1, %r22;
    mov.u64 %rd23, 80;
    tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r20], 0, %rd23;
    tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r20], 0, 16;
    tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r20], 1, 8;
  PUBLISH:
    bar.warp.sync -1;
    tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%rd3], [%r20], 128;
    fence.proxy.tensormap::generic.acquire.gpu [%rd3], 128;
    mov.u64 %rd1, %rd3;
)";
  const std::string text = with_map(body + fill_with_ones + load("2d", "8, 3", 256) + dump);
  Launcher k(text);
  k.request.races = true;
  k.request.arguments.emplace_back().raw_parameter = bytes_of_map(map);
  k.add_buffer(numbered(1024));
  const int out = k.add_buffer(std::vector<U16>(shared_dump / 2));
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed) << format(result.diagnostics[0]);
  EXPECT_FALSE(result.races.accuses());
  const std::vector<U16> got = Launcher::values<U16>(result, out);
  for (int j = 0; j < 8; ++j)
    for (int i = 0; i < 16; ++i) ASSERT_EQ(got[j * 16 + i], element(8 + i, 3 + j)) << i << " " << j;
}

TEST(TensorCopy, RulesAreHeld) {
  const TensorMap map = map_of_halves();
  EXPECT_THAT(fault_of(load("2d", "0, 0", 256, 64), map, "tensor_map.misaligned").message,
              HasSubstr("not a multiple of 128"));
  EXPECT_THAT(fault_of(load("3d", "0, 0, 0", 256), map, "tensor_map.other_kind").message,
              HasSubstr("is 3-dimensional, but its map is of a 2-dimensional tensor"));
  fault_of(load("2d", "0, 0", 256, 3968), map, "memory.out_of_bounds");
  fault_of("add.u64 %rd1, %rd1, 8;\n" + load("2d", "0, 0", 256), map, "tensor_map.bad_address");
  fault_of("mov.u64 %rd1, 64;\n" + load("2d", "0, 0", 256), map, "tensor_map.bad_address");
  fault_of(load("2d", "0, 0", 256), map, "tensor_map.not_one", std::vector<std::byte>(128));
  fault_of("sub.u32 %r4, %r4, 8;\n" + load("2d", "0, 0", 256), map, "mbarrier.not_initialised");
  fault_of(store, map, "memory.uninitialised");
  fault_of(fill_with_index +
               "@%p1 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {0, 0}], "
               "[%r2];",
           map, "tensor_map.no_such_reduction");
  EXPECT_THAT(fault_of(load("2d", "-3, 0", 256), map, "tensor_map.misaligned_coordinate").message,
              HasSubstr("begins at element -3 along the tensor's first dimension, -6 bytes from its start"));
  EXPECT_THAT(
      fault_of(fill_with_index + "@%p1 cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%rd1, {8, -2}], [%r2];",
               map, "tensor_map.negative_coordinate")
          .message,
      HasSubstr("from coordinate -2 along dimension 1"));
  TensorMap images;
  images.rank = 3;
  images.im2col = true;
  images.address = tensor_address;
  images.dim = {4, 5, 2, 1, 1};
  images.stride = {0, 16, 80, 0, 0};
  images.lower = {-1, 0, 0};
  images.upper = {-1, 0, 0};
  images.channels = 4;
  images.pixels = 4;
  EXPECT_THAT(
      fault_of("mov.u16 %h1, 0;\n" + load("3d", "0, 4, 0", 64, 0, ", {%h1}"), images, "tensor_map.outside_of_pixels")
          .message,
      HasSubstr("begins at 4 along dimension 1, outside of the pixels' box, which is from -1 to 3"));
  TensorMap outside = map;
  outside.dim[1] = 30;
  EXPECT_THAT(fault_of(load("2d", "0, 24", 256), outside, "memory.out_of_bounds").message, HasSubstr("32 bytes"));
}

// Half of the box is outside. A wait for the other half's bytes alone would never end.
TEST(TensorCopy, CountsTheWholeBox) {
  Launcher k(with_map(load("2d", "24, 0", 128)));
  k.request.arguments.emplace_back().raw_parameter = bytes_of_map(map_of_halves());
  k.add_buffer(numbered(1024));
  k.add_buffer(std::vector<U16>(shared_dump / 2));
  const LaunchResult result = k.run_anyway();
  EXPECT_FALSE(result.completed);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_THAT(format(result.diagnostics[0]), HasSubstr("128 bytes came that it did not expect"));
}

TEST(TensorCopy, OtherFormsAreRefused) {
  for (const std::string form :
       {"cp.async.bulk.tensor.2d.shared::cluster.global.tile::gather4.mbarrier::complete_tx::bytes [%r2], [%rd1, {0, "
        "0, "
        "0, 0, 0}], [%r4]"})
    fault_of(form + ";", map_of_halves(), "run.unsupported_instruction");
}

// ---- clusters ---------------------------------------------------------------------------------------

// The block of rank 1 loads a box for both blocks of the cluster; each waits on its own object.
TEST(TensorCopy, GoesToSeveralBlocks) {
  Launcher k(with_map(R"(
    mov.u32 %r20, %ctaid.x;
    mul.wide.u32 %rd20, %r20, 4096;
    add.s64 %rd3, %rd3, %rd20;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], 256;
)" + fill_with_ones + R"(
    barrier.cluster.arrive;
    barrier.cluster.wait;
    mov.u32 %r21, %cluster_ctarank;
    setp.eq.u32 %p6, %r21, 1;
    and.pred %p6, %p6, %p1;
    mov.u16 %h1, 3;
    @%p6 cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%rd1, {8, 12}], [%r4], %h1;
)" + await_box + dump));
  k.grid = {4, 1, 1};
  k.request.launch.cluster = {2, 1, 1};
  k.request.races = true;
  k.request.arguments.emplace_back().raw_parameter = bytes_of_map(map_of_halves());
  k.add_buffer(numbered(1024));
  const int out = k.add_buffer(std::vector<U16>(4 * shared_dump / 2));
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed) << format(result.diagnostics.back());
  EXPECT_FALSE(result.races.accuses());
  const std::vector<U16> got = Launcher::values<U16>(result, out);
  for (int block = 0; block < 4; ++block)
    for (int j = 0; j < 8; ++j)
      for (int i = 0; i < 16; ++i)
        ASSERT_EQ(got[static_cast<std::size_t>(block * 2048 + j * 16 + i)], element(8 + i, 12 + j)) << block;
}

// ---- races ------------------------------------------------------------------------------------------

TEST(TensorCopy, MustBeAwaited) {
  std::string unawaited = load("2d", "0, 0", 256);
  unawaited.resize(unawaited.size() - await_box.size());
  const TensorRun ran =
      run_tensor_copy(fill_with_ones + "bar.sync 0;\n" + unawaited + "bar.sync 0;\n" + dump, map_of_halves());
  ASSERT_FALSE(ran.result.races.races.empty());
  EXPECT_EQ(ran.result.races.races[0].kind, RaceKind::copy_not_awaited);
  EXPECT_TRUE(run_tensor_copy(
                  fill_with_index + store + "@%p1 cp.async.bulk.commit_group;\nbar.sync 0;\nst.shared.u32 [%r2], %r1;",
                  map_of_halves())
                  .result.races.accuses());
  EXPECT_FALSE(
      run_tensor_copy(fill_with_index + store +
                          "@%p1 cp.async.bulk.commit_group;\n@%p1 cp.async.bulk.wait_group.read 0;\nbar.sync 0;\n"
                          "@%p1 st.shared.u32 [%r2], %r1;",
                      map_of_halves())
          .result.races.accuses());
}

// CUTLASS's epilogues let a whole warp store each box.
TEST(TensorCopy, OfAWholeWarpToOnePlaceIsNoRace) {
  std::string all = store + wait_for_group;
  for (std::size_t at; (at = all.find("@%p1")) != std::string::npos;) all.replace(at, 4, "@%p6");
  const TensorRun ran = run_tensor_copy(fill_with_index + "setp.lt.u32 %p6, %r1, 32;\n" + all, map_of_halves());
  EXPECT_FALSE(ran.result.races.accuses());
  EXPECT_EQ(ran.tensor, run_tensor_copy(fill_with_index + store + wait_for_group, map_of_halves()).tensor);
  // Lanes that store to different places race where the boxes overlap.
  std::string apart = all;
  apart.replace(apart.find("{24, 15}"), 8, "{24, %r1}");
  EXPECT_TRUE(
      run_tensor_copy(fill_with_index + "setp.lt.u32 %p6, %r1, 32;\n" + apart, map_of_halves()).result.races.accuses());
}

// Blocks may add to the same elements; a plain read of them races.
TEST(TensorCopy, ReductionsAreAtomic) {
  TensorMap map = map_of_halves();
  map.type = TensorType::u32;
  map.dim[0] = 16;
  map.box = {4, 8, 1, 1, 1};
  const std::string add = fill_with_index +
                          "@%p1 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%rd1, {0, 0}], "
                          "[%r2];\n" +
                          wait_for_group;
  for (const bool reads : {false, true}) {
    Launcher k(with_map(add + (reads ? "ld.global.u32 %r10, [%rd2];\nst.global.u32 [%rd3], %r10;" : "")));
    k.grid = {3, 1, 1};
    k.request.races = true;
    k.request.arguments.emplace_back().raw_parameter = bytes_of_map(map);
    const int tensor = k.add_buffer(numbered(1024));
    k.add_buffer(std::vector<U16>(shared_dump / 2));
    const LaunchResult result = k.run_anyway();
    EXPECT_TRUE(result.completed);
    EXPECT_EQ(result.races.accuses(), reads);
    const std::vector<U32> words = Launcher::values<U32>(result, tensor);
    EXPECT_EQ(words[0], (1u | 2u << 16) + 3 * (0u | 1u << 16));
  }
}

}  // namespace
}  // namespace lanescope::sim
