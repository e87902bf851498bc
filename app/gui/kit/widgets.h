#pragma once
// The few controls that the window is made of, drawn by hand on ImGui's input handling: text that never clips without
// saying so, tabs, chips, buttons. All lengths are device-independent pixels unless a name says otherwise.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gui/kit/look.h"

namespace lanescope::gui {

enum class HAlign : std::uint8_t { left, centre, right };

// Draws one line whose vertical centre is `at.y` (pixels), cut with an ellipsis at `max_width` pixels (0 = no limit).
// Returns the drawn width. `cut` (may be null) tells whether something is missing.
float draw_text(ImDrawList* list, const Look& look, TypeStyle style, ImU32 colour, ImVec2 at, std::string_view text,
                HAlign align = HAlign::left, float max_width = 0, bool* cut = nullptr);
// The first of these texts (there must be one) that is not wider than `room` pixels; else the last.
const std::string& longest_fitting(const Look& look, TypeStyle style, std::span<const std::string> texts, float room);
// The same as an ImGui item at the cursor, `height` tall; what was cut appears as a tooltip.
void line_of_text(const Look& look, TypeStyle style, ImU32 colour, std::string_view text, float width_px = 0,
                  float height = 20, HAlign align = HAlign::left);
// A wrapped paragraph at the cursor, as wide as the content region or `width_px`.
void paragraph(const Look& look, TypeStyle style, ImU32 colour, std::string_view text, float width_px = 0);

// The same on a list, at a point; returns its height.
float draw_paragraph(ImDrawList* list, const Look& look, TypeStyle style, ImU32 colour, ImVec2 at,
                     std::string_view text, float width);

// A box with a hint when the last item is hovered: a bold first line (may be empty) and a wrapped text.
void hint(const Look& look, std::string_view text, std::string_view title = {});
// The same, whatever is hovered.
void show_hint(const Look& look, std::string_view text, std::string_view title = {});

// The look of a text field, while this lives: ground, border, type. `padding` inside the frame.
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
// What Tab leads to, Enter presses and the pointer clicks: an invisible item at the cursor that gets a ring while the
// keyboard is on it.
bool pressable(const char* id, ImVec2 size_px);
// The keyboard goes to the item drawn next, wherever it is now.
void focus_next_item();
// -1 or 1 when one of these keys was pressed while the keyboard is on the last item, which then has them for itself;
// else 0.
int keys_of_item(ImGuiKey less, ImGuiKey more);

// A panel: rounded ground with a border, and a child window of that name inside it. end_panel() always.
void begin_panel(const Look& look, const char* name, const PanelRect& rect);
void end_panel();
// The strip at the panel's top: leaves the cursor at its left text position; returns its rectangle in pixels.
struct Strip {
  float x0, x1, y0, y1, centre;  // inner edges and vertical centre, pixels
};
Strip panel_strip(const Look& look, float height = 42, bool line_below = true);

struct TabItem {
  const char* id;
  std::string_view label;
  bool enabled = true;
  std::string_view why_not;  // shown when a disabled tab is hovered
};
// Underlined words; returns the chosen index. `right_limit_px`: where they must end (0 = the window's padding).
int tab_strip(const Look& look, const char* id, std::span<const TabItem> items, int selected, float height = 42,
              float right_limit_px = 0);

enum class ButtonKind : std::uint8_t { primary, plain, quiet };
// `key` is a faint second text ("Space"). `progress` in 0…1 fills the ground; < 0 = none. width_px 0 = as needed.
bool button(const Look& look, const char* id, std::string_view label, ButtonKind kind, std::string_view key = {},
            float progress = -1, float width_px = 0, bool enabled = true);
float button_width(const Look& look, std::string_view label, std::string_view key, bool icon);

// `outline`: of one that is chosen beside the selected one; 0 = none.
bool chip(const Look& look, const char* id, std::string_view label, bool selected, bool marked, ImU32 outline = 0);
float chip_width(const Look& look, std::string_view label);

enum class Icon : std::uint8_t { first, previous, next, last, down, play, stop, menu, reset, check, close };
void draw_icon(ImDrawList* list, const Look& look, Icon icon, ImVec2 centre_px, ImU32 colour, float size = 8);
bool icon_button(const Look& look, const char* id, Icon icon, std::string_view what, bool enabled = true,
                 float size = 26);

// "block 3 ◂ ▸": returns true when `value` changed (0 ≤ value < count).
bool stepper(const Look& look, const char* id, std::string_view label, std::uint32_t& value, std::uint32_t count);

// A slim handle over `count` positions; true when `value` changed.
bool scrubber(const Look& look, const char* id, std::size_t& value, std::size_t count, float width_px);

// A raised card with padding around what `end_card` closes; the ground is drawn behind.
void begin_card(const Look& look, const char* id, ImU32 ground, float padding_y_px = 0);
void end_card(const Look& look);

// 16384 → "16,384".
std::string grouped(std::int64_t value);
std::string grouped(std::uint64_t value);

}  // namespace lanescope::gui
