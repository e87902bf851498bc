// The window's fonts: which files are taken on which system, and what is shown without any.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "gui/kit/font_files.h"
#include "gui/kit/labels.h"
#include "gui/kit/look.h"
#include "imgui.h"
#include "imgui_internal.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using gui::Face;

class FontFolders : public testing::Test {
 protected:
  FontFolders() {
    std::string pattern = (fs::temp_directory_path() / "lanescope-fonts-XXXXXX").string();
    root_ = ::mkdtemp(pattern.data());
  }
  ~FontFolders() override { fs::remove_all(root_); }

  void install(const std::string& path) {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << "font";
  }
  gui::FontFiles found() { return gui::find_font_files(root_ / "own", folders()); }
  std::vector<gui::ChineseFont> chinese() { return gui::find_chinese_fonts(root_ / "own", folders()); }
  std::vector<std::string> folders() const { return {(root_ / "share").string(), (root_ / "none").string()}; }
  std::string file_of(const gui::FontFiles& files, Face face) {
    const fs::path& path = files.faces[static_cast<std::size_t>(face)].path;
    return path.empty() ? "" : path.lexically_relative(root_).generic_string();
  }
  fs::path root_;
};

TEST_F(FontFolders, WithoutAnyThereIsNone) {
  const gui::FontFiles files = found();
  for (std::size_t i = 0; i < files.faces.size(); ++i) EXPECT_TRUE(files.faces[i].path.empty());
  EXPECT_TRUE(files.text.empty() && files.code.empty() && chinese().empty());
  EXPECT_FALSE(files.as_designed);
}

TEST_F(FontFolders, OfTheProgramComeFirst) {
  for (const char* file : {"share/Inter-Regular.otf", "own/Inter-Regular.otf", "own/Inter-Medium.otf",
                           "own/Inter-SemiBold.otf", "own/Inter-Bold.otf", "own/JetBrainsMono-Regular.ttf",
                           "own/JetBrainsMono-SemiBold.ttf", "own/NotoSansCJKsc-Regular.otf"})
    install(file);
  const gui::FontFiles files = found();
  EXPECT_TRUE(files.as_designed);
  EXPECT_EQ(file_of(files, Face::regular), "own/Inter-Regular.otf");
  EXPECT_EQ(file_of(files, Face::mono_bold), "own/JetBrainsMono-SemiBold.ttf");
  ASSERT_EQ(chinese().size(), 1u);
  EXPECT_EQ(chinese()[0].regular.index, 0);
  EXPECT_TRUE(chinese()[0].bold.path.empty());
}

// Debian's places are looked at before everything else in the folders.
TEST_F(FontFolders, ThoseOfDebianAreInTheirPlaces) {
  install("share/opentype/inter/Inter-Regular.otf");
  install("share/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf");
  // Others that a search of all folders, in whatever order, would nearly always find first.
  for (const std::string folder : {"a", "b", "c", "d", "e", "f", "x", "y", "z"})
    for (const char* name : {"Inter-Regular.otf", "JetBrainsMono-Regular.ttf"}) install("share/" + folder + "/" + name);
  const gui::FontFiles files = found();
  EXPECT_TRUE(files.as_designed);
  EXPECT_EQ(file_of(files, Face::regular), "share/opentype/inter/Inter-Regular.otf");
  EXPECT_EQ(file_of(files, Face::mono), "share/truetype/jetbrains-mono/JetBrainsMono-Regular.ttf");
}

// As on an Ubuntu desktop without the fonts of the design.
TEST_F(FontFolders, AFamilyOfTheSystemStandsIn) {
  for (const char* file : {"share/truetype/dejavu/DejaVuSans.ttf", "share/truetype/dejavu/DejaVuSans-Bold.ttf",
                           "share/truetype/dejavu/DejaVuSansMono.ttf", "share/truetype/noto/NotoSans-Bold.ttf",
                           "share/opentype/noto/NotoSansCJK-Regular.ttc", "share/opentype/noto/NotoSansCJK-Bold.ttc"})
    install(file);
  const gui::FontFiles files = found();
  EXPECT_FALSE(files.as_designed);
  EXPECT_EQ(files.text, "DejaVu Sans");
  EXPECT_EQ(file_of(files, Face::medium), "share/truetype/dejavu/DejaVuSans.ttf") << "no medium face: the regular one";
  EXPECT_EQ(file_of(files, Face::bold), "share/truetype/dejavu/DejaVuSans-Bold.ttf");
  EXPECT_EQ(file_of(files, Face::mono_bold), "share/truetype/dejavu/DejaVuSansMono.ttf");
  ASSERT_EQ(chinese().size(), 1u);
  EXPECT_EQ(chinese()[0].regular.index, 2) << "Simplified Chinese";
}

// Every character of every English label has a glyph of its own or a stand-in, so that none is shown as "?".
TEST(Fonts, WithoutFilesNoCharacterIsMissing) {
  ImGuiContext* const before = ImGui::GetCurrentContext();
  ImGui::SetCurrentContext(ImGui::CreateContext());
  ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
  gui::Look look;
  look.load_fonts({});
  ImFontBaked* const baked = look.font(Face::regular)->GetFontBaked(16);
  std::string missing;
  int beyond_latin = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(gui::Label::count_); ++i) {
    const std::string_view text = gui::label_text(static_cast<gui::Label>(i), gui::Language::english);
    for (const char* at = text.data(); at < text.data() + text.size();) {
      unsigned c = 0;
      at += ImTextCharFromUtf8(&c, at, text.data() + text.size());
      beyond_latin += c > 0xff;
      if (c > ' ' && baked->FindGlyphNoFallback(static_cast<ImWchar>(c)) == nullptr) missing += std::to_string(c) + " ";
    }
  }
  EXPECT_EQ(missing, "");
  EXPECT_GT(beyond_latin, 20);
  ImGui::DestroyContext();
  ImGui::SetCurrentContext(before);
}

}  // namespace
}  // namespace lanescope
