#pragma once
// Which regions of global memory a launch writes to. If its blocks may have to run again, also the regions' previous
// contents.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/memory/memory.h"

namespace lanescope::sim {

// The previous contents are saved piece by piece, each by the worker that is about to write to the piece for the first
// time. A single copy of everything would be made by one worker while the others wait, and would include bytes that
// nobody accesses.
class WriteWatch {
 public:
  // Call once, before the launch. `keep`: save the regions' contents; then there must be no regions on the device heap.
  void begin(const GlobalMemory& memory, bool keep);

  // Notes that the region is written to, without saving its contents.
  void note_write(const Region& region) {
    if (!of(region).written.load(std::memory_order_acquire)) [[unlikely]]
      first_write(region);
  }
  // Call before any write to [address, address + bytes), which must be inside the region and not empty; from any
  // thread.
  void before_write(const Region& region, std::uint64_t address, std::uint64_t bytes) {
    note_write(region);
    if (keep_) keep_range(region, address - region.address, bytes);
  }
  bool keeps() const { return keep_; }
  bool written(const Region& region) const { return of(region).written.load(std::memory_order_acquire); }

  // Restores the saved contents. No thread may be running.
  void restore(const GlobalMemory& memory) const;

  static constexpr std::uint64_t piece_bytes = 4096;

 private:
  enum class Piece : std::uint8_t { untouched, copying, kept };
  // Arrays with one element per byte or piece of the region: in large pages that are reused, or sparse if they are too
  // large to keep.
  struct GivenBack {
    std::size_t bytes;
    bool sparse;
    GivenBack() : bytes(0), sparse(false) {}
    GivenBack(std::size_t of, bool is_sparse) : bytes(of), sparse(is_sparse) {}
    void operator()(void* memory) const;
  };
  using Kept = std::unique_ptr<std::byte[], GivenBack>;
  using Pieces = std::unique_ptr<std::atomic<Piece>[], GivenBack>;
  // Zeros if sparse, else uninitialised.
  template <typename T>
  static std::unique_ptr<T[], GivenBack> take(std::size_t count, bool sparse);

  struct Watched {
    std::atomic<bool> written{false};  // set last: the other members are then set up
    Kept kept;                         // as large as the region; valid where the piece is kept
    Pieces pieces;
  };

  // All allocations on the device heap share one element, because nobody queries them.
  Watched& of(const Region& region) const { return watched_[std::min<std::size_t>(region.index, heap_)]; }
  void first_write(const Region& region);
  void keep_range(const Region& region, std::uint64_t offset, std::uint64_t bytes) {
    const std::atomic<Piece>* const pieces = of(region).pieces.get();
    for (std::uint64_t p = offset / piece_bytes; p <= (offset + bytes - 1) / piece_bytes; ++p)
      if (pieces[p].load(std::memory_order_acquire) != Piece::kept) [[unlikely]]
        keep_piece(region, p);
  }
  void keep_piece(const Region& region, std::uint64_t p);

  std::unique_ptr<Watched[]> watched_;  // by region
  std::size_t heap_ = 0;                // index of the element for heap regions
  std::mutex mutex_;                    // for setting up `watched_`
  bool keep_ = false;
};

}  // namespace lanescope::sim
