#pragma once
// Records what one worker read, wrote and reduced in global memory, per 4-byte word. After the run, parallel workers
// use it to find out whether one could have seen another's work. (Design: launch.cpp.)
//
// Only regions that something wrote to before the workers started are watched: most of what a kernel reads, nobody
// writes, and noting it costs as much as the access. A write to any other region is unforeseen, and says nothing about
// the reads. Notes of a region are ranges of words while those are few, since blocks that follow one another mostly
// touch words that do; else pages with a bit a word, of which only those that two workers touched need be compared.

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
  // An access of the lanes in `mask`, not empty, `width` bytes each.
  void mark(Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask, std::uint64_t width) {
    if (!regions_[region.index].watched) return mark_unwatched(use);
    mark_lanes(use, region, pattern, mask, width);
  }
  // The same by a site whose reach does not cover the access. What the reach covers from now on, which is all of a
  // region that is only read or what lies around this access, need not be marked by the site again. A site has one use
  // only.
  void mark(Reach& reach, Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask,
            std::uint64_t width);
  // A range of addresses of the region, not empty.
  void mark(Use use, const Region& region, std::uint64_t address, std::uint64_t bytes) {
    if (!regions_[region.index].watched) return mark_unwatched(use);
    mark_words(region, use, (address - region.address) / 4, (address - region.address + bytes - 1) / 4);
  }
  // Marks what is ticked off. Call it for every reach when the worker is done, before conflict().
  void finish(Reach& reach);
  // A region was written or reduced that is not watched.
  bool unforeseen() const { return unforeseen_; }
  // True when some worker's write, or reduction, meets another's read or write of the same word, or a reduction meets
  // any read or write, even of its own worker: reductions are applied after the run.
  static bool conflict(const std::vector<AccessSets*>& workers);

  static constexpr std::uint64_t page_words = 4096;  // of 4 bytes
  static constexpr std::size_t most_ranges = 2048;   // of a region and a use

 private:
  using Bits = std::array<std::uint64_t, page_words / 64>;
  struct Page {
    std::array<Bits, 3> of;
  };  // by use
  struct PageNotes {
    Page* page = nullptr;
    std::uint8_t whole = 0;  // by use, a bit each: all words, whatever the page says
    bool touched() const { return page != nullptr || whole != 0; }
  };
  struct Range {
    std::uint64_t first, last;  // words
  };
  struct Notes {
    bool watched = false;
    bool reduced = false;                      // any word of it
    std::array<std::vector<Range>, 3> ranges;  // by use, in no order, none where there are pages
    std::array<std::size_t, 3> next{};         // by use: the one behind that which grew last
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
  std::size_t pages_left_ = 0;  // of the last piece of the store
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
