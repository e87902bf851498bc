// Address patterns and transfers, each instruction set of this machine against plain loops.

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

#include "core/lane_mask.h"
#include "sim/alu/lanes.h"
#include "sim/alu/operation.h"

namespace lanescope::sim {
namespace {

std::vector<const LaneKernels*> all_kernels() {
  std::vector<const LaneKernels*> list{&lane_memory_baseline::kernels()};
#if defined(__x86_64__)
  if (isa() >= Isa::avx2) list.push_back(&lane_memory_avx2::kernels());
  if (isa() >= Isa::avx512) list.push_back(&lane_memory_avx512::kernels());
#endif
  return list;
}

std::vector<std::uint32_t> masks(std::mt19937& random) {
  std::vector<std::uint32_t> list{~0u, 1u, 0x80000000u, 0x55555555u, 0x0000ffffu, 0xfffffff0u, 0x00010001u};
  for (int i = 0; i < 20; ++i) list.push_back(static_cast<std::uint32_t>(random()) | 1u << (random() % 32));
  return list;
}

// Checks the pattern against all addresses.
template <typename Address>
void check_pattern(const AddressPattern& pattern, const Address* address, std::uint64_t offset, std::uint32_t mask) {
  std::vector<std::uint64_t> at(32);
  for (std::size_t lane = 0; lane < 32; ++lane)
    at[lane] = static_cast<Address>(address[lane] + static_cast<Address>(offset));
  const int lowest = LaneMask{mask}.lowest();
  std::uint64_t low = ~std::uint64_t{0}, high = 0, bits = 0;
  LaneMask{mask}.for_each([&](int lane) {
    const std::uint64_t a = at[static_cast<std::size_t>(lane)];
    low = std::min(low, a);
    high = std::max(high, a);
    bits |= a - at[static_cast<std::size_t>(lowest)];
    EXPECT_EQ(address_of(pattern, mask, lane), a);
  });
  EXPECT_EQ(pattern.first, at[static_cast<std::size_t>(lowest)]);
  EXPECT_EQ(pattern.low, low);
  EXPECT_EQ(pattern.high, high);
  if (pattern.affine) {
    EXPECT_EQ(pattern.stride, static_cast<std::int32_t>(pattern.stride));
    EXPECT_EQ(pattern.bits, static_cast<std::uint64_t>(pattern.stride));
  } else {
    EXPECT_EQ(pattern.bits & (0 - pattern.bits), bits & (0 - bits)) << "the lowest bit";
  }
}

TEST(Lanes, Patterns) {
  std::mt19937 random(1);
  for (const LaneKernels* kernels : all_kernels()) {
    for (const std::int64_t stride : {0, 1, 4, -4, 8, 16, 1024, -1000, 1 << 20}) {
      for (const std::uint32_t mask : masks(random)) {
        for (const int spoiled : {-1, 0, 5, 31}) {
          alignas(64) std::uint64_t wide[32];
          alignas(64) std::uint32_t narrow[32];
          for (int lane = 0; lane < 32; ++lane) {
            const auto index = static_cast<std::size_t>(lane);
            // Lanes outside the mask hold garbage.
            const bool rubbish = (mask >> lane & 1u) == 0;
            wide[index] = rubbish ? random() : 0x7f4000001000ull + static_cast<std::uint64_t>(stride * lane);
            narrow[index] =
                rubbish ? static_cast<std::uint32_t>(random()) : static_cast<std::uint32_t>(0x2000 + stride * lane);
            if (lane == spoiled) {
              wide[index] += 12;
              narrow[index] += 12;
            }
          }
          AddressPattern pattern;
          for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{64}, ~std::uint64_t{7}}) {
            kernels->pattern64(reinterpret_cast<std::byte*>(wide), offset, mask, pattern);
            check_pattern(pattern, wide, offset, mask);
            if (spoiled < 0) {
              EXPECT_TRUE(pattern.affine);
            }
            kernels->pattern32(reinterpret_cast<std::byte*>(narrow), offset, mask, pattern);
            check_pattern(pattern, narrow, offset, mask);
          }
        }
      }
    }
  }
}

// A block of 16 × n threads: each half of the warp has its own row.
TEST(Lanes, HalvesOfAWarp) {
  std::mt19937 random(3);
  std::vector<std::uint8_t> memory(1 << 16);
  for (auto& byte : memory) byte = static_cast<std::uint8_t>(random());
  const auto host = reinterpret_cast<std::uintptr_t>(memory.data());
  for (const LaneKernels* kernels : all_kernels()) {
    for (const int bytes : {1, 4, 8}) {
      const TransferShape shape{bytes, bytes == 1 ? 4 : bytes, false};
      for (const int stride : {0, bytes, -bytes, 3 * bytes}) {
        for (const int apart : {0, bytes, 8 * bytes, 1024, -2048, 4096 + bytes}) {
          SCOPED_TRACE(testing::Message() << bytes << " bytes, stride " << stride << ", apart " << apart);
          alignas(64) std::uint64_t wide[32];
          alignas(64) std::uint32_t narrow[32];
          for (int lane = 0; lane < 32; ++lane) {
            const int address = 8192 + stride * (lane % 16) + (lane < 16 ? 0 : apart);
            narrow[lane] = static_cast<std::uint32_t>(address);
            wide[lane] = host + narrow[lane];
          }
          AddressPattern pattern;
          kernels->pattern32(reinterpret_cast<const std::byte*>(narrow), 64, ~0u, pattern);
          check_pattern(pattern, narrow, 64, ~0u);
          EXPECT_EQ(pattern.affine, stride == 0 && apart == 0);
          EXPECT_TRUE(pattern.affine || pattern.halves);
          kernels->pattern64(reinterpret_cast<const std::byte*>(wide), 64, ~0u, pattern);
          check_pattern(pattern, wide, 64, ~0u);

          alignas(64) std::byte slot[256] = {};
          kernels->load(shape)(slot, 0, pattern, ~0u);
          std::vector<std::uint8_t> wanted = memory;
          for (int lane = 0; lane < 32; ++lane) {
            const std::byte* const value = slot + lane * shape.register_bytes;
            EXPECT_EQ(std::memcmp(value, memory.data() + narrow[lane] + 64, static_cast<std::size_t>(bytes)), 0);
          }
          for (auto& byte : slot) byte = static_cast<std::byte>(random());
          for (int lane = 0; lane < 32; ++lane)
            std::memcpy(wanted.data() + narrow[lane] + 64, slot + lane * shape.register_bytes,
                        static_cast<std::size_t>(bytes));
          kernels->store(shape)(slot, 0, pattern, ~0u);
          EXPECT_TRUE(memory == wanted);
        }
      }
    }
    // Around the end of 32 bits, and halves with one wrong lane.
    alignas(64) std::uint32_t narrow[32];
    for (std::uint32_t lane = 0; lane < 32; ++lane) narrow[lane] = (lane < 16 ? 0xffffffe0u : 64u) + lane % 16 * 4;
    AddressPattern pattern;
    kernels->pattern32(reinterpret_cast<const std::byte*>(narrow), 0, ~0u, pattern);
    check_pattern(pattern, narrow, 0, ~0u);
    for (const std::size_t spoiled : {1, 15, 16, 17, 31}) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) narrow[lane] = (lane < 16 ? 512u : 64u) + lane % 16 * 4;
      narrow[spoiled] += 4;
      kernels->pattern32(reinterpret_cast<const std::byte*>(narrow), 0, ~0u, pattern);
      check_pattern(pattern, narrow, 0, ~0u);
    }
  }
}

// In place of a stride: addresses without a pattern, anywhere or within 128 bytes.
constexpr int scattered = -1000, near = -1001;

TEST(Lanes, TransfersOfEveryShape) {
  std::mt19937 random(2);
  std::vector<std::uint8_t> memory(64 * 1024);
  for (auto& byte : memory) byte = static_cast<std::uint8_t>(random());
  for (const LaneKernels* kernels : all_kernels()) {
    for (const int memory_bytes : {1, 2, 4, 8}) {
      for (const int register_bytes : {2, 4, 8}) {
        for (const bool is_signed : {false, true}) {
          const TransferShape shape{memory_bytes, register_bytes, is_signed};
          const Load load = kernels->load(shape);
          const Store store = kernels->store(shape);
          EXPECT_EQ(load != nullptr, register_bytes >= memory_bytes);
          if (load == nullptr) continue;
          for (const std::int64_t stride : {0, memory_bytes, -memory_bytes, 3 * memory_bytes, scattered, near}) {
            for (const std::uint32_t mask : masks(random)) {
              AddressPattern pattern;
              pattern.affine = stride != scattered && stride != near;
              pattern.stride = pattern.affine ? stride : 0;
              const int lowest = LaneMask{mask}.lowest();
              std::uint64_t address[32];
              for (int lane = 0; lane < 32; ++lane)
                address[lane] = pattern.affine
                                    ? static_cast<std::uint64_t>(8192 + stride * (lane - lowest))
                                    : random() % (stride == near ? 128 / static_cast<unsigned>(memory_bytes) : 4096) *
                                          static_cast<std::uint64_t>(memory_bytes);
              pattern.low = pattern.high = pattern.first = address[lowest];
              for (int lane = 0; lane < 32; ++lane) {
                pattern.relative[lane] = address[lane] - address[lowest];
                if ((mask >> lane & 1u) == 0) continue;
                pattern.low = std::min(pattern.low, address[lane]);
                pattern.high = std::max(pattern.high, address[lane]);
                pattern.bits |= pattern.relative[lane];
              }
              alignas(64) std::uint8_t slot[256], before[256];
              for (auto& byte : slot) byte = static_cast<std::uint8_t>(random());
              std::memcpy(before, slot, sizeof slot);
              load(reinterpret_cast<std::byte*>(slot), reinterpret_cast<std::uintptr_t>(memory.data()), pattern, mask);
              for (int lane = 0; lane < 32; ++lane) {
                std::int64_t expected = 0, value = 0;
                std::memcpy(&value, slot + lane * register_bytes, static_cast<std::size_t>(register_bytes));
                if ((mask >> lane & 1u) == 0) {
                  std::memcpy(&expected, before + lane * register_bytes, static_cast<std::size_t>(register_bytes));
                } else {
                  std::memcpy(&expected, memory.data() + address[lane], static_cast<std::size_t>(memory_bytes));
                  const int unused = 64 - 8 * memory_bytes;
                  if (is_signed && unused > 0)
                    expected = static_cast<std::int64_t>(static_cast<std::uint64_t>(expected) << unused) >> unused;
                  if (register_bytes < 8) expected &= (std::int64_t{1} << (8 * register_bytes)) - 1;
                }
                ASSERT_EQ(value, expected);
              }
              std::vector<std::uint8_t> stored = memory, wanted = memory;
              LaneMask{mask}.for_each([&](int lane) {
                std::memcpy(wanted.data() + address[lane], slot + lane * register_bytes,
                            static_cast<std::size_t>(memory_bytes));
              });
              store(reinterpret_cast<const std::byte*>(slot), reinterpret_cast<std::uintptr_t>(stored.data()), pattern,
                    mask);
              ASSERT_TRUE(stored == wanted);
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace lanescope::sim
