// What orders accesses other than barriers of the block or the warp: releases and acquires through memory, mbarrier
// objects, and waits for asynchronous copies.

#include <algorithm>
#include <array>
#include <string_view>

#include "core/lane_mask.h"
#include "ptx/source_line.h"
#include "sim/races/races.h"

namespace lanescope::sim {

namespace {

std::uint64_t location_key(trace::MemorySpace space, std::uint32_t block, std::uint64_t address) {
  if (space != trace::MemorySpace::shared) return address;
  return std::uint64_t{1} << 63 | std::uint64_t{block} << 24 | address;
}

WarpClocks::Flight& flight_of(WarpClocks& clocks, OrderOp::Kind kind) {
  using Kind = OrderOp::Kind;
  if (kind == Kind::product_commit) return clocks.product_flight;
  if (kind == Kind::bulk_commit || kind == Kind::bulk_wait) return clocks.bulk_flight;
  return clocks.flight;
}

}  // namespace

bool RaceDetector::is_code_of_tiles(const ptx::Module& module, const ptx::Instruction& instruction) {
  const auto index = static_cast<std::size_t>(std::max(instruction.source.file, 0));
  if (index == 0 || index >= module.files.size()) return false;
  constexpr std::array<std::string_view, 4> headers = {"cooperative_groups.h", "cooperative_groups/details/reduce.h",
                                                       "cooperative_groups/details/scan.h",
                                                       "cooperative_groups/details/sync.h"};
  return std::ranges::any_of(headers,
                             [&](std::string_view header) { return ptx::is_header(module.files[index], header); });
}

// Lanes of one warp exchange a value of their tile.
bool RaceDetector::meets_in_tile(const Mine& mine, const ShadowAccess& earlier) const {
  return mine.buffer < 0 && mine.access.warp == earlier.warp && sites_[mine.access.site].of_tile &&
         sites_[earlier.site].of_tile;
}

void RaceDetector::order(std::uint32_t block_index, std::uint32_t warp, std::uint32_t lanes, const OrderOp& operation) {
  if (operation.kind == OrderOp::Kind::proxy_fence) {
    ++proxy_fences_;
    return;
  }
  Block& block = of(block_index);
  WarpClocks& clocks = block.clocks.warp(warp);
  LaneMask{lanes}.for_each([&](int number) {
    const auto lane = static_cast<std::uint32_t>(number);
    using Kind = OrderOp::Kind;
    if (operation.kind == Kind::product_fence) return;
    if (operation.kind == Kind::commit || operation.kind == Kind::bulk_commit ||
        operation.kind == Kind::product_commit) {
      ++flight_of(clocks, operation.kind).groups[lane];
      return;
    }
    if (operation.kind != Kind::fence) return finish_copies(block, warp, lane, operation);
    LaneFences& lane_fences = clocks.fences_of(lane);
    if (operation.acquires) {
      block.clocks.acquire(warp, lane, lane_fences.observed_block);
      if (!operation.narrow) block.clocks.acquire(warp, lane, lane_fences.observed_grid);
    }
    if (operation.sequential) {
      block.clocks.acquire(warp, lane, lane_fences.observed.of_block);
      if (!operation.narrow) block.clocks.acquire(warp, lane, lane_fences.observed.of_grid);
    }
    if (operation.releases) {
      lane_fences.released_block = block.clocks.release(warp, lane);
      if (!operation.narrow) lane_fences.released_grid = lane_fences.released_block;
    }
    if (operation.sequential) {
      lane_fences.before.of_block = lane_fences.released_block;
      if (!operation.narrow) lane_fences.before.of_grid = lane_fences.released_block;
    }
  });
}

// A strong access: acquires what others have released at this location, and publishes its own releases.
void RaceDetector::synchronise(const Mine& mine, std::uint64_t address, std::uint32_t lane) {
  const Request& request = mine.request;
  WarpClocks& clocks = mine.block.clocks.warp(request.warp);
  const std::uint64_t key = location_key(request.space, mine.owner, address);
  auto at = locations_.find(key);
  if (mine.order.kind != ShadowAccess::write && at != locations_.end()) {
    const Location& location = at->second;
    LaneFences& lane_fences = clocks.fences_of(lane);
    GridClock& by_block = lane_fences.observed_block;
    GridClock& by_grid = lane_fences.observed_grid;
    SequentialFences fences = location.sequential;
    if (!mine.order.narrow)
      by_grid = join(by_grid, location.of_grid);
    else
      fences.of_grid = nullptr;
    if (location.block == request.block)
      by_block = join(by_block, location.of_block);
    else
      fences.of_block = nullptr;
    lane_fences.observed.add(fences);
    if (mine.order.acquires) {
      if (!mine.order.narrow) mine.block.clocks.acquire(request.warp, lane, location.of_grid);
      if (location.block == request.block) mine.block.clocks.acquire(request.warp, lane, location.of_block);
    }
  }
  if (mine.order.kind == ShadowAccess::read) return;
  GridClock for_block, for_grid;
  SequentialFences sequential;
  if (clocks.fences != nullptr) {
    for_block = (*clocks.fences)[lane].released_block;
    for_grid = (*clocks.fences)[lane].released_grid;
    sequential = (*clocks.fences)[lane].before;
  }
  if (mine.order.releases) {
    for_block = mine.block.clocks.release(request.warp, lane);
    if (!mine.order.narrow) for_grid = for_block;
  }
  if (mine.order.narrow) for_grid = sequential.of_grid = nullptr;
  if (at == locations_.end()) {
    if (for_block == nullptr && sequential.empty()) return;
    at = locations_.try_emplace(key).first;
    at->second.block = request.block;
  }
  Location& location = at->second;
  const std::uint32_t thread = request.warp * 32 + lane;
  const bool same_block = location.block == request.block;
  const bool goes_on =
      mine.order.kind == ShadowAccess::atomic || (location.in_block == request.block && location.thread == thread);
  location.of_block = goes_on && same_block ? join(location.of_block, for_block) : for_block;
  location.of_grid = goes_on ? join(location.of_grid, for_grid) : for_grid;
  SequentialFences passed_on;
  if (mine.order.kind == ShadowAccess::atomic) passed_on = location.sequential;
  if (!same_block) passed_on.of_block = nullptr;
  location.sequential = sequential;
  location.sequential.add(passed_on);
  location.block = location.in_block = request.block;
  location.thread = thread;
}

// ---- mbarrier objects -------------------------------------------------------------------------------

void RaceDetector::arrive_at_object(std::uint32_t block_index, std::uint32_t warp, std::uint32_t lane,
                                    std::uint32_t owner, std::uint32_t object, bool releases) {
  GridClock& arrived = of(owner).objects[object].arrived;
  Block& block = of(block_index);
  const WarpClocks& clocks = block.clocks.warp(warp);
  if (releases)
    arrived = join(arrived, block.clocks.release(warp, lane));
  else if (clocks.fences != nullptr)
    arrived = join(arrived, (*clocks.fences)[lane].released_block);
}

// cp.async.mbarrier.arrive.
void RaceDetector::copies_arrive(std::uint32_t block_index, std::uint32_t warp, std::uint32_t lane,
                                 std::uint32_t object) {
  Block& block = of(block_index);
  for (const WarpClocks::Copy& copy : block.clocks.warp(warp).flight.copies)
    if (copy.lane == lane) block.objects[object].tracked.push_back({warp, copy});
  arrive_at_object(block_index, warp, lane, block_index, object, true);
}

void RaceDetector::next_phase(std::uint32_t owner, std::uint32_t object) {
  ObjectClocks& clocks = of(owner).objects[object];
  clocks.over = join(clocks.over, clocks.arrived);
  clocks.arrived = nullptr;
  clocks.landed.insert(clocks.landed.end(), clocks.tracked.begin(), clocks.tracked.end());
  clocks.tracked.clear();
}

void RaceDetector::phase_awaited(std::uint32_t block_index, std::uint32_t warp, std::uint32_t lane, std::uint32_t owner,
                                 std::uint32_t object, bool acquires) {
  ObjectClocks& clocks = of(owner).objects[object];
  Block& block = of(block_index);
  if (acquires) {
    block.clocks.acquire(warp, lane, clocks.over);
  } else {
    GridClock& observed = block.clocks.warp(warp).fences_of(lane).observed_block;
    observed = join(observed, clocks.over);
  }
  for (const ObjectClocks::Tracked& landed : clocks.landed) finish_copy(landed.warp, landed.copy, 0);
  clocks.landed.clear();
}

// ---- products of a warpgroup --------------------------------------------------------------------------

// The four warps read the matrices of a product together, so whoever has waited for it knows that all of them have.
// Each read counts as made where its warp reached the product, which is an arrival at the warpgroup's object.
void RaceDetector::products_awaited(std::uint32_t block_index, std::uint32_t warp, std::uint32_t lanes,
                                    std::uint32_t groups) {
  Block& block = of(block_index);
  const auto object = block.objects.find(product_object(warp));
  if (object == block.objects.end()) return;
  LaneMask{lanes}.for_each(
      [&](int lane) { block.clocks.acquire(warp, static_cast<std::uint32_t>(lane), object->second.arrived); });
  const std::uint32_t committed = block.clocks.warp(warp).product_flight.groups[0];
  const std::uint32_t first_open = committed - std::min(groups, committed);
  const std::uint32_t first = warp / warps_of_warpgroup * warps_of_warpgroup;
  for (std::uint32_t other = first; other < first + warps_of_warpgroup; ++other)
    std::erase_if(block.clocks.warp(other).product_flight.copies, [&](const WarpClocks::Copy& copy) {
      if (copy.group >= first_open) return false;
      finish_copy(other, copy, 0);
      return true;
    });
}

// ---- asynchronous copies ----------------------------------------------------------------------------

void RaceDetector::note_copy(const Mine& mine, std::uint64_t first, std::uint32_t width) {
  const Request& request = mine.request;
  WarpClocks& clocks = mine.block.clocks.warp(request.warp);
  WarpClocks::Copy copy;
  copy.lane = static_cast<std::uint8_t>(mine.lane);
  copy.reads = request.reads_only;
  copy.region = mine.buffer;
  copy.bytes = width;
  copy.address = first;
  copy.block = request.block;
  copy.owner = mine.owner;
  if (request.tracker != Request::groups) {
    of(request.tracker_owner).objects[request.tracker].tracked.push_back({request.warp, copy});
    return;
  }
  WarpClocks::Flight& flight = request.of_product ? clocks.product_flight
                               : request.in_bulk  ? clocks.bulk_flight
                                                  : clocks.flight;
  copy.group = flight.groups[mine.lane];
  flight.copies.push_back(copy);
}

void RaceDetector::finish_copies(Block& block, std::uint32_t warp, std::uint32_t lane, const OrderOp& operation) {
  WarpClocks& clocks = block.clocks.warp(warp);
  WarpClocks::Flight& flight = flight_of(clocks, operation.kind);
  const std::uint32_t committed = flight.groups[lane];
  const std::uint32_t first_open = operation.all ? ~0u : committed - std::min(operation.groups, committed);
  std::erase_if(flight.copies, [&](const WarpClocks::Copy& copy) {
    if (copy.lane != lane || copy.group >= first_open || (operation.only_reads && !copy.reads)) return false;
    finish_copy(warp, copy, clocks.now[lane]);
    return true;
  });
}

// `clock` is the time at which its thread knew that the copy had completed. 0: the copy counts as complete where it was
// started.
void RaceDetector::finish_copy(std::uint32_t warp, const WarpClocks::Copy& copy, std::uint32_t clock) {
  const std::uint32_t in_grid = copy.block * warps_ + warp;
  const auto done = [&](ShadowAccess& access) {
    if (!access.pending || access.warp != in_grid || access.lanes != 1u << copy.lane) return;
    access.pending = 0;
    if (clock != 0) access.clock = clock;
  };
  ShadowMemory& shadow = copy.region < 0 ? of(copy.owner).shadow : regions_[static_cast<std::size_t>(copy.region)];
  for (std::uint64_t word = copy.address / 4; word * 4 < copy.address + copy.bytes; ++word) {
    ShadowCell* cell = shadow.cell(word, budget_);
    if (cell == nullptr) continue;
    done(copy.reads ? cell->read : cell->write);
    if (cell->more == nullptr) continue;
    std::vector<ShadowAccess>& more = copy.reads ? cell->more->reads : cell->more->writes;
    std::for_each(more.begin(), more.end(), done);
    if (!copy.reads) std::for_each(cell->more->strong.begin(), cell->more->strong.end(), done);  // reductions
  }
}

}  // namespace lanescope::sim
