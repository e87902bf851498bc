#pragma once
// The race detector's shadow memory: for each 4-byte word, the accesses that a later one could still race with.

#include <cstdint>
#include <memory>
#include <vector>

namespace lanescope::sim {

// An access by some lanes of one warp, at one clock, by one instruction, to one word.
struct ShadowAccess {
  enum Kind : std::uint32_t { none, read, write, atomic };
  std::uint32_t warp = 0;  // over the whole grid
  std::uint32_t lanes = 0;
  std::uint32_t clock = 0;     // of each of the lanes
  std::uint32_t position = 0;  // among its warp's requests since the last barrier
  std::uint32_t kind : 2 = none;
  std::uint32_t bytes : 4 = 0;    // bytes of the word, one bit each
  std::uint32_t strong : 1 = 0;   // atomic, volatile or ordered
  std::uint32_t narrow : 1 = 0;   // strong only within the block
  std::uint32_t unit : 3 = 0;     // log2 of the bytes that are accessed atomically
  std::uint32_t pending : 1 = 0;  // an asynchronous copy that has not been waited for
  std::uint32_t site : 20 = 0;

  bool writes() const { return kind >= write; }
  bool same_as(const ShadowAccess& other) const {
    return warp == other.warp && clock == other.clock && kind == other.kind && bytes == other.bytes &&
           strong == other.strong && narrow == other.narrow && unit == other.unit && site == other.site &&
           pending == 0 && other.pending == 0;
  }
};
static_assert(sizeof(ShadowAccess) == 20);

// Used if the two inline entries of a cell do not suffice. Weak accesses are the plain ones.
struct ShadowMore {
  std::vector<ShadowAccess> writes, reads;  // weak
  std::vector<ShadowAccess> strong;
  std::size_t prune_at = 32;  // a list with this many entries is pruned
  bool mixed = false;         // the strong ones differ in scope or size
  bool incomplete = false;    // something was dropped, for lack of memory
};

struct ShadowCell {
  ShadowAccess write, read;  // the first weak one of each kind
  std::unique_ptr<ShadowMore> more;
};

// The bytes that the detector may still use.
struct ShadowBudget {
  std::int64_t left = 0;
  bool take(std::size_t bytes) {
    if (left < static_cast<std::int64_t>(bytes)) return false;
    left -= static_cast<std::int64_t>(bytes);
    return true;
  }
};

// The words of one memory. Pages are created when they are first accessed.
class ShadowMemory {
 public:
  explicit ShadowMemory(std::uint64_t bytes = 0) : pages_((bytes / 4 + page_words) / page_words) {}
  bool covers(std::uint64_t bytes) const { return pages_.size() * page_words * 4 >= bytes; }
  // nullptr if there is no memory left.
  ShadowCell* cell(std::uint64_t word, ShadowBudget& budget) {
    std::unique_ptr<ShadowCell[]>& page = pages_[word / page_words];
    if (page == nullptr) {
      if (!budget.take(page_words * sizeof(ShadowCell))) return nullptr;
      page = std::make_unique<ShadowCell[]>(page_words);
    }
    return &page[word % page_words];
  }
  // Calls visit(word, access) for all remembered accesses.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t p = 0; p < pages_.size(); ++p)
      for (std::uint64_t i = 0; pages_[p] != nullptr && i < page_words; ++i) {
        const ShadowCell& cell = pages_[p][i];
        const std::uint64_t word = p * page_words + i;
        if (cell.write.kind != ShadowAccess::none) visit(word, cell.write);
        if (cell.read.kind != ShadowAccess::none) visit(word, cell.read);
        if (cell.more == nullptr) continue;
        for (const auto* list : {&cell.more->writes, &cell.more->reads, &cell.more->strong})
          for (const ShadowAccess& access : *list) visit(word, access);
      }
  }
  // Forgets everything and returns the memory to the budget.
  void clear(ShadowBudget& budget) {
    for (auto& page : pages_) {
      if (page == nullptr) continue;
      for (std::uint64_t i = 0; i < page_words; ++i)
        if (page[i].more != nullptr) budget.left += static_cast<std::int64_t>(bytes_of(*page[i].more));
      budget.left += static_cast<std::int64_t>(page_words * sizeof(ShadowCell));
      page.reset();
    }
  }
  static std::size_t bytes_of(const ShadowMore& more) {
    return sizeof(ShadowMore) + (more.writes.size() + more.reads.size() + more.strong.size()) * sizeof(ShadowAccess);
  }

 private:
  static constexpr std::uint64_t page_words = 256;
  std::vector<std::unique_ptr<ShadowCell[]>> pages_;
};

}  // namespace lanescope::sim
