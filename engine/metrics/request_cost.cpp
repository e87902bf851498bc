#include "metrics/request_cost.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdlib>

namespace lanescope::metrics {
namespace {

using Addresses = std::array<std::uint64_t, 32>;
using trace::MemorySpace;

constexpr std::uint64_t sector_bytes = MemoryModel::sector_bytes;
constexpr std::uint64_t word_bytes = MemoryModel::bank_bytes;
constexpr std::uint64_t banks = MemoryModel::banks;

constexpr std::uint32_t ceil_div(std::uint32_t a, std::uint32_t b) {
  return (a + b - 1) / b;
}

constexpr std::uint32_t bits_set(std::uint32_t v) {
  return static_cast<std::uint32_t>(LaneMask{v}.count());
}

// The requested bytes per sector in a table of 128 slots; 32 lanes touch at most 64 sectors. Neighbouring sectors have
// different slots, so a request within 4 KiB never probes twice.
class SectorTable {
 public:
  // Marks `mask` (one bit per byte, `count` bits) in `sector`; false if one of them was already marked.
  bool mark(std::uint64_t sector, std::uint32_t mask, std::uint32_t count) {
    std::uint32_t slot = static_cast<std::uint32_t>(sector ^ (sector >> 7) ^ (sector >> 15)) % slots;
    while (asked_[slot] != 0 && sectors_[slot] != sector) slot = (slot + 1) % slots;
    const std::uint32_t before = asked_[slot];
    if (before == 0) {
      sectors_[slot] = sector;
      ++used_;
    }
    asked_[slot] = before | mask;
    const bool fresh = (before & mask) == 0;
    bytes_ += fresh ? count : bits_set(mask & ~before);
    return fresh;
  }
  std::uint32_t sectors() const { return used_; }
  std::uint32_t bytes() const { return bytes_; }

 private:
  static constexpr std::uint32_t slots = 128;
  std::array<std::uint32_t, slots> asked_{};
  std::array<std::uint64_t, slots> sectors_;
  std::uint32_t used_ = 0;
  std::uint32_t bytes_ = 0;
};

// The most lanes on one address.
std::uint32_t deepest(const Addresses& addresses, LaneMask executed) {
  constexpr std::uint32_t slots = 64;
  std::array<std::uint8_t, slots> lanes{};
  std::array<std::uint64_t, slots> keys;
  std::uint32_t depth = 0;
  executed.for_each([&](int lane) {
    const std::uint64_t address = addresses[lane];
    std::uint32_t slot = static_cast<std::uint32_t>((address * 0x9e3779b97f4a7c15ull) >> 58);
    while (lanes[slot] != 0 && keys[slot] != address) slot = (slot + 1) % slots;
    keys[slot] = address;
    depth = std::max<std::uint32_t>(depth, ++lanes[slot]);
  });
  return depth;
}

struct Coverage {
  std::uint32_t sectors = 0, bytes = 0, depth = 0;
};

Coverage coverage(const Addresses& addresses, LaneMask executed, int width) {
  SectorTable table;
  bool disjoint = true;
  const auto bytes = static_cast<std::uint32_t>(width);
  const std::uint32_t all = width == 32 ? ~0u : (1u << width) - 1u;
  executed.for_each([&](int lane) {
    const std::uint64_t address = addresses[lane];
    const auto within = static_cast<std::uint32_t>(address % sector_bytes);
    const std::uint64_t sector = address / sector_bytes;
    if (within + bytes <= sector_bytes) {
      disjoint &= table.mark(sector, all << within, bytes);
    } else {
      constexpr std::uint64_t last_sector = ~std::uint64_t{0} / sector_bytes;
      const std::uint32_t here = MemoryModel::sector_bytes - within;
      disjoint &= table.mark(sector, all << within, here);
      disjoint &= table.mark((sector + 1) & last_sector, all >> here, bytes - here);
    }
  });
  return {table.sectors(), table.bytes(), disjoint ? 1u : deepest(addresses, executed)};
}

// Counts the distinct words of each bank.
class BankTable {
 public:
  void mark(std::uint64_t word) {
    const std::size_t bank = word % banks;
    const std::uint64_t row = word / banks;
    auto& rows = rows_[bank];
    const std::uint32_t held = held_[bank];
    for (std::uint32_t i = 0; i < held; ++i)
      if (rows[i] == row) return;
    rows[held] = row;
    held_[bank] = held + 1;
    degree_ = std::max(degree_, held + 1);
    ++words_;
  }
  std::uint32_t degree() const { return degree_; }
  std::uint32_t words() const { return words_; }

 private:
  // A lane has at most five consecutive words, so it adds at most one row to a bank.
  std::array<std::array<std::uint64_t, 32>, banks> rows_;
  std::array<std::uint32_t, banks> held_{};
  std::uint32_t degree_ = 0;
  std::uint32_t words_ = 0;
};

struct Words {
  std::uint32_t degree = 0;  // distinct words in the fullest bank
  std::uint32_t count = 0;   // distinct words in all banks
};

// The most lanes that access the same bank. `lanes`: those of one phase.
std::uint32_t most_lanes(const Addresses& addresses, LaneMask lanes, int width) {
  std::array<std::uint32_t, banks> turns{};
  std::uint32_t most = 0;
  lanes.for_each([&](int lane) {
    constexpr std::uint64_t words = ~std::uint64_t{0} / word_bytes;
    const std::uint64_t first = addresses[lane] / word_bytes;
    const std::uint64_t beyond = (addresses[lane] % word_bytes + static_cast<std::uint64_t>(width) - 1) / word_bytes;
    for (std::uint64_t i = 0; i <= beyond; ++i) most = std::max(most, ++turns[((first + i) & words) % banks]);
  });
  return most;
}

// `lanes`: the lanes of one phase, not empty.
Words phase_words(const Addresses& addresses, LaneMask lanes, int width) {
  // Within 64 rows of 32 words (8 KiB) the rows of a bank are bits of one number.
  std::uint64_t lowest = ~std::uint64_t{0}, highest = 0;
  lanes.for_each([&](int lane) {
    lowest = std::min(lowest, addresses[lane]);
    highest = std::max(highest, addresses[lane]);
  });
  const std::uint64_t last_offset = static_cast<std::uint64_t>(width) - 1;
  constexpr std::uint64_t row_bytes = word_bytes * banks;
  const std::uint64_t base_row = lowest / row_bytes;
  if (highest <= ~std::uint64_t{0} - last_offset && (highest + last_offset) / row_bytes - base_row < 64) {
    std::array<std::uint64_t, banks> rows{};
    std::array<std::uint8_t, banks> held{};
    Words words;
    lanes.for_each([&](int lane) {
      const std::uint64_t offset = addresses[lane] - base_row * row_bytes;
      const std::uint64_t last = (offset + last_offset) / word_bytes;
      for (std::uint64_t word = offset / word_bytes; word <= last; ++word) {
        const std::uint64_t row = word / banks;
        const std::size_t bank = word % banks;
        const auto fresh = static_cast<std::uint8_t>(~(rows[bank] >> row) & 1);
        rows[bank] |= std::uint64_t{1} << row;
        held[bank] = static_cast<std::uint8_t>(held[bank] + fresh);
        words.count += fresh;
        words.degree = std::max<std::uint32_t>(words.degree, held[bank]);
      }
    });
    return words;
  }
  BankTable table;
  lanes.for_each([&](int lane) {
    const std::uint64_t address = addresses[lane];
    constexpr std::uint64_t words = ~std::uint64_t{0} / word_bytes;
    const std::uint64_t first = address / word_bytes;
    const std::uint64_t count = (address % word_bytes + last_offset) / word_bytes + 1;
    for (std::uint64_t i = 0; i < count; ++i) table.mark((first + i) & words);
  });
  return {table.degree(), table.words()};
}

// The executing lanes of an affine request in ascending order of address: the kth has offset stride × position, with
// positions ascending from 0 and stride ≥ 0.
struct Ascending {
  std::uint64_t start = 0;      // lowest address
  std::uint64_t stride = 0;     // between executing lanes if `even`, else between lane numbers
  std::uint32_t positions = 0;  // bit i: position i has a lane; unused if `even`
  std::uint32_t count = 0;      // lanes
  bool even = false;
  std::uint64_t span(int width) const {  // bytes from the first to the last requested byte
    const std::uint32_t last = even ? count - 1 : 31 - static_cast<std::uint32_t>(std::countl_zero(positions));
    return stride * last + static_cast<std::uint64_t>(width);
  }
};

constexpr std::uint32_t reversed(std::uint32_t v) {
  v = (v >> 1 & 0x55555555u) | (v & 0x55555555u) << 1;
  v = (v >> 2 & 0x33333333u) | (v & 0x33333333u) << 2;
  v = (v >> 4 & 0x0f0f0f0fu) | (v & 0x0f0f0f0fu) << 4;
  v = (v >> 8 & 0x00ff00ffu) | (v & 0x00ff00ffu) << 8;
  return v >> 16 | v << 16;
}

// every[s]: bits 0, s, 2s, …
constexpr auto every = [] {
  std::array<std::uint32_t, 32> masks{};
  for (int step = 1; step < 32; ++step)
    for (int bit = 0; bit < 32; bit += step) masks[step] |= 1u << bit;
  return masks;
}();

// `executed` must not be empty.
Ascending ascending(std::uint64_t first, std::int64_t stride, LaneMask executed) {
  std::uint32_t positions = executed.bits >> executed.lowest();
  const int last = 31 - std::countl_zero(positions);
  Ascending result;
  result.start = first;
  if (stride < 0) {
    result.start = first + static_cast<std::uint64_t>(stride * last);
    stride = -stride;
    positions = reversed(positions) >> (31 - last);
  }
  result.stride = static_cast<std::uint64_t>(stride);
  result.positions = positions;
  result.count = bits_set(positions);
  if (result.count == 1) {
    result.even = true;
  } else {
    const int step = std::countr_zero(positions & ~1u);
    const std::uint32_t up_to_last = 0xffffffffu >> (31 - last);
    if ((every[step] & up_to_last) == positions) {
      result.even = true;
      result.stride *= static_cast<std::uint64_t>(step);
    }
  }
  return result;
}

std::uint32_t distinct_bytes(const Ascending& lanes, int width_in) {
  const auto width = static_cast<std::uint64_t>(width_in);
  if (lanes.count == 1 || lanes.stride == 0) return static_cast<std::uint32_t>(width);
  if (lanes.stride >= width) return static_cast<std::uint32_t>(width * lanes.count);
  if (lanes.even) return static_cast<std::uint32_t>(lanes.span(width_in));
  std::uint64_t bytes = 0, next = 0;  // next: the first byte that is not counted yet
  LaneMask{lanes.positions}.for_each([&](int position) {
    const std::uint64_t offset = lanes.stride * static_cast<std::uint64_t>(position);
    bytes += offset + width - std::max(offset, next);
    next = offset + width;
  });
  return static_cast<std::uint32_t>(bytes);
}

std::uint32_t distinct_sectors(const Ascending& lanes, int width_in) {
  const auto width = static_cast<std::uint64_t>(width_in);
  const std::uint64_t phase = lanes.start % sector_bytes;
  const auto sectors_of = [&](std::uint64_t bytes) {
    return static_cast<std::uint32_t>((phase + bytes - 1) / sector_bytes + 1);
  };
  if (lanes.count == 1 || lanes.stride == 0) return sectors_of(width);
  if (lanes.even) {
    // No gap is as wide as a sector, so every sector from the first to the last is touched.
    if (lanes.stride < width + sector_bytes) return sectors_of(lanes.span(width_in));
    // From here on, no two lanes share a sector.
    const bool never_straddles = std::has_single_bit(width) && ((phase | lanes.stride) & (width - 1)) == 0;
    if (never_straddles) return lanes.count;
    if (lanes.stride % sector_bytes == 0) return lanes.count * sectors_of(width);
  }
  std::uint64_t sectors = 0, next = 0;  // next: the first sector that is not counted yet
  const LaneMask positions{lanes.even ? LaneMask::first(static_cast<int>(lanes.count)).bits : lanes.positions};
  positions.for_each([&](int position) {
    const std::uint64_t offset = phase + lanes.stride * static_cast<std::uint64_t>(position);
    const std::uint64_t begin = std::max(offset / sector_bytes, next);
    const std::uint64_t end = (offset + width - 1) / sector_bytes + 1;
    sectors += end - std::min(end, begin);
    next = end;
  });
  return static_cast<std::uint32_t>(sectors);
}

// Distinct words in the fullest bank for the lanes of one phase.
std::uint32_t phase_degree(const Ascending& lanes, int width_in) {
  const auto width = static_cast<std::uint64_t>(width_in);
  if (lanes.count == 1 || lanes.stride == 0) return 1;
  const std::uint64_t span = lanes.span(width_in);
  const std::uint64_t words = (lanes.start % word_bytes + span - 1) / word_bytes + 1;
  if (words <= banks) return 1;
  if (lanes.even) {
    // Every word from the first to the last is requested.
    if (lanes.stride < width + word_bytes) return ceil_div(static_cast<std::uint32_t>(words), banks);
    // Each lane has its own aligned unit (one, two or four words). The units fall in 128 ÷ unit columns at even
    // distances.
    const std::uint64_t unit = std::max(width, word_bytes);
    if (std::has_single_bit(width) && ((lanes.start | lanes.stride) & (unit - 1)) == 0) {
      const int unit_shift = std::countr_zero(unit);
      const int columns_shift = 7 - unit_shift;
      const int period_shift = columns_shift - std::min(columns_shift, std::countr_zero(lanes.stride) - unit_shift);
      return ((lanes.count - 1) >> period_shift) + 1;
    }
  }
  // The order of the lanes does not affect the banks.
  Addresses addresses{};
  const LaneMask positions{lanes.even ? LaneMask::first(static_cast<int>(lanes.count)).bits : lanes.positions};
  positions.for_each(
      [&](int position) { addresses[position] = lanes.start + lanes.stride * static_cast<std::uint64_t>(position); });
  return phase_words(addresses, positions, width_in).degree;
}

// The executing lanes whose bit `apart` (1 or 2) of their number is clear and whose partner with that bit executes too.
LaneMask paired_lanes(LaneMask executed, int apart) {
  const std::uint32_t lower = apart == 1 ? 0x55555555u : 0x33333333u;
  return {executed.bits & executed.bits >> apart & lower};
}

int phases_at_most(int width, bool joined) {
  const int count = width <= 4 ? 1 : width <= 8 ? 2 : 4;
  return joined && count > 1 ? count / 2 : count;
}

RequestCost from_coverage(const Coverage& covered) {
  RequestCost cost;
  cost.sectors = covered.sectors;
  cost.bytes_requested = covered.bytes;
  cost.ideal_sectors = ceil_div(covered.bytes, MemoryModel::sector_bytes);
  cost.serial_depth = covered.depth;
  return cost;
}

}  // namespace

// Not generic loads (LD), whose phases do not join on an H200. Matrix loads (ldmatrix, wmma.load) have instructions of
// their own.
Phases phases_of(const trace::Site& site) {
  if (site.turns == trace::Turns::lanes) return Phases::each_lane;
  if (site.turns == trace::Turns::lanes_of_part) return Phases::each_lane_of_part;
  const bool is_load = site.operation == trace::Operation::load && site.opcode.starts_with("ld.");
  return is_load && site.space == MemorySpace::shared ? Phases::joined : Phases::fixed;
}

RequestCost sector_cost(const Addresses& addresses, LaneMask executed, int width) {
  assert(width >= 1 && width <= 32);
  if (executed.empty()) return {};
  return from_coverage(coverage(addresses, executed, width));
}

RequestCost bank_cost(const Addresses& addresses, LaneMask executed, int width, Phases phases) {
  assert(width >= 1 && width <= 16);
  if (executed.empty()) return {};
  RequestCost cost;
  Words words;
  const bool each = serves_each_lane(phases, executed);
  const int count = phase_count(addresses, executed, width, phases);
  for (int phase = 0; phase < count; ++phase) {
    const LaneMask lanes = executed & phase_lanes(phase, count);
    if (lanes.empty()) continue;
    words = phase_words(addresses, lanes, width);
    cost.wavefronts += each ? most_lanes(addresses, lanes, width) : words.degree;
    cost.ideal_wavefronts += 1;
  }
  std::uint64_t misaligned = 0;
  executed.for_each([&](int lane) { misaligned |= addresses[lane] % word_bytes; });
  if (width == word_bytes && misaligned == 0) {  // bytes and words give the same result
    cost.bytes_requested = words.count * MemoryModel::bank_bytes;
    cost.serial_depth = words.count == bits_set(executed.bits) ? 1 : deepest(addresses, executed);
  } else {
    const Coverage covered = coverage(addresses, executed, width);
    cost.bytes_requested = covered.bytes;
    cost.serial_depth = covered.depth;
  }
  return cost;
}

RequestCost sector_cost_affine(std::uint64_t first, std::int32_t stride, LaneMask executed, int width) {
  assert(width >= 1 && width <= 32);
  if (executed.empty()) return {};
  const Ascending lanes = ascending(first, stride, executed);
  return from_coverage(
      {distinct_sectors(lanes, width), distinct_bytes(lanes, width), lanes.stride == 0 ? lanes.count : 1});
}

RequestCost bank_cost_affine(std::uint64_t first, std::int32_t stride, LaneMask executed, int width, Phases phases) {
  assert(width >= 1 && width <= 16);
  if (executed.empty()) return {};
  const bool share_no_word = (first | static_cast<std::uint64_t>(std::int64_t{stride})) % word_bytes == 0 &&
                             std::int64_t{width} <= std::abs(std::int64_t{stride});
  if (serves_each_lane(phases, executed) && !share_no_word) {
    Addresses addresses{};
    executed.for_each([&](int lane) {
      addresses[lane] = first + static_cast<std::uint64_t>(std::int64_t{stride} * (lane - executed.lowest()));
    });
    return bank_cost(addresses, executed, width, phases);
  }
  RequestCost cost;
  const Ascending whole = ascending(first, stride, executed);
  // Two lanes have the same address only if all have.
  const bool neighbours_agree = stride == 0 || paired_lanes(executed, 1).empty() || paired_lanes(executed, 2).empty();
  const int count = phases_at_most(width, phases == Phases::joined && neighbours_agree);
  if (count == 1) {
    cost.wavefronts = phase_degree(whole, width);
    cost.ideal_wavefronts = 1;
  } else {
    const int low = executed.lowest();
    for (int phase = 0; phase < count; ++phase) {
      const LaneMask lanes = executed & phase_lanes(phase, count);
      if (lanes.empty()) continue;
      const std::int64_t ahead = std::int64_t{stride} * (lanes.lowest() - low);
      cost.wavefronts += phase_degree(ascending(first + static_cast<std::uint64_t>(ahead), stride, lanes), width);
      cost.ideal_wavefronts += 1;
    }
  }
  cost.bytes_requested = distinct_bytes(whole, width);
  cost.serial_depth = whole.stride == 0 ? whole.count : 1;
  return cost;
}

int phase_count(const Addresses& addresses, LaneMask executed, int width, Phases phases) {
  const auto agree = [&](int apart) {
    bool same = true;
    paired_lanes(executed, apart).for_each([&](int lane) { same &= addresses[lane] == addresses[lane + apart]; });
    return same;
  };
  return phases_at_most(width, phases == Phases::joined && width > 4 && (agree(1) || agree(2)));
}

int bank_degree(const Addresses& addresses, LaneMask executed, int width, Phases phases) {
  std::uint32_t degree = 0;
  const bool each = serves_each_lane(phases, executed);
  const int count = phase_count(addresses, executed, width, phases);
  for (int phase = 0; phase < count; ++phase) {
    const LaneMask lanes = executed & phase_lanes(phase, count);
    if (lanes.empty()) continue;
    degree = std::max(degree, each ? most_lanes(addresses, lanes, width) : phase_words(addresses, lanes, width).degree);
  }
  return static_cast<int>(degree);
}

namespace {
RequestCost bytes_only(const RequestCost& cost) {
  RequestCost result;
  result.bytes_requested = cost.bytes_requested;
  return result;
}
}  // namespace

RequestCost cost_in(MemorySpace space, const Addresses& addresses, LaneMask executed, int width, Phases phases) {
  switch (space) {
    case MemorySpace::shared:
      return bank_cost(addresses, executed, width, phases);
    case MemorySpace::global:
    case MemorySpace::local:
      return sector_cost(addresses, executed, width);
    case MemorySpace::distributed: {
      RequestCost cost = sector_cost(addresses, executed, width);
      cost.sectors = cost.ideal_sectors = 0;
      return cost;
    }
    default:
      return bytes_only(sector_cost(addresses, executed, width));
  }
}

RequestCost cost_in_affine(MemorySpace space, std::uint64_t first, std::int32_t stride, LaneMask executed, int width,
                           Phases phases) {
  switch (space) {
    case MemorySpace::shared:
      return bank_cost_affine(first, stride, executed, width, phases);
    case MemorySpace::global:
    case MemorySpace::local:
      return sector_cost_affine(first, stride, executed, width);
    case MemorySpace::distributed: {
      RequestCost cost = sector_cost_affine(first, stride, executed, width);
      cost.sectors = cost.ideal_sectors = 0;
      return cost;
    }
    default:
      return bytes_only(sector_cost_affine(first, stride, executed, width));
  }
}

RequestCost cost(const trace::Trace& trace, const trace::WarpEvent& event) {
  if (event.kind != trace::EventKind::memory) return {};
  const trace::Site& site = trace.sites[event.site];
  const Phases phases = phases_of(site);
  if (event.affine())
    return cost_in_affine(event.space, event.first_address, event.stride, event.executed, site.width, phases);
  return cost_in(event.space, trace.lane_addresses(event), event.executed, site.width, phases);
}

}  // namespace lanescope::metrics
