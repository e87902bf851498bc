#include "gui/top_bar.h"

// The strip at the top: lesson, variants, device, Run, Present, and the menu.

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "core/text.h"
#include "core/worded.h"
#include "gui/parts/presenting.h"
#include "gui/parts/saved_runs.h"
#include "gui/parts/tour.h"

namespace lanescope::gui {
namespace {

void logo(const Ui& ui, ImVec2 at) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = ui.colours().executed;
  const float w = ui.px(5), h = ui.px(18), gap = ui.px(2.5f);
  // Lanes of a warp: three active, one waiting.
  for (int i = 0; i < 4; ++i) {
    const float x = at.x + static_cast<float>(i) * (w + gap);
    list->AddRectFilled({x, at.y - h / 2}, {x + w, at.y + h / 2}, with_alpha(colour, i == 2 ? 0.35f : 1.0f),
                        ui.px(1.5f));
  }
}

// A row of a menu: a bold name with a dim line below; the current one is marked.
bool menu_row(const Ui& ui, const char* id, const std::string& title, const std::string& note, bool current,
              float width) {
  const Palette& p = ui.colours();
  const float height = ui.px(note.empty() ? 32.0f : 48.0f);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = pressable(id, {width, height});
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (hovered || current)
    list->AddRectFilled(at, {at.x + width, at.y + height}, hovered ? mix(p.raised, p.accent, 0.18f) : p.accent_soft,
                        ui.px(6));
  const float room = width - ui.px(24);
  bool cut = false;
  const float y = at.y + (note.empty() ? height / 2 : ui.px(15));
  draw_text(list, ui.look, current ? type::small_strong : type::small_medium, p.text, {at.x + ui.px(12), y}, title,
            HAlign::left, room);
  if (!note.empty())
    draw_text(list, ui.look, type::caption, p.dim, {at.x + ui.px(12), at.y + ui.px(34)}, note, HAlign::left, room,
              &cut);
  if (cut) hint(ui.look, note);
  if (pressed) ImGui::CloseCurrentPopup();
  return pressed;
}

class Popup {
 public:
  Popup(const Ui& ui, const char* id, ImVec2 at) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
    ImGui::SetNextWindowPos(at);
    open_ = ImGui::BeginPopup(id, ImGuiWindowFlags_NoMove);
  }
  ~Popup() {
    if (open_) ImGui::EndPopup();
    ImGui::PopStyleVar(2);
  }
  Popup(const Popup&) = delete;
  Popup& operator=(const Popup&) = delete;
  explicit operator bool() const { return open_; }

 private:
  bool open_ = false;
};

void separator(const Ui& ui, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled({at.x, at.y + ui.px(3)}, {at.x + width, at.y + ui.px(4)},
                                            ui.colours().line);
  ImGui::Dummy({width, ui.px(7)});
}

// First in the list, where it is also seen in a low window.
void open_row(const Ui& ui, float width) {
  if (menu_row(ui, "open file", std::string(ui.tr(Label::open_file)) + "   Ctrl + O", ui.tr(Label::open_file_note),
               false, width))
    ui.window.open_asked = true;
  separator(ui, width);
}

// A program that is chosen runs again.
void recent_list(const Ui& ui, float width) {
  Session& s = ui.session;
  if (ui.window.recent_runs.empty()) return;
  separator(ui, width);
  ImGui::Indent(ui.px(12));
  line_of_text(ui.look, type::caption_strong, ui.colours().dim, ui.tr(Label::recent_files), width - ui.px(24), 22);
  ImGui::Unindent(ui.px(12));
  const OpenRun* run = s.selection.run();
  const std::string current = run == nullptr            ? ""
                              : run->program != nullptr ? run->program->program.file
                                                        : run->file->path();
  for (std::size_t i = 0; i < ui.window.recent_runs.size(); ++i) {
    const std::string& path = ui.window.recent_runs[i];
    const std::filesystem::path file(path);
    const auto program = ui.window.programs.find(path);
    const bool with_arguments = program != ui.window.programs.end() && !program->second.arguments.empty();
    if (menu_row(ui, ("recent " + std::to_string(i)).c_str(),
                 file.filename().generic_string() + (with_arguments ? "  " + program->second.arguments : ""),
                 file.parent_path().generic_string(), current == path, width))
      ui.window.afterwards([&s, &window = ui.window, path] { s.tell(open_file_again(s, window, path)); });
  }
  ImGui::Dummy({0, ui.px(4)});
}

float lesson_picker(const Ui& ui, float x, float centre, float max_width) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const bool saved_run = !s.selection.is_lesson();
  const std::string title =
      (saved_run ? std::string() : std::to_string(s.selection.lesson().order) + "   ") + title_on_screen(ui);
  const float width = std::min(max_width, std::round(ui.look.measure(type::body_strong, title).x) + ui.px(44));
  const float h = ui.px(34);
  ImGui::SetCursorScreenPos({x, centre - h / 2});
  if (pressable("lessons", {width, h})) ImGui::OpenPopup("lesson list");
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled({x, centre - h / 2}, {x + width, centre + h / 2}, p.hover, ui.px(6));
  }
  if (saved_run && s.selection.can_edit() && s.selection.edited()) hint(ui.look, ui.tr(Label::file_differs));
  draw_text(list, ui.look, type::body_strong, p.text, {x + ui.px(10), centre}, title, HAlign::left, width - ui.px(38));
  draw_icon(list, ui.look, Icon::down, {x + width - ui.px(16), centre}, p.dim, 8);
  if (const Popup popup(ui, "lesson list", {x, centre + h / 2 + ui.px(4)}); popup) {
    open_row(ui, ui.px(340));
    for (std::size_t i = 0; i < s.selection.lessons().size(); ++i) {
      const lesson::Lesson& l = s.selection.lessons()[i];
      if (menu_row(ui, l.id.c_str(), std::to_string(l.order) + "   " + ui.say(l.title), ui.say(l.question),
                   !saved_run && i == s.selection.lesson_index(), ui.px(340)) &&
          (saved_run || i != s.selection.lesson_index())) {
        ui.window.afterwards([&s, &window = ui.window, i] {
          s.choose_lesson(i);
          window.page = Page::read;  // a lesson starts with its explanation
        });
      }
    }
    recent_list(ui, ui.px(340));
  }
  return width;
}

// A or B in a chip's corner.
void letter(const Ui& ui, ImVec2 centre, bool is_a) {
  const Role role = is_a ? Role::variant_a : Role::variant_b;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddCircleFilled(centre, ui.px(8), ui.look.role(role));
  draw_text(list, ui.look, {Face::bold, 10}, ui.look.ink(role), centre, is_a ? "A" : "B", HAlign::centre);
}

// The default variant to compare with: the next one that can run here. If there is no other, the one on screen, which
// then gets its own code or values.
std::optional<std::size_t> partner(const Session& s) {
  const auto& variants = s.selection.lesson().variants;
  for (std::size_t i = 1; i < variants.size(); ++i) {
    const std::size_t index = (s.selection.variant_index() + i) % variants.size();
    if (!variants[index].gpu_only) return index;
  }
  return s.selection.variant().gpu_only ? std::nullopt : std::optional(s.selection.variant_index());
}

// What was just changed and run again is compared with what it was.
bool compares_versions(const Session& s) {
  return !s.selection.is_lesson() && s.selection.versions(s.selection.variant_index());
}

void begin_comparing(Session& s) {
  if (compares_versions(s))
    s.compare_with(version_before(s.selection.variant_index()));
  else
    s.compare(partner(s));
}

// As many variants as fit, including the chosen ones; the others are behind "more".
void variant_chips(const Ui& ui, float x, float limit, float centre) {
  Session& s = ui.session;
  // The launches of a saved run and the kernels of a file have their own list, except when two are compared.
  const bool saved_run = !s.selection.is_lesson();
  if (saved_run && !s.selection.compared()) return;
  const auto& variants = s.selection.lesson().variants;
  const float y = centre - ui.px(15), gap = ui.px(6);
  const float more_width = chip_width(ui.look, ui.tr(Label::more)) + ui.px(10);
  float total = 0;
  if (!saved_run)
    for (const lesson::Variant& v : variants) total += chip_width(ui.look, ui.say(v.title)) + gap;
  const bool all_fit = x + total <= limit;
  float room = limit - x - (all_fit ? 0 : more_width);
  const auto width_of = [&](std::size_t i) { return chip_width(ui.look, ui.say(variants[i].title)) + gap; };
  std::vector<std::size_t> visible, chosen{s.selection.variant_index()};
  if (s.selection.compared() && *s.selection.compared() != s.selection.variant_index())
    chosen.push_back(*s.selection.compared());
  float reserved = 0;  // width for the chosen ones that still follow
  for (const std::size_t i : chosen) reserved += width_of(i);
  if (saved_run) visible = chosen;
  for (std::size_t i = 0; i < variants.size() && !saved_run; ++i) {
    const bool is_chosen = std::ranges::find(chosen, i) != chosen.end();
    if (!all_fit && !is_chosen && width_of(i) + reserved > room) continue;
    visible.push_back(i);
    room -= width_of(i);
    if (is_chosen) reserved -= width_of(i);
  }
  for (const std::size_t i : visible) {
    const lesson::Variant& v = variants[i];
    const float width = chip_width(ui.look, ui.say(v.title));
    ImGui::SetCursorScreenPos({x, y});
    if (chip(ui.look, v.id.c_str(), ui.say(v.title), i == s.selection.variant_index(), s.selection.edited(v),
             s.selection.compared() == i ? ui.look.role(Role::variant_b) : 0))
      ui.window.afterwards([&s, i] { s.choose_variant(i); });
    if (s.selection.compared() && i == s.selection.variant_index())
      letter(ui, {x + width - ui.px(2), y + ui.px(2)}, true);
    if (s.selection.compared() == i)
      letter(ui, {x + width - ui.px(i == s.selection.variant_index() ? 20.0f : 2.0f), y + ui.px(2)}, false);
    hint(ui.look, s.selection.edited(v) ? ui.say(v.summary) + "\n" + ui.tr(Label::edited_variant) : ui.say(v.summary),
         ui.say(v.title));
    x += width + gap;
  }
  if (visible.size() == variants.size() || saved_run) return;
  ImGui::SetCursorScreenPos({x, y});
  if (chip(ui.look, "more variants", ui.tr(Label::more), false, false)) ImGui::OpenPopup("variant list");
  draw_icon(ImGui::GetWindowDrawList(), ui.look, Icon::down, {x + more_width - ui.px(14), centre}, ui.colours().dim, 7);
  if (const Popup popup(ui, "variant list", {x, y + ui.px(34)}); popup)
    for (std::size_t i = 0; i < variants.size(); ++i)
      if (std::ranges::find(visible, i) == visible.end() &&
          menu_row(ui, variants[i].id.c_str(), ui.say(variants[i].title), ui.say(variants[i].summary), false,
                   ui.px(340)))
        ui.window.afterwards([&s, i] { s.choose_variant(i); });
}

std::string short_device_name(const gpu::Device& device) {
  std::string name = device.name;
  for (const std::string lead : {"NVIDIA ", "GeForce "})
    if (name.starts_with(lead)) name.erase(0, lead.size());
  return name;
}

// Why there is no GPU, and what to do about it.
void no_gpu(const Ui& ui, float width) {
  const GpuRuns& gpus = ui.session.runs.gpus();
  const auto line = [&](TypeStyle style, ImU32 colour, const std::string& text) {
    ImGui::Indent(ui.px(12));
    paragraph(ui.look, style, colour, text, width - ui.px(24));
    ImGui::Unindent(ui.px(12));
    ImGui::Dummy({0, ui.px(2)});
  };
  const Palette& p = ui.colours();
  ImGui::Dummy({width, ui.px(4)});
  if (gpus.looking()) return line(type::small, p.dim, ui.tr(Label::device_looking));
  line(type::small_strong, p.dim, ui.tr(Label::device_none));
  for (const Diagnostic& why : gpus.missing()) {
    line(type::caption, p.text, ui.told(why.message));
    if (!why.cure.empty()) line(type::caption, p.dim, ui.told(why.cure));
  }
  ImGui::Dummy({0, ui.px(2)});
}

// GPUs elsewhere: a field for the place, and the result of the search.
void elsewhere(const Ui& ui, float width) {
  Session& s = ui.session;
  const GpuRuns& gpus = s.runs.gpus();
  const Palette& p = ui.colours();
  const auto line = [&](TypeStyle style, ImU32 colour, const std::string& text) {
    ImGui::Indent(ui.px(12));
    paragraph(ui.look, style, colour, text, width - ui.px(24));
    ImGui::Unindent(ui.px(12));
    ImGui::Dummy({0, ui.px(2)});
  };
  separator(ui, width);
  line(type::small_strong, p.dim, ui.tr(Label::elsewhere));
  static std::array<char, 128> place{};
  {
    const FieldStyle style(ui.look, ui.colours().raised);
    ImGui::Indent(ui.px(12));
    ImGui::SetNextItemWidth(width - ui.px(24));
    if (ImGui::InputTextWithHint("##place", ui.tr(Label::elsewhere_field), place.data(), place.size(),
                                 ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll))
      ui.window.afterwards([&s, wanted = std::string(trimmed(place.data()))] { s.runs.look_elsewhere(wanted); });
    ImGui::Unindent(ui.px(12));
  }
  ImGui::Dummy({0, ui.px(4)});
  if (gpus.looking_elsewhere()) {
    line(type::caption, p.dim, fill_in(ui.tr(Label::elsewhere_connecting), gpus.place()));
    if (!gpus.heard().empty()) line(type::caption, p.dim, gpus.heard());
  }
  for (const Diagnostic& why : gpus.unreachable()) {
    line(type::caption, p.text, ui.told(why.message));
    if (!why.cure.empty()) line(type::caption, p.dim, ui.told(why.cure));
  }
}

void device_list(const Ui& ui, float width) {
  Session& s = ui.session;
  const GpuRuns& gpus = s.runs.gpus();
  const gpu::Device* chosen = gpus.chosen();
  if (menu_row(ui, "cpu", ui.tr(Label::cpu_interpreter), ui.tr(Label::device_cpu_note), chosen == nullptr, width))
    ui.window.afterwards([&s] { s.runs.choose_device("cpu"); });
  for (const gpu::Device& device : gpus.devices()) {
    const std::string note = fill_in(ui.tr(Label::device_gpu_note), device.arch(),
                                     std::to_string(device.multiprocessors), device.kernel_driver_version);
    const std::string id = "gpu " + std::to_string(device.index) + device.where;
    const std::string name = gpus.devices().size() > 1 ? GpuRuns::name(device) : device.name_and_place();
    if (menu_row(ui, id.c_str(), name, note, chosen == &device, width))
      ui.window.afterwards([&s, wish = GpuRuns::name(device)] { s.runs.choose_device(wish); });
  }
  if (gpus.devices().empty()) {
    no_gpu(ui, width);
    return elsewhere(ui, width);
  }
  separator(ui, width);
  const auto state = [&](const char* id, Label name, gpu::CacheState cache) {
    if (menu_row(ui, id, ui.tr(name), {}, gpus.cache() == cache, width))
      ui.window.afterwards([&s, cache] { s.runs.choose_cache(cache); });
  };
  state("l2 flushed", Label::l2_flushed, gpu::CacheState::flushed);
  state("l2 overwritten", Label::l2_overwritten, gpu::CacheState::overwritten);
  state("l2 warm", Label::l2_warm, gpu::CacheState::warm);
  elsewhere(ui, width);
}

// "CPU interpreter ▾".
class DevicePicker {
 public:
  DevicePicker(const Ui& ui, bool narrow)
      : ui_(ui),
        name_(ui.session.runs.gpus().chosen() != nullptr
                  ? (narrow ? short_device_name(*ui.session.runs.gpus().chosen())
                            : ui.session.runs.gpus().chosen()->name_and_place())
                  : ui.tr(narrow ? Label::device_cpu_short : Label::cpu_interpreter)),
        text_(std::min(ui.look.measure(type::small, name_).x, ui.px(narrow ? 84.0f : 200.0f))) {}
  float width() const { return ui_.px(20) + text_ + ui_.px(20); }
  void draw(float x, float centre) const;

 private:
  const Ui& ui_;
  std::string name_;
  float text_;
};

void DevicePicker::draw(float x, float centre) const {
  const Ui& ui = ui_;
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const gpu::Device* chosen = s.runs.gpus().chosen();
  const float h = ui.px(30), right = x + width();
  ImGui::SetCursorScreenPos({x, centre - h / 2});
  if (pressable("device", {width(), h})) ImGui::OpenPopup("device list");
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (hovered) {
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    list->AddRectFilled({x, centre - h / 2}, {right, centre + h / 2}, p.hover, ui.px(6));
  }
  const ImVec2 mark{x + ui.px(11), centre};
  const GpuResult* said = s.runs.gpu();
  if (s.runs.gpu_running().busy || s.runs.gpus().looking())
    list->AddCircle(mark, ui.px(4), p.accent, 0, std::max(1.0f, ui.px(1.5f)));
  else if (said != nullptr && has_error(said->problems))
    list->AddNgonFilled(mark, ui.px(5), p.conflict, 3);
  else
    list->AddCircleFilled(mark, ui.px(4), p.better);
  draw_text(list, ui.look, type::small, hovered ? p.text : p.dim, {x + ui.px(20), centre}, name_, HAlign::left,
            text_ + 1);
  draw_icon(list, ui.look, Icon::down, {right - ui.px(11), centre}, p.dim, 6);
  hint(ui.look, chosen != nullptr ? fill_in(ui.tr(Label::device_gpu_hint), chosen->name)
                                  : std::string(ui.tr(Label::device_hint)));
  const float wide = ui.px(320);
  if (const Popup popup(ui, "device list", {right - wide - ui.px(16), centre + h / 2 + ui.px(6)}); popup)
    device_list(ui, wide);
}

void menu(const Ui& ui, float x, float centre) {
  const float size = ui.px(34);
  ImGui::SetCursorScreenPos({x, centre - size / 2});
  if (icon_button(ui.look, "menu", Icon::menu, ui.tr(Label::menu), true, 34)) ImGui::OpenPopup("menu list");
  if (ImGui::IsItemHovered()) ui.window.other_languages = true;  // the menu names them
  const float width = ui.px(240);
  Settings& settings = ui.window.settings;
  if (const Popup popup(ui, "menu list", {x + size - width - ui.px(16), centre + size / 2 + ui.px(4)}); popup) {
    open_row(ui, width);
    const bool dark = settings.theme == Theme::dark;
    if (menu_row(ui, "theme", ui.tr(dark ? Label::light_theme : Label::dark_theme), {}, false, width))
      settings.theme = dark ? Theme::light : Theme::dark;
    const bool english = settings.language == Language::english;
    if (menu_row(ui, "language", english ? "中文" : "English", {}, false, width))
      settings.language = english ? Language::chinese : Language::english;
    if (menu_row(ui, "larger", ui.tr(Label::zoom_in), {}, false, width)) zoom_by(ui.window, 1.1f);
    if (menu_row(ui, "smaller", ui.tr(Label::zoom_out), {}, false, width)) zoom_by(ui.window, 1 / 1.1f);
    if (menu_row(ui, "motion", ui.tr(settings.reduce_motion ? Label::motion_on : Label::motion_off), {}, false, width))
      settings.reduce_motion = !settings.reduce_motion;
    if (menu_row(ui, "keys", ui.tr(Label::keys), {}, false, width)) ui.window.help = true;
    if (menu_row(ui, "tour", ui.told(worded("Tour of the window")), {}, false, width))
      ui.window.afterwards([&s = ui.session, &window = ui.window] {
        s.compare(std::nullopt);
        window.tour->start();
      });
  }
}

// Run, or Stop while something runs.
void run_button(const Ui& ui, float x, float centre, float width) {
  Session& s = ui.session;
  const Worker::Status status = s.runs.running();
  const bool program = s.program.busy();
  const bool show_stop = program || (status.busy && status.seconds > 0.25);
  ImGui::SetCursorScreenPos({x, centre - ui.px(17)});
  const float progress =
      status.blocks_total > 0 ? static_cast<float>(status.blocks_done) / static_cast<float>(status.blocks_total) : 0.0f;
  if (s.selection.variant().gpu_only && !program) {
    button(ui.look, "run kernel", ui.tr(Label::run), ButtonKind::plain, {}, -1, width, false);
    hint(ui.look, ui.tr(Label::gpu_only));
  } else if (show_stop) {
    if (button(ui.look, "run kernel", ui.tr(Label::stop), ButtonKind::primary, {}, progress, width)) s.stop();
    hint(ui.look, program ? ui.tr(Label::stop_program)
                  : status.blocks_total > 0
                      ? fill_in(ui.tr(Label::blocks_done), grouped(status.blocks_done), grouped(status.blocks_total))
                      : ui.tr(Label::compiling));
    ui.window.moving = true;
  } else {
    if (button(ui.look, "run kernel", ui.tr(Label::run), ButtonKind::primary, ui.tr(Label::space_key), -1, width))
      s.run();
    hint(ui.look, ui.tr(s.program_on_screen() != nullptr ? Label::run_program_hint : Label::run_hint));
  }
}

void compare_button(const Ui& ui, float x, float centre) {
  Session& s = ui.session;
  ImGui::SetCursorScreenPos({x, centre - ui.px(17)});
  if (button(ui.look, "compare", ui.tr(Label::compare), ButtonKind::plain))
    ui.window.afterwards([&s] { s.selection.compared() ? s.compare(std::nullopt) : begin_comparing(s); });
  if (s.selection.compared())
    ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(), ui.look.role(Role::variant_b),
                                        ui.px(6), std::max(1.0f, ui.px(1.5f)));
  const bool others = s.selection.comparison() != nullptr && !s.selection.comparison()->before;
  hint(ui.look, ui.tr(compares_versions(s) && !others ? Label::compare_versions_hint : Label::compare_hint));
}

}  // namespace

void draw_top_bar(const Ui& ui, const PanelRect& rect) {
  const Session& s = ui.session;
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 a{rect.x, rect.y}, b{rect.x + rect.width, rect.y + rect.height};
  list->AddRectFilled(a, b, p.panel);
  list->AddRectFilled({a.x, b.y - ui.px(1)}, b, p.line);
  ImGui::SetCursorScreenPos(a);
  ImGui::BeginChild("top bar", {rect.width, rect.height}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoBackground);
  list = ImGui::GetWindowDrawList();
  const float centre = rect.y + rect.height / 2 - ui.px(0.5f);
  const bool narrow = rect.width < ui.px(1200);

  float x = rect.x + ui.px(20);
  logo(ui, {x, centre});
  x += ui.px(38);
  if (!narrow) x += draw_text(list, ui.look, type::brand, p.text, {x, centre}, "Lanescope") + ui.px(14);
  list->AddRectFilled({x, centre - ui.px(12)}, {x + ui.px(1), centre + ui.px(12)}, p.line);
  x += ui.px(9);
  x += lesson_picker(ui, x, centre, ui.px(260)) + ui.px(12);

  // Laid out from the right, drawn from the left: Tab follows what is drawn.
  const float at_menu = b.x - ui.px(12) - ui.px(34);
  const float at_present = at_menu - button_width(ui.look, ui.tr(Label::present), {}, false) - ui.px(6);
  const bool can_compare = partner(s).has_value();
  const float at_compare =
      can_compare ? at_present - button_width(ui.look, ui.tr(Label::compare), {}, false) - ui.px(8) : at_present;
  const float run_width = std::max(button_width(ui.look, ui.tr(Label::run), ui.tr(Label::space_key), true),
                                   button_width(ui.look, ui.tr(Label::stop), {}, true));
  const float at_run = at_compare - run_width - ui.px(8), apart = ui.px(narrow ? 4.0f : 12.0f);
  const DevicePicker device(ui, narrow);
  const float at_device = at_run - apart - device.width();
  variant_chips(ui, x, at_device - apart, centre);
  device.draw(at_device, centre);
  run_button(ui, at_run, centre, run_width);
  if (can_compare) compare_button(ui, at_compare, centre);
  ImGui::SetCursorScreenPos({at_present, centre - ui.px(17)});
  if (button(ui.look, "present", ui.tr(Label::present), ButtonKind::plain))
    ui.window.afterwards([&window = ui.window] { window.present = true; });
  hint(ui.look, "F5");
  menu(ui, at_menu, centre);
  ImGui::EndChild();
}

}  // namespace lanescope::gui
