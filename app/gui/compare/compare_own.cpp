// Controls for both sides of the comparing view: variant, launch, and B's own values or code.

#include <algorithm>

#include "gui/compare/compare_parts.h"
#include "gui/compare/compare_view.h"
#include "gui/numbers/numbers.h"
#include "gui/numbers/slider.h"
#include "gui/parts/launch_choice.h"

namespace lanescope::gui {
namespace {

// The code that was not edited.
Label original_label(const Selection& chosen) {
  return chosen.is_lesson() ? Label::compare_original : Label::compare_file;
}

// "before (version 1)", and the arguments if the other version had others.
std::string version_text(const Ui& ui, const Selection::Versions& both, bool is_a) {
  std::string said = is_a ? fill_in(ui.tr(Label::version_now), std::to_string(both.now))
                          : fill_in(ui.tr(Label::version_before), std::to_string(both.before));
  if (both.arguments_before != both.arguments_now)
    said += " · " + fill_in(ui.tr(Label::version_arguments), is_a ? both.arguments_now : both.arguments_before);
  return said;
}

// Both sides are named by their versions. A launch has its own number in each.
std::string title_of_version(const Ui& ui, std::size_t variant, bool is_a) {
  const Selection& chosen = ui.session.selection;
  const auto both = chosen.versions(variant);
  std::string title = ui.say(chosen.lesson().variants[variant].title);
  if (const auto before = chosen.run_before(); before != nullptr && !is_a) {
    const auto launch = launch_alike(*chosen.run(), variant, *before);
    title = launch ? ui.say(before->lesson.variants[*launch].title) : chosen.run()->entry(variant).kernel;
  }
  if (!both) return title;
  title += " · " + version_text(ui, *both, is_a);
  if (chosen.kernel_file() == nullptr) return title;
  const std::string before = chosen.compared_key().launch;
  if (before != chosen.form_text()) title += " · " + job::short_text(is_a ? chosen.form() : job::form_from(before));
  return title;
}

// A control that only one of the two variants has, such as a stride. Sizes are beside the numbers.
bool is_alone(const lesson::Control& control, const lesson::Variant& of, const lesson::Variant& other) {
  const auto has = [&](const lesson::Variant& one) {
    return std::ranges::find(one.controls, control.name) != one.controls.end();
  };
  return !control.is_size() && has(of) && !has(other);
}

// Whether this side's code is not the lesson's. The version before may be the lesson's own, and the one now too.
bool is_edited(const Selection& chosen, const lesson::Variant& of, bool is_a) {
  const Compared& own = *chosen.comparison();
  if (!chosen.is_lesson()) return false;
  if (own.before) return (is_a ? chosen.source() : chosen.compared_key().source) != chosen.original_source();
  return chosen.edited(of) && (is_a || (!own.original && !own.recorded));
}

// "transpose · rows = 64 · the lesson's text": the variant, and how B differs from what is on screen.
std::string title_of(const Ui& ui, std::size_t variant, bool is_a) {
  const Selection& chosen = ui.session.selection;
  const lesson::Variant& of = chosen.lesson().variants[variant];
  const Compared& own = *chosen.comparison();
  std::string title = own.before ? title_of_version(ui, variant, is_a) : ui.say(of.title);
  const std::string edited =
      is_edited(chosen, of, is_a) ? std::string(" · ") + ui.tr(Label::variant_edited) : std::string();
  if (is_a && own.before) return title + edited;
  if (is_a && !own.launch.empty()) title += " · " + job::short_text(chosen.form());
  // Both name the values in which they differ.
  const lesson::Variant& other = chosen.lesson().variants[is_a ? own.variant : chosen.variant_index()];
  for (const auto& [name, value] : is_a ? chosen.wanted().controls : chosen.compared_key().controls)
    if (const lesson::Control* control = chosen.lesson().find_control(name);
        own.controls.contains(name) || is_alone(*control, of, other))
      title += " · " + ui.name_of(*control) + " = " + grouped(value);
  title += edited;
  if (is_a) return title;
  if (own.recorded)
    if (const gpu::Device* device = ui.session.runs.gpus().chosen())
      title += " · " + fill_in(ui.tr(Label::recorded_on_gpu), device->name);
  if (own.original && chosen.edited(of)) title += std::string(" · ") + ui.tr(original_label(chosen));
  if (!own.launch.empty() && !own.before) title += " · " + job::short_text(job::form_from(own.launch));
  return title;
}

}  // namespace

// An entry in the list of B's variants: its values if they differ from those on screen, and the lesson's text if the
// code is edited.
void CompareView::own_values(const Ui& ui) {
  Session& s = ui.session;
  const Compared& now = *s.selection.comparison();
  const lesson::Lesson& lesson = s.selection.lesson();
  const lesson::Variant& of = lesson.variants[now.variant];
  const float width = ui.px(330);
  const auto row = [&](const char* id, const std::string& text, bool chosen) {
    return ImGui::Selectable((text + "###" + id).c_str(), chosen, ImGuiSelectableFlags_NoAutoClosePopups,
                             {width, ui.px(22)});
  };
  ImGui::Dummy({width, ui.px(6)});
  if (const gpu::Device* device = s.runs.gpus().chosen();
      device != nullptr && row("recorded", fill_in(ui.tr(Label::recorded_on_gpu), device->name), now.recorded))
    ui.window.afterwards(
        [&s, other = Compared{s.selection.variant_index(), {}, false, true}] { s.compare_with(other); });
  if (now.recorded) return;  // with the text and the values on screen
  const std::size_t a = s.selection.variant_index();
  if (const auto versions = s.selection.versions(a);
      versions && row("before", version_text(ui, *versions, false), now.before))
    ui.window.afterwards(
        [&s, other = now.before ? Compared{a, now.controls, false} : version_before(a)] { s.compare_with(other); });
  if (!now.before && s.selection.run() == nullptr && s.selection.edited(of) &&
      row("original", ui.tr(original_label(s.selection)), now.original)) {
    Compared other = now;
    other.original = !now.original;
    ui.window.afterwards([&s, other] { s.compare_with(other); });
  }
  if (s.selection.kernel_file() != nullptr && !now.before) earlier_launches(ui, width);
  if (of.controls.empty()) return;
  line_of_text(ui.look, type::small_strong, ui.colours().dim, ui.tr(Label::compare_own_values), width, 26);
  const lesson::ControlValues values = s.selection.compared_key().controls;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("own values", {width, ui.px(30) * static_cast<float>(values.size())}, ImGuiChildFlags_NavFlattened);
  SliderColumns columns{ui.px(100), ui.px(48)};
  for (const auto& [name, value] : values)
    if (const lesson::Control* control = lesson.find_control(name); control != nullptr)
      columns.fit(ui.look, *control, ui.name_of(*control), ui.say(control->unit), width);
  for (const auto& [name, before] : values) {
    const lesson::Control* control = lesson.find_control(name);
    if (control == nullptr) continue;
    std::int64_t value = before;
    const Slide happened = control_slider(ui.look, *control, value, ui.name_of(*control), unit_of(ui, *control, value),
                                          ui.say(control->explain), columns, 30);
    if (happened == Slide::nothing) continue;
    Compared other = now;
    other.controls[name] = value;
    ui.window.afterwards([&s, other, at_once = happened == Slide::released || s.runs.fast()] {
      if (s.selection.comparison() != nullptr) s.compare_with(other, at_once);
    });
  }
  ImGui::EndChild();
  ImGui::PopStyleVar();
  if (!now.controls.empty() && row("as on screen", ui.tr(Label::compare_as_on_screen), false))
    ui.window.afterwards([&s, other = Compared{now.variant, {}, now.original}] { s.compare_with(other); });
}

// The launches of the kernel that ran; the form's own is `as on screen`.
void CompareView::earlier_launches(const Ui& ui, float width) {
  Session& s = ui.session;
  const Compared& now = *s.selection.comparison();
  const VariantId kernel = s.selection.id(now.variant);
  std::vector<std::string> launches{std::string()};
  for (const std::string& launch : s.selection.forms().ran(kernel))
    if (launch != s.selection.forms().text(kernel)) launches.push_back(launch);
  if (launches.size() == 1 && now.launch.empty()) return;
  line_of_text(ui.look, type::small_strong, ui.colours().dim, ui.tr(Label::form_earlier), width, 26);
  for (const std::string& launch : launches) {
    const std::string text =
        launch.empty() ? ui.tr(Label::compare_as_on_screen) : job::short_text(job::form_from(launch));
    if (!ImGui::Selectable((text + "###launch " + launch).c_str(), launch == now.launch,
                           ImGuiSelectableFlags_NoAutoClosePopups, {width, ui.px(22)}))
      continue;
    Compared other = now;
    other.launch = launch;
    ui.window.afterwards([&s, other] { s.compare_with(other); });
  }
}

// Badge, variant and launch, with their menus; returns where they end.
float CompareView::strip_of(const Ui& ui, const Side& side, bool is_a, const Strip& strip) {
  Session& s = ui.session;
  badge(ui, is_a, {strip.x0 + ui.px(10), strip.centre});
  const std::string title = title_of(ui, side.variant, is_a);
  const float room = (strip.x1 - strip.x0) * 0.6f;  // the rest is for the step
  const float width = std::min(ui.look.measure(type::body_strong, title).x + ui.px(26), room);
  ImGui::SetCursorScreenPos({strip.x0 + ui.px(26), strip.centre - ui.px(15)});
  ImDrawList* list = ImGui::GetWindowDrawList();
  bool cut = false;
  if (pressable(is_a ? "choose a" : "choose b", {width, ui.px(30)})) ImGui::OpenPopup("variants");
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ui.colours().hover, ui.px(6));
  }
  draw_text(list, ui.look, type::body_strong, ui.colours().text, {strip.x0 + ui.px(32), strip.centre}, title,
            HAlign::left, width - ui.px(26), &cut);
  if (cut) hint(ui.look, title);
  place_list_at_item(ui.look);
  draw_icon(list, ui.look, Icon::down, {strip.x0 + ui.px(26) + width - ui.px(9), strip.centre}, ui.colours().dim, 7);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  if (ImGui::BeginPopup("variants")) {
    for (std::size_t i = 0; i < s.selection.lesson().variants.size(); ++i) {
      const lesson::Variant& v = s.selection.lesson().variants[i];
      if (v.gpu_only ||
          !ImGui::Selectable((ui.say(v.title) + "##" + v.id).c_str(), i == side.variant, 0, {ui.px(180), ui.px(22)}))
        continue;
      ui.window.afterwards([&s, is_a, i] {
        if (is_a)
          s.choose_variant(i);
        else
          s.compare_with({i, s.selection.comparison()->controls, false});
      });
    }
    if (!is_a) own_values(ui);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  const float end = strip.x0 + ui.px(26) + width + ui.px(10);
  if (side.result == nullptr) return end;
  ImGui::PushID(is_a ? "launch a" : "launch b");
  const LaunchShown launch{side.result, side.launch, side.launch_count()};
  int chosen = side.launch;
  const float used = launch_choice(ui, launch, end, strip.centre, chosen);
  ImGui::PopID();
  if (chosen != side.launch)
    ui.window.afterwards([&s, is_a, chosen] {
      if (is_a)
        s.runs.set_launch(chosen);
      else if (s.selection.compared())
        s.runs.set_compared_launch(chosen);
    });
  return end + used + (used > 0 ? ui.px(10) : 0);
}

}  // namespace lanescope::gui
