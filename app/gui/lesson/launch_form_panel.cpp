#include "gui/lesson/launch_form_panel.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/kernel_name.h"
#include "core/text.h"
#include "gui/lesson/command_on_screen.h"
#include "gui/lesson/form_controls.h"
#include "gui/parts/problems.h"
#include "imgui_internal.h"
#include "lesson/lesson.h"

namespace lanescope::gui {
namespace {

constexpr float gap = 8;

const Diagnostics& no_problems() {
  static const Diagnostics empty;
  return empty;
}

float room() {
  return ImGui::GetContentRegionAvail().x;
}

void space(const Ui& ui, float dip) {
  ImGui::Dummy({0, ui.px(dip)});
}

void heading(const Ui& ui, Label label) {
  space(ui, 14);
  line_of_text(ui.look, type::caption_strong, ui.colours().dim, ui.tr(label), room(), 20);
}

// What is wrong, below its field.
void problems_below(const Ui& ui, const Diagnostics& problems) {
  for (const Diagnostic& problem : problems) {
    if (problem.severity == Severity::note) continue;
    space(ui, 2);
    ProblemTexts said{ui.told(problem.message), ui.told(problem.cure)};
    for (std::string* one : {&said.what, &said.cure}) std::erase(*one, '`');
    paragraph(ui.look, type::caption,
              problem.severity == Severity::error ? ui.colours().conflict : ui.colours().wasted_text, said.what);
    if (!said.cure.empty()) paragraph(ui.look, type::caption, ui.colours().dim, said.cure);
  }
}

// Without what says nothing about the values.
std::string type_shown(const job::KernelParameter& parameter) {
  std::string shown = parameter.declared;
  for (const char* word : {"__restrict__", "__restrict", "__grid_constant__"})
    if (const std::size_t at = shown.find(word); at != std::string::npos) shown.erase(at, std::strlen(word));
  return std::string(trimmed(shown));
}

struct EditedField {
  const std::string& text;
  bool replaced = false;
};

// A field that is edited has a text of its own, which an undo does not reach.
int take_text(ImGuiInputTextCallbackData* data) {
  const EditedField& field = *static_cast<const EditedField*>(data->UserData);
  if (!field.replaced || field.text == data->Buf) return 0;
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, field.text.c_str());
  data->SelectAll();
  return 0;
}

}  // namespace

bool LaunchFormPanel::field(const Ui& ui, const char* id, std::string& text, float width, bool wrong, const char* empty,
                            bool doubted) {
  // Room for a struct of 4 KiB in hexadecimal.
  static std::array<char, 16384> typed{};
  const std::size_t length = std::min(text.size(), typed.size() - 1);
  std::memcpy(typed.data(), text.data(), length);
  typed[length] = '\0';
  {
    const FieldStyle style(ui.look, ui.colours().raised, {8, 6});
    ImGui::SetNextItemWidth(width);
    constexpr ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
                                          ImGuiInputTextFlags_NoUndoRedo | ImGuiInputTextFlags_CallbackAlways;
    EditedField edited{text, replaced_};
    entered_ |= ImGui::InputTextWithHint((std::string("##") + id).c_str(), empty, typed.data(), typed.size(), flags,
                                         take_text, &edited);
  }
  if (wrong || doubted)
    ImGui::GetWindowDrawList()->AddRect(ImGui::GetItemRectMin(), ImGui::GetItemRectMax(),
                                        wrong ? ui.colours().conflict : ui.colours().wasted, ui.px(6),
                                        std::max(1.0f, ui.px(1.5f)));
  if (text == typed.data() || length < text.size()) return false;
  text = typed.data();
  return true;
}

bool LaunchFormPanel::captioned(const Ui& ui, const char* id, const char* caption, std::string& text, float width,
                                const Diagnostics& problems, const char* empty, bool doubted) {
  ImGui::BeginGroup();
  line_of_text(ui.look, type::caption, ui.colours().dim, caption, width, 18);
  const bool changed = field(ui, id, text, width, has_error(problems), empty, doubted);
  ImGui::EndGroup();
  return changed;
}

void LaunchFormPanel::head(const Ui& ui, const Strip& strip) {
  const Selection& selection = ui.session.selection;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float size = ui.px(26);
  const KernelFile& file = *selection.kernel_file();
  if (file.of_program || !file.has_kernel()) {
    draw_text(list, ui.look, type::small_strong, ui.colours().text, {strip.x0, strip.centre}, title_on_screen(ui),
              HAlign::left, strip.x1 - strip.x0);
    return;
  }
  const std::string count = fill_in(ui.tr(Label::form_kernels), std::to_string(file.kernels.size()));
  const float right = strip.x1 - size + ui.px(4);
  const float used =
      draw_text(list, ui.look, type::caption, ui.colours().dim, {right - ui.px(6), strip.centre}, count, HAlign::right);
  draw_text(list, ui.look, type::small_strong, ui.colours().text, {strip.x0, strip.centre}, title_on_screen(ui),
            HAlign::left, right - strip.x0 - used - ui.px(16));
  ImGui::SetCursorScreenPos({right, strip.centre - size / 2});
  if (icon_button(ui.look, "first values", Icon::reset, ui.tr(Label::form_reset)))
    ui.window.afterwards([this, &s = ui.session] { replace_form(s, job::LaunchForm(s.selection.first_form())); });
}

// A choice among the file's kernels, and where the form's values come from.
void LaunchFormPanel::kernels(const Ui& ui) {
  Session& s = ui.session;
  const KernelFile& file = *s.selection.kernel_file();
  const std::size_t now = s.selection.variant_index();
  const job::FormKernel& kernel = file.kernels[now];
  if (file.kernels.size() > 1) {
    if (form_press(ui, "kernel", as_signature(kernel.signature.name), room(), true)) ImGui::OpenPopup("kernel list");
    if (const FormList list(ui, "kernel list"); list)
      for (std::size_t i = 0; i < file.kernels.size(); ++i)
        if (list.row(file.kernels[i].signature.name, as_signature(file.kernels[i].signature.name).c_str(), i == now))
          ui.window.afterwards([&s, i] { s.choose_variant(i); });
  } else {
    line_of_text(ui.look, type::code, ui.colours().text, as_signature(kernel.signature.name), room(), 24);
  }
  space(ui, 4);
  const std::string line = std::to_string(kernel.origin.line);
  paragraph(ui.look, type::caption, ui.colours().dim,
            kernel.origin.kind == job::FormOrigin::Kind::guessed  ? std::string(ui.tr(Label::form_guessed))
            : kernel.origin.kind == job::FormOrigin::Kind::launch ? fill_in(ui.tr(Label::form_from_launch), line)
                                                                  : fill_in(ui.tr(Label::form_from_run_line), line));
  problems_below(ui, kernel.unused);
  problems_below(ui, s.form_checks.problems().kernel);
  if (!doubt_) return;
  space(ui, 6);
  begin_card(ui.look, "doubt", mix(ui.colours().panel, ui.colours().wasted, 0.12f), ui.px(8));
  paragraph(ui.look, type::caption_strong, ui.colours().wasted_text, ui.told(doubt_->what));
  paragraph(ui.look, type::caption, ui.colours().text, ui.told(doubt_->cure));
  end_card(ui.look);
}

// A launch that failed is doubted as long as its values are on screen.
void LaunchFormPanel::take_doubt(const Ui& ui, const job::LaunchForm& form) {
  const Session& s = ui.session;
  doubt_.reset();
  if (s.runs.running().busy || s.runs.problems_outdated()) return;
  doubt_ = doubt_of(s.selection.kernel_file()->kernels[s.selection.variant_index()], s.selection.first_form(), form,
                    s.runs.remarks());
}

void LaunchFormPanel::templates(const Ui& ui, job::LaunchForm& form) {
  const Session& s = ui.session;
  const auto& wanted = s.selection.kernel_file()->kernels[s.selection.variant_index()].signature.template_parameters;
  const std::size_t count = std::min(wanted.size(), form.template_arguments.size());
  if (count == 0) return;
  heading(ui, Label::form_template);
  const float width = (room() - ui.px(gap)) / 2;
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 2 == 1) ImGui::SameLine(0, ui.px(gap));
    ImGui::PushID(static_cast<int>(i));
    captioned(ui, "template argument", wanted[i].declared.c_str(), form.template_arguments[i], width, no_problems(),
              wanted[i].value.c_str());
    ImGui::PopID();
  }
}

void LaunchFormPanel::shape(const Ui& ui, job::LaunchForm& form) {
  const job::FormProblems& wrong = ui.session.form_checks.problems();
  heading(ui, Label::form_launch);
  const float width = (room() - ui.px(gap)) / 2;
  captioned(ui, "grid", ui.tr(Label::form_grid), form.grid, width, wrong.grid, "x,y,z");
  ImGui::SameLine(0, ui.px(gap));
  captioned(ui, "block", ui.tr(Label::form_block), form.block, width, wrong.block, "x,y,z",
            doubt_ && doubt_->field == GuessDoubt::Field::block);
  problems_below(ui, wrong.grid);
  problems_below(ui, wrong.block);
}

void LaunchFormPanel::list(const Ui& ui, const ListField& field, std::vector<std::string>& values, float width) {
  std::string text;
  for (const std::string& one : values) text += (text.empty() ? "" : std::string(1, field.separator)) + one;
  if (captioned(ui, field.id, ui.tr(field.caption), text, width, no_problems(), field.empty)) {
    values.clear();
    for (const std::string_view one : split(text, field.separator))
      if (!trimmed(one).empty()) values.emplace_back(one);
  }
  hint(ui.look, ui.tr(field.hint));
}

// What few launches need.
void LaunchFormPanel::more(const Ui& ui, job::LaunchForm& form) {
  const job::FormProblems& wrong = ui.session.form_checks.problems();
  heading(ui, Label::form_more);
  const float width = (room() - ui.px(gap)) / 2;
  captioned(ui, "shared", ui.tr(Label::form_shared), form.shared, width, wrong.shared, "0");
  ImGui::SameLine(0, ui.px(gap));
  captioned(ui, "cluster", ui.tr(Label::form_cluster), form.cluster, width, wrong.cluster,
            ui.tr(Label::form_as_declared));
  problems_below(ui, wrong.shared);
  problems_below(ui, wrong.cluster);
  space(ui, 4);
  list(ui, {"macros", Label::form_macros, Label::form_macros_hint, "TILE=32 DEBUG", ' '}, form.defines, width);
  ImGui::SameLine(0, ui.px(gap));
  ImGui::BeginGroup();
  space(ui, 18);
  if (form_choice(ui, "cooperative", ui.tr(Label::form_cooperative), form.cooperative, width))
    form.cooperative = !form.cooperative;
  hint(ui.look, ui.tr(Label::form_cooperative_hint));
  ImGui::EndGroup();
  space(ui, 4);
  list(ui, {"include paths", Label::form_include_paths, Label::form_include_paths_hint, "../include;common", ';'},
       form.include_paths, room());
  problems_below(ui, wrong.include_paths);
  for (const std::string& symbol : form.symbols)
    paragraph(ui.look, type::caption, ui.colours().dim, "--symbol " + symbol);
  for (const std::string& launch : form.then) paragraph(ui.look, type::caption, ui.colours().dim, "--then " + launch);
}

// What a buffer may hold, and the other forms of an argument.
void LaunchFormPanel::contents_menu(const Ui& ui, job::LaunchForm& form, std::size_t index) {
  using Kind = job::FormArgument::Kind;
  const FormList list(ui, "contents list");
  if (!list) return;
  job::FormArgument& argument = form.arguments[index];
  const auto& parameters = ui.session.selection.kernel_file()->kernels[ui.session.selection.variant_index()].parameters;
  const std::string element = parameters[index].element().empty() ? "u8" : parameters[index].element();
  const auto as_buffer = [&](const char* value) {
    if (argument.kind != Kind::buffer) argument = {Kind::buffer, element, "4096", ""};
    argument.value = value;
  };
  const std::pair<Label, const char*> fills[] = {{Label::form_unwritten, ""},
                                                 {Label::form_zeros, "0"},
                                                 {Label::form_ones, "1"},
                                                 {Label::form_iota, "iota"},
                                                 {Label::form_random, "random:1"},
                                                 {Label::form_random_between, "random:1:-1:1"},
                                                 {Label::form_permutation, "permutation:1"},
                                                 {Label::form_file, "@FILE"}};
  for (const auto& [label, value] : fills) {
    const bool only_whole = label == Label::form_permutation, only_real = label == Label::form_random_between;
    const bool real = lesson::is_real_type(element);
    if ((only_whole && real) || (only_real && !real)) continue;
    if (list.row(std::string(ui.tr(label)) + (*value == '\0' ? "" : std::string("   ") + value),
                 *value == '\0' ? "unwritten" : value))
      as_buffer(value);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (i != index && parameters[i].pointer && form.arguments[i].kind == Kind::buffer)
      if (const std::string same = "same:" + std::to_string(i);
          list.row(fill_in(ui.tr(Label::form_same), parameters[i].name), same.c_str()))
        argument = {Kind::text, "", "", same};
  if (list.row(ui.tr(Label::form_null), "null")) argument = {Kind::text, "", "", "u64=0"};
  if (argument.kind == Kind::buffer && list.row(ui.tr(Label::form_as_argument), "as argument"))
    argument = {Kind::text, "", "", argument.text()};
}

void LaunchFormPanel::argument(const Ui& ui, job::LaunchForm& form, std::size_t index) {
  using Kind = job::FormArgument::Kind;
  const Session& s = ui.session;
  const job::KernelParameter& parameter =
      s.selection.kernel_file()->kernels[s.selection.variant_index()].parameters[index];
  job::FormArgument& argument = form.arguments[index];
  const auto& all = s.form_checks.problems().arguments;
  const Diagnostics& wrong = index < all.size() ? all[index] : no_problems();
  ImGui::PushID(static_cast<int>(index));
  space(ui, index == 0 ? 2.0f : 10.0f);
  const float width = room();
  const bool scalar = argument.kind == Kind::scalar;
  // A value is beside its name, a buffer below it.
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float value_width = std::floor(width * 0.42f), head = scalar ? width - value_width - ui.px(gap) : width;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float centre = at.y + ui.px(scalar ? field_height / 2 : 9.0f);
  const float named =
      draw_text(list, ui.look, type::number_strong, ui.colours().text, {at.x, centre},
                parameter.name.empty() ? std::to_string(index) : parameter.name, HAlign::left, head * 0.7f);
  draw_text(list, ui.look, type::number, ui.colours().dim, {at.x + head, centre}, type_shown(parameter), HAlign::right,
            head - named - ui.px(8));
  if (scalar)
    ImGui::SetCursorScreenPos({at.x + width - value_width, at.y});
  else
    ImGui::Dummy({width, ui.px(20)});
  const float arrow = ui.px(28), between = ui.px(4);
  if (argument.kind == Kind::buffer) {
    const float type_width = ui.px(58), rest = width - type_width - arrow - 3 * between;
    if (form_press(ui, "type", argument.type, type_width, true)) ImGui::OpenPopup("types");
    if (const FormList types(ui, "types"); types)
      for (const std::string& type : lesson::element_types())
        if (types.row(type, type.c_str(), type == argument.type)) argument.type = type;
    ImGui::SameLine(0, between);
    field(ui, "elements", argument.count, std::floor(rest * 0.42f), has_error(wrong), ui.tr(Label::form_elements),
          doubt_ && doubt_->field == GuessDoubt::Field::argument && doubt_->argument == index);
    ImGui::SameLine(0, between);
    field(ui, "contents", argument.value, rest - std::floor(rest * 0.42f), has_error(wrong),
          ui.tr(Label::form_contents));
    ImGui::SameLine(0, between);
    if (form_press(ui, "choose contents", "", arrow, true)) ImGui::OpenPopup("contents list");
    hint(ui.look, ui.tr(Label::form_contents_hint));
  } else if (scalar) {
    field(ui, "value", argument.value, value_width, has_error(wrong));
  } else {
    field(ui, "argument", argument.value, parameter.pointer ? width - arrow - between : width, has_error(wrong));
    hint(ui.look, ui.tr(Label::form_argument_hint));
    if (parameter.pointer) {
      ImGui::SameLine(0, between);
      if (form_press(ui, "choose contents", "", arrow, true)) ImGui::OpenPopup("contents list");
    }
  }
  contents_menu(ui, form, index);
  problems_below(ui, wrong);
  ImGui::PopID();
}

void LaunchFormPanel::arguments(const Ui& ui, job::LaunchForm& form) {
  const Session& s = ui.session;
  const std::size_t wanted = s.selection.kernel_file()->kernels[s.selection.variant_index()].parameters.size();
  if (wanted == 0) return;
  heading(ui, Label::form_arguments);
  for (std::size_t i = 0; i < std::min(wanted, form.arguments.size()); ++i) argument(ui, form, i);
}

void LaunchFormPanel::command(const Ui& ui) {
  const std::string command = command_on_screen(ui.session);
  if (command != copied_command_) copied_ = false;
  heading(ui, Label::form_command);
  const float width = room();
  begin_card(ui.look, "command", ui.colours().raised, ui.px(8));
  paragraph(ui.look, type::number, ui.colours().text, command);
  end_card(ui.look);
  space(ui, 4);
  const char* label = ui.tr(copied_ ? Label::form_copied : Label::form_copy);
  const float button = button_width(ui.look, label, {}, false);
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + width - button);
  if (gui::button(ui.look, "copy command", label, ButtonKind::plain)) {
    ui.session.selection.flush();  // the command may name the file of the edited text
    ImGui::SetClipboardText(command.c_str());
    copied_ = true;
    copied_command_ = command;
  }
}

// Launches that ran with other values: to go back to, and to compare with.
void LaunchFormPanel::earlier(const Ui& ui) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  bool first = true;
  for (const std::string& launch : s.selection.forms().ran(s.selection.id())) {
    if (launch == s.selection.form_text()) continue;
    if (std::exchange(first, false)) heading(ui, Label::form_earlier);
    const std::string text = job::short_text(job::form_from(launch));
    const float compare = button_width(ui.look, ui.tr(Label::compare), {}, false), width = room() - compare - ui.px(6);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ui.px(34);
    ImGui::PushID(launch.c_str());
    if (pressable("earlier launch", {width, height}))
      ui.window.afterwards([this, &s, launch] {
        replace_form(s, job::form_from(launch));
        s.run();
      });
    ImDrawList* list = ImGui::GetWindowDrawList();
    if (ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      list->AddRectFilled(at, {at.x + width, at.y + height}, p.hover, ui.px(6));
    }
    draw_text(list, ui.look, type::number, p.text, {at.x + ui.px(4), at.y + height / 2}, text, HAlign::left,
              width - ui.px(8));
    hint(ui.look, text, ui.tr(Label::form_earlier_hint));
    ImGui::SameLine(0, ui.px(6));
    if (button(ui.look, "compare launch", ui.tr(Label::compare), ButtonKind::quiet))
      ui.window.afterwards(
          [&s, other = Compared{.variant = s.selection.variant_index(), .controls = {}, .launch = launch}] {
            s.compare_with(other);
          });
    hint(ui.look, ui.tr(Label::form_compare_hint));
    ImGui::PopID();
  }
}

void LaunchFormPanel::foot(const Ui& ui, const PanelRect& rect) {
  Session& s = ui.session;
  const float height = ui.px(54), y = rect.y + rect.height - height;
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({rect.x + ui.px(1), y}, {rect.x + rect.width - ui.px(1), y + ui.px(1)}, ui.colours().line);
  const float x = rect.x + ui.px(16), width = rect.width - ui.px(32);
  ImGui::SetCursorScreenPos({x, y + ui.px(10)});
  const Worker::Status status = s.runs.running();
  if (status.busy && status.seconds > 0.25) {
    const float progress =
        status.blocks_total > 0 ? static_cast<float>(status.blocks_done) / static_cast<float>(status.blocks_total) : 0;
    if (button(ui.look, "run form", ui.tr(Label::stop), ButtonKind::primary, {}, progress, width)) s.stop();
    ui.window.moving = true;
    return;
  }
  const bool wrong = s.form_checks.problems().any();
  if (button(ui.look, "run form", ui.tr(wrong ? Label::form_wrong : Label::run),
             wrong ? ButtonKind::plain : ButtonKind::primary, wrong ? "" : "Ctrl+Enter", -1, width, !wrong)) {
    history(s).end_step();
    ui.window.afterwards([&s] { s.run(); });
  }
  hint(ui.look, ui.tr(Label::form_run_hint));
}

namespace {

// A number for a pointer.
void addresses_as_text(const job::FormKernel& kernel, job::LaunchForm& form) {
  using Kind = job::FormArgument::Kind;
  for (std::size_t i = 0; i < std::min(kernel.parameters.size(), form.arguments.size()); ++i)
    if (job::FormArgument& one = form.arguments[i]; one.kind == Kind::scalar && kernel.parameters[i].pointer)
      one = {Kind::text, "", "", one.text()};
}

}  // namespace

void LaunchFormPanel::replace_form(Session& session, const job::LaunchForm& form) {
  history(session).changed(session.selection.form(), form);
  session.selection.set_form(form);
}

void LaunchFormPanel::undo(const Ui& ui, job::LaunchForm& form) {
  replaced_ = false;
  if (!ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows)) return;
  FormHistory& steps = history(ui.session);
  if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Z))
    replaced_ = steps.undo(form);
  else if (ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiKey_Y) ||
           ImGui::IsKeyChordPressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z))
    replaced_ = steps.redo(form);
}

void LaunchFormPanel::draw(const Ui& ui, const PanelRect& rect) {
  Session& s = ui.session;
  begin_panel(ui.look, "launch form", rect);
  const Strip strip = panel_strip(ui.look);
  head(ui, strip);
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(10)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("fields", {rect.width - ui.px(1), rect.y + rect.height - strip.y1 - ui.px(54)},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  entered_ = false;
  if (const KernelFile& file = *s.selection.kernel_file(); file.of_program || !file.has_kernel()) {
    paragraph(ui.look, type::small, ui.colours().text,
              ui.tr(file.of_program ? Label::program_not_built : Label::file_no_kernel), room());
    ImGui::EndChild();
    ImGui::PopStyleVar(2);
    return end_panel();
  }
  job::LaunchForm form = s.selection.form();
  addresses_as_text(s.selection.kernel_file()->kernels[s.selection.variant_index()], form);
  history(s).begin(form);
  undo(ui, form);
  const job::LaunchForm before = form;
  take_doubt(ui, form);
  kernels(ui);
  templates(ui, form);
  shape(ui, form);
  arguments(ui, form);
  more(ui, form);
  command(ui);
  earlier(ui);
  space(ui, 8);
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  foot(ui, rect);
  end_panel();
  history(s).changed(before, form, ImGui::GetActiveID());
  s.selection.set_form(std::move(form));
  if (entered_) history(s).end_step();
  if (entered_) ui.window.afterwards([&s] { s.run(); });
}

}  // namespace lanescope::gui
