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

AccessSets::Page* AccessSets::new_page() {
  if (pages_left_ == 0) {
    pages_left_ = std::clamp<std::size_t>(pages_made_, 4, 256);
    page_store_.emplace_back().resize(pages_left_);
  }
  ++pages_made_;
  Page* page = &page_store_.back()[--pages_left_];
  *page = {};
  return page;
}

// Words first to last of the region.
void AccessSets::mark_words(Notes& notes, Use use, std::uint64_t first, std::uint64_t last) {
  if (use == Use::reduce) notes.reduced = true;
  for (std::uint64_t p = first / page_words; p <= last / page_words; ++p) {
    const std::uint64_t begin = p * page_words;
    mark_in_page(notes.pages[p], use, std::max(first, begin) - begin, std::min(last - begin, page_words - 1));
  }
}

// Words first to last of the page.
void AccessSets::mark_in_page(PageNotes& notes, Use use, std::uint64_t first, std::uint64_t last) {
  const auto u = static_cast<std::size_t>(use);
  if (last - first == page_words - 1) {
    notes.whole |= static_cast<std::uint8_t>(1u << u);
    return;
  }
  if (notes.page == nullptr) notes.page = new_page();
  Bits& bits = notes.page->of[u];
  const std::uint64_t low = ~std::uint64_t{0} << (first % 64);
  const std::uint64_t high = ~std::uint64_t{0} >> (63 - last % 64);
  std::uint64_t at = first / 64;
  const std::uint64_t end = last / 64;
  if (at == end) {
    bits[at] |= low & high;
    return;
  }
  bits[at] |= low;
  while (++at < end) bits[at] = ~std::uint64_t{0};
  bits[end] |= high;
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
  static constexpr Page nothing{};
  Bits touched{}, wrote{}, reduced{};
  std::uint64_t clash = 0;
  for (const AccessSets* worker : workers) {
    const PageNotes& notes = worker->regions_[region].pages[page];
    const Page& of = notes.page != nullptr ? *notes.page : nothing;
    const auto all = [&](Use use) { return notes.whole >> static_cast<int>(use) & 1u ? ~std::uint64_t{0} : 0; };
    const std::uint64_t all_read = all(Use::read), all_written = all(Use::write), all_reduced = all(Use::reduce);
    for (std::size_t i = 0; i < touched.size(); ++i) {
      const std::uint64_t reads = of.of[0][i] | all_read, writes = of.of[1][i] | all_written;
      clash |= (writes & touched[i]) | (reads & wrote[i]);
      touched[i] |= reads | writes;
      wrote[i] |= writes;
      reduced[i] |= of.of[2][i] | all_reduced;
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
                                       [&](const AccessSets* worker) { return worker->regions_[r].pages[p].touched(); });
      if ((users > 1 || (reduced && users == 1)) && conflict_in_page(workers, r, p)) return true;
    }
  }
  return false;
}

}  // namespace lanescope::sim
