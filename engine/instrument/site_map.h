#pragma once
// Maps each recording site to the interpreter's site of the same instruction. Internal to instrument/.

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "instrument/instrument.h"

namespace lanescope::instrument {

class SiteMap {
 public:
  explicit SiteMap(const trace::Trace& trace) {
    for (const trace::Site& site : trace.sites)
      sites_[{trace.functions[static_cast<std::size_t>(site.function)],
              place_of(site.kind, site.instruction, site.basic_block), site.kind}]
          .push_back(&site);
  }
  // Returns null if there is none. An asynchronous copy has two sites; the second is its access to shared memory.
  const trace::Site* find(const RecordSite& record) const {
    const auto found =
        sites_.find({record.function, place_of(record.kind, record.instruction, record.basic_block), record.kind});
    if (found == sites_.end()) return nullptr;
    const auto& candidates = found->second;
    return candidates[record.shared_part && candidates.size() > 1 ? 1 : 0];
  }

 private:
  using Key = std::tuple<std::string, std::int32_t, trace::EventKind>;  // function, instruction (or basic block), kind
  static std::int32_t place_of(trace::EventKind kind, std::int32_t instruction, std::int32_t basic_block) {
    return kind == trace::EventKind::block_entry ? basic_block : instruction;
  }
  std::map<Key, std::vector<const trace::Site*>> sites_;
};

}  // namespace lanescope::instrument
