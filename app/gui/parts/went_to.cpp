#include "gui/parts/went_to.h"

#include <fmt/format.h>

#include "core/worded.h"
#include "gui/parts/exports.h"
#include "gui/parts/ui.h"
#include "imgui.h"

namespace lanescope::gui {
namespace {

WentFrom here(const Session& session) {
  WentFrom now{session.selection.lesson().id, session.selection.variant().id, {}, session.place.position()};
  for (const lesson::Control* control : session.selection.controls())
    now.controls[control->name] = session.selection.control(control->name);
  return now;
}

// "`packed by four` · stride = 8 · step 8, line 6": what differs from before; the step in any case.
std::string difference(const Ui& ui, const WentFrom& before) {
  const Session& s = ui.session;
  const WentFrom now = here(s);
  std::string said;
  const auto add = [&](const std::string& part) { said += (said.empty() ? "" : " · ") + part; };
  if (now.variant != before.variant) add(ui.told(worded("variant {}", ui.say_plain(s.selection.variant().title))));
  for (const lesson::Control* control : s.selection.controls()) {
    const auto was = before.controls.find(control->name);
    if (was != before.controls.end() && was->second != now.controls.at(control->name))
      add(fmt::format("{} = {}", ui.name_of(*control), grouped(now.controls.at(control->name))));
  }
  if (s.place.event() == nullptr) return said;
  if (now.position.block != before.position.block) add(fmt::format("{} {}", ui.tr(Label::block), now.position.block));
  if (now.position.warp != before.position.warp) add(fmt::format("{} {}", ui.tr(Label::warp), now.position.warp));
  std::string step = ui.told(worded("step {}", std::uint64_t{now.position.step + 1}));
  if (const trace::Site* site = s.place.site(); site != nullptr && site->line > 0)
    step += " (" + fill_in(ui.tr(Label::line_number), std::to_string(site->line)) + ")";
  add(step);
  return said;
}

}  // namespace

void going(const Ui& ui) {
  if (!ui.window.went_from) ui.window.went_from = here(ui.session);
}

void tell_where_it_went(const Ui& ui, bool arriving) {
  const Session& s = ui.session;
  if (!ui.window.went_from || arriving || s.runs.running().busy) return;
  const bool failed = !s.runs.problems().empty();
  if (!failed && (s.runs.shown() == nullptr || s.runs.stale())) return;
  const WentFrom before = *ui.window.went_from;
  ui.window.went_from.reset();
  if (before.lesson != s.selection.lesson().id) return;  // the learner has gone elsewhere meanwhile
  if (const std::string said = difference(ui, before); !said.empty())
    ui.window.exports->tell(worded("On screen: {}", said), ImGui::GetTime());
}

}  // namespace lanescope::gui
