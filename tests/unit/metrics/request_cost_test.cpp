// The cost of a request against a brute-force count with sets, and against cases worked out by hand.

#include "metrics/request_cost.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>

#include "golden.h"

namespace lanescope::metrics {

static void PrintTo(const RequestCost& c, std::ostream* out) {
  *out << "{sectors " << c.sectors << " ideal " << c.ideal_sectors << " wavefronts " << c.wavefronts << " ideal "
       << c.ideal_wavefronts << " bytes " << c.bytes_requested << " depth " << c.serial_depth << "}";
}

namespace {

using Addresses = std::array<std::uint64_t, 32>;

// The definitions of metrics.md, taken literally, one byte at a time.
RequestCost brute_sectors(const Addresses& addresses, LaneMask executed, int width) {
  std::set<std::uint64_t> bytes, sectors;
  std::map<std::uint64_t, unsigned> lanes_at;
  executed.for_each([&](int lane) {
    ++lanes_at[addresses[lane]];
    for (int i = 0; i < width; ++i) {
      bytes.insert(addresses[lane] + i);
      sectors.insert((addresses[lane] + i) / 32);
    }
  });
  RequestCost cost;
  cost.bytes_requested = static_cast<unsigned>(bytes.size());
  cost.sectors = static_cast<unsigned>(sectors.size());
  cost.ideal_sectors = (cost.bytes_requested + 31) / 32;
  for (const auto& [address, lanes] : lanes_at) cost.serial_depth = std::max(cost.serial_depth, lanes);
  return cost;
}

// Whether every two executing lanes whose numbers differ in this bit have the same address.
bool partners_agree(const Addresses& addresses, LaneMask executed, int bit) {
  for (int lane = 0; lane < 32; ++lane)
    if (executed.test(lane) && executed.test(lane ^ bit) && addresses[lane] != addresses[lane ^ bit]) return false;
  return true;
}

RequestCost brute_banks(const Addresses& addresses, LaneMask executed, int width, Phases phases = Phases::fixed,
                        int* worst = nullptr) {
  const RequestCost bytes = brute_sectors(addresses, executed, width);
  RequestCost cost;
  cost.bytes_requested = bytes.bytes_requested;
  cost.serial_depth = bytes.serial_depth;
  int lanes_a_phase = width > 8 ? 8 : width > 4 ? 16 : 32;
  if (phases == Phases::joined && width > 4 &&
      (partners_agree(addresses, executed, 1) || partners_agree(addresses, executed, 2)))
    lanes_a_phase *= 2;
  const bool alone =
      phases == Phases::each_lane || (phases == Phases::each_lane_of_part && executed != LaneMask::all());
  int most = 0;
  for (int begin = 0; begin < 32; begin += lanes_a_phase) {
    std::map<std::uint64_t, std::set<std::pair<std::uint64_t, int>>> words_of_bank;  // with the lane, if it is alone
    for (int lane = begin; lane < begin + lanes_a_phase; ++lane) {
      if (!executed.test(lane)) continue;
      for (int i = 0; i < width; ++i) {
        const std::uint64_t word = (addresses[lane] + i) / 4;
        words_of_bank[word % 32].insert({word, alone ? lane : 0});
      }
    }
    unsigned degree = 0;
    for (const auto& [bank, words] : words_of_bank) degree = std::max(degree, static_cast<unsigned>(words.size()));
    cost.wavefronts += degree;
    cost.ideal_wavefronts += !words_of_bank.empty();
    most = std::max(most, static_cast<int>(degree));
  }
  if (worst) *worst = most;
  return cost;
}

constexpr Phases every_kind[] = {Phases::fixed, Phases::joined, Phases::each_lane, Phases::each_lane_of_part};

Addresses affine(std::uint64_t first, std::int64_t stride, LaneMask executed) {
  Addresses addresses;
  addresses.fill(0xdeadbeefdeadbeef);  // an inactive lane's address must never matter
  executed.for_each(
      [&](int lane) { addresses[lane] = first + static_cast<std::uint64_t>(stride * (lane - executed.lowest())); });
  return addresses;
}

class RequestCostRandom : public testing::Test {
 protected:
  std::mt19937_64 random{20260729};
  std::uint64_t below(std::uint64_t bound) { return random() % bound; }
  template <typename T>
  T pick(std::initializer_list<T> list) {
    return list.begin()[below(list.size())];
  }

  LaneMask mask() {
    const auto any = static_cast<std::uint32_t>(random());
    switch (below(10)) {
      case 0:
        return LaneMask::all();
      case 1:
        return LaneMask::first(static_cast<int>(below(33)));
      case 2:
        return {LaneMask::first(static_cast<int>(below(33))).bits << below(32)};
      case 3:
        return LaneMask::lane(static_cast<int>(below(32)));
      case 4:
        return {0x55555555u << below(2)};
      case 5:
        return {pick({0x11111111u, 0x01010101u, 0x00010001u, 0x49249249u, 0x80000001u}) << below(4)};
      case 6:
        return {any & static_cast<std::uint32_t>(random())};
      case 7:
        return {any | static_cast<std::uint32_t>(random())};
      default:
        return {any};
    }
  }
  int width() { return below(3) ? pick({1, 2, 4, 8, 16}) : static_cast<int>(1 + below(16)); }
  std::uint64_t base() {
    switch (below(4)) {
      case 0:
        return 0x7f2000000000 + 16 * below(64);
      case 1:
        return random();
      case 2:
        return ~std::uint64_t{0} - below(600);  // wraps around
      default:
        return below(600);
    }
  }
};

TEST_F(RequestCostRandom, AffineEqualsGeneralEqualsBruteForce) {
  for (int round = 0; round < 20000; ++round) {
    const LaneMask executed = mask();
    const int w = width();
    std::int64_t stride = 0;
    switch (below(6)) {
      case 0:
        stride = w;
        break;
      case 1:
        stride = -w;
        break;
      case 2:
        stride = static_cast<std::int64_t>(below(300)) - 150;
        break;
      case 3:
        stride = w * (static_cast<std::int64_t>(below(130)) - 65);
        break;
      case 4:
        stride = static_cast<std::int32_t>(random());
        break;
      default:
        stride = pick<std::int64_t>(
            {0, 1, -1, 31, 32, 33, 47, 48, 63, 64, 127, 128, 132, -128, 256, 4096, INT32_MAX, INT32_MIN});
    }
    const std::uint64_t first = below(2) ? base() : base() / 16 * 16;
    const Addresses addresses = affine(first, stride, executed);
    const auto s = static_cast<std::int32_t>(stride);
    SCOPED_TRACE(testing::Message() << "first " << first << " stride " << stride << " width " << w << " mask "
                                    << std::hex << executed.bits);
    ASSERT_EQ(sector_cost_affine(first, s, executed, w), brute_sectors(addresses, executed, w));
    ASSERT_EQ(sector_cost(addresses, executed, w), brute_sectors(addresses, executed, w));
    for (const Phases phases : every_kind) {
      ASSERT_EQ(bank_cost_affine(first, s, executed, w, phases), brute_banks(addresses, executed, w, phases));
      ASSERT_EQ(bank_cost(addresses, executed, w, phases), brute_banks(addresses, executed, w, phases));
    }
  }
}

TEST_F(RequestCostRandom, ScatteredEqualsBruteForce) {
  for (int round = 0; round < 15000; ++round) {
    const LaneMask executed = mask();
    const int w = width();
    // From all lanes on a few bytes to all over the address space, aligned or not, with duplicates.
    const std::uint64_t range = pick<std::uint64_t>({1, 8, 64, 128, 1024, 8192, 9000, 65536, 1ull << 32, ~0ull});
    const std::uint64_t alignment = below(2) ? 1 : std::uint64_t{1} << below(8);
    const std::uint64_t start = base();
    Addresses addresses;
    const int shared_by = static_cast<int>(below(4));  // lanes that differ only in these bits read the same address
    for (int lane = 0; lane < 32; ++lane)
      addresses[lane] =
          (lane & shared_by) != 0 ? addresses[lane & ~shared_by] : (start + below(range)) / alignment * alignment;
    const Phases phases = every_kind[below(4)];
    int worst = 0;
    const RequestCost banks = brute_banks(addresses, executed, w, phases, &worst);
    SCOPED_TRACE(testing::Message() << "range " << range << " width " << w << " mask " << std::hex << executed.bits);
    ASSERT_EQ(sector_cost(addresses, executed, w), brute_sectors(addresses, executed, w));
    ASSERT_EQ(bank_cost(addresses, executed, w, phases), banks);
    ASSERT_EQ(bank_degree(addresses, executed, w, phases), worst);
  }
}

TEST_F(RequestCostRandom, SectorsAlsoFor32BytesALane) {
  for (int round = 0; round < 2000; ++round) {
    const LaneMask executed = mask();
    const int w = static_cast<int>(17 + below(16));
    const auto stride = static_cast<std::int32_t>(below(200)) - 100;
    const std::uint64_t first = base();
    const Addresses addresses = affine(first, stride, executed);
    ASSERT_EQ(sector_cost(addresses, executed, w), brute_sectors(addresses, executed, w));
    ASSERT_EQ(sector_cost_affine(first, stride, executed, w), brute_sectors(addresses, executed, w));
  }
}

// ---- by hand ---------------------------------------------------------------------------------------

constexpr std::uint64_t line = 0x7f2000;  // 128-byte aligned

TEST(SectorCost, StridesOfTheCoalescingLesson) {
  // 4-byte elements, stride in elements: 4, 8, 16, 32, 32 sectors.
  const std::map<int, unsigned> expected{{1, 4}, {2, 8}, {4, 16}, {8, 32}, {16, 32}, {32, 32}};
  for (const auto& [stride, sectors] : expected) {
    const RequestCost cost = sector_cost_affine(line, 4 * stride, LaneMask::all(), 4);
    EXPECT_EQ(cost.sectors, sectors) << stride;
    EXPECT_EQ(cost.ideal_sectors, 4u);
    EXPECT_EQ(cost.bytes_requested, 128u);
  }
  EXPECT_EQ(sector_cost_affine(line, 128, LaneMask::all(), 4).bytes_moved(), 1024u);
}

TEST(SectorCost, OffsetCostsOneSectorUnlessAMultipleOfEightFloats) {
  for (int offset = 0; offset < 32; ++offset)
    EXPECT_EQ(sector_cost_affine(line + 4 * offset, 4, LaneMask::all(), 4).sectors, offset % 8 == 0 ? 4u : 5u);
}

TEST(SectorCost, PackedAccessesAreOneRequest) {
  EXPECT_EQ(sector_cost_affine(line, 8, LaneMask::all(), 8).sectors, 8u);
  EXPECT_EQ(sector_cost_affine(line, 16, LaneMask::all(), 16).sectors, 16u);
  // pairs_apart: every other float; half of what is moved is used.
  const RequestCost apart = sector_cost_affine(line, 8, LaneMask::all(), 4);
  EXPECT_EQ(apart.sectors, 8u);
  EXPECT_EQ(apart.bytes_requested * 2, apart.bytes_moved());
}

TEST(SectorCost, TrapAnAccessHasAWidth) {
  // A lane's 8 bytes at offset 28 touch two sectors; 16 bytes at offset 24 too.
  EXPECT_EQ(sector_cost_affine(line + 28, 0, LaneMask::lane(5), 8).sectors, 2u);
  EXPECT_EQ(sector_cost_affine(line + 24, 0, LaneMask::lane(5), 16).sectors, 2u);
  EXPECT_EQ(sector_cost_affine(line + 24, 0, LaneMask::lane(5), 8).sectors, 1u);
  // Half elements: 32 lanes, 64 bytes, two sectors.
  EXPECT_EQ(sector_cost_affine(line, 2, LaneMask::all(), 2).sectors, 2u);
}

TEST(SectorCost, TrapAnInactiveLaneIsNotAddressZero) {
  Addresses addresses{};  // inactive lanes hold 0
  for (int lane = 0; lane < 16; ++lane) addresses[lane] = line + 4 * lane;
  EXPECT_EQ(sector_cost(addresses, LaneMask::first(16), 4).sectors, 2u);
}

TEST(SectorCost, NoExecutedLaneCostsNothing) {
  EXPECT_EQ(sector_cost({}, LaneMask::none(), 4), RequestCost{});
  EXPECT_EQ(bank_cost({}, LaneMask::none(), 16, Phases::joined), RequestCost{});
  EXPECT_EQ(sector_cost_affine(line, 4, LaneMask::none(), 4), RequestCost{});
  EXPECT_EQ(bank_cost_affine(line, 4, LaneMask::none(), 4, Phases::joined), RequestCost{});
  EXPECT_EQ(bank_degree({}, LaneMask::none(), 4, Phases::joined), 0);
}

TEST(SectorCost, ABytesAskedTwiceCountsOnce) {
  const RequestCost cost = sector_cost_affine(line, 0, LaneMask::all(), 4);
  EXPECT_EQ(cost.bytes_requested, 4u);
  EXPECT_EQ(cost.sectors, 1u);
  EXPECT_EQ(cost.serial_depth, 32u);
}

TEST(BankCost, WideAccessesHaveAMinimumThatIsNoConflict) {
  const RequestCost floats = bank_cost_affine(0, 4, LaneMask::all(), 4, Phases::joined);
  EXPECT_EQ(floats.wavefronts, 1u);
  EXPECT_EQ(floats.bank_conflicts(), 0u);
  const RequestCost doubles = bank_cost_affine(0, 8, LaneMask::all(), 8, Phases::joined);
  EXPECT_EQ(doubles.wavefronts, 2u);
  EXPECT_EQ(doubles.bank_conflicts(), 0u);
  const RequestCost float4s = bank_cost_affine(0, 16, LaneMask::all(), 16, Phases::joined);
  EXPECT_EQ(float4s.wavefronts, 4u);
  EXPECT_EQ(float4s.bank_conflicts(), 0u);
}

TEST(BankCost, DoublesAtStrideTwoConflictTwiceARequest) {
  // Counted on an H200: 16 conflicts over 8 requests.
  EXPECT_EQ(bank_cost_affine(0, 16, LaneMask::all(), 8, Phases::joined).bank_conflicts(), 2u);
}

// What the counters l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld and
// l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld of an H200 said of one load by a warp (ncu of CUDA 13.0): which
// element of 8 or 16 bytes a lane reads, which lanes do.
TEST(BankCost, WideLoadsOfEqualNeighboursAreServedTogetherAsOnAnH200) {
  struct Counted {
    const char* what;
    int (*element)(int lane);
    std::uint32_t lanes;
    unsigned wavefronts_8, conflicts_8, wavefronts_16, conflicts_16;
  };
  constexpr std::uint32_t all = ~0u, even = 0x55555555u;
  for (const Counted& c : {
           Counted{"its own", [](int l) { return l; }, all, 2, 0, 4, 0},
           Counted{"one for all", [](int) { return 0; }, all, 1, 0, 2, 0},
           Counted{"in pairs", [](int l) { return l / 2; }, all, 1, 0, 2, 0},
           Counted{"in fours", [](int l) { return l / 4; }, all, 1, 0, 2, 0},
           Counted{"every second lane the same", [](int l) { return l % 2; }, all, 1, 0, 2, 0},
           Counted{"both halves the same", [](int l) { return l % 16; }, all, 2, 0, 4, 0},
           Counted{"all quarters the same", [](int l) { return l % 8; }, all, 2, 0, 4, 0},
           Counted{"every second one", [](int l) { return l * 2; }, all, 4, 2, 8, 4},
           Counted{"pairs, every second one", [](int l) { return l / 2 * 2; }, all, 2, 1, 4, 2},
           Counted{"fours, every fourth one", [](int l) { return l / 4 * 4; }, all, 2, 1, 4, 2},
           Counted{"pairs, every fourth one", [](int l) { return l / 2 * 4; }, all, 4, 3, 8, 6},
           Counted{"pairs, every eighth one", [](int l) { return l / 2 * 8; }, all, 8, 7, 16, 14},
           Counted{"pairs in half a warp", [](int l) { return l / 2 * 2; }, 0xffffu, 1, 0, 2, 1},
           Counted{"pairs of 20 lanes", [](int l) { return l / 2 * 4; }, 0xfffffu, 3, 2, 5, 3},
           Counted{"only the even lanes", [](int l) { return l; }, even, 2, 1, 4, 2},
           Counted{"only the even lanes, far apart", [](int l) { return l * 16; }, even, 16, 15, 16, 14},
           Counted{"two of four lanes", [](int l) { return l; }, 0x33333333u, 2, 1, 4, 2},
           Counted{"one of four lanes", [](int l) { return l; }, 0x11111111u, 2, 1, 4, 2},
       })
    for (const int width : {8, 16}) {
      Addresses addresses{};
      for (int lane = 0; lane < 32; ++lane) addresses[lane] = static_cast<std::uint64_t>(width * c.element(lane));
      const RequestCost cost = bank_cost(addresses, {c.lanes}, width, Phases::joined);
      EXPECT_EQ(cost.wavefronts, width == 8 ? c.wavefronts_8 : c.wavefronts_16) << c.what << ", " << width << " bytes";
      EXPECT_EQ(cost.bank_conflicts(), width == 8 ? c.conflicts_8 : c.conflicts_16)
          << c.what << ", " << width << " bytes";
    }
}

// Others take their phases as they are: on an H200, two wavefronts for 32 lanes that store 8 bytes to one place, four
// for a generic load (LD) of 16 bytes from one place in shared memory.
TEST(BankCost, WideStoresAndGenericLoadsOfEqualNeighboursAreNotServedTogether) {
  EXPECT_EQ(bank_cost_affine(0, 0, LaneMask::all(), 8, Phases::fixed).wavefronts, 2u);
  trace::Site site;
  site.space = trace::MemorySpace::shared;
  site.operation = trace::Operation::store, site.opcode = "st.shared.v2.f32";
  EXPECT_EQ(phases_of(site), Phases::fixed);
  site.operation = trace::Operation::load, site.opcode = "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
  EXPECT_EQ(phases_of(site), Phases::fixed);
  site.opcode = "ld.volatile.shared.v4.u32";
  EXPECT_EQ(phases_of(site), Phases::joined);
  site.opcode = "ld.v4.u32", site.space = trace::MemorySpace::none;
  EXPECT_EQ(phases_of(site), Phases::fixed);
}

// Each counted request of tests/cases/turns/h200.txt, by the rule of its form.
TEST(BankCost, TurnsOfAtomicsAreThoseOfAnH200) {
  struct Form {
    int width;
    Phases phases;
    bool uniform = false;  // all lanes change element 40
  };
  const std::map<std::string, Form> forms = {
      {"add", {4, Phases::each_lane}},
      {"add_one", {4, Phases::fixed}},
      {"max_used", {4, Phases::each_lane}},
      {"inc_seven", {4, Phases::each_lane}},
      {"cas", {4, Phases::each_lane}},
      {"exch64", {8, Phases::each_lane}},
      {"cas64", {8, Phases::each_lane}},
      {"exch128", {16, Phases::each_lane}},
      {"uni_add", {4, Phases::fixed, true}},
      {"uni_add_used", {4, Phases::each_lane_of_part, true}},
      {"uni_max_used", {4, Phases::each_lane, true}},
  };
  std::istringstream lines(test::read_file(test::case_path("turns/h200.txt")));
  int compared = 0;
  std::string elements, counts;
  while (std::getline(lines, elements)) {
    if (elements.starts_with("#")) continue;
    std::getline(lines, counts);
    std::istringstream each_element(elements), each_count(counts);
    std::array<std::uint64_t, 32> element{};
    LaneMask executed;
    std::string word;
    for (int lane = 0; lane < 32 && each_element >> word; ++lane) {
      if (word == ".") continue;
      element[static_cast<std::size_t>(lane)] = std::stoull(word);
      executed = executed | LaneMask::lane(lane);
    }
    while (each_count >> word) {
      const std::size_t equals = word.find('=');
      const Form form = forms.at(word.substr(0, equals));
      Addresses addresses{};
      for (std::size_t lane = 0; lane < 32; ++lane)
        addresses[lane] = static_cast<std::uint64_t>(form.width) * (form.uniform ? 40 : element[lane]);
      EXPECT_EQ(bank_cost(addresses, executed, form.width, form.phases).bank_conflicts(),
                std::stoul(word.substr(equals + 1)))
          << word << ": " << elements;
      ++compared;
    }
  }
  EXPECT_EQ(compared, 35 * 11);
}

TEST(BankCost, PhasesOfAtomicsAreThoseOfTheSite) {
  trace::Site site;
  site.space = trace::MemorySpace::shared;
  site.operation = trace::Operation::atomic, site.opcode = "atom.shared.add.u32";
  EXPECT_EQ(phases_of(site), Phases::fixed);
  site.turns = trace::Turns::lanes;
  EXPECT_EQ(phases_of(site), Phases::each_lane);
  site.turns = trace::Turns::lanes_of_part;
  EXPECT_EQ(phases_of(site), Phases::each_lane_of_part);
}

TEST(BankCost, PhasesWithoutAnExecutedLaneCostNothing) {
  EXPECT_EQ(bank_cost_affine(0, 8, LaneMask::first(16), 8, Phases::joined).wavefronts, 1u);
  EXPECT_EQ(bank_cost_affine(0, 8, LaneMask::first(17), 8, Phases::joined).wavefronts, 2u);
  EXPECT_EQ(bank_cost_affine(0, 16, LaneMask::first(8), 16, Phases::joined).ideal_wavefronts, 1u);
  EXPECT_EQ(bank_cost_affine(0, 16, {0x80000001u}, 16, Phases::joined).ideal_wavefronts, 2u);
  EXPECT_EQ(bank_cost_affine(0, 16, {0xff00ff00u}, 16, Phases::joined).ideal_wavefronts, 2u);
}

TEST(BankCost, DegreesOfTheStridedReduction) {
  // 256 threads, index = 2·step·tid, the loads of both operands: the degree at steps 1, 2, 4, 8, 16 is 2, 4, 8, 8, 8.
  const std::map<int, unsigned> expected{{1, 2}, {2, 4}, {4, 8}, {8, 8}, {16, 8}};
  for (const auto& [step, degree] : expected) {
    const int lanes = std::min(32, 256 / (2 * step));
    const RequestCost cost = bank_cost_affine(0, 4 * 2 * step, LaneMask::first(lanes), 4, Phases::joined);
    EXPECT_EQ(cost.wavefronts, degree) << step;
  }
}

TEST(BankCost, StridedReductionOfTwoBlocksOf64) {
  // Counted on an H200: 20 shared-load conflicts. A halving loads smem[index] and smem[index + step]; both blocks do
  // the same.
  unsigned conflicts = 0;
  for (int step = 1; step < 64; step *= 2) {
    const int threads = 64 / (2 * step);
    for (int warp = 0; warp * 32 < threads; ++warp) {
      const LaneMask lanes = LaneMask::first(std::min(32, threads - 32 * warp));
      conflicts += bank_cost_affine(4ull * 2 * step * 32 * warp, 8 * step, lanes, 4, Phases::joined).bank_conflicts();
      conflicts +=
          bank_cost_affine(4ull * (2 * step * 32 * warp + step), 8 * step, lanes, 4, Phases::joined).bank_conflicts();
    }
  }
  EXPECT_EQ(2 * conflicts, 20u);
}

TEST(BankCost, TrapBroadcastIsNoConflict) {
  EXPECT_EQ(bank_cost_affine(640, 0, LaneMask::all(), 4, Phases::joined).wavefronts, 1u);
  // Two halves share a word: lanes 2i and 2i+1 the same word, 16 banks.
  EXPECT_EQ(bank_cost_affine(0, 2, LaneMask::all(), 2, Phases::joined).wavefronts, 1u);
  // Groups of lanes on words of one bank: as many wavefronts as distinct words, not as lanes.
  Addresses addresses{};
  for (int lane = 0; lane < 32; ++lane) addresses[lane] = 128 * static_cast<std::uint64_t>(lane / 8);
  EXPECT_EQ(bank_cost(addresses, LaneMask::all(), 4, Phases::joined).wavefronts, 4u);
}

TEST(BankCost, TransposeColumnAndItsPaddingCure) {
  EXPECT_EQ(bank_cost_affine(0, 128, LaneMask::all(), 4, Phases::joined).wavefronts, 32u);
  EXPECT_EQ(bank_cost_affine(0, 132, LaneMask::all(), 4, Phases::joined).wavefronts, 1u);
}

TEST(SerialDepth, LanesOnTheFullestAddress) {
  Addresses addresses{};
  for (int lane = 0; lane < 32; ++lane) addresses[lane] = line + 2 * (static_cast<std::uint64_t>(lane) % 8);
  EXPECT_EQ(sector_cost(addresses, LaneMask::all(), 2).serial_depth, 4u);
  // Overlapping accesses without a common address have depth 1.
  EXPECT_EQ(sector_cost_affine(line, 2, LaneMask::all(), 4).serial_depth, 1u);
}

TEST(CostOfEvent, FollowsTheSpaceItFellIn) {
  trace::Trace trace;
  trace::Site site;
  site.kind = trace::EventKind::memory;
  site.operation = trace::Operation::load;
  site.width = 4;
  trace.sites = {site};
  trace::WarpEvent event;
  event.kind = trace::EventKind::memory;
  event.executed = LaneMask::all();
  event.stride = 8;
  event.space = trace::MemorySpace::global;
  EXPECT_EQ(cost(trace, event).sectors, 8u);
  EXPECT_EQ(cost(trace, event).wavefronts, 0u);
  event.space = trace::MemorySpace::shared;
  EXPECT_EQ(cost(trace, event).sectors, 0u);
  EXPECT_EQ(cost(trace, event).wavefronts, 2u);
  event.space = trace::MemorySpace::constant;
  EXPECT_EQ(cost(trace, event).sectors, 0u);
  EXPECT_EQ(cost(trace, event).bytes_requested, 128u);
  event.space = trace::MemorySpace::global;
  event.side = 0;
  event.executed = {0x80000001u};
  trace.addresses = {line, line + 64};
  EXPECT_EQ(cost(trace, event).sectors, 2u);
  event.kind = trace::EventKind::barrier;
  EXPECT_EQ(cost(trace, event), RequestCost{});
}

}  // namespace
}  // namespace lanescope::metrics
