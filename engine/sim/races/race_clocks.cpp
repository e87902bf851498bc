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

// Leaving a barrier. A lane that leaves has reached it: what it knew is among what was gathered.
class FencesToAll {
 public:
  FencesToAll(const GatheredFences& gathered, std::uint32_t block)
      : before_{gathered.before_of_block.all(block), gathered.before_of_grid.all(block)},
        observed_{gathered.observed_of_block.all(block), gathered.observed_of_grid.all(block)} {}
  void give(WarpClocks& warp, std::size_t lane) const {
    if (before_.empty() && observed_.empty()) return;
    LaneFences& fences = warp.fences_of(static_cast<std::uint32_t>(lane));
    fences.before = before_;
    fences.observed = observed_;
  }

 private:
  SequentialFences before_, observed_;
};

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

void GatheredClock::add(const GridClock& what, std::uint32_t block) {
  if (what == nullptr || what == last_) return;
  last_ = what;
  const ThreadClocks* const own = find(what, block);
  if (own != nullptr) {
    own_.resize(own->size());
    raise(own_.data(), own->data(), own->size());
  }
  if (what->size() > (own != nullptr ? 1u : 0u)) others_ = join(others_, what);
}

GridClock GatheredClock::all(std::uint32_t block) const {
  if (own_.empty()) return others_;
  auto own = std::make_shared<GridEntries>();
  own->emplace_back(block, std::make_shared<const ThreadClocks>(own_));
  return join(others_, GridClock(std::move(own)));
}

void GatheredFences::add(const WarpClocks& warp, std::uint32_t lane, std::uint32_t block) {
  if (warp.fences == nullptr) return;
  const LaneFences& fences = (*warp.fences)[lane];
  before_of_block.add(fences.before.of_block, block);
  before_of_grid.add(fences.before.of_grid, block);
  observed_of_block.add(fences.observed.of_block, block);
  observed_of_grid.add(fences.observed.of_grid, block);
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
  GatheredFences fences;
  LaneMask{lanes}.for_each([&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    raise(row.data(), warp.known[l].data(), 32);
    block = join(block, warp.block[l]);
    grid = join(grid, warp.grid[l]);
    fences.add(warp, static_cast<std::uint32_t>(lane), block_);
  });
  LaneMask{lanes}.for_each([&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    row[l] = std::max(row[l], warp.now[l]);
  });
  const FencesToAll to_all(fences, block_);
  LaneMask{lanes}.for_each([&](int lane) {
    const auto l = static_cast<std::size_t>(lane);
    warp.known[l] = row;
    warp.block[l] = block;
    warp.grid[l] = grid;
    to_all.give(warp, l);
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
    barrier.fences.add(warp, static_cast<std::uint32_t>(lane), block_);
    ++warp.now[l];
  });
  warp.position = 0;
  if (waits) barrier.waiting[index] |= lanes;
}

void BlockClocks::open(std::uint32_t number) {
  BarrierClocks& barrier = barriers_[number];
  const BlockClock all = std::make_shared<const ThreadClocks>(std::move(barrier.threads));
  const FencesToAll to_all(barrier.fences, block_);
  for (std::size_t w = 0; w < barrier.waiting.size(); ++w)
    LaneMask{barrier.waiting[w]}.for_each([&](int lane) {
      const auto l = static_cast<std::size_t>(lane);
      WarpClocks& warp = *warps_[w];
      warp.block[l] = all;
      warp.grid[l] = barrier.grid;
      to_all.give(warp, l);
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
  // What the lane knows of its own block by other blocks is in `own` too.
  auto entries =
      warp.grid[lane] != nullptr ? std::make_shared<GridEntries>(*warp.grid[lane]) : std::make_shared<GridEntries>();
  const auto at = std::ranges::lower_bound(*entries, block_, {}, &GridEntries::value_type::first);
  if (at != entries->end() && at->first == block_)
    at->second = std::move(own);
  else
    entries->emplace(at, block_, std::move(own));
  return entries;
}

void BlockClocks::acquire(std::uint32_t index, std::uint32_t lane, const GridClock& what) {
  if (what == nullptr) return;
  WarpClocks& warp = *warps_[index];
  warp.grid[lane] = grids_(warp.grid[lane], what);
  for (const auto& [block, clocks] : *what) {
    if (block != block_) continue;
    warp.block[lane] = blocks_(warp.block[lane], clocks);
    raise(warp.known[lane].data(), clocks->data() + std::size_t{index} * 32, 32);
  }
}

}  // namespace lanescope::sim
