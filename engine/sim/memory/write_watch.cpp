#include "sim/memory/write_watch.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <thread>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "core/os/bulk_vector.h"
#include "core/os/sparse_memory.h"

namespace lanescope::sim {

namespace {

std::uint64_t bytes_of_piece(const Region& region, std::uint64_t p) {
  return std::min(WriteWatch::piece_bytes, region.bytes - p * WriteWatch::piece_bytes);
}

// Copies bytes that will not be read again soon, bypassing the caches. Prefetches the bytes after `from` at the same
// time: usually they are the next piece, whose loads would otherwise stall one by one.
void copy_away(std::byte* to, const std::byte* from, std::uint64_t bytes) {
#if defined(__SSE2__)
  const bool aligned = reinterpret_cast<std::uintptr_t>(to) % 16 == 0 && bytes % 64 == 0;
  for (std::uint64_t at = 0; aligned && at < bytes; at += 64) {
    __builtin_prefetch(from + bytes + at, 0, 2);
    for (std::uint64_t i = at; i < at + 64; i += 16)
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i), _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
  if (aligned) return;
#endif
  std::memcpy(to, from, bytes);
}

}  // namespace

void WriteWatch::GivenBack::operator()(void* memory) const {
  if (sparse)
    sparse_memory::give_back(memory, bytes);
  else
    BulkAllocator<std::byte>().deallocate(static_cast<std::byte*>(memory), bytes);
}

// Must not touch all elements: a launch that writes little to a large region must not pay for its size.
template <typename T>
std::unique_ptr<T[], WriteWatch::GivenBack> WriteWatch::take(std::size_t count, bool sparse) {
  const std::size_t bytes = count * sizeof(T);
  void* const memory = sparse ? sparse_memory::take(bytes) : BulkAllocator<std::byte>().allocate(bytes);
  return {static_cast<T*>(memory), GivenBack(bytes, sparse)};
}

void WriteWatch::begin(const GlobalMemory& memory, bool keep) {
  heap_ = memory.regions().size();
  watched_ = std::make_unique<Watched[]>(heap_ + 1);
  keep_ = keep;
}

void WriteWatch::first_write(const Region& region) {
  const std::lock_guard lock(mutex_);
  Watched& watched = of(region);
  if (watched.written.load(std::memory_order_relaxed)) return;
  if (keep_) {
    watched.kept = take<std::byte>(region.bytes, region.bytes > bulk_memory::most_kept);
    const std::size_t pieces = (region.bytes + piece_bytes - 1) / piece_bytes;
    const bool many = pieces > std::size_t{64} << 10;
    watched.pieces = take<std::atomic<Piece>>(pieces, many);
    if (!many) std::uninitialized_value_construct_n(watched.pieces.get(), pieces);
  }
  watched.written.store(true, std::memory_order_release);
}

void WriteWatch::keep_piece(const Region& region, std::uint64_t p) {
  Watched& watched = of(region);
  std::atomic<Piece>& piece = watched.pieces[p];
  Piece expected = Piece::untouched;
  if (piece.compare_exchange_strong(expected, Piece::copying, std::memory_order_acquire)) {
    // Nobody writes here before the piece is kept, so the copy has the region's original contents.
    copy_away(watched.kept.get() + p * piece_bytes, region.data + p * piece_bytes, bytes_of_piece(region, p));
    piece.store(Piece::kept, std::memory_order_release);
  }
  while (piece.load(std::memory_order_acquire) != Piece::kept) std::this_thread::yield();
}

void WriteWatch::restore(const GlobalMemory& memory) const {
  for (const Region& region : memory.regions()) {
    const Watched& watched = of(region);
    if (watched.pieces == nullptr) continue;
    for (std::uint64_t p = 0; p * piece_bytes < region.bytes; ++p)
      if (watched.pieces[p].load(std::memory_order_relaxed) == Piece::kept)
        std::memcpy(region.data + p * piece_bytes, watched.kept.get() + p * piece_bytes, bytes_of_piece(region, p));
  }
}

}  // namespace lanescope::sim
