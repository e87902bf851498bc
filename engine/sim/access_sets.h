#pragma once
// What one worker read, wrote and reduced in global memory, one bit a 4-byte word: how parallel workers find
// out, after the run, whether any of them could have seen another's work. (Design: launch.cpp.)
//
// Only regions that something wrote to before the workers started are watched: most of what a kernel reads, nobody writes,
// and noting it costs as much as the access. A write to any other region is unforeseen, and says nothing about the reads.

#include <cstdint>
#include <vector>

#include "core/bulk_vector.h"
#include "sim/decode.h"
#include "sim/lanes.h"
#include "sim/memory.h"
#include "sim/write_watch.h"

namespace lanescope::sim {

class AccessSets {
 public:
  enum class Use : std::uint8_t { read, write, reduce };

  AccessSets(const GlobalMemory& memory, const WriteWatch& writes);
  void mark(Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask, std::uint64_t width) {
    if (watched_[region.index]) mark_watched(use, region, pattern, mask, width);
    else unforeseen_ |= use != Use::read;
  }
  // A region was written or reduced that is not watched.
  bool unforeseen() const { return unforeseen_; }
  // True when some worker's write, or reduction, meets another's read or write of the same word, or a reduction meets any
  // read or write, even of its own worker: reductions are applied after the run.
  static bool conflict(const std::vector<const AccessSets*>& workers);

 private:
  struct Words {
    BulkVector<std::uint64_t> bits;
    bool used = false;
    void mark(std::uint64_t first, std::uint64_t last) {
      std::uint64_t at = first / 64;
      const std::uint64_t end = last / 64;
      const std::uint64_t low = ~std::uint64_t{0} << (first % 64);
      const std::uint64_t high = ~std::uint64_t{0} >> (63 - last % 64);
      if (at == end) {
        bits[at] |= low & high;
        return;
      }
      bits[at] |= low;
      while (++at < end) bits[at] = ~std::uint64_t{0};
      bits[end] |= high;
    }
  };
  struct Sets { Words of[3]; };
  void mark_watched(Use use, const Region& region, const AddressPattern& pattern, std::uint32_t mask, std::uint64_t width);

  std::vector<Sets> regions_;
  std::vector<char> watched_;  // by region
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
