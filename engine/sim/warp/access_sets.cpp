#include "sim/warp/access_sets.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/lane_mask.h"

namespace lanescope::sim {

Reach Reach::around(const Region& of, std::uint64_t low, std::uint8_t unit_shift, std::uint8_t use) {
  constexpr std::uint64_t before = 15, most = 64;
  const std::uint64_t skipped = std::min(before, (low - of.address) >> unit_shift);
  Reach made{.region = &of, .begin = low - (skipped << unit_shift), .ticked = std::uint64_t{1} << skipped};
  made.unit_shift = unit_shift;
  made.use = use;
  made.units = static_cast<std::uint8_t>(std::min(most, (of.end() - made.begin) >> unit_shift));
  return made;
}

AccessSets::AccessSets(const GlobalMemory& memory, const WriteWatch& writes)
    : memory_(memory), regions_(memory.regions().size()) {
  for (const Region& region : memory.regions()) regions_[region.index].watched = writes.written(region);
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

// Marks words first to last of the region.
void AccessSets::mark_words(const Region& region, Use use, std::uint64_t first, std::uint64_t last) {
  Notes& notes = regions_[region.index];
  if (use == Use::reduce) notes.reduced = true;
  if (!notes.pages.empty()) return mark_in_pages(notes, use, first, last);
  std::vector<Range>& ranges = notes.ranges[static_cast<std::size_t>(use)];
  std::size_t& next = notes.next[static_cast<std::size_t>(use)];
  const auto grows = [&](Range& range) {
    if (first > range.last + 1 || range.first > last + 1) return false;
    first = range.first = std::min(range.first, first);
    last = range.last = std::max(range.last, last);
    return true;
  };
  // Rows of a tile: the rows of the next tile continue each of them, in the same order.
  if (next < ranges.size() && grows(ranges[next])) {
    ++next;
    return;
  }
  // Sites and warps that take turns fill each other's gaps, so several ranges may grow together.
  constexpr std::size_t looked_at = 32;
  std::size_t grown = ranges.size();
  for (std::size_t i = ranges.size(), end = i - std::min(i, looked_at); i-- > end;) {
    if (!grows(ranges[i])) continue;
    if (grown < ranges.size()) ranges.erase(ranges.begin() + static_cast<std::ptrdiff_t>(grown));
    grown = i;
  }
  if (grown < ranges.size()) {
    next = grown + 1;
    return;
  }
  if (ranges.size() < most_ranges) {
    ranges.push_back({first, last});
    return;
  }
  make_pages(region);
  mark_in_pages(notes, use, first, last);
}

void AccessSets::make_pages(const Region& region) {
  Notes& notes = regions_[region.index];
  if (!notes.pages.empty()) return;
  notes.pages.resize((region.bytes + 4 * page_words - 1) / (4 * page_words));
  for (const Use use : {Use::read, Use::write, Use::reduce}) {
    std::vector<Range>& ranges = notes.ranges[static_cast<std::size_t>(use)];
    for (const Range& range : ranges) mark_in_pages(notes, use, range.first, range.last);
    ranges.clear();
  }
}

void AccessSets::mark_in_pages(Notes& notes, Use use, std::uint64_t first, std::uint64_t last) {
  for (std::uint64_t p = first / page_words; p <= last / page_words; ++p) {
    const std::uint64_t begin = p * page_words;
    mark_in_page(notes.pages[p], use, std::max(first, begin) - begin, std::min(last - begin, page_words - 1));
  }
}

// Marks words first to last of the page.
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

void AccessSets::mark(Reach& reach, Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask,
                      std::uint64_t width) {
  if (!regions_[region.index].watched) {
    mark_unwatched(use);
    finish(reach);
    reach = use == Use::read ? Reach::all_of(region) : Reach::nothing_of(region);
    return;
  }
  const bool gapless = pattern.affine && mask == ~0u && pattern.stride == static_cast<std::int64_t>(width);
  const bool is_unit = gapless && std::has_single_bit(width);
  if (is_unit || reach.region != &region) finish(reach);
  if (is_unit) {
    reach = Reach::around(region, pattern.low, static_cast<std::uint8_t>(std::countr_zero(32 * width)),
                          static_cast<std::uint8_t>(use));
    return;
  }
  mark_lanes(use, region, pattern, mask, width);
  if (reach.region != &region) reach = Reach::nothing_of(region);
}

void AccessSets::finish(Reach& reach) {
  // Adjacent units become one range.
  for (std::uint64_t left = std::exchange(reach.ticked, 0); left != 0;) {
    const int first = std::countr_zero(left);
    const int count = std::countr_one(left >> first);
    const std::uint64_t begin =
        reach.begin - reach.region->address + (static_cast<std::uint64_t>(first) << reach.unit_shift);
    const std::uint64_t bytes = static_cast<std::uint64_t>(count) << reach.unit_shift;
    mark_words(*reach.region, static_cast<Use>(reach.use), begin / 4, (begin + bytes - 1) / 4);
    if (first + count >= 64) break;
    left &= ~std::uint64_t{0} << (first + count);
  }
}

void AccessSets::mark_lanes(Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask,
                            std::uint64_t width) {
  const std::uint64_t base = region.address;
  if (pattern.affine && pattern.stride == 0)
    return mark_words(region, use, (pattern.low - base) / 4, (pattern.high - base + width - 1) / 4);
  // Adjacent lanes are marked together.
  std::uint64_t first = pattern.first - base, end = first + width;
  LaneMask{mask & (mask - 1)}.for_each([&](int lane) {
    const std::uint64_t at = address_of(pattern, mask, lane) - base;
    if (at != end) {
      mark_words(region, use, first / 4, (end - 1) / 4);
      first = at;
    }
    end = at + width;
  });
  mark_words(region, use, first / 4, (end - 1) / 4);
}

bool AccessSets::conflict_in_page(const std::vector<AccessSets*>& workers, std::size_t region, std::size_t page) {
  // What the workers so far have accessed. The inner loop has no branch, so that the compiler vectorises it.
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

bool AccessSets::conflict_in_pages(const std::vector<AccessSets*>& workers, std::size_t region) {
  const bool reduced = std::any_of(workers.begin(), workers.end(),
                                   [&](const AccessSets* worker) { return worker->regions_[region].reduced; });
  for (std::size_t p = 0; p < workers[0]->regions_[region].pages.size(); ++p) {
    const auto users = std::count_if(workers.begin(), workers.end(), [&](const AccessSets* worker) {
      return worker->regions_[region].pages[p].touched();
    });
    if ((users > 1 || (reduced && users == 1)) && conflict_in_page(workers, region, p)) return true;
  }
  return false;
}

namespace {

// Takes ranges in the order of their beginnings. Tells how far the ranges so far reach, and how far those of all
// workers but one reach.
class Furthest {
 public:
  void add(std::uint64_t end, std::size_t worker) {
    if (worker == worker_) {
      end_ = std::max(end_, end);
    } else if (end > end_) {
      end_of_others_ = std::exchange(end_, end);
      worker_ = worker;
    } else {
      end_of_others_ = std::max(end_of_others_, end);
    }
  }
  std::uint64_t end() const { return end_; }
  std::uint64_t end_without(std::size_t worker) const { return worker == worker_ ? end_of_others_ : end_; }

 private:
  std::uint64_t end_ = 0;                 // one past the last word
  std::size_t worker_ = ~std::size_t{0};  // the worker that reaches this far
  std::uint64_t end_of_others_ = 0;
};

}  // namespace

bool AccessSets::conflict_in_ranges(const std::vector<AccessSets*>& workers, std::size_t region) {
  struct Touched {
    std::uint64_t first, end;
    std::size_t worker;
    Use use;
  };
  std::vector<Touched> all;
  for (std::size_t worker = 0; worker < workers.size(); ++worker)
    for (const Use use : {Use::read, Use::write, Use::reduce})
      for (const Range& range : workers[worker]->regions_[region].ranges[static_cast<std::size_t>(use)])
        all.push_back({range.first, range.last + 1, worker, use});
  std::sort(all.begin(), all.end(), [](const Touched& a, const Touched& b) { return a.first < b.first; });
  Furthest touched, written, reduced;
  for (const Touched& one : all) {
    if (one.use == Use::reduce) {
      if (touched.end() > one.first) return true;
      reduced.add(one.end, one.worker);
      continue;
    }
    if (reduced.end() > one.first) return true;
    const Furthest& others = one.use == Use::write ? touched : written;
    if (others.end_without(one.worker) > one.first) return true;
    touched.add(one.end, one.worker);
    if (one.use == Use::write) written.add(one.end, one.worker);
  }
  return false;
}

bool AccessSets::conflict(const std::vector<AccessSets*>& workers) {
  if (workers.empty()) return false;
  for (const Region& region : workers[0]->memory_.regions()) {
    const std::size_t r = region.index;
    const bool in_pages = std::any_of(workers.begin(), workers.end(),
                                      [&](const AccessSets* worker) { return !worker->regions_[r].pages.empty(); });
    if (!in_pages) {
      if (conflict_in_ranges(workers, r)) return true;
      continue;
    }
    for (AccessSets* worker : workers) worker->make_pages(region);
    if (conflict_in_pages(workers, r)) return true;
  }
  return false;
}

}  // namespace lanescope::sim
