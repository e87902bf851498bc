#pragma once
// Which bytes of a memory were ever written: one bit per byte.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "core/lane_mask.h"

namespace lanescope::sim {

// Ranges of bits in an array of words. A range must lie within the words.
namespace written_bits {

// Inlined always: of other functions the linker keeps one copy for the whole program, perhaps from a file that was not
// compiled for speed.
[[gnu::always_inline]] inline std::uint64_t count_of(std::uint64_t word) {
  const LaneMask low{static_cast<std::uint32_t>(word)}, high{static_cast<std::uint32_t>(word >> 32)};
  return static_cast<std::uint64_t>(low.count() + high.count());
}

// Sets bits of a word. Returns how many were not set before.
[[gnu::always_inline]] inline std::uint64_t set(std::uint64_t& word, std::uint64_t bits) {
  const std::uint64_t fresh = bits & ~word;
  if (fresh == 0) return 0;
  word |= fresh;
  // A warp with adjacent accesses usually writes whole words.
  return ~fresh == 0 ? 64 : count_of(fresh);
}

// Calls visit_word(word, its bits inside the range) for each word of the range.
template <typename Word, typename Visit>
[[gnu::always_inline]] inline void visit(Word* words, std::uint64_t first, std::uint64_t count, Visit&& visit_word) {
  while (count != 0) {
    const std::uint64_t within = first % 64;
    const std::uint64_t here = std::min<std::uint64_t>(64 - within, count);
    const std::uint64_t bits = (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1) << within;
    visit_word(words[first / 64], bits);
    first += here;
    count -= here;
  }
}

// Returns how many bits were not set before.
[[gnu::always_inline]] inline std::uint64_t mark(std::uint64_t* words, std::uint64_t first, std::uint64_t count) {
  std::uint64_t made = 0;
  if (first % 64 == 0 && count % 64 == 0) {
    for (std::uint64_t i = first / 64; i < (first + count) / 64; ++i) made += set(words[i], ~std::uint64_t{0});
    return made;
  }
  visit(words, first, count, [&](std::uint64_t& word, std::uint64_t bits) { made += set(word, bits); });
  return made;
}

[[gnu::always_inline]] inline bool any(const std::uint64_t* words, std::uint64_t first, std::uint64_t count) {
  const std::uint64_t within = first % 64;
  if (count != 0 && within + count <= 64)  // an aligned access of one lane
    return (words[first / 64] >> within & ~std::uint64_t{0} >> (64 - count)) != 0;
  bool found = false;
  visit(words, first, count, [&](std::uint64_t word, std::uint64_t bits) { found |= (bits & word) != 0; });
  return found;
}

[[gnu::always_inline]] inline bool all(const std::uint64_t* words, std::uint64_t first, std::uint64_t count) {
  if (count == 0) return true;
  std::uint64_t at = first / 64;
  const std::uint64_t end = (first + count - 1) / 64;
  const std::uint64_t low = ~std::uint64_t{0} << (first % 64);
  const std::uint64_t high = ~std::uint64_t{0} >> (63 - (first + count - 1) % 64);
  if (at == end) return (low & high & ~words[at]) == 0;
  if ((low & ~words[at]) != 0) return false;
  while (++at < end)
    if (~words[at] != 0) return false;
  return (high & ~words[end]) == 0;
}

}  // namespace written_bits

class WrittenMap {
 public:
  WrittenMap() = default;
  // The first `written` of `bytes` bytes count as written.
  WrittenMap(std::uint64_t bytes, std::uint64_t written) { reset(bytes, written); }

  void reset(std::uint64_t bytes, std::uint64_t written) {
    words_.assign_zeros((bytes + 63) / 64);
    unwritten_ = bytes;
    if (written != 0) mark(0, std::min(bytes, written));
  }

  // Whether all bytes are written. Then no more queries and marks are needed.
  bool complete() const { return unwritten_ == 0; }
  std::uint64_t unwritten() const { return unwritten_; }  // bytes

  // Here and below, the range must be inside the memory.
  void mark(std::uint64_t first, std::uint64_t count) { unwritten_ -= written_bits::mark(words_.data(), first, count); }
  // The same for 128 or 256 bytes, from a multiple of 64 on, as a whole warp stores them.
  [[gnu::always_inline]] void mark_of_warp(std::uint64_t first, std::uint64_t count) {
    std::uint64_t* const at = words_.data() + first / 64;
    std::uint64_t any = at[0] | at[1], all = at[0] & at[1];
    if (count == 256) any |= at[2] | at[3], all &= at[2] & at[3];
    if (any != 0) return ~all == 0 ? void() : mark(first, count);
    at[0] = at[1] = ~std::uint64_t{0};
    if (count == 256) at[2] = at[3] = ~std::uint64_t{0};
    unwritten_ -= count;
  }
  // The same for the bytes 64 · index + i whose bits i are set.
  [[gnu::always_inline]] void mark_word(std::uint64_t index, std::uint64_t bits) {
    unwritten_ -= written_bits::set(words_.data()[index], bits);
  }
  std::uint64_t word(std::uint64_t index) const { return words_.data()[index]; }
  // The bytes that are set in `words` also count as written. `words` has the form of words(), starting with word
  // `from`.
  void merge(std::span<const std::uint64_t> words, std::size_t from = 0) {
    for (std::size_t i = 0; i < words.size() && from + i < words_.size(); ++i) {
      unwritten_ -= written_bits::set(words_.data()[from + i], words[i]);
    }
  }
  // One bit per byte. Empty if all bytes counted as written from the start.
  std::span<const std::uint64_t> words() const { return {words_.data(), words_.size()}; }
  // The bytes count as never written again.
  void forget(std::uint64_t first, std::uint64_t count) {
    written_bits::visit(words_.data(), first, count, [&](std::uint64_t& word, std::uint64_t bits) {
      unwritten_ += written_bits::count_of(word & bits);
      word &= ~bits;
    });
  }
  bool any(std::uint64_t first, std::uint64_t count) const { return written_bits::any(words_.data(), first, count); }
  bool all(std::uint64_t first, std::uint64_t count) const { return written_bits::all(words_.data(), first, count); }

 private:
  // Many zeros cost nothing until they are used, because the system provides zero pages.
  class Words {
   public:
    Words() = default;
    Words(const Words& other) { *this = other; }
    Words(Words&& other) noexcept { *this = std::move(other); }
    Words& operator=(const Words& other) {
      if (this == &other) return *this;
      assign_zeros(other.size_);
      if (size_ != 0) std::memcpy(data(), other.data(), size_ * sizeof(std::uint64_t));
      return *this;
    }
    Words& operator=(Words&& other) noexcept {
      data_ = std::move(other.data_);
      size_ = std::exchange(other.size_, 0);
      return *this;
    }
    std::uint64_t* data() { return data_.get(); }
    const std::uint64_t* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    void assign_zeros(std::size_t size) {
      constexpr std::size_t few = 8192;
      if (size == size_ && size <= few) {
        std::fill_n(data_.get(), size_, std::uint64_t{0});
        return;
      }
      size_ = 0;
      data_.reset(size == 0 ? nullptr : static_cast<std::uint64_t*>(std::calloc(size, sizeof(std::uint64_t))));
      if (size != 0 && data_ == nullptr) throw std::bad_alloc();
      size_ = size;
    }

   private:
    struct Freed {
      void operator()(std::uint64_t* words) const { std::free(words); }
    };
    std::unique_ptr<std::uint64_t, Freed> data_;
    std::size_t size_ = 0;
  };

  Words words_;
  std::uint64_t unwritten_ = 0;
};

}  // namespace lanescope::sim
