#pragma once
// What one worker knows about the written bytes of a region: those that counted as written before the launch, and those
// that the worker's blocks have written since. The first part is shared and may be large. The worker itself has only
// pages that were written to since. So the cost of a launch or of another worker does not grow with the region.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/memory/written_map.h"

namespace lanescope::sim {

class WrittenOverlay {
 public:
  WrittenOverlay() = default;  // all bytes are written
  // On top of `before`, which must outlive this object and must not change until the last mark().
  explicit WrittenOverlay(const WrittenMap& before)
      : before_(before.complete() ? nullptr : before.words().data()),
        words_(before.words().size()),
        unwritten_(before.unwritten()) {}
  // No byte is written.
  explicit WrittenOverlay(std::uint64_t bytes) : words_((bytes + 63) / 64), unwritten_(bytes) {}
  WrittenOverlay(WrittenOverlay&&) = default;
  WrittenOverlay& operator=(WrittenOverlay&&) = default;
  WrittenOverlay(const WrittenOverlay& other) { *this = other; }
  WrittenOverlay& operator=(const WrittenOverlay& other);

  // As in WrittenMap.
  bool complete() const { return unwritten_ == 0; }
  void mark(std::uint64_t first, std::uint64_t count) {
    while (count != 0) {
      const std::uint64_t here = std::min(count, page_bytes - first % page_bytes);
      std::uint64_t* const words = own_page(first / page_bytes);
      unwritten_ -= written_bits::mark(words, first % page_bytes, here);
      first += here;
      count -= here;
    }
  }
  bool any(std::uint64_t first, std::uint64_t count) const {
    return by_page(first, count, false, [](const std::uint64_t* words, std::uint64_t from, std::uint64_t bits) {
      return written_bits::any(words, from, bits);
    });
  }
  bool all(std::uint64_t first, std::uint64_t count) const {
    return by_page(first, count, true, [](const std::uint64_t* words, std::uint64_t from, std::uint64_t bits) {
      return written_bits::all(words, from, bits);
    });
  }

  // Marks the bytes that are written here as written in `to`. `to` is the map below this one, or has the same number of
  // bytes.
  void add_to(WrittenMap& to) const;
  // The same for words in the form of WrittenMap::words(). There may be fewer words than needed.
  void add_to(std::vector<std::uint64_t>& words) const;

 private:
  static constexpr std::uint64_t page_words = 512, page_bytes = page_words * 64, pages_of_folder = 256;
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  using Page = std::array<std::uint64_t, page_words>;
  using Folder = std::array<std::unique_ptr<Page>, pages_of_folder>;

  // Calls visit(number, words) for each of its own pages.
  template <typename Visit>
  void each_page(Visit&& visit) const;
  std::uint64_t* own_page(std::uint64_t number) {
    if (number == last_) return last_words_;
    last_words_ = make_page(number);
    last_ = number;
    return last_words_;
  }
  std::uint64_t* make_page(std::uint64_t number);
  // nullptr: all bits are 0.
  const std::uint64_t* page(std::uint64_t number) const {
    if (number == last_) return last_words_;
    if (!folders_.empty())
      if (const Folder* folder = folders_[number / pages_of_folder].get())
        if (const Page* own = (*folder)[number % pages_of_folder].get()) return own->data();
    return before_ == nullptr ? nullptr : before_ + number * page_words;
  }
  // Whether `test` is `wanted` for all pages of the range (wanted = true) or for one of them (false). `test` is no
  // pointer to a function: gcc cannot inline through one at -O1, as written_bits demands.
  template <typename Test>
  bool by_page(std::uint64_t first, std::uint64_t count, bool wanted, Test&& test) const {
    while (count != 0) {
      const std::uint64_t here = std::min(count, page_bytes - first % page_bytes);
      const std::uint64_t* const words = page(first / page_bytes);
      if ((words != nullptr && test(words, first % page_bytes, here)) != wanted) return !wanted;
      first += here;
      count -= here;
    }
    return wanted;
  }

  const std::uint64_t* before_ = nullptr;         // nullptr: zeros
  std::uint64_t words_ = 0;                       // of the whole region
  std::uint64_t unwritten_ = 0;                   // bytes
  std::vector<std::unique_ptr<Folder>> folders_;  // empty: no page of its own
  std::uint64_t last_ = none;                     // the page that was marked last, and its words
  std::uint64_t* last_words_ = nullptr;
};

}  // namespace lanescope::sim
