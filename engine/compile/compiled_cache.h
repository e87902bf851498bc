#pragma once
// The latest results of a compiler in this process, and the key by which they are found.

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include "compile/compiler.h"
#include "compile/host/include_tree.h"

namespace lanescope::compile {

// What the user gives a compiler: the source, the files it includes, the options and the working directory, each with
// its length so that different requests have different keys. Empty if `included` is not complete: then the inputs are
// not known, and nothing may be kept.
std::string key_of_inputs(const Source& source, const IncludeTree& included, const Options& options);

// Finds results by a key that contains all inputs, including the contents of included files.
class CompiledCache {
 public:
  std::shared_ptr<const Result<Ptx>> find(const std::string& key) {
    const std::lock_guard lock(guard_);
    const auto at = index_.find(key);
    if (at == index_.end()) return nullptr;
    order_.splice(order_.begin(), order_, at->second);
    return at->second->result;
  }

  void add(const std::string& key, const Result<Ptx>& result) {
    const std::lock_guard lock(guard_);
    if (index_.contains(key)) return;
    order_.push_front({key, std::make_shared<const Result<Ptx>>(result)});
    index_[key] = order_.begin();
    bytes_ += order_.front().bytes();
    while (order_.size() > 1 && (order_.size() > most_entries_ || bytes_ > most_bytes_)) {
      bytes_ -= order_.back().bytes();
      index_.erase(order_.back().key);
      order_.pop_back();
    }
  }

 private:
  struct Entry {
    std::string key;
    std::shared_ptr<const Result<Ptx>> result;
    std::size_t bytes() const { return key.size() + (*result ? (*result)->text.size() : 0); }
  };
  static constexpr std::size_t most_entries_ = 128, most_bytes_ = 64u << 20;

  std::mutex guard_;
  std::list<Entry> order_;  // most recently used first
  std::unordered_map<std::string, std::list<Entry>::iterator> index_;
  std::size_t bytes_ = 0;
};

}  // namespace lanescope::compile
