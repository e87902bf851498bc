#pragma once
// Which bytes of a memory were ever written: one bit per byte.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/lane_mask.h"

namespace lanescope::sim {

class WrittenMap {
 public:
  WrittenMap() = default;
  // The first `written` of `bytes` count as written.
  WrittenMap(std::uint64_t bytes, std::uint64_t written) { reset(bytes, written); }

  void reset(std::uint64_t bytes, std::uint64_t written) {
    words_.assign((bytes + 63) / 64, 0);
    unwritten_ = bytes;
    if (written != 0) mark(0, std::min(bytes, written));
  }

  // Then nobody need ask or mark any more.
  bool complete() const { return unwritten_ == 0; }

  // The range must lie within the memory, here and below.
  void mark(std::uint64_t first, std::uint64_t count) {
    visit(first, count, [&](std::uint64_t& word, std::uint64_t bits) {
      const std::uint64_t fresh = bits & ~word;
      if (fresh == 0) return;
      // A whole word is the usual case of a warp that writes side by side.
      unwritten_ -= ~fresh == 0 ? 64 : count_of(fresh);
      word |= fresh;
    });
  }
  // What is set in `words` (as words() gives them) counts as written too.
  void merge(const std::vector<std::uint64_t>& words) {
    for (std::size_t i = 0; i < words_.size() && i < words.size(); ++i) {
      unwritten_ -= count_of(words[i] & ~words_[i]);
      words_[i] |= words[i];
    }
  }
  // One bit a byte; empty when the memory counted as written from the start.
  const std::vector<std::uint64_t>& words() const { return words_; }
  // They count as never written again.
  void forget(std::uint64_t first, std::uint64_t count) {
    visit(first, count, [&](std::uint64_t& word, std::uint64_t bits) {
      unwritten_ += count_of(word & bits);
      word &= ~bits;
    });
  }
  bool any(std::uint64_t first, std::uint64_t count) const {
    bool found = false;
    const_cast<WrittenMap*>(this)->visit(first, count,
                                         [&](std::uint64_t& word, std::uint64_t bits) { found |= (bits & word) != 0; });
    return found;
  }
  bool all(std::uint64_t first, std::uint64_t count) const {
    if (count == 0) return true;
    std::uint64_t at = first / 64;
    const std::uint64_t end = (first + count - 1) / 64;
    const std::uint64_t low = ~std::uint64_t{0} << (first % 64);
    const std::uint64_t high = ~std::uint64_t{0} >> (63 - (first + count - 1) % 64);
    if (at == end) return (low & high & ~words_[at]) == 0;
    if ((low & ~words_[at]) != 0) return false;
    while (++at < end)
      if (~words_[at] != 0) return false;
    return (high & ~words_[end]) == 0;
  }

 private:
  static std::uint64_t count_of(std::uint64_t word) {
    const LaneMask low{static_cast<std::uint32_t>(word)}, high{static_cast<std::uint32_t>(word >> 32)};
    return static_cast<std::uint64_t>(low.count() + high.count());
  }
  template <typename Visit>
  void visit(std::uint64_t first, std::uint64_t count, Visit&& visit_word) {
    while (count != 0) {
      const std::uint64_t within = first % 64;
      const std::uint64_t here = std::min<std::uint64_t>(64 - within, count);
      const std::uint64_t bits = (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << within;
      visit_word(words_[first / 64], bits);
      first += here;
      count -= here;
    }
  }
  std::vector<std::uint64_t> words_;
  std::uint64_t unwritten_ = 0;
};

}  // namespace lanescope::sim
