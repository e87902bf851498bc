#pragma once
// The appearance: the colour tokens, fonts and sizes of visual.md, scaled to the display and the learner's zoom.
// Painting code takes a `const Look&` and never names a colour, a font file or a pixel size itself.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diagram/scene.h"
#include "gui/kit/font_files.h"
#include "imgui.h"

namespace lanescope::gui {

using diagram::Role;
using diagram::Theme;

// A size of the type scale, in device-independent pixels per em (as in a web page or a drawing).
struct TypeStyle {
  Face face;
  float em;
};
namespace type {
inline constexpr TypeStyle caption{Face::regular, 12}, caption_strong{Face::semibold, 12};
inline constexpr TypeStyle small{Face::regular, 13}, small_medium{Face::medium, 13}, small_strong{Face::semibold, 13};
inline constexpr TypeStyle body{Face::regular, 14}, body_medium{Face::medium, 14}, body_strong{Face::semibold, 14};
inline constexpr TypeStyle brand{Face::semibold, 15.5f}, question{Face::semibold, 18};
inline constexpr TypeStyle code{Face::mono, 13.5f}, number{Face::mono, 12}, number_strong{Face::mono_bold, 12};
inline constexpr TypeStyle present_small{Face::regular, 18}, present_strong{Face::semibold, 18},
    present_medium{Face::semibold, 28}, present_title{Face::bold, 40};
}  // namespace type

// The colour tokens. Text has only three levels; `accent` marks what can be clicked.
struct Palette {
  Theme theme = Theme::dark;
  ImU32 window, panel, raised, line;
  ImU32 text, dim, faint;
  ImU32 accent, accent_ink;  // accent_ink: text on an accent ground
  ImU32 accent_soft;         // ground of a marked line or an accented card
  ImU32 executed, wasted, conflict, better;
  ImU32 wasted_text;  // `wasted` for text, with a contrast of 4.5 : 1 or more
  ImU32 hover;        // drawn over the ground under the pointer
};
Palette make_palette(Theme theme);

ImU32 to_im(std::uint32_t rgb, float alpha = 1);
ImU32 with_alpha(ImU32 colour, float alpha);  // replaces the alpha
ImU32 mix(ImU32 a, ImU32 b, float t);         // 0 = a, 1 = b

class Look {
 public:
  // A font that is missing or cannot be read is replaced by ImGui's own. Needs an ImGui context.
  void load_fonts(const FontFiles& files);
  // Merges Chinese glyphs into every font; later calls do nothing. The font file is mapped, not read.
  void load_cjk();
  // Sets palette, sizes and ImGui's own style.
  void apply(Theme theme, float scale);

  // The same for a part whose texts are larger; ImGui's own sizes stay.
  Look enlarged(float factor) const {
    Look larger = *this;
    larger.scale_ *= factor;
    return larger;
  }

  const Palette& colours() const { return palette_; }
  Theme theme() const { return palette_.theme; }
  float scale() const { return scale_; }
  // Device-independent pixels → pixels, rounded so that edges stay sharp.
  float px(float dip) const;
  ImFont* font(Face face) const { return fonts_[static_cast<std::size_t>(face)].font; }
  // The size for ImGui (line height in pixels) for an em size in device-independent pixels.
  float size(TypeStyle style) const;
  ImU32 role(Role role) const { return to_im(diagram::colour(role, palette_.theme)); }
  ImU32 text_role(Role role) const { return to_im(diagram::text_colour(role, palette_.theme)); }
  ImU32 ink(Role role) const { return to_im(diagram::ink(role, palette_.theme)); }

  // Size of a text in pixels. With `wrap_width`, broken into lines as in paragraph().
  ImVec2 measure(TypeStyle style, std::string_view text, float wrap_width = 0) const;
  std::vector<std::string_view> lines(TypeStyle style, std::string_view text, float width) const;
  float line_pitch(TypeStyle style) const;  // line distance of a paragraph in pixels

 private:
  struct FontSlot {
    ImFont* font = nullptr;
    float line_per_em = 1.2f;  // (ascent + descent) ÷ em, from the file
  };
  // Merges into every font; `index`: the font's index in the files.
  void merge_cjk(std::span<const unsigned char> bytes, std::span<const unsigned char> bold, int index);
  std::array<FontSlot, static_cast<std::size_t>(Face::count_)> fonts_{};
  Palette palette_{};
  float scale_ = 1;
  bool cjk_loaded_ = false;
};

// Selects a style's font for ImGui widgets while it lives.
class UseFont {
 public:
  UseFont(const Look& look, TypeStyle style);
  ~UseFont();
  UseFont(const UseFont&) = delete;
  UseFont& operator=(const UseFont&) = delete;
};

}  // namespace lanescope::gui
