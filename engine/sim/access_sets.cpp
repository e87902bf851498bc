#include "sim/access_sets.h"

#include <algorithm>

#include "core/lane_mask.h"

namespace lanescope::sim {

AccessSets::AccessSets(const GlobalMemory& memory, const WriteWatch& writes, std::size_t sites)
    : regions_(memory.regions().size()), runs_(sites) {
  for (const Region& region : memory.regions()) {
    Notes& notes = regions_[region.index];
    notes.watched = writes.written(region);
    if (notes.watched) notes.pages.resize((region.bytes + 4 * page_words - 1) / (4 * page_words));
  }
}

AccessSets::Page& AccessSets::add_page(Page*& place) {
  if (pages_left_ == 0) {
    pages_left_ = std::clamp<std::size_t>(pages_made_, 4, 256);
    page_store_.push_back(std::make_unique<Page[]>(pages_left_));
  }
  ++pages_made_;
  place = &page_store_.back()[--pages_left_];
  return *place;
}

// Words first to last of the region.
void AccessSets::mark_words(Notes& notes, Use use, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t low = ~std::uint64_t{0} << (first % 64);
  const std::uint64_t high = ~std::uint64_t{0} >> (63 - last % 64);
  const auto bits_at = [&](std::uint64_t at) -> std::uint64_t& {
    constexpr std::uint64_t in_page = page_words / 64;
    Page*& place = notes.pages[at / in_page];
    Page& page = place != nullptr ? *place : add_page(place);
    return page.of[static_cast<std::size_t>(use)][at % in_page];
  };
  if (use == Use::reduce) notes.reduced = true;
  std::uint64_t at = first / 64;
  const std::uint64_t end = last / 64;
  if (at == end) {
    bits_at(at) |= low & high;
    return;
  }
  bits_at(at) |= low;
  while (++at < end) bits_at(at) = ~std::uint64_t{0};
  bits_at(end) |= high;
}

void AccessSets::begin_run(Run& run, Use use, const Region& region, std::uint64_t begin, std::uint64_t end) {
  mark_run(run);
  run = {begin, end, &region, use};
}

void AccessSets::mark_run(const Run& run) {
  if (run.region == nullptr) return;
  mark_words(regions_[run.region->index], run.use, (run.begin - run.region->address) / 4,
             (run.end - 1 - run.region->address) / 4);
}

void AccessSets::finish() {
  for (Run& run : runs_) {
    mark_run(run);
    run = {};
  }
}

void AccessSets::mark_lanes(Use use, const Region& region, const AddressPattern& pattern,
                            std::uint32_t mask, std::uint64_t width) {
  Notes& notes = regions_[region.index];
  const std::uint64_t base = region.address;
  if (pattern.affine && pattern.stride == 0)
    return mark_words(notes, use, (pattern.low - base) / 4, (pattern.high - base + width - 1) / 4);
  const int lowest = LaneMask{mask}.lowest();
  const auto address_of = [&](int lane) {
    return pattern.affine ? pattern.first + static_cast<std::uint64_t>(pattern.stride * (lane - lowest))
                          : pattern.lane[lane];
  };
  // Lanes side by side are marked together.
  std::uint64_t first = address_of(lowest) - base, end = first + width;
  LaneMask{mask & (mask - 1)}.for_each([&](int lane) {
    const std::uint64_t at = address_of(lane) - base;
    if (at != end) {
      mark_words(notes, use, first / 4, (end - 1) / 4);
      first = at;
    }
    end = at + width;
  });
  mark_words(notes, use, first / 4, (end - 1) / 4);
}

bool AccessSets::conflict_in_page(const std::vector<const AccessSets*>& workers, std::size_t region, std::size_t page) {
  // By the workers so far. Without a branch in the inner loop, so that it is done many words at a time.
  Bits touched{}, wrote{}, reduced{};
  std::uint64_t clash = 0;
  for (const AccessSets* worker : workers) {
    const Page* of = worker->regions_[region].pages[page];
    if (of == nullptr) continue;
    for (std::size_t i = 0; i < touched.size(); ++i) {
      const std::uint64_t reads = of->of[0][i], writes = of->of[1][i];
      clash |= (writes & touched[i]) | (reads & wrote[i]);
      touched[i] |= reads | writes;
      wrote[i] |= writes;
      reduced[i] |= of->of[2][i];
    }
  }
  for (std::size_t i = 0; i < touched.size(); ++i) clash |= reduced[i] & touched[i];
  return clash != 0;
}

bool AccessSets::conflict(const std::vector<const AccessSets*>& workers) {
  if (workers.empty()) return false;
  for (std::size_t r = 0; r < workers[0]->regions_.size(); ++r) {
    bool reduced = false;
    for (const AccessSets* worker : workers) reduced |= worker->regions_[r].reduced;
    for (std::size_t p = 0; p < workers[0]->regions_[r].pages.size(); ++p) {
      const auto users = std::count_if(workers.begin(), workers.end(),
                                       [&](const AccessSets* worker) { return worker->regions_[r].pages[p] != nullptr; });
      if ((users > 1 || (reduced && users == 1)) && conflict_in_page(workers, r, p)) return true;
    }
  }
  return false;
}

}  // namespace lanescope::sim
