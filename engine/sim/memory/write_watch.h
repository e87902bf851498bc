#pragma once
// Which regions of global memory a launch writes to, and, when its blocks may have to run again, what those held
// before.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "sim/memory/memory.h"

namespace lanescope::sim {

// What was there before is kept piece by piece, each before its first write, by the worker that is about to write to
// it: a copy of everything at once would be made by one worker while the others wait, also of bytes that nobody
// touches.
class WriteWatch {
 public:
  // Call once, before the launch. `keep`: keep what the regions held; then there are none on the device heap.
  void begin(const GlobalMemory& memory, bool keep);

  // Somebody will have written to the region; what it holds is not kept.
  void note_write(const Region& region) {
    if (!of(region).written.load(std::memory_order_acquire)) [[unlikely]]
      first_write(region);
  }
  // Before any write to [address, address + bytes), which must lie within the region and not be empty; from any thread.
  void before_write(const Region& region, std::uint64_t address, std::uint64_t bytes) {
    note_write(region);
    if (keep_) keep_range(region, address - region.address, bytes);
  }
  bool keeps() const { return keep_; }
  bool written(const Region& region) const { return of(region).written.load(std::memory_order_acquire); }

  // Puts back what was kept. No thread may run.
  void restore(const GlobalMemory& memory) const;

  static constexpr std::uint64_t piece_bytes = 4096;

 private:
  enum class Piece : std::uint8_t { untouched, copying, kept };
  // As many as the region has bytes, in large pages that are used again, or sparse where those would be too many to
  // keep.
  struct GivenBack {
    std::size_t bytes;
    bool sparse;
    GivenBack() : bytes(0), sparse(false) {}
    GivenBack(std::size_t of, bool is_sparse) : bytes(of), sparse(is_sparse) {}
    void operator()(void* memory) const;
  };
  using Kept = std::unique_ptr<std::byte[], GivenBack>;
  using Pieces = std::unique_ptr<std::atomic<Piece>[], GivenBack>;
  // Zeros where sparse, else unset.
  template <typename T>
  static std::unique_ptr<T[], GivenBack> take(std::size_t count, bool sparse);

  struct Watched {
    std::atomic<bool> written{false};  // then the others are set up
    Kept kept;                         // as large as the region; set where its piece is kept
    Pieces pieces;
  };

  // Allocations on the device heap have one place for all: nobody asks of them.
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
  std::size_t heap_ = 0;                // the place of those on the heap
  std::mutex mutex_;                    // of setting them up
  bool keep_ = false;
};

}  // namespace lanescope::sim
