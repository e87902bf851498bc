#pragma once
// What one worker knows of which bytes of a region were ever written: what counted as written before the launch, and
// what the worker's blocks wrote since. The first is shared and may be large; only pages that were written to since are
// the worker's own. So neither a launch nor a further worker costs more where the region is larger.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/memory/written_map.h"

namespace lanescope::sim {

class WrittenOverlay {
 public:
  WrittenOverlay() = default;  // complete
  // On top of `before`, which must outlive it and be as it is until the last mark().
  explicit WrittenOverlay(const WrittenMap& before)
      : before_(before.complete() ? nullptr : before.words().data()),
        words_(before.words().size()),
        unwritten_(before.unwritten()) {}
  // Nothing was written so far.
  explicit WrittenOverlay(std::uint64_t bytes) : words_((bytes + 63) / 64), unwritten_(bytes) {}
  WrittenOverlay(WrittenOverlay&&) = default;
  WrittenOverlay& operator=(WrittenOverlay&&) = default;
  WrittenOverlay(const WrittenOverlay& other) { *this = other; }
  WrittenOverlay& operator=(const WrittenOverlay& other);

  // As WrittenMap's.
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
  bool any(std::uint64_t first, std::uint64_t count) const { return by_page(first, count, false, written_bits::any); }
  bool all(std::uint64_t first, std::uint64_t count) const { return by_page(first, count, true, written_bits::all); }

  // Makes what counts as written here count as written there. `to` is the map below, or has as many bytes.
  void add_to(WrittenMap& to) const;
  // The same for words as WrittenMap::words() gives them; there may be fewer of them yet.
  void add_to(std::vector<std::uint64_t>& words) const;

 private:
  static constexpr std::uint64_t page_words = 512, page_bytes = page_words * 64, pages_of_folder = 256;
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  using Page = std::array<std::uint64_t, page_words>;
  using Folder = std::array<std::unique_ptr<Page>, pages_of_folder>;

  // Calls visit(page's number, its words) for each of its own.
  template <typename Visit>
  void each_page(Visit&& visit) const;
  std::uint64_t* own_page(std::uint64_t number) {
    if (number == last_) return last_words_;
    last_words_ = make_page(number);
    last_ = number;
    return last_words_;
  }
  std::uint64_t* make_page(std::uint64_t number);
  // nullptr: all of it is zeros.
  const std::uint64_t* page(std::uint64_t number) const {
    if (number == last_) return last_words_;
    if (!folders_.empty())
      if (const Folder* folder = folders_[number / pages_of_folder].get())
        if (const Page* own = (*folder)[number % pages_of_folder].get()) return own->data();
    return before_ == nullptr ? nullptr : before_ + number * page_words;
  }
  // Whether `test` gives `wanted` for all (wanted = true) or for one (false) of the pages that the range lies on.
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
