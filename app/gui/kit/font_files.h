#pragma once
// The font files of this machine that the window draws its text with.

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace lanescope::gui {

enum class Face : std::uint8_t { regular, medium, semibold, bold, mono, mono_bold, count_ };

struct FontFile {
  std::filesystem::path path;  // empty: none was found
  int index = 0;               // of the font in a collection (.ttc)
};

struct FontFiles {
  std::array<FontFile, static_cast<std::size_t>(Face::count_)> faces;
  std::string text, code;    // the names of the families of text and code; empty: none was found
  bool as_designed = false;  // Inter and JetBrains Mono
};

// A font with Chinese glyphs; `bold` may be missing.
struct ChineseFont {
  FontFile regular, bold;
};

// Prefers the fonts that were installed with the program (`own`: their folder; may be empty), then looks in `folders`
// and below for the fonts of the design, then for what Linux distributions and Windows bring with them. Reads all of
// the folders only where the fonts of the design are neither there nor where Debian has them.
FontFiles find_font_files(const std::filesystem::path& own, std::span<const std::string> folders);
// In the same places; best first, two at most.
std::vector<ChineseFont> find_chinese_fonts(const std::filesystem::path& own, std::span<const std::string> folders);

// Those of this process.
FontFiles find_font_files();
std::vector<ChineseFont> find_chinese_fonts();

}  // namespace lanescope::gui
