#include "sim/races/races.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <tuple>

#include <fmt/format.h>

#include "core/lane_mask.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"
#include "sim/races/swap_loops.h"

namespace lanescope::sim {

namespace {

constexpr std::size_t not_listed = ~std::size_t{0};

// The bytes that a lane will store.
std::array<std::byte, 32> stored_bytes(const MemoryOp& store, const std::byte* registers, std::uint32_t lane) {
  std::array<std::byte, 32> bytes{};
  for (std::uint32_t e = 0; e < store.elements; ++e)
    std::memcpy(bytes.data() + e * store.element_bytes,
                registers + store.value[e] + std::size_t{lane} * store.register_bytes, store.element_bytes);
  return bytes;
}

// The bytes of the word at `word` that lie in [first, last).
std::uint32_t bytes_in_word(std::uint64_t word, std::uint64_t first, std::uint64_t last) {
  std::uint32_t bytes = 0;
  for (std::uint32_t i = 0; i < 4; ++i)
    if (word + i >= first && word + i < last) bytes |= 1u << i;
  return bytes;
}

}  // namespace

RaceDetector::RaceDetector(const Program& program, const trace::Launch& launch, const GlobalMemory& memory,
                           std::uint32_t shared_end, std::int64_t budget_bytes)
    : memory_(memory),
      shared_end_(shared_end),
      clusters_{launch.grid, launch.cluster},
      warps_(launch.warps_per_block()),
      budget_{budget_bytes} {
  report_.looked = true;
  const auto before_swaps = first_reads_of_swaps(program.module);
  for (const ptx::Instruction* instruction : program.site_instruction) {
    sites_.push_back(order_of(*instruction));
    sites_.back().before_swap = before_swaps.contains(instruction);
    sites_.back().of_tile = is_code_of_tiles(program.module, *instruction);
    const ptx::Opcode opcode = instruction->opcode;
    has_async_readers_ |= opcode == ptx::opcodes::cp_async_bulk || opcode == ptx::opcodes::cp_reduce_async_bulk ||
                          opcode == ptx::opcodes::wgmma;
  }
  for (const Region& region : memory.regions()) regions_.emplace_back(region.bytes);
}

void RaceDetector::forget(const Region& region) {
  if (region.index >= regions_.size()) return;
  regions_[region.index].clear(budget_);
  regions_[region.index] = ShadowMemory();
}

RaceDetector::SiteOrder RaceDetector::order_of(const ptx::Instruction& instruction) {
  SiteOrder order;
  const auto has = [&](const char* modifier) { return instruction.has(modifier); };
  const bool atomic = instruction.opcode == ptx::opcodes::atom || instruction.opcode == ptx::opcodes::red;
  // mbarrier.inval counts as an atomic, not as a write. Any access after it is a fault anyway, and libcu++'s pipelines,
  // whose last warp invalidates the object, do not order it after the wait of each lane.
  if (ptx::info(instruction.opcode).category == ptx::Category::mbarrier) {
    const bool begins = instruction.opcode == ptx::opcodes::mbarrier_init;
    order.kind = begins ? ShadowAccess::write : ShadowAccess::atomic;
    order.strong = !begins;
    order.unit = 8;
    return order;
  }
  order.kind = atomic ? ShadowAccess::atomic
               : instruction.opcode == ptx::opcodes::st || instruction.opcode == ptx::opcodes::tensormap
                   ? ShadowAccess::write
                   : ShadowAccess::read;
  order.swaps = atomic && instruction.atomic == ptx::AtomicOp::cas;
  order.acquires = has("acquire") || has("acq_rel");
  order.releases = has("release") || has("acq_rel");
  order.strong = atomic || order.acquires || order.releases || instruction.is_volatile || has("relaxed") || has("mmio");
  order.narrow = has("cta");
  order.unit = static_cast<std::uint8_t>(std::max(1, ptx::bytes_of(instruction.type)));
  // Each half of a packed atomic is a separate atomic.
  if (atomic && (instruction.type == ptx::Type::f16x2 || instruction.type == ptx::Type::bf16x2)) order.unit = 2;
  return order;
}

RaceDetector::Block& RaceDetector::of(std::uint32_t block) {
  if (last_ == nullptr || last_->clocks.block() != block) last_ = blocks_.at(block).get();
  return *last_;
}

void RaceDetector::begin_block(std::uint32_t block) {
  last_ = nullptr;
  blocks_[block] = std::make_unique<Block>(block, warps_, shared_end_);
}

void RaceDetector::end_block(std::uint32_t block) {
  last_ = nullptr;
  const auto at = blocks_.find(block);
  if (at == blocks_.end()) return;
  at->second->shadow.clear(budget_);
  blocks_.erase(at);
}

// ---- accesses ---------------------------------------------------------------------------------------

void RaceDetector::access(const Request& request) {
  if (report_.stopped) return;
  report_.watched += static_cast<std::uint64_t>(std::popcount(request.executed));
  if (watched_at_most_ != 0 && report_.effort() > watched_at_most_) report_.stopped = true;
  unfenced_.reset();
  Block& block = of(request.block);
  const std::uint32_t position = ++block.clocks.warp(request.warp).position;
  SiteOrder order = sites_[request.site];
  if (request.asynchronous) order = {.kind = ShadowAccess::write};
  if (request.reduces != 0) order = {.strong = true, .unit = request.reduces, .kind = ShadowAccess::atomic};
  if (request.reads_only) order = {.kind = ShadowAccess::read};
  std::uint32_t left = request.executed;
  while (left != 0) {
    // The lanes whose addresses are in the same memory.
    std::uint32_t together = left;
    const std::uint32_t owner_index = request.owner == Request::own ? request.block : request.owner;
    Block& owner = request.space == trace::MemorySpace::shared ? of(owner_index) : block;
    ShadowMemory* shadow = &owner.shadow;
    std::uint64_t base = 0, bytes = shared_end_;
    std::int32_t buffer = -1;
    if (request.space == trace::MemorySpace::global) {
      const auto first = static_cast<std::uint32_t>(LaneMask{left}.lowest());
      const Region* region = memory_.find(request.addresses[first]);
      if (region == nullptr || region->kind == RegionKind::constant) {
        left &= left - 1;
        continue;
      }
      LaneMask{left}.for_each([&](int lane) {
        const std::uint64_t address = request.addresses[static_cast<std::size_t>(lane)];
        if (address < region->address || address >= region->end()) together &= ~(1u << lane);
      });
      while (regions_.size() <= region->index) regions_.emplace_back();
      shadow = &regions_[region->index];
      if (region->kind == RegionKind::heap && !shadow->covers(region->bytes)) *shadow = ShadowMemory(region->bytes);
      base = region->address;
      bytes = region->bytes;
      buffer = static_cast<std::int32_t>(region->index);
    }
    left &= ~together;
    if (has_async_readers_ && request.space == trace::MemorySpace::shared) note_proxy(request, owner, order.kind);
    Mine mine{request, block, order, *shadow, buffer, owner_index, base, 0, 0, {}};
    owner.used_by_others |= &owner != &block;
    mine.access.warp = request.block * warps_ + request.warp;
    mine.access.position = position;
    mine.access.kind = order.kind & 3u;
    mine.access.strong = order.strong || order.before_swap;
    mine.access.narrow = order.narrow;
    mine.access.unit = static_cast<std::uint32_t>(std::countr_zero(unsigned{order.unit})) & 7u;
    mine.access.site = request.site & 0xfffffu;
    const bool collide = order.kind == ShadowAccess::write && collisions(request, mine);
    LaneMask{together}.for_each([&](int number) {
      const auto lane = static_cast<std::uint32_t>(number);
      const std::uint32_t width = request.widths[lane] != 0 ? request.widths[lane] : request.width;
      const std::uint64_t address = request.addresses[lane];
      if (address < base || address - base > bytes || bytes - (address - base) < width) return;  // faults anyway
      if (order.strong && !request.is_object && !request.asynchronous)
        for (std::uint32_t at = 0; at < width; at += order.unit) synchronise(mine, address + at, lane);
      check_lane(mine, lane, collide ? Step::check : Step::both);
    });
    // Lanes that write one word do not know of one another: what is in order for the first may race with the next.
    if (collide)
      LaneMask{together}.for_each([&](int lane) { check_lane(mine, static_cast<std::uint32_t>(lane), Step::insert); });
  }
}

// Bulk copies and products use the asynchronous proxy, everything else the generic one.
void RaceDetector::note_proxy(const Request& request, Block& owner, ShadowAccess::Kind kind) {
  const bool by_async_proxy = request.in_bulk || request.of_product;
  const bool reads = request.reads_only && by_async_proxy;
  const bool writes = !request.reads_only && !request.is_object && kind != ShadowAccess::read;
  if (!reads && !writes) return;
  if (owner.plain_writes.empty()) owner.plain_writes.resize(shared_end_ / 4 + 1);
  LaneMask{request.executed}.for_each([&](int number) {
    const auto lane = static_cast<std::size_t>(number);
    const std::uint64_t first = request.addresses[lane];
    const std::uint32_t width = request.widths[lane] != 0 ? request.widths[lane] : request.width;
    if (width == 0 || first > shared_end_ || shared_end_ - first < width) return;  // faults anyway
    for (std::uint64_t word = first / 4; word * 4 < first + width; ++word) {
      Block::PlainWrite& last = owner.plain_writes[word];
      if (!reads)
        last = by_async_proxy ? Block::PlainWrite{} : Block::PlainWrite{proxy_fences_, request.site + 1};
      else if (!unfenced_ && last.site != 0 && last.fences == proxy_fences_)
        unfenced_ = last.site - 1;
    }
  });
}

void RaceDetector::check_lane(Mine& mine, std::uint32_t lane, Step step) {
  const bool check = step != Step::insert, insert_too = step != Step::check;
  const Request& request = mine.request;
  const std::uint32_t width = request.widths[lane] != 0 ? request.widths[lane] : request.width;
  const WarpClocks& clocks = mine.block.clocks.warp(request.warp);
  mine.lane = lane;
  mine.address = request.addresses[lane];
  mine.access.lanes = 1u << lane;
  mine.access.clock = clocks.now[lane];
  mine.access.pending = request.asynchronous;
  const std::uint64_t first = mine.address - mine.base;
  if (check && request.space == trace::MemorySpace::shared && mine.owner != request.block) check_begun(mine);
  const std::uint32_t swapped =
      mine.order.swaps && request.swap != nullptr ? bytes_to_swap(*request.swap, request.registers, lane) : 15;
  for (std::uint64_t word = first / 4; word * 4 < first + width; ++word) {
    ShadowCell* cell = mine.shadow.cell(word, budget_);
    if (cell == nullptr) {
      report_.unwatched += insert_too;
      continue;
    }
    mine.access.bytes = bytes_in_word(word * 4, first, first + width) & 15u & swapped;
    if (check) check_word(mine, *cell, mine.base + word * 4, step == Step::both);
    if (step == Step::insert) drop_settled(mine, *cell);
    if (insert_too) insert(mine, *cell);
  }
  if (insert_too && request.asynchronous) note_copy(mine, first, width);
}

bool RaceDetector::ordered(const Mine& mine, const ShadowAccess& earlier, std::uint32_t& lane) const {
  const std::uint32_t block = earlier.warp / warps_, warp = earlier.warp % warps_;
  for (std::uint32_t left = earlier.lanes; left != 0; left &= left - 1) {
    lane = static_cast<std::uint32_t>(std::countr_zero(left));
    if (earlier.pending) return false;
    if (!mine.block.clocks.knows(mine.request.warp, mine.lane, block, warp * 32 + lane, earlier.clock)) return false;
  }
  return true;
}

// The lane reads what it and others of its warp have written by one instruction: all of them the same, or the writes
// themselves are told.
bool RaceDetector::wrote_it_too(const Mine& mine, const ShadowAccess& earlier) const {
  return earlier.kind == ShadowAccess::write && !earlier.pending && (earlier.lanes >> mine.lane & 1u) != 0 &&
         earlier.warp == mine.access.warp;
}

bool RaceDetector::conflicts(const Mine& mine, const ShadowAccess& earlier) const {
  if ((earlier.bytes & mine.access.bytes) == 0) return false;
  if (!earlier.writes() && !mine.access.writes()) return false;
  if (meets_in_tile(mine, earlier)) return false;
  const auto stores_beside = [&](const ShadowAccess& store, const ShadowAccess& read) {
    return sites_[read.site].before_swap && store.kind == ShadowAccess::write && store.unit < read.unit;
  };
  if (stores_beside(earlier, mine.access) || stores_beside(mine.access, earlier)) return false;
  if (!earlier.strong || !mine.access.strong) return true;
  const bool same_block = earlier.warp / warps_ == mine.request.block;
  const bool in_scope = same_block || (!earlier.narrow && !mine.access.narrow);
  return !in_scope || earlier.unit != mine.access.unit;
}

void RaceDetector::check_word(Mine& mine, ShadowCell& cell, std::uint64_t word, bool may_drop) {
  const bool writes = mine.access.writes(), strong = mine.access.strong;
  const std::uint64_t before = report_.undecided;
  bool raced = false;
  // True if the earlier access need not be kept.
  const auto check = [&](const ShadowAccess& earlier) {
    if (earlier.kind == ShadowAccess::none || (earlier.bytes & mine.access.bytes) == 0) return false;
    if (!writes && wrote_it_too(mine, earlier)) return false;
    std::uint32_t lane = 0;
    const bool in_order = ordered(mine, earlier, lane);
    bool settled = in_order && may_drop;
    if (!in_order && conflicts(mine, earlier)) {
      raced = true;
      settled =
          found(mine, cell, earlier, lane, word);  // report it only once; later accesses are compared with this one
    }
    return settled && takes_the_place_of(mine, earlier);
  };
  if (check(cell.write)) cell.write = {};
  if (writes && check(cell.read)) cell.read = {};
  ShadowMore* const more = cell.more.get();
  if (more == nullptr) return;
  std::size_t dropped = 0;
  const auto compare_with = [&](std::vector<ShadowAccess>& earlier) {
    report_.compared += earlier.size();
    dropped += std::erase_if(earlier, check);
  };
  compare_with(more->writes);
  if (writes) compare_with(more->reads);
  if (!strong || more->mixed ||
      (!more->strong.empty() && (more->strong.front().unit != mine.access.unit || mine.access.narrow)))
    compare_with(more->strong);
  budget_.left += static_cast<std::int64_t>(dropped * sizeof(ShadowAccess));
  if (more->incomplete && !raced) report_.undecided = before + 1;
}

// ---- reporting --------------------------------------------------------------------------------------

bool RaceDetector::writes_what_is_there(const Mine& mine, std::uint64_t word, std::uint32_t bytes) const {
  const Request& request = mine.request;
  if (request.store == nullptr || request.memory == 0) return false;
  const auto stored = stored_bytes(*request.store, request.registers, mine.lane);
  for (std::uint32_t i = 0; i < 4; ++i) {
    if ((bytes >> i & 1u) == 0) continue;
    const std::uint64_t at = word + i;
    if (*reinterpret_cast<const std::byte*>(request.memory + at) != stored[at - mine.address]) return false;
  }
  return true;
}

// True if it reports a race, not only a note.
bool RaceDetector::found(Mine& mine, const ShadowCell& cell, const ShadowAccess& earlier, std::uint32_t lane,
                         std::uint64_t word) {
  const std::uint32_t block = earlier.warp / warps_, warp = earlier.warp % warps_;
  const std::uint32_t bytes = earlier.bytes & mine.access.bytes;
  const bool both_write = earlier.writes() && mine.access.writes();
  const bool both_weak = !earlier.strong && !mine.access.strong;
  RaceKind kind = both_write ? RaceKind::write_write : RaceKind::read_write;
  if (earlier.pending)
    kind = RaceKind::copy_not_awaited;
  else if (earlier.strong != mine.access.strong)
    kind = RaceKind::atomic_plain;
  else if (both_write ? both_weak && writes_what_is_there(mine, word, bytes)
                      : reads_its_own_value(mine, cell, earlier, lane, word))
    kind = RaceKind::same_value;
  const bool in_cluster = block != mine.request.block && in_one_cluster(block, mine.request.block);
  const RaceCure cure = earlier.pending               ? RaceCure::copy
                        : in_cluster                  ? RaceCure::cluster
                        : block != mine.request.block ? RaceCure::grid
                        : warp != mine.request.warp   ? RaceCure::block
                                                      : RaceCure::warp;
  const RaceAccess first{
      earlier.site,        block,         warp * 32 + lane, earlier.writes(), earlier.kind == ShadowAccess::atomic,
      earlier.strong != 0, earlier.clock, earlier.position};
  const auto skipped = static_cast<std::uint32_t>(std::countr_zero(bytes));
  report(kind, cure, mine, first, word - mine.base + skipped, static_cast<std::uint32_t>(std::popcount(bytes)));
  return accuses(kind);
}

// The entry of the report for a race between these sites. nullptr if the entry is not to be changed.
Race* RaceDetector::place_in_report(RaceKind kind, RaceCure cure, std::uint32_t one, std::uint32_t other) {
  const std::uint64_t low = std::min(one, other), high = std::max(one, other);
  const std::uint64_t key = (low << 24 | high) << 4 | static_cast<std::uint64_t>(kind);
  const auto [at, is_new] = known_.try_emplace(key, not_listed);
  if (is_new && report_.races.size() < most_races) {
    at->second = report_.races.size();
    report_.races.emplace_back();
  }
  if (at->second == not_listed) {
    report_.more_pairs += is_new;
    return nullptr;
  }
  Race& race = report_.races[at->second];
  ++race.count;
  // The first example stays unless a later one needs a stronger cure.
  if (!is_new && (cure == RaceCure::copy || cure <= race.cure)) return nullptr;
  race.kind = kind;
  race.cure = cure;
  return &race;
}

void RaceDetector::report(RaceKind kind, RaceCure cure, const Mine& mine, const RaceAccess& first, std::uint64_t offset,
                          std::uint32_t bytes) {
  const Request& request = mine.request;
  Race* const place = place_in_report(kind, cure, first.site, request.site);
  if (place == nullptr) return;
  Race& race = *place;
  race.space = request.space;
  race.owner = mine.owner;
  if (request.space == trace::MemorySpace::shared && (mine.owner != request.block || mine.owner != first.block))
    race.space = trace::MemorySpace::distributed;
  race.buffer = mine.buffer;
  if (mine.buffer >= static_cast<std::int32_t>(memory_.regions().size()))
    if (const Region* region = memory_.find(mine.base))
      heap_buffers_[mine.buffer] = {fmt::format("malloc({})", region->bytes), -1, region->address, region->bytes};
  race.offset = offset;
  race.bytes = bytes;
  race.first = first;
  race.second = access_of(mine);
}

RaceAccess RaceDetector::access_of(const Mine& mine) {
  const Request& request = mine.request;
  return {request.site,
          request.block,
          request.warp * 32 + mine.lane,
          mine.access.writes(),
          mine.access.kind == ShadowAccess::atomic,
          mine.access.strong != 0,
          mine.access.clock,
          mine.access.position};
}

// Whether two lanes of one store write the same bytes. They are reported if their values differ.
bool RaceDetector::collisions(const Request& request, Mine& mine) {
  std::array<std::pair<std::uint64_t, std::uint32_t>, 32> sorted;
  std::size_t count = 0;
  LaneMask{request.executed}.for_each([&](int lane) {
    sorted[count++] = {request.addresses[static_cast<std::size_t>(lane)], static_cast<std::uint32_t>(lane)};
  });
  const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(count);
  if (!std::is_sorted(sorted.begin(), end)) std::sort(sorted.begin(), end);
  bool any = false;
  for (std::size_t i = 1; i < count; ++i) {
    if (sorted[i].first - sorted[i - 1].first >= request.width) continue;
    any = true;
    if (request.store != nullptr && stored_bytes(*request.store, request.registers, sorted[i].second) ==
                                        stored_bytes(*request.store, request.registers, sorted[i - 1].second))
      continue;
    const auto bytes = static_cast<std::uint32_t>(request.width - (sorted[i].first - sorted[i - 1].first));
    mine.lane = sorted[i].second;
    mine.access.lanes = 1u << mine.lane;
    const RaceAccess first{
        request.site, request.block, request.warp * 32 + sorted[i - 1].second, true, false, false, 0, 0};
    report(RaceKind::colliding_lanes, RaceCure::warp, mine, first, sorted[i].first - mine.base, bytes);
  }
  return any;
}

}  // namespace lanescope::sim
