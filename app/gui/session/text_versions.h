#pragma once
// The texts of a lesson's variant or of a file's kernel that ran one after the other while the window was open: the one
// that ran last and the one before it, which a comparison shows beside each other.

#include <map>
#include <utility>

#include "gui/session/run_result.h"

namespace lanescope::gui {

class TextVersions {
 public:
  struct Version {
    int number = 1;  // from 1, in the order in which they ran
    RunKey ran;      // what ran with the text last
  };
  // This run completed; call it for each in turn. The same text again is the same version.
  void note(const RunKey& ran) {
    const auto [at, is_new] = versions_.try_emplace({ran.lesson, ran.variant}, Both{{1, ran}, {0, {}}});
    Both& both = at->second;
    if (is_new) return;
    if (both.now.ran.source != ran.source) {
      both.before = std::move(both.now);
      both.now.number = both.before.number + 1;
    }
    both.now.ran = ran;
  }
  // Null: there was none.
  const Version* now(const VariantId& of) const {
    const auto found = versions_.find(of);
    return found == versions_.end() ? nullptr : &found->second.now;
  }
  const Version* before(const VariantId& of) const {
    const auto found = versions_.find(of);
    return found == versions_.end() || found->second.before.number == 0 ? nullptr : &found->second.before;
  }

 private:
  struct Both {
    Version now, before;  // number 0: none
  };
  std::map<VariantId, Both> versions_;
};

}  // namespace lanescope::gui
