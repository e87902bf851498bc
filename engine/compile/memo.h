#pragma once
// Caches the latest results of a slow function that depends only on its key. Internal to compile/.

#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "core/result.h"

namespace lanescope::compile {

// Thread-safe. Keeps the `most` results used last. Failures are not kept, because a missing part may be installed
// later.
template <typename T>
class Memo {
 public:
  explicit Memo(std::size_t most) : most_(most) {}

  // Returns the cached result, or calls `make`.
  template <typename Make>
  Result<T> get(const std::string& key, Make&& make) {
    if (const std::shared_ptr<const T> known = find(key)) return *known;
    Result<T> made = make();
    if (made) add(key, *made);
    return made;
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const T> value;
  };

  std::shared_ptr<const T> find(const std::string& key) {
    const std::lock_guard lock(guard_);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry)
      if (entry->key == key) {
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->value;
      }
    return nullptr;
  }

  void add(const std::string& key, const T& value) {
    const std::lock_guard lock(guard_);
    entries_.push_front({key, std::make_shared<const T>(value)});
    if (entries_.size() > most_) entries_.pop_back();
  }

  const std::size_t most_;
  std::mutex guard_;
  std::list<Entry> entries_;
};

}  // namespace lanescope::compile
