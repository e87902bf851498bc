#include "sim/write_watch.h"

#include <algorithm>
#include <cstring>
#include <thread>

namespace lanescope::sim {

namespace {

std::uint64_t bytes_of_piece(const Region& region, std::uint64_t p) {
  return std::min(WriteWatch::piece_bytes, region.bytes - p * WriteWatch::piece_bytes);
}

}  // namespace

void WriteWatch::begin(const GlobalMemory& memory, bool keep) {
  watched_ = std::make_unique<Watched[]>(memory.regions().size());
  keep_ = keep;
}

void WriteWatch::first_write(const Region& region) {
  const std::lock_guard lock(mutex_);
  Watched& watched = watched_[region.index];
  if (watched.written.load(std::memory_order_relaxed)) return;
  if (keep_) {
    watched.kept.resize(region.bytes);
    watched.pieces = std::make_unique<std::atomic<Piece>[]>((region.bytes + piece_bytes - 1) / piece_bytes);
  }
  watched.written.store(true, std::memory_order_release);
}

void WriteWatch::keep_piece(const Region& region, std::uint64_t p) {
  Watched& watched = watched_[region.index];
  std::atomic<Piece>& piece = watched.pieces[p];
  Piece expected = Piece::untouched;
  if (piece.compare_exchange_strong(expected, Piece::copying, std::memory_order_acquire)) {
    // Nobody writes here before the piece is kept, so what is copied is what the region held.
    std::memcpy(watched.kept.data() + p * piece_bytes, region.data + p * piece_bytes, bytes_of_piece(region, p));
    piece.store(Piece::kept, std::memory_order_release);
  }
  while (piece.load(std::memory_order_acquire) != Piece::kept) std::this_thread::yield();
}

void WriteWatch::restore(const GlobalMemory& memory) const {
  for (const Region& region : memory.regions()) {
    const Watched& watched = watched_[region.index];
    if (watched.pieces == nullptr) continue;
    for (std::uint64_t p = 0; p * piece_bytes < region.bytes; ++p)
      if (watched.pieces[p].load(std::memory_order_relaxed) == Piece::kept)
        std::memcpy(region.data + p * piece_bytes, watched.kept.data() + p * piece_bytes, bytes_of_piece(region, p));
  }
}

}  // namespace lanescope::sim
