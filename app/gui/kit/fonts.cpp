// Finds the fonts on this machine. Files are mapped into memory and stay mapped: ImGui rasterises a glyph when it is
// first shown, so unused glyphs cost nothing at the start.

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <span>
#include <string_view>
#include <vector>

#include "core/os/installation.h"
#include "gui/kit/look.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;
using Bytes = std::span<const unsigned char>;

struct FaceFile {
  Face face;
  std::string_view file;  // searched by name below the folders
};
constexpr FaceFile face_files[] = {
    {Face::regular, "opentype/inter/Inter-Regular.otf"},
    {Face::medium, "opentype/inter/Inter-Medium.otf"},
    {Face::semibold, "opentype/inter/Inter-SemiBold.otf"},
    {Face::bold, "opentype/inter/Inter-Bold.otf"},
    {Face::mono, "truetype/jetbrains-mono/JetBrainsMono-Regular.ttf"},
    {Face::mono_bold, "truetype/jetbrains-mono/JetBrainsMono-SemiBold.ttf"},
};
constexpr std::string_view cjk_file = "opentype/noto/NotoSansCJK-Regular.ttc";
constexpr std::string_view cjk_bold_file = "opentype/noto/NotoSansCJK-Bold.ttc";
constexpr int cjk_simplified_index = 2;  // in the collection: JP, KR, SC, TC, HK
// Fonts of an installation: Simplified Chinese only, with the characters that the program shows and common ones.
constexpr std::string_view own_cjk_file = "NotoSansCJKsc-Regular.otf";
constexpr std::string_view own_cjk_bold_file = "NotoSansCJKsc-Bold.otf";

// The path of a font that was installed with the program; empty if there is none.
fs::path own_font(const fs::path& name) {
  const fs::path file = installation().data / "fonts" / name;
  std::error_code ignored;
  return !installation().data.empty() && fs::exists(file, ignored) ? file : fs::path();
}

std::vector<fs::path> font_folders() {
  std::vector<fs::path> folders{"/usr/share/fonts", "/usr/local/share/fonts"};
  if (const char* home = std::getenv("HOME")) folders.push_back(fs::path(home) / ".local/share/fonts");
  return folders;
}

// Searches the fonts installed with the program, then Debian's folder, then all font folders for the file name.
fs::path find_font(std::string_view relative) {
  if (const fs::path own = own_font(fs::path(relative).filename()); !own.empty()) return own;
  std::error_code ignored;
  for (const fs::path& folder : font_folders())
    if (fs::exists(folder / relative, ignored)) return folder / relative;
  const fs::path wanted = fs::path(relative).filename();
  for (const fs::path& folder : font_folders()) {
    fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, ignored);
    for (; !ignored && it != fs::recursive_directory_iterator(); it.increment(ignored))
      if (it->path().filename() == wanted) return it->path();
    ignored.clear();
  }
  return {};
}

Bytes map_file(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  struct stat info {};
  Bytes bytes;
  if (::fstat(file, &info) == 0 && info.st_size > 0) {
    const auto size = static_cast<std::size_t>(info.st_size);
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory != MAP_FAILED) bytes = {static_cast<const unsigned char*>(memory), size};
  }
  ::close(file);
  return bytes;
}

unsigned read_u32(Bytes b, std::size_t at) {
  if (at + 4 > b.size()) return 0;
  return unsigned{b[at]} << 24 | unsigned{b[at + 1]} << 16 | unsigned{b[at + 2]} << 8 | b[at + 3];
}
int read_i16(Bytes b, std::size_t at) {
  if (at + 2 > b.size()) return 0;
  return static_cast<std::int16_t>(b[at] << 8 | b[at + 1]);
}

// (ascender − descender) ÷ units per em, from the tables `hhea` and `head`: ImGui scales by the former, designs use
// ems.
float line_per_em(Bytes font, int collection_index = 0) {
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

ImFont* add_font(Bytes bytes, const ImFontConfig& config) {
  // ImGui takes a non-const pointer but only reads data that it does not own.
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(bytes.data()),
                                                    static_cast<int>(bytes.size()), 16, &config);
}

}  // namespace

void Look::load_fonts() {
  for (const FaceFile& wanted : face_files) {
    FontSlot& slot = fonts_[static_cast<std::size_t>(wanted.face)];
    const Bytes bytes = map_file(find_font(wanted.file));
    if (bytes.empty()) continue;
    ImFontConfig config = shared_data(fs::path(wanted.file).stem().string());
    // Glyphs of fixed width start at whole pixels, because the editor computes columns in this way.
    config.PixelSnapH = wanted.face == Face::mono || wanted.face == Face::mono_bold;
    slot.font = add_font(bytes, config);
    slot.line_per_em = line_per_em(bytes);
  }
  ImFont* fallback = nullptr;
  for (FontSlot& slot : fonts_) {
    if (slot.font != nullptr) continue;
    if (fallback == nullptr) fallback = ImGui::GetIO().Fonts->AddFontDefaultVector();
    slot.font = fallback;
  }
}

void Look::load_cjk() {
  if (cjk_loaded_) return;
  cjk_loaded_ = true;
  merge_cjk(map_file(own_font(own_cjk_file)), map_file(own_font(own_cjk_bold_file)), 0);
  // Fallback fonts: a glyph comes from the first font that has it.
  merge_cjk(map_file(find_font(cjk_file)), map_file(find_font(cjk_bold_file)), cjk_simplified_index);
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
