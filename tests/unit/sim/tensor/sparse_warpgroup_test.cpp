// wgmma.mma_async.sp against the dense product of the expanded A, computed on the host. Every type and layout, beside
// an H200: tests/exec/sparse_warpgroup_products.cu.

#include <random>

#include "sim/launcher.h"
#include "sim/small_numbers.h"
#include "sim/tensor/own_features.h"

namespace lanescope::sim {
namespace {

using test::encoded;
using test::for_sm_90a;
using test::kernel;
using test::Launcher;
using test::small_number;
using testing::HasSubstr;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr int all_rows = 64, all_columns = 8, depth = 32, stored = 16;  // m64n8k32, f16
constexpr int b_begin = all_rows * stored * 2;                          // in shared memory, behind A

// Neither matrix is swizzled: 8 lines of 16 bytes are contiguous, the next 16 bytes along k are 128 bytes further on.
int place(int line, int k) {
  return line / 8 * 512 + k / 8 * 128 + line % 8 * 16 + k % 8 * 2;
}
int place_of_a(int row, int k) {
  return row / 8 * 256 + k / 8 * 128 + row % 8 * 16 + k % 8 * 2;
}
U64 descriptor(int at, int stride) {
  return static_cast<U64>(at) >> 4 | U64{128 >> 4} << 16 | static_cast<U64>(stride) >> 4 << 32;
}

std::string text_of(int selector, const std::string& form = "m64n8k32.f32.f16.f16") {
  return for_sm_90a(kernel(".param .u64 image, .param .u64 meta, .param .u64 sums, .param .u64 da, .param .u64 db",
                           R"(
    .reg .f32 %d<4>;
    ld.param.u64 %rd1, [image];
    ld.param.u64 %rd2, [meta];
    ld.param.u64 %rd3, [sums];
    ld.param.u64 %rd10, [da];
    ld.param.u64 %rd11, [db];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, matrices;
    mov.u32 %r3, %r1;
  COPY:
    mul.wide.u32 %rd4, %r3, 4;
    add.s64 %rd4, %rd1, %rd4;
    ld.global.u32 %r4, [%rd4];
    shl.b32 %r5, %r3, 2;
    add.u32 %r5, %r5, %r2;
    st.shared.u32 [%r5], %r4;
    add.u32 %r3, %r3, 128;
    setp.lt.u32 %p1, %r3, 640;
    @%p1 bra COPY;
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd5, %rd2, %rd5;
    ld.global.u32 %r6, [%rd5];
    mul.wide.u32 %rd6, %r1, 16;
    add.s64 %rd6, %rd3, %rd6;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    wgmma.fence.sync.aligned;
    wgmma.mma_async.sp.sync.aligned.)" +
                               form + " {%d0, %d1, %d2, %d3}, %rd10, %rd11, %r6, " + std::to_string(selector) +
                               R"(, 0, 1, 1, 0, 0;
    wgmma.commit_group.sync.aligned;
    wgmma.wait_group.sync.aligned 0;
    st.global.v4.f32 [%rd6], {%d0, %d1, %d2, %d3};
    ret;
)",
                           ".shared .align 128 .b8 matrices[2560];\n"));
}

struct SparseMatrices {
  std::vector<U32> image = std::vector<U32>(640), meta = std::vector<U32>(128, ~0u);
  std::vector<float> sums = std::vector<float>(all_rows * all_columns);  // as the threads hold them
};

SparseMatrices matrices_of(int selector) {
  std::mt19937 random(3);
  SparseMatrices m;
  const auto put = [&](int byte, int value) {
    m.image[static_cast<std::size_t>(byte / 4)] |= static_cast<U32>(encoded("f16", value)) << byte % 4 * 8;
  };
  std::vector<int> dense(all_rows * depth), b(all_columns * depth);
  const auto in_a = [&](int row, int k) -> int& { return dense[static_cast<std::size_t>(row * depth + k)]; };
  const auto in_b = [&](int column, int k) -> int& { return b[static_cast<std::size_t>(column * depth + k)]; };
  for (int row = 0; row < all_rows; ++row) {
    const int thread = row / 16 * 32 + row % 8 * 4 + 2 * selector;
    for (int i = 0; i < depth / 4; ++i) {
      const int first = static_cast<int>(random() % 3),
                second = first + 1 + static_cast<int>(random() % static_cast<U32>(3 - first));
      const int parts[] = {first, second};
      for (int part = 0; part < 2; ++part)
        put(place_of_a(row, 2 * i + part), in_a(row, 4 * i + parts[part]) = small_number("f16", random));
      U32& word = m.meta[static_cast<std::size_t>(thread + i / 4)];
      const int shift = row % 16 / 8 * 16 + i % 4 * 4;
      word = (word & ~(15u << shift)) | static_cast<U32>(first | second << 2) << shift;
    }
  }
  for (int column = 0; column < all_columns; ++column)
    for (int k = 0; k < depth; ++k) put(b_begin + place(column, k), in_b(column, k) = small_number("f16", random));
  for (int row = 0; row < all_rows; ++row)
    for (int column = 0; column < all_columns; ++column) {
      int sum = 0;
      for (int k = 0; k < depth; ++k) sum += in_a(row, k) * in_b(column, k);
      const int thread = row / 16 * 32 + row % 8 * 4 + column / 2;
      m.sums[static_cast<std::size_t>(thread * 4 + row % 16 / 8 * 2 + column % 2)] = static_cast<float>(sum);
    }
  return m;
}

void prepare_launch(Launcher& k, const SparseMatrices& m) {
  k.block = {128, 1, 1};
  k.add_buffer(m.image);
  k.add_buffer(m.meta);
  k.add_buffer(std::vector<float>(m.sums.size()));
  k.add_scalar(descriptor(0, 256));
  k.add_scalar(descriptor(b_begin, 512));
}

TEST(SparseWarpgroup, IsTheDenseProductOfTheExpandedMatrix) {
  for (const int selector : {0, 1}) {
    const SparseMatrices m = matrices_of(selector);
    Launcher k(text_of(selector));
    prepare_launch(k, m);
    const LaunchResult result = k.run_anyway();
    EXPECT_TRUE(result.completed);
    EXPECT_EQ(Launcher::values<float>(result, 2), m.sums) << selector;
  }
}

// The lanes of the other selector hold ones: 0b1111 chooses the same column twice.
TEST(SparseWarpgroup, RefusesUndefinedMetadata) {
  const SparseMatrices m = matrices_of(0);
  Launcher k(text_of(1));
  prepare_launch(k, m);
  const Diagnostic fault = k.fault("tensor.bad_metadata");
  EXPECT_THAT(fault.message, HasSubstr("of wgmma.mma_async chooses columns of A by 0b1111"));
}

TEST(SparseWarpgroup, RefusesFormsByName) {
  const SparseMatrices m = matrices_of(0);
  for (const auto& [selector, form] : {std::pair{2, "m64n8k32.f32.f16.f16"}, {0, "m64n8k16.f32.f16.f16"}}) {
    Launcher k(text_of(selector, form));
    prepare_launch(k, m);
    EXPECT_THAT(k.fault("run.unsupported_instruction").message, HasSubstr("wgmma")) << form;
  }
}

}  // namespace
}  // namespace lanescope::sim
