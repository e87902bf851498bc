#pragma once
// What one worker read, wrote and reduced in global memory, one bit a 4-byte word: how parallel workers find
// out, after the run, whether any of them could have seen another's work. (Design: launch.cpp.)
//
// Only regions that something wrote to before the workers started are watched: most of what a kernel reads, nobody writes,
// and noting it costs as much as the access. A write to any other region is unforeseen, and says nothing about the reads.
// Notes are kept by pages, those that the worker touched: blocks that follow one another mostly touch neighbouring words, so
// few pages are two workers', and only those need be compared.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/bulk_vector.h"
#include "sim/decode.h"
#include "sim/lanes.h"
#include "sim/memory.h"
#include "sim/write_watch.h"

namespace lanescope::sim {

class alignas(64) AccessSets {
 public:
  enum class Use : std::uint8_t { read, write, reduce };

  AccessSets(const GlobalMemory& memory, const WriteWatch& writes, std::size_t sites);
  // An access of the lanes in `mask`, not empty, `width` bytes each. A site's use is always the same.
  void mark(std::uint32_t site, Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask, std::uint64_t width) {
    if (!regions_[region.index].watched) return mark_unwatched(use);
    if (!pattern.affine || mask != ~0u || pattern.stride != static_cast<std::int64_t>(width))
      return mark_lanes(use, region, pattern, mask, width);
    // Mostly a site's warps go on where the one before ended, or touch the same again.
    Run& run = runs_[site];
    const std::uint64_t end = pattern.high + width;
    if (pattern.low - run.begin > run.end - run.begin) [[unlikely]] return begin_run(run, use, region, pattern.low, end);
    run.end = std::max(run.end, end);
  }
  // One lane's, or no site's.
  void mark(Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask, std::uint64_t width) {
    if (!regions_[region.index].watched) return mark_unwatched(use);
    mark_lanes(use, region, pattern, mask, width);
  }
  // Call when the worker is done, before conflict().
  void finish();
  // A region was written or reduced that is not watched.
  bool unforeseen() const { return unforeseen_; }
  // True when some worker's write, or reduction, meets another's read or write of the same word, or a reduction meets any
  // read or write, even of its own worker: reductions are applied after the run.
  static bool conflict(const std::vector<const AccessSets*>& workers);

  static constexpr std::uint64_t page_words = 4096;  // of 4 bytes

 private:
  using Bits = std::array<std::uint64_t, page_words / 64>;
  struct Page { std::array<Bits, 3> of; };  // by use
  struct PageNotes {
    Page* page = nullptr;
    std::uint8_t whole = 0;      // by use, a bit each: all words, whatever the page says
    bool touched() const { return page != nullptr || whole != 0; }
  };
  struct Notes {
    bool watched = false;
    bool reduced = false;        // any word of it
    std::vector<PageNotes> pages;
  };
  // Bytes that warps of a site touched, one after the other, and which are not marked yet. Regions never touch, so it lies in one.
  struct Run {
    std::uint64_t begin = 0, end = 0;  // addresses
    const Region* region = nullptr;    // nullptr = none yet
    Use use = Use::read;
  };
  void mark_unwatched(Use use) {
    if (use != Use::read) unforeseen_ = true;
  }
  void begin_run(Run& run, Use use, const Region& region, std::uint64_t begin, std::uint64_t end);
  void mark_run(const Run& run);
  void mark_lanes(Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask, std::uint64_t width);
  void mark_words(Notes& notes, Use use, std::uint64_t first, std::uint64_t last);
  void mark_in_page(PageNotes& notes, Use use, std::uint64_t first, std::uint64_t last);
  Page* new_page();
  static bool conflict_in_page(const std::vector<const AccessSets*>& workers, std::size_t region, std::size_t page);

  std::vector<Notes> regions_;
  std::vector<Run> runs_;        // by site
  std::vector<BulkVector<Page>> page_store_;
  std::size_t pages_left_ = 0;   // of the last piece of the store
  std::size_t pages_made_ = 0;
  bool unforeseen_ = false;
};

// A reduction without a result, kept back until every block before it is done.
struct DeferredReduction {
  std::uint64_t address = 0;
  std::uint64_t operand = 0;
  std::uint64_t second = 0;
  AtomicFunction apply = nullptr;
};

}  // namespace lanescope::sim
