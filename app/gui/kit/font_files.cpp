#include "gui/kit/font_files.h"

#include <optional>
#include <string_view>
#include <system_error>
#include <unordered_map>

#include "core/os/environment.h"
#include "core/os/installation.h"
#include "gui/window.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

// The files of a family; the same face may have another suffix in another distribution. An empty one is drawn with the
// next lighter face.
struct Family {
  std::string_view name;
  std::string_view regular, medium, semibold, bold;
  std::string_view place = "";  // the folder in Debian, which is looked at first
};
constexpr Family text_families[] = {
    {"Inter", "Inter-Regular.otf", "Inter-Medium.otf", "Inter-SemiBold.otf", "Inter-Bold.otf", "opentype/inter"},
    {"Inter", "Inter-Regular.ttf", "Inter-Medium.ttf", "Inter-SemiBold.ttf", "Inter-Bold.ttf"},
    {"DejaVu Sans", "DejaVuSans.ttf", "", "DejaVuSans-Bold.ttf", ""},
    {"Noto Sans", "NotoSans-Regular.ttf", "NotoSans-Medium.ttf", "NotoSans-SemiBold.ttf", "NotoSans-Bold.ttf"},
    {"Liberation Sans", "LiberationSans-Regular.ttf", "", "LiberationSans-Bold.ttf", ""},
    {"Ubuntu", "Ubuntu-R.ttf", "Ubuntu-M.ttf", "Ubuntu-B.ttf", ""},
    {"Segoe UI", "segoeui.ttf", "", "seguisb.ttf", "segoeuib.ttf"},
    {"Arial", "arial.ttf", "", "arialbd.ttf", ""},
};
constexpr Family code_families[] = {
    {"JetBrains Mono", "JetBrainsMono-Regular.ttf", "", "JetBrainsMono-SemiBold.ttf", "", "truetype/jetbrains-mono"},
    {"JetBrains Mono", "JetBrainsMono-Regular.otf", "", "JetBrainsMono-SemiBold.otf", ""},
    {"DejaVu Sans Mono", "DejaVuSansMono.ttf", "", "DejaVuSansMono-Bold.ttf", ""},
    {"Noto Sans Mono", "NotoSansMono-Regular.ttf", "", "NotoSansMono-Bold.ttf", ""},
    {"Liberation Mono", "LiberationMono-Regular.ttf", "", "LiberationMono-Bold.ttf", ""},
    {"Ubuntu Mono", "UbuntuMono-R.ttf", "", "UbuntuMono-B.ttf", ""},
    {"Consolas", "consola.ttf", "", "consolab.ttf", ""},
};

struct ChineseFamily {
  std::string_view regular, bold;
  int index;  // of Simplified Chinese in the collection
};
constexpr ChineseFamily chinese_families[] = {
    {"NotoSansCJKsc-Regular.otf", "NotoSansCJKsc-Bold.otf", 0},
    {"NotoSansCJK-Regular.ttc", "NotoSansCJK-Bold.ttc", 2},  // JP, KR, SC, TC, HK
    {"NotoSansSC-Regular.otf", "NotoSansSC-Bold.otf", 0},
    {"SourceHanSansSC-Regular.otf", "SourceHanSansSC-Bold.otf", 0},
    {"SourceHanSans.ttc", "", 2},
    {"msyh.ttc", "msyhbd.ttc", 0},
    {"wqy-microhei.ttc", "", 0},
    {"wqy-zenhei.ttc", "", 0},
    {"DroidSansFallbackFull.ttf", "", 0},
    {"DroidSansFallback.ttf", "", 0},
};

// Where the files are. The folders are read once, and only for a file that is nowhere else.
class Shelf {
 public:
  Shelf(const fs::path& own, std::span<const std::string> folders) : own_(own), folders_(folders) {}

  fs::path find(std::string_view name, std::string_view place = "") {
    if (name.empty()) return {};
    std::error_code ignored;
    if (!own_.empty() && fs::is_regular_file(own_ / name, ignored)) return own_ / name;
    if (!place.empty())
      for (const fs::path folder : folders_)
        if (fs::is_regular_file(folder / place / name, ignored)) return folder / place / name;
    if (!by_name_) read_folders();
    const auto found = by_name_->find(std::string(name));
    return found == by_name_->end() ? fs::path() : found->second;
  }

 private:
  void read_folders() {
    by_name_.emplace();
    for (const fs::path folder : folders_) {
      std::error_code error;
      fs::recursive_directory_iterator it(folder, fs::directory_options::skip_permission_denied, error);
      for (; !error && it != fs::recursive_directory_iterator(); it.increment(error))
        by_name_->try_emplace(it->path().filename().generic_string(), it->path());
    }
  }

  fs::path own_;
  std::span<const std::string> folders_;
  std::optional<std::unordered_map<std::string, fs::path>> by_name_;
};

// The folder of the fonts that were installed with the program; empty if it is not installed.
fs::path own_fonts() {
  const fs::path data = installation().data;
  return data.empty() ? fs::path() : data / "fonts";
}

// The first family whose regular face is there, as {regular, medium, semibold, bold}.
std::array<fs::path, 4> find_family(Shelf& shelf, std::span<const Family> families, std::string& name) {
  for (const Family& family : families) {
    std::array<fs::path, 4> files{shelf.find(family.regular, family.place), shelf.find(family.medium, family.place),
                                  shelf.find(family.semibold, family.place), shelf.find(family.bold, family.place)};
    if (files[0].empty()) continue;
    for (std::size_t i = 1; i < files.size(); ++i)
      if (files[i].empty()) files[i] = files[i - 1];
    name = family.name;
    return files;
  }
  return {};
}

}  // namespace

FontFiles find_font_files(const fs::path& own, std::span<const std::string> folders) {
  Shelf shelf(own, folders);
  FontFiles result;
  const auto set = [&](Face face, const fs::path& path) { result.faces[static_cast<std::size_t>(face)].path = path; };
  const auto text = find_family(shelf, text_families, result.text);
  set(Face::regular, text[0]);
  set(Face::medium, text[1]);
  set(Face::semibold, text[2]);
  set(Face::bold, text[3]);
  const auto code = find_family(shelf, code_families, result.code);
  set(Face::mono, code[0]);
  set(Face::mono_bold, code[2]);
  result.as_designed = result.text == text_families[0].name && result.code == code_families[0].name;
  return result;
}

std::vector<ChineseFont> find_chinese_fonts(const fs::path& own, std::span<const std::string> folders) {
  Shelf shelf(own, folders);
  std::vector<ChineseFont> found;
  for (const ChineseFamily& family : chinese_families) {
    if (found.size() == 2) break;
    if (const fs::path regular = shelf.find(family.regular); !regular.empty())
      found.push_back({{regular, family.index}, {shelf.find(family.bold), family.index}});
  }
  return found;
}

FontFiles find_font_files() {
  return find_font_files(own_fonts(), font_folders());
}

std::vector<ChineseFont> find_chinese_fonts() {
  return find_chinese_fonts(own_fonts(), font_folders());
}

Fonts fonts_here() {
  const FontFiles files = find_font_files();
  const std::string_view comma = files.text.empty() || files.code.empty() ? "" : ", ";
  return {files.text + std::string(comma) + files.code, files.as_designed, !find_chinese_fonts().empty()};
}

}  // namespace lanescope::gui
