#include "gui/open_overlay.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/text.h"
#include "gui/kit/canvas.h"
#include "gui/parts/saved_runs.h"

namespace lanescope::gui {
namespace {

constexpr float file_row_height = 30;
constexpr int most_file_rows = 10;

Label kind_label(const PathEntry& entry) {
  if (entry.folder) return Label::kind_folder;
  switch (entry.kind) {
    case FileKind::saved_run:
      return Label::kind_saved_run;
    case FileKind::cuda_program:
    case FileKind::cuda_code:
      return Label::kind_cuda;
    case FileKind::python:
      return Label::kind_python;
    case FileKind::program:
    case FileKind::other:
      return Label::kind_program;
  }
  return Label::kind_program;
}

void copy_to(std::array<char, 4096>& field, const std::string& text) {
  field.fill(0);
  std::copy_n(text.begin(), std::min(text.size(), field.size() - 1), field.begin());
}

// Where the last file was, else the current folder.
std::string first_folder(const WindowState& window) {
  namespace fs = std::filesystem;
  std::error_code failed;
  fs::path folder = window.recent_runs.empty() ? fs::path() : fs::path(window.recent_runs.front()).parent_path();
  if (folder.empty() || !fs::is_directory(folder, failed)) folder = fs::current_path(failed);
  const std::string path = folder.generic_string();
  return path.ends_with('/') ? path : path + "/";
}

}  // namespace

void OpenOverlay::begin(const Ui& ui) {
  ImGui::OpenPopup("open file");
  put(first_folder(ui.window));
  arguments_.fill(0);
  looked_for_.clear();
  found_ = std::make_shared<Found>();
  moved_ = true;
}

void OpenOverlay::put(const std::string& path) {
  copy_to(path_, path);
  put_ = path;
  chosen_.reset();
  focus_path_ = true;
}

// Asks for the entries of the typed path when it has changed.
void OpenOverlay::look(const Ui& ui) {
  const std::string typed = path_.data();
  if (typed == looked_for_) return;
  looked_for_ = typed;
  chosen_.reset();
  moved_ = true;
  ui.session.off_frame("path entries", [typed, to = found_](sim::Progress&, const Worker::Send&) {
    return [typed, to, entries = path_entries(typed)] { *to = {typed, entries}; };
  });
}

// Tab completes the path; where there is nothing to complete, it goes on to the arguments.
int OpenOverlay::edited(ImGuiInputTextCallbackData* data) {
  OpenOverlay& self = *static_cast<OpenOverlay*>(data->UserData);
  const auto replace = [&](const std::string& text) {
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, text.c_str());
    data->ClearSelection();
  };
  if (self.put_) replace(*std::exchange(self.put_, std::nullopt));
  const std::string_view in_field(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  const auto before = static_cast<int>(in_field.size() - from_last_root(in_field).size());
  if (before > 0) data->DeleteChars(0, before);
  if (data->EventFlag != ImGuiInputTextFlags_CallbackCompletion) return 0;
  const std::string typed(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  if (self.found_->typed != typed) return 0;
  const std::vector<PathEntry>& entries = self.found_->entries;
  const std::string whole =
      self.chosen_ && *self.chosen_ < entries.size() ? entries[*self.chosen_].path : completed(typed, entries);
  if (whole != typed)
    replace(whole);
  else
    self.focus_arguments_ = true;
  return 0;
}

void OpenOverlay::fields(const Ui& ui, float width) {
  const FieldStyle style(ui.look, ui.colours().panel, {12, 8});
  constexpr ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_CallbackCompletion |
                                        ImGuiInputTextFlags_CallbackAlways;
  if (std::exchange(focus_path_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width);
  bool entered = ImGui::InputTextWithHint("##path", ui.tr(Label::open_path_field), path_.data(), path_.size(), flags,
                                          edited, this);
  ImGui::Dummy({0, ui.px(8)});
  const char* const go = ui.tr(Label::open_file_now);
  const float button = button_width(ui.look, go, {}, false);
  if (std::exchange(focus_arguments_, false)) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width - button - ui.px(8));
  entered |= ImGui::InputTextWithHint("##arguments", ui.tr(Label::open_arguments_field), arguments_.data(),
                                      arguments_.size(), ImGuiInputTextFlags_EnterReturnsTrue);
  ImGui::SameLine(0, ui.px(8));
  entered |= gui::button(ui.look, "open now", go, ButtonKind::plain);
  if (entered) enter(ui);
}

bool OpenOverlay::row(const Ui& ui, const PathEntry& entry, bool chosen, float width) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(file_row_height), y = at.y + height / 2;
  const bool pressed = ImGui::InvisibleButton(entry.name.c_str(), {width, height});
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (chosen || hovered)
    list->AddRectFilled(at, {at.x + width, at.y + height}, chosen ? mix(p.raised, p.accent, 0.18f) : p.hover, ui.px(6));
  float right = at.x + width - ui.px(12);
  right -=
      draw_text(list, ui.look, type::caption, p.dim, {right, y}, ui.tr(kind_label(entry)), HAlign::right) + ui.px(16);
  const float left = at.x + ui.px(12);
  bool cut = false;
  draw_text(list, ui.look, chosen ? type::small_strong : type::small_medium, p.text, {left, y},
            entry.name + (entry.folder ? "/" : ""), HAlign::left, right - left, &cut);
  if (cut) hint(ui.look, entry.name);
  return pressed;
}

void OpenOverlay::rows(const Ui& ui, float width) {
  const std::vector<PathEntry>& entries = found_->entries;
  const float height = ui.px(file_row_height), room = part_on_screen().height * 0.5f;
  const int shown = std::min(most_file_rows, std::max(3, static_cast<int>(room / height)));
  ImGui::BeginChild("files", {width, height * static_cast<float>(shown)}, ImGuiChildFlags_NavFlattened);
  if (entries.empty() && found_->typed == looked_for_)
    line_of_text(ui.look, type::small, ui.colours().dim, ui.tr(Label::open_nothing), width, file_row_height);
  const float inner = ImGui::GetContentRegionAvail().x;
  const PathEntry* pressed = nullptr;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (row(ui, entries[i], chosen_ == i, inner)) pressed = &entries[i];
    if (chosen_.value_or(0) == i && moved_) ImGui::SetScrollHereY(), moved_ = false;
    ImGui::PopID();
  }
  ImGui::EndChild();
  if (pressed != nullptr) put(PathEntry(*pressed).path);
}

// An arrow's choice, else the typed file, else the first entry.
void OpenOverlay::enter(const Ui& ui) {
  const std::string typed(trimmed(path_.data()));
  const std::vector<PathEntry>& entries = found_->entries;
  const bool known = found_->typed == path_.data() && !entries.empty();
  std::error_code failed;
  const bool is_file = std::filesystem::is_regular_file(without_tilde(typed), failed);
  if (typed.empty())
    focus_path_ = true;
  else if (chosen_ && known && *chosen_ < entries.size())
    choose(ui, entries[*chosen_]);
  else if (is_file || !known)
    open(ui, typed);
  else
    choose(ui, entries.front());
}

void OpenOverlay::choose(const Ui& ui, const PathEntry& entry) {
  if (entry.folder)
    put(PathEntry(entry).path);
  else
    open(ui, entry.path);
}

void OpenOverlay::open(const Ui& ui, const std::string& path) {
  ImGui::CloseCurrentPopup();
  ui.window.afterwards([&s = ui.session, &window = ui.window, file = without_tilde(path),
                        arguments = std::string(trimmed(arguments_.data()))] {
    s.dismiss_notices();
    s.tell(open_file(s, window, file, arguments));
  });
}

void OpenOverlay::draw(const Ui& ui) {
  if (std::exchange(ui.window.open_asked, false)) begin(ui);
  const PanelRect part = part_on_screen();
  const float width = std::min(ui.px(620), part.width - ui.px(64)), pad = ui.px(8);
  ImGui::SetNextWindowPos({centred_on_screen(width + 2 * pad), part.y + ui.px(56)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  open_ = ImGui::BeginPopup("open file", ImGuiWindowFlags_NoMove);
  if (open_) {
    fields(ui, width);
    look(ui);
    const auto count = static_cast<std::ptrdiff_t>(found_->entries.size());
    const auto move = [&](std::ptrdiff_t by) {
      const std::ptrdiff_t from = chosen_ ? static_cast<std::ptrdiff_t>(*chosen_) : by > 0 ? -1 : 0;
      if (count > 0) chosen_ = static_cast<std::size_t>((from + by + count) % count);
      moved_ = true;
    };
    if (ImGui::IsKeyPressed(ImGuiKey_DownArrow)) move(1);
    if (ImGui::IsKeyPressed(ImGuiKey_UpArrow)) move(-1);
    ImGui::Dummy({0, ui.px(8)});
    rows(ui, width);
    ImGui::Dummy({0, ui.px(4)});
    line_of_text(ui.look, type::caption, ui.colours().dim, "  " + std::string(ui.tr(Label::open_keys)), width, 24);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar(2);
}

}  // namespace lanescope::gui
