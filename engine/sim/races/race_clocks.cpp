#include "sim/races/race_clocks.h"

#include <algorithm>

#include "core/lane_mask.h"

namespace lanescope::sim {

namespace {

bool covers(const ThreadClocks& a, const ThreadClocks& b) {
  bool all = true;
  for (std::size_t i = 0; i < a.size(); ++i) all &= a[i] >= b[i];
  return all;
}

void raise(std::uint32_t* to, const std::uint32_t* from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) to[i] = std::max(to[i], from[i]);
}

void gather_fences(const WarpClocks& warp, std::size_t lane, SequentialFences& before, SequentialFences& observed) {
  if (warp.fences == nullptr) return;
  before.add((*warp.fences)[lane].before);
  observed.add((*warp.fences)[lane].observed);
}

// A lane that leaves a barrier which it has reached itself: what it knew is among what was gathered.
void hand_out_fences(WarpClocks& warp, std::size_t lane, const SequentialFences& before,
                     const SequentialFences& observed) {
  if (before.empty() && observed.empty()) return;
  LaneFences& fences = warp.fences_of(static_cast<std::uint32_t>(lane));
  fences.before = before;
  fences.observed = observed;
}

}  // namespace

BlockClock join(const BlockClock& a, const BlockClock& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr || covers(*b, *a)) return b;
  if (covers(*a, *b)) return a;
  auto both = std::make_shared<ThreadClocks>(*a);
  raise(both->data(), b->data(), b->size());
  return both;
}

GridClock join(const GridClock& a, const GridClock& b) {
  if (a == b || b == nullptr) return a;
  if (a == nullptr) return b;
  auto both = std::make_shared<GridEntries>();
  both->reserve(std::max(a->size(), b->size()));
  bool is_a = true, is_b = true;
  auto i = a->begin(), j = b->begin();
  while (i != a->end() || j != b->end()) {
    if (j == b->end() || (i != a->end() && i->first < j->first)) {
      is_b = false;
      both->push_back(*i++);
    } else if (i == a->end() || j->first < i->first) {
      is_a = false;
      both->push_back(*j++);
    } else {
      BlockClock joined = join(i->second, j->second);
      is_a &= joined == i->second;
      is_b &= joined == j->second;
      both->emplace_back(i->first, std::move(joined));
      ++i, ++j;
    }
  }
  return is_a ? a : is_b ? b : both;
}

const ThreadClocks* find(const GridClock& clock, std::uint32_t block) {
  if (clock == nullptr) return nullptr;
  const auto at = std::lower_bound(clock->begin(), clock->end(), block,
                                   [](const auto& entry, std::uint32_t wanted) { return entry.first < wanted; });
  return at != clock->end() && at->first == block ? at->second.get() : nullptr;
}

BlockClocks::BlockClocks(std::uint32_t block, std::uint32_t warps) : block_(block) {
  warps_.resize(warps);
  for (auto& warp : warps_) warp = std::make_unique<WarpClocks>();
}

void BlockClocks::sync_lanes(std::uint32_t index, std::uint32_t lanes) {
  WarpClocks& warp = *warps_[index];
  std::array<std::uint32_t, 32> row{};
  BlockClock block;
  GridClock grid;
  SequentialFences before, observed;
  LaneMask{lanes}.for_each([&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    raise(row.data(), warp.known[l].data(), 32);
    block = join(block, warp.block[l]);
    grid = join(grid, warp.grid[l]);
    gather_fences(warp, l, before, observed);
  });
  LaneMask{lanes}.for_each([&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    row[l] = std::max(row[l], warp.now[l]);
  });
  LaneMask{lanes}.for_each([&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    warp.known[l] = row;
    warp.block[l] = block;
    warp.grid[l] = grid;
    hand_out_fences(warp, l, before, observed);
    ++warp.now[l];
  });
  warp.position = 0;
}

void BlockClocks::arrive(std::uint32_t index, std::uint32_t lanes, std::uint32_t number, bool waits) {
  BarrierClocks& barrier = barriers_[number];
  barrier.threads.resize(warps_.size() * 32);
  barrier.waiting.resize(warps_.size());
  WarpClocks& warp = *warps_[index];
  std::uint32_t* const row = barrier.threads.data() + std::size_t{index} * 32;
  LaneMask{lanes}.for_each([&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    raise(row, warp.known[l].data(), 32);
    row[l] = std::max(row[l], warp.now[l]);
    if (warp.block[l] != nullptr && warp.block[l] != barrier.joined) {
      barrier.joined = warp.block[l];
      raise(barrier.threads.data(), barrier.joined->data(), barrier.threads.size());
    }
    barrier.grid = join(barrier.grid, warp.grid[l]);
    gather_fences(warp, l, barrier.before, barrier.observed);
    ++warp.now[l];
  });
  warp.position = 0;
  if (waits) barrier.waiting[index] |= lanes;
}

void BlockClocks::open(std::uint32_t number) {
  BarrierClocks& barrier = barriers_[number];
  const BlockClock all = std::make_shared<const ThreadClocks>(std::move(barrier.threads));
  for (std::size_t w = 0; w < barrier.waiting.size(); ++w)
    LaneMask{barrier.waiting[w]}.for_each([&](int lane) {
      const auto l = static_cast<std::size_t>(lane);
      WarpClocks& warp = *warps_[w];
      warp.block[l] = all;
      warp.grid[l] = barrier.grid;
      hand_out_fences(warp, l, barrier.before, barrier.observed);
      std::copy_n(all->begin() + static_cast<std::ptrdiff_t>(w * 32), 32, warp.known[l].begin());
    });
  barrier = {};
}

GridClock BlockClocks::release(std::uint32_t index, std::uint32_t lane) {
  WarpClocks& warp = *warps_[index];
  auto own = warp.block[lane] != nullptr ? std::make_shared<ThreadClocks>(*warp.block[lane])
                                         : std::make_shared<ThreadClocks>(warps_.size() * 32);
  raise(own->data() + std::size_t{index} * 32, warp.known[lane].data(), 32);
  (*own)[std::size_t{index} * 32 + lane] = warp.now[lane]++;
  auto entries = std::make_shared<GridEntries>();
  entries->emplace_back(block_, std::move(own));
  return join(warp.grid[lane], GridClock(std::move(entries)));
}

void BlockClocks::acquire(std::uint32_t index, std::uint32_t lane, const GridClock& what) {
  if (what == nullptr) return;
  WarpClocks& warp = *warps_[index];
  warp.grid[lane] = join(warp.grid[lane], what);
  for (const auto& [block, clocks] : *what) {
    if (block != block_) continue;
    warp.block[lane] = join(warp.block[lane], clocks);
    raise(warp.known[lane].data(), clocks->data() + std::size_t{index} * 32, 32);
  }
}

}  // namespace lanescope::sim
