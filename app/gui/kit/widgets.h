#pragma once
// The window's controls, drawn by hand on top of ImGui's input handling: text that is never truncated without an
// ellipsis, tabs, chips, buttons. Lengths are device-independent pixels unless a name says otherwise.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gui/kit/look.h"

namespace lanescope::gui {

enum class HAlign : std::uint8_t { left, centre, right };

// Draws one line with its vertical centre at `at.y` (pixels), truncated with an ellipsis at `max_width` pixels (0 = no
// limit). Returns the drawn width. `cut` (may be null) tells whether the text was truncated.
float draw_text(ImDrawList* list, const Look& look, TypeStyle style, ImU32 colour, ImVec2 at, std::string_view text,
                HAlign align = HAlign::left, float max_width = 0, bool* cut = nullptr);
// The first of these texts (at least one) that is at most `room` pixels wide; else the last.
const std::string& longest_fitting(const Look& look, TypeStyle style, std::span<const std::string> texts, float room);
// The same as an ImGui item at the cursor, `height` high; a truncated text has a tooltip.
void line_of_text(const Look& look, TypeStyle style, ImU32 colour, std::string_view text, float width_px = 0,
                  float height = 20, HAlign align = HAlign::left);
// A wrapped paragraph at the cursor, as wide as the content region or `width_px`.
void paragraph(const Look& look, TypeStyle style, ImU32 colour, std::string_view text, float width_px = 0);

// The same in a draw list at a point; returns its height.
float draw_paragraph(ImDrawList* list, const Look& look, TypeStyle style, ImU32 colour, ImVec2 at,
                     std::string_view text, float width);

// A tooltip for the hovered last item: a bold first line (may be empty) and a wrapped text.
void hint(const Look& look, std::string_view text, std::string_view title = {});
// The same without the test for hovering.
void show_hint(const Look& look, std::string_view text, std::string_view title = {});

// The style of a text field while this object lives: ground, border, font. `padding` is inside the frame.
class FieldStyle {
 public:
  FieldStyle(const Look& look, ImU32 ground, ImVec2 padding = {8, 4});
  ~FieldStyle();
  FieldStyle(const FieldStyle&) = delete;
  FieldStyle& operator=(const FieldStyle&) = delete;

 private:
  UseFont font_;
};

struct PanelRect {
  float x = 0, y = 0, width = 0, height = 0;  // pixels
};
// An invisible item at the cursor that Tab, Enter and the pointer can activate. It shows a ring while it has the
// keyboard focus. Returns true when it is pressed.
bool pressable(const char* id, ImVec2 size_px);
// Where the popup that begins next opens: below the last item or, with more room there, above it.
void place_list_at_item(const Look& look);
// Moves the keyboard focus to the item drawn next.
void focus_next_item();
// −1 or 1 if one of these keys was pressed while the last item has the focus (the keys then have no other effect); else
// 0.
int keys_of_item(ImGuiKey less, ImGuiKey more);

// A panel: a rounded ground with a border, and a child window of this name inside. Always call end_panel().
void begin_panel(const Look& look, const char* name, const PanelRect& rect);
void end_panel();
// The strip at the panel's top. Leaves the cursor at its left text position and returns its rectangle in pixels.
struct Strip {
  float x0, x1, y0, y1, centre;  // inner edges and vertical centre, pixels
};
Strip panel_strip(const Look& look, float height = 42, bool line_below = true);

struct TabItem {
  const char* id;
  std::string_view label;
  bool enabled = true;
  std::string_view why_not;  // tooltip of a disabled tab
};
// Underlined tab titles; returns the selected index. `right_limit_px`: their right limit (0 = the window's padding).
int tab_strip(const Look& look, const char* id, std::span<const TabItem> items, int selected, float height = 42,
              float right_limit_px = 0);

enum class ButtonKind : std::uint8_t { primary, plain, quiet };
// `key` is a faint second text ("Space"). `progress` in 0…1 fills the ground; < 0 = none. width_px 0 = automatic.
bool button(const Look& look, const char* id, std::string_view label, ButtonKind kind, std::string_view key = {},
            float progress = -1, float width_px = 0, bool enabled = true);
float button_width(const Look& look, std::string_view label, std::string_view key, bool icon);

// `outline`: colour for the item compared with the selected one; 0 = none.
bool chip(const Look& look, const char* id, std::string_view label, bool selected, bool marked, ImU32 outline = 0);
float chip_width(const Look& look, std::string_view label);

enum class Icon : std::uint8_t { first, previous, next, last, down, play, stop, menu, reset, check, close };
void draw_icon(ImDrawList* list, const Look& look, Icon icon, ImVec2 centre_px, ImU32 colour, float size = 8);
bool icon_button(const Look& look, const char* id, Icon icon, std::string_view what, bool enabled = true,
                 float size = 26);

// "block 3 ◂ ▸"; returns true if `value` changed (0 ≤ value < count).
bool stepper(const Look& look, const char* id, std::string_view label, std::uint32_t& value, std::uint32_t count);

// A slim slider over `count` positions; returns true if `value` changed.
bool scrubber(const Look& look, const char* id, std::size_t& value, std::size_t count, float width_px);

// A raised card with padding around everything up to end_card(). The ground is drawn behind.
void begin_card(const Look& look, const char* id, ImU32 ground, float padding_y_px = 0);
void end_card(const Look& look);

// 16384 → "16,384".
std::string grouped(std::int64_t value);
std::string grouped(std::uint64_t value);

// What is drawn in this window while it lives is as strong as `alpha` says.
class Faded {
 public:
  explicit Faded(float alpha);
  ~Faded();
  Faded(const Faded&) = delete;
  Faded& operator=(const Faded&) = delete;

 private:
  ImDrawList* list_;
  int first_;
  float alpha_;
};

}  // namespace lanescope::gui
