#pragma once
// Records what one worker read, wrote and reduced in global memory, per 4-byte word. After the run, the sets of
// parallel workers tell whether one worker could have seen another one's work. (Design: launch_parallel.cpp.)
//
// Only regions that were written to before the workers started are watched. Most memory that a kernel reads is never
// written, and marking it would cost as much as the access. A write to any other region is unforeseen, and tells
// nothing about earlier reads. The notes of a region are ranges of words while they are few, because consecutive blocks
// mostly access consecutive words. Otherwise they are pages with one bit per word; only pages that two workers accessed
// must be compared.

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "core/os/bulk_vector.h"
#include "sim/alu/lanes.h"
#include "sim/decode/decode.h"
#include "sim/memory/memory.h"
#include "sim/memory/reach.h"
#include "sim/memory/write_watch.h"

namespace lanescope::sim {

class alignas(64) AccessSets {
 public:
  enum class Use : std::uint8_t { read, write, reduce };

  AccessSets(const GlobalMemory& memory, const WriteWatch& writes);
  // Marks an access of the lanes in `mask`, which is not empty, with `width` bytes each.
  void mark(Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask, std::uint64_t width) {
    if (!regions_[region.index].watched) return mark_unwatched(use);
    mark_lanes(use, region, pattern, mask, width);
  }
  // The same for a site whose reach does not cover the access. Extends the reach: to the whole region if it is only
  // read, else around this access. The site need not mark what its reach covers. A site must have only one use.
  void mark(Reach& reach, Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask,
            std::uint64_t width);
  // Marks a range of addresses of the region, which is not empty.
  void mark(Use use, const Region& region, std::uint64_t address, std::uint64_t bytes) {
    if (!regions_[region.index].watched) return mark_unwatched(use);
    mark_words(region, use, (address - region.address) / 4, (address - region.address + bytes - 1) / 4);
  }
  // Marks the ticked units. Call it for every reach after the worker is done and before conflict().
  void finish(Reach& reach);
  // Whether a region that is not watched was written or reduced.
  bool unforeseen() const { return unforeseen_; }
  // True if a worker's write or reduction hits a word that another worker read or wrote, or if a reduction hits any
  // read or write, even of the same worker. Reductions are applied after the run.
  static bool conflict(const std::vector<AccessSets*>& workers);

  static constexpr std::uint64_t page_words = 4096;  // words of 4 bytes
  static constexpr std::size_t most_ranges = 2048;   // per region and use

 private:
  using Bits = std::array<std::uint64_t, page_words / 64>;
  struct Page {
    std::array<Bits, 3> of;
  };  // by use
  struct PageNotes {
    Page* page = nullptr;
    std::uint8_t whole = 0;  // one bit per use: all words, whatever the page says
    bool touched() const { return page != nullptr || whole != 0; }
  };
  struct Range {
    std::uint64_t first, last;  // words
  };
  struct Notes {
    bool watched = false;
    bool reduced = false;                      // any word was reduced
    std::array<std::vector<Range>, 3> ranges;  // by use, unordered; empty if there are pages
    std::array<std::size_t, 3> next{};         // by use: the range after the one that grew last
    std::vector<PageNotes> pages;
  };
  void mark_unwatched(Use use) {
    if (use != Use::read) unforeseen_ = true;
  }
  void mark_lanes(Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask,
                  std::uint64_t width);
  void mark_words(const Region& region, Use use, std::uint64_t first, std::uint64_t last);
  void mark_in_pages(Notes& notes, Use use, std::uint64_t first, std::uint64_t last);
  void mark_in_page(PageNotes& notes, Use use, std::uint64_t first, std::uint64_t last);
  void make_pages(const Region& region);
  Page* new_page();
  static bool conflict_in_ranges(const std::vector<AccessSets*>& workers, std::size_t region);
  static bool conflict_in_pages(const std::vector<AccessSets*>& workers, std::size_t region);
  static bool conflict_in_page(const std::vector<AccessSets*>& workers, std::size_t region, std::size_t page);

  const GlobalMemory& memory_;

  std::vector<Notes> regions_;
  std::vector<BulkVector<Page>> page_store_;
  std::size_t pages_left_ = 0;  // in the last piece of the store
  std::size_t pages_made_ = 0;
  bool unforeseen_ = false;
};

// A reduction without a result, deferred until every earlier block is done.
struct DeferredReduction {
  std::uint64_t address = 0;
  std::uint64_t operand = 0;
  std::uint64_t second = 0;
  AtomicFunction apply = nullptr;
};

}  // namespace lanescope::sim
