// Loads the fonts of this machine. Files are mapped into memory and stay mapped: ImGui rasterises a glyph when it is
// first shown, so unused glyphs cost nothing at the start.

#include <span>
#include <string_view>

#include "core/os/pages.h"
#include "gui/kit/font_files.h"
#include "gui/kit/look.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;
using FontBytes = std::span<const unsigned char>;

FontBytes map_file(const fs::path& path) {
  return path.empty() ? FontBytes() : pages::map_for_ever(path.generic_string());
}

unsigned read_u32(FontBytes b, std::size_t at) {
  if (at + 4 > b.size()) return 0;
  return unsigned{b[at]} << 24 | unsigned{b[at + 1]} << 16 | unsigned{b[at + 2]} << 8 | b[at + 3];
}
int read_i16(FontBytes b, std::size_t at) {
  if (at + 2 > b.size()) return 0;
  return static_cast<std::int16_t>(b[at] << 8 | b[at + 1]);
}

// (ascender − descender) ÷ units per em, from the tables `hhea` and `head`: ImGui scales by the former, designs use
// ems.
float line_per_em(FontBytes font, int collection_index = 0) {
  std::size_t start = 0;
  if (read_u32(font, 0) == 0x74746366)  // "ttcf"
    start = read_u32(font, 12 + 4 * static_cast<std::size_t>(collection_index));
  const int tables = read_i16(font, start + 4);
  std::size_t head = 0, hhea = 0;
  for (int i = 0; i < tables; ++i) {
    const std::size_t record = start + 12 + 16 * static_cast<std::size_t>(i);
    if (read_u32(font, record) == 0x68656164) head = read_u32(font, record + 8);
    if (read_u32(font, record) == 0x68686561) hhea = read_u32(font, record + 8);
  }
  const int units = head != 0 ? read_i16(font, head + 18) : 0;
  const int line = hhea != 0 ? read_i16(font, hhea + 4) - read_i16(font, hhea + 6) : 0;
  return units > 0 && line > 0 ? static_cast<float>(line) / static_cast<float>(units) : 1.2f;
}

ImFontConfig shared_data(std::string_view name) {
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.Flags |= ImFontFlags_NoLoadError;
  name.copy(config.Name, sizeof config.Name - 1);
  return config;
}

ImFont* add_font(FontBytes bytes, const ImFontConfig& config) {
  // ImGui takes a non-const pointer but only reads data that it does not own.
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(bytes.data()),
                                                    static_cast<int>(bytes.size()), 16, &config);
}

// ImGui's own font has the letters of Western Europe only. For the other characters that the program shows, the nearest
// of those, so that none becomes a question mark.
struct Stand {
  ImWchar wanted, shown;
};
constexpr Stand stands[] = {
    {0x2013, '-'}, {0x2014, '-'}, {0x2212, '-'}, {0x2018, '\''}, {0x2019, '\''}, {0x201c, '"'},
    {0x201d, '"'}, {0x2026, '.'}, {0x2190, '<'}, {0x2192, '>'},  {0x2191, '^'},  {0x2193, 'v'},
    {0x2248, '~'}, {0x221e, 'x'}, {0x03a3, 'S'}, {0x207b, '-'},  {0x2070, '0'},  {0x2074, '4'},
    {0x2075, '5'}, {0x2076, '6'}, {0x2077, '7'}, {0x2078, '8'},  {0x2079, '9'},
};

ImFont* add_own_font_of_imgui() {
  ImFont* font = ImGui::GetIO().Fonts->AddFontDefaultVector();
  for (const Stand& stand : stands)
    if (!font->IsGlyphInFont(stand.wanted)) font->AddRemapCodepoint(stand.wanted, stand.shown);
  return font;
}

}  // namespace

void Look::load_fonts(const FontFiles& files) {
  ImFont* fallback = nullptr;
  for (std::size_t i = 0; i < fonts_.size(); ++i) {
    FontSlot& slot = fonts_[i];
    const FontBytes bytes = map_file(files.faces[i].path);
    if (!bytes.empty()) {
      ImFontConfig config = shared_data(files.faces[i].path.stem().generic_string());
      const auto face = static_cast<Face>(i);
      // Glyphs of fixed width start at whole pixels, because the editor computes columns in this way.
      config.PixelSnapH = face == Face::mono || face == Face::mono_bold;
      slot.font = add_font(bytes, config);
      slot.line_per_em = line_per_em(bytes);
    }
    if (slot.font != nullptr) continue;
    if (fallback == nullptr) fallback = add_own_font_of_imgui();
    slot.font = fallback;
  }
}

void Look::load_cjk() {
  if (cjk_loaded_) return;
  cjk_loaded_ = true;
  // A glyph comes from the first font that has it.
  for (const ChineseFont& one : find_chinese_fonts())
    merge_cjk(map_file(one.regular.path), map_file(one.bold.path), one.regular.index);
}

void Look::merge_cjk(std::span<const unsigned char> bytes, std::span<const unsigned char> bold, int index) {
  if (bytes.empty()) return;
  const float cjk_line_per_em = line_per_em(bytes, index);
  for (std::size_t i = 0; i < fonts_.size(); ++i) {
    FontSlot& slot = fonts_[i];
    const auto face = static_cast<Face>(i);
    const bool heavy = face == Face::semibold || face == Face::bold || face == Face::mono_bold;
    ImFontConfig config = shared_data("Noto Sans CJK");
    config.MergeMode = true;
    config.DstFont = slot.font;
    config.FontNo = index;
    config.ExtraSizeScale = cjk_line_per_em / slot.line_per_em;  // the same em as the font it is merged into
    add_font(heavy && !bold.empty() ? bold : bytes, config);
  }
}

}  // namespace lanescope::gui
