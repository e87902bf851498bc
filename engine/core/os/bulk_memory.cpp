#include "core/os/bulk_memory.h"

#include <algorithm>
#include <mutex>
#include <new>
#include <unordered_map>
#include <vector>

#include "core/os/eager_lock.h"
#include "core/os/pages.h"

namespace lanescope::bulk_memory {

namespace {

// With kept memory, the sanitizers would miss a use after it was given back.
#if defined(__SANITIZE_ADDRESS__)
constexpr std::size_t keep_at_most = 0;
#else
constexpr std::size_t keep_at_most = most_kept;
#endif

struct Piece {
  void* memory;
  std::size_t bytes;
};

class Store {
 public:
  void* take(std::size_t bytes) {
    const std::size_t rounded = round_up(bytes);
    const EagerLock lock(mutex_);
    const Piece piece = take_kept(rounded);
    if (piece.memory != nullptr) return piece.memory;
    // Kept and new memory together must not exceed the limit of either.
    shrink_to(keep_at_most > rounded ? keep_at_most - rounded : 0);
    return allocate(rounded);
  }

  void give_back(void* memory) {
    const EagerLock lock(mutex_);
    const std::size_t bytes = sizes_.at(memory);
    if (bytes > keep_at_most) return release({memory, bytes});
    shrink_to(keep_at_most - bytes);
    kept_.push_back({memory, bytes});
    kept_bytes_ += bytes;
  }

  std::size_t kept() {
    const EagerLock lock(mutex_);
    return kept_bytes_;
  }

 private:
  static std::size_t round_up(std::size_t bytes) {
    const std::size_t unit = bytes >= 2 * large_page ? large_page : smallest;
    return (bytes + unit - 1) / unit * unit;
  }

  // The smallest sufficient piece, unless it is far too large. Among equal ones the one that was given back last,
  // because it may still be in a cache.
  Piece take_kept(std::size_t bytes) {
    auto best = kept_.end();
    for (auto piece = kept_.begin(); piece != kept_.end(); ++piece)
      if (piece->bytes >= bytes && piece->bytes / 2 <= bytes && (best == kept_.end() || piece->bytes <= best->bytes))
        best = piece;
    if (best == kept_.end()) return {nullptr, 0};
    const Piece piece = *best;
    kept_.erase(best);
    kept_bytes_ -= piece.bytes;
    return piece;
  }

  void shrink_to(std::size_t bytes) {
    std::size_t count = 0;  // the oldest pieces go first
    for (; kept_bytes_ > bytes; ++count) {
      kept_bytes_ -= kept_[count].bytes;
      release(kept_[count]);
    }
    kept_.erase(kept_.begin(), kept_.begin() + static_cast<std::ptrdiff_t>(count));
  }

  void* allocate(std::size_t bytes) {
    const std::size_t page = bytes >= 2 * large_page ? large_page : 4096;
    void* memory = pages::take_aligned(page, bytes);
    if (memory == nullptr) throw std::bad_alloc();
    if (page == large_page) pages::wish_for_large(memory, bytes);
    sizes_.emplace(memory, bytes);
    return memory;
  }

  void release(Piece piece) {
    sizes_.erase(piece.memory);
    pages::give_back_aligned(piece.memory);
  }

  std::mutex mutex_;                              // protects all members below
  std::unordered_map<void*, std::size_t> sizes_;  // of all pieces, taken or kept
  std::vector<Piece> kept_;                       // in the order in which they were given back
  std::size_t kept_bytes_ = 0;
};

// Never destroyed, because static objects may give memory back later.
Store& store() {
  static Store& only = *new Store;
  return only;
}

}  // namespace

void* take(std::size_t bytes) {
  return store().take(bytes);
}
void give_back(void* memory) noexcept {
  store().give_back(memory);
}
std::size_t kept() {
  return store().kept();
}

}  // namespace lanescope::bulk_memory
