#pragma once
// What the fields of a launch form held before, for Ctrl + Z and Ctrl + Y: the form as a whole, so that any field can
// be taken back. What one field gets in one go is one step.

#include <cstdint>
#include <utility>
#include <vector>

#include "job/request/launch_form.h"

namespace lanescope::gui {

class FormHistory {
 public:
  // The form on screen. One with other fields begins anew.
  void begin(const job::LaunchForm& form) {
    const bool same_fields = form.kernel == shown_.kernel && form.arguments.size() == shown_.arguments.size() &&
                             form.template_arguments.size() == shown_.template_arguments.size();
    if (!same_fields) past_.clear(), future_.clear(), field_ = 0;
    shown_ = form;
  }
  // `field`: what made the change; 0: it is a step of its own.
  void changed(const job::LaunchForm& before, const job::LaunchForm& after, std::uint32_t field = 0) {
    if (before == after) return;
    if (field == 0 || field != field_) past_.push_back(before);
    if (past_.size() > most_steps) past_.erase(past_.begin());
    future_.clear();
    field_ = field;
  }
  void end_step() { field_ = 0; }  // the next change is a step of its own
  // Replaces `now` by the form before or after it; false: there is none.
  bool undo(job::LaunchForm& now) { return move(past_, future_, now); }
  bool redo(job::LaunchForm& now) { return move(future_, past_, now); }

 private:
  using Forms = std::vector<job::LaunchForm>;
  bool move(Forms& from, Forms& to, job::LaunchForm& now) {
    if (from.empty()) return false;
    to.push_back(std::exchange(now, std::move(from.back())));
    from.pop_back();
    field_ = 0;
    return true;
  }

  static constexpr std::size_t most_steps = 200;
  Forms past_, future_;
  job::LaunchForm shown_;
  std::uint32_t field_ = 0;  // of the last step
};

}  // namespace lanescope::gui
