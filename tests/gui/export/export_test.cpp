// Exported pictures and tables: files, and the clipboard.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <utility>
#include <vector>

#include "core/os/abilities.h"
#include "core/os/environment.h"
#include "core/os/subprocess.h"
#include "diagram/words.h"
#include "driver.h"
#include "export/export_wishes.h"
#include "gui/export_tables.h"
#include "gui/exporting.h"
#include "gui/time/sweep_plot.h"
#include "gui/time/time_sizes.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;
using gui::ExportForm;
using gui::ExportPart;

TEST(Export, SavesPicturesAndTablesUnderNewNames) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/pictures";

    wishes(ui, learner, ExportPart::warp, ExportForm::png);
    EXPECT_TRUE(exports.problems.empty());
    EXPECT_TRUE(fs::path(exports.last_path).filename() == "coalescing-stride-warp.png") << exports.last_path;
    EXPECT_TRUE(learner.says(ui, exports.last_path) || learner.says(ui, "Saved")) << "where it went";
    const std::string png = text_of_file(exports.last_path);
    ASSERT_GT(png.size(), 1000u);
    EXPECT_EQ(png.substr(1, 3), "PNG");
    // The width in the header is the panel's, not the window's.
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(png[i]); };
    const unsigned width = byte(16) << 24 | byte(17) << 16 | byte(18) << 8 | byte(19);
    EXPECT_LT(width, ImGui::GetIO().DisplaySize.x * 0.6f);
    EXPECT_GT(width, 100u);

    const std::string first = exports.last_path;
    wishes(ui, learner, ExportPart::warp, ExportForm::png);
    EXPECT_EQ(fs::path(exports.last_path).filename(), "coalescing-stride-warp-2.png");
    EXPECT_EQ(text_of_file(first), png) << "what was there stays";

    for (const ExportPart part : {ExportPart::warp, ExportPart::steps, ExportPart::numbers, ExportPart::time}) {
      wishes(ui, learner, part, ExportForm::svg);
      const std::string svg = text_of_file(exports.last_path);
      EXPECT_TRUE(svg.starts_with("<svg ")) << svg.substr(0, 80);
      EXPECT_NE(svg.find("</svg>"), std::string::npos);
      if (part == ExportPart::numbers) {
        EXPECT_NE(svg.find("in[i * stride]"), std::string::npos) << "the code";
      }
    }
  });
}

// The film is not painted while the results of schedules are shown: what it showed last is of another run, with more
// steps and other phases.
TEST(Export, AFilmThatWasNotPaintedIsOfTheWarpOnScreen) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/films";
    s.choose("shuffle_reduce", "", {});
    learner.wait(ui);
    const std::size_t many = s.place.step_count();
    s.place.set_step(many - 1);
    learner.wait(ui);
    learner.state().steps_tab = gui::StepsTab::schedules;
    ui.Yield(2);
    s.choose("coalescing", "stride", {});
    learner.wait(ui);
    const std::size_t few = s.place.step_count();
    ASSERT_LT(few, many / 2);
    wishes(ui, learner, ExportPart::steps, ExportForm::csv);
    const std::string rows = text_of_file(exports.last_path);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(rows, '\n')), few + 1) << rows;
    EXPECT_NE(rows.find("ld.global.f32"), std::string::npos) << rows;
    wishes(ui, learner, ExportPart::steps, ExportForm::svg);
    EXPECT_NE(text_of_file(exports.last_path).find("ld.global"), std::string::npos);
  });
}

// The drawing of a plot says what its times are: which variant took how long, and on which GPU of which date.
TEST(Export, AnSvgOfAPlotHasItsOriginAndItsNumbers) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    const gui::Session& s = learner.session();
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/plots";
    wishes(ui, learner, ExportPart::time, ExportForm::svg);
    const std::string variants = text_of_file(exports.last_path);
    EXPECT_NE(variants.find(s.recordings.recording()->device.name), std::string::npos) << variants;
    EXPECT_NE(variants.find(s.recordings.recording()->date), std::string::npos);
    const gui::VariantTime first = gui::variants_beside(s, gui::TimeSize::measure).front();
    ASSERT_TRUE(first.timed());
    EXPECT_NE(variants.find(gui::time_with_spread(first.run->timing->seconds)), std::string::npos);
    learner.plots_over(ui, "stride");
    wishes(ui, learner, ExportPart::time, ExportForm::svg);
    const std::string over = text_of_file(exports.last_path);
    EXPECT_NE(over, variants);
    EXPECT_NE(over.find(s.recordings.recording()->date), std::string::npos);
    EXPECT_NE(over.find("over stride"), std::string::npos) << over;
  });
}

// Times that lie far apart are drawn by orders of magnitude, as on screen: with bars from 0 all but the longest would
// be gone.
TEST(Export, AnSvgOfTimesFarApartHasTheirScale) {
  gui::Options options;
  options.lesson = "half_atomics";
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    const gui::Session& s = learner.session();
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/plots";
    wishes(ui, learner, ExportPart::time, ExportForm::svg);
    const std::string svg = text_of_file(exports.last_path);
    for (const char* said : {">logarithmic<", ">10 µs<", ">1 ms<", ">median<", ">of peak<"})
      EXPECT_NE(svg.find(said), std::string::npos) << said;
  });
}

// Each label of an SVG file: where it begins and ends, as wide as its font makes it.
struct SvgLabel {
  double x0 = 0, x1 = 0, y = 0, size = 0;
  std::string text;
};
std::vector<SvgLabel> labels_of(const std::string& svg) {
  std::vector<SvgLabel> labels;
  // The picture stands in a group of its own below its title.
  std::smatch group;
  const bool grouped =
      std::regex_search(svg, group, std::regex("<g transform=\"translate\\(([0-9.]+) ([0-9.]+)\\)\">"));
  EXPECT_TRUE(grouped);
  const auto begin = grouped ? group.position(0) : 0;
  const auto end_of_group = static_cast<std::ptrdiff_t>(svg.find("</g>"));
  const std::regex element(
      "<text x=\"([-0-9.]+)\" y=\"([-0-9.]+)\" font-family=\"([^\"]*)\" font-size=\"([0-9.]+)\"[^>]* "
      "text-anchor=\"([a-z]+)\"[^>]*>([^<]*)</text>");
  for (std::sregex_iterator at(svg.begin(), svg.end(), element), end; at != end; ++at) {
    const auto& found = *at;
    std::string text = found[6].str();
    for (const auto& [from, to] : {std::pair{"&lt;", "<"}, {"&gt;", ">"}, {"&amp;", "&"}, {"&quot;", "\""}})
      for (std::size_t i = 0; (i = text.find(from, i)) != std::string::npos;) text.replace(i, std::strlen(from), to);
    const bool mono = found[3].str().starts_with("'JetBrains");
    const double size = std::stod(found[4].str()), x = std::stod(found[1].str());
    const double width =
        diagram::text_width(text, static_cast<float>(size), mono ? diagram::Face::mono : diagram::Face::sans);
    const bool inside = found.position(0) > begin && found.position(0) < end_of_group;
    const double dx = inside ? std::stod(group[1].str()) : 0, dy = inside ? std::stod(group[2].str()) : 0;
    const double share = found[5].str() == "start" ? 0 : found[5].str() == "middle" ? 0.5 : 1;
    labels.push_back(
        {dx + x - width * share, dx + x + width * (1 - share), dy + std::stod(found[2].str()), size, text});
  }
  return labels;
}

void expect_labels_apart(const std::string& svg) {
  const std::vector<SvgLabel> labels = labels_of(svg);
  ASSERT_GT(labels.size(), 5u);
  std::smatch width;
  ASSERT_TRUE(std::regex_search(svg, width, std::regex("^<svg [^>]* width=\"([0-9.]+)\"")));
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const SvgLabel& one = labels[i];
    EXPECT_LE(one.x1, std::stod(width[1].str()) - 8) << one.text;
    for (std::size_t k = i + 1; k < labels.size(); ++k) {
      const SvgLabel& other = labels[k];
      const bool beside = one.x1 <= other.x0 + 1 || other.x1 <= one.x0 + 1;
      EXPECT_TRUE(beside || std::abs(one.y - other.y) >= 0.6 * std::max(one.size, other.size))
          << one.text << " | " << other.text;
    }
  }
}

// In the drawing of code and plots of every lesson, in both languages.
TEST(Export, LabelsOfSvgFilesLieBesideEachOther) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/drawings";
    learner.state().uncovered = true;
    for (std::size_t lesson = 0; lesson < s.selection.lessons().size(); ++lesson) {
      s.choose_lesson(lesson);
      learner.wait(ui);
      ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
      learner.state().settings.language = lesson % 2 == 0 ? gui::Language::english : gui::Language::chinese;
      learner.state().settings.theme = lesson % 2 == 0 ? gui::Theme::dark : gui::Theme::light;
      for (const ExportPart part : {ExportPart::numbers, ExportPart::time}) {
        wishes(ui, learner, part, ExportForm::svg);
        ASSERT_TRUE(exports.problems.empty()) << s.selection.lesson().id << ": " << exports.problems.front().message;
        const testing::ScopedTrace where(__FILE__, __LINE__, exports.last_path);
        expect_labels_apart(text_of_file(exports.last_path));
      }
    }
    s.choose_lesson(0);
    learner.wait(ui);
    learner.plots_over(ui, "stride");
    wishes(ui, learner, ExportPart::time, ExportForm::svg);
    expect_labels_apart(text_of_file(exports.last_path));
    EXPECT_TRUE(learner.runs_changed(ui, "float value = in[i * stride];",
                                     "float value = in[i * stride];  // " + std::string(90, 'x')));
    wishes(ui, learner, ExportPart::numbers, ExportForm::svg);
    expect_labels_apart(text_of_file(exports.last_path));
  });
}

// A program in place of the clipboard's, in a folder that is searched first: it keeps what it is given.
class PretendedClipboard {
 public:
  PretendedClipboard(const std::string& folder, const std::string& script)
      : folder_(folder + "/programs"), path_(value_of_variable("PATH").value_or("")) {
    fs::create_directories(folder_);
    if (!script.empty()) {
      const fs::path program = fs::path(folder_) / "xclip";
      std::ofstream(program) << "#!/bin/sh\n" << script << "\n";
      fs::permissions(program, fs::perms::owner_all);
      set_variable("PATH", folder_ + ":" + path_);
    } else {
      set_variable("PATH", folder_);
    }
    if (const auto wayland = value_of_variable("WAYLAND_DISPLAY")) wayland_ = *wayland;
    unset_variable("WAYLAND_DISPLAY");
  }
  ~PretendedClipboard() {
    set_variable("PATH", path_);
    if (!wayland_.empty()) set_variable("WAYLAND_DISPLAY", wayland_);
  }
  std::string given() const { return text_of_file(folder_ + "/given"); }

 private:
  std::string folder_, path_, wayland_;
};

TEST(Export, APictureIsCopiedByTheProgramOfTheClipboard) {
  if (!clipboard_takes_pictures() && value_of_variable("DISPLAY").value_or("").empty())
    GTEST_SKIP() << "needs a clipboard of X11";
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/pictures";
    wishes(ui, learner, ExportPart::warp, ExportForm::png);
    const std::string saved = text_of_file(exports.last_path);
    {
      const PretendedClipboard clipboard(learner.state_folder(), "cat > \"${0%/*}/given\"; echo \"$@\" >&2");
      wishes(ui, learner, ExportPart::warp, ExportForm::copy_picture);
      EXPECT_TRUE(exports.problems.empty());
      EXPECT_TRUE(learner.says(ui, "Copied to the clipboard: a picture of"));
      EXPECT_TRUE(clipboard.given() == saved) << "the same picture as the file";
    }
    {
      const PretendedClipboard clipboard(learner.state_folder(), "exit 3");
      wishes(ui, learner, ExportPart::warp, ExportForm::copy_picture);
      ASSERT_EQ(exports.problems.size(), 1u);
      EXPECT_EQ(exports.problems.front().code, "clipboard.picture");
      EXPECT_TRUE(exports.told.empty());
    }
  });
}

// What a program that pastes gets: asked for by another process.
TEST(Export, AnotherProgramPastesThePicture) {
  std::string xclip;
  for (const std::string& folder : folders_of_programs())
    if (is_program(folder + "/xclip")) xclip = folder + "/xclip";
  if (xclip.empty() || value_of_variable("DISPLAY").value_or("").empty()) GTEST_SKIP() << "needs X11 and xclip";
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/pictures";
    wishes(ui, learner, ExportPart::steps, ExportForm::png);
    wishes(ui, learner, ExportPart::steps, ExportForm::copy_picture);
    const ProgramOutcome pasted =
        run_program(xclip, {"-selection", "clipboard", "-t", "image/png", "-o"}, {}, std::chrono::seconds(10));
    EXPECT_TRUE(pasted.output == text_of_file(exports.last_path)) << pasted.errors;
    wishes(ui, learner, ExportPart::steps, ExportForm::copy_svg);
    const std::string svg = ImGui::GetClipboardText();
    EXPECT_TRUE(svg.starts_with("<svg ") && svg.find("ld.global") != std::string::npos) << svg.substr(0, 80);
  });
}

TEST(Export, WhereTheClipboardTakesNoPicturesTheMenuSaysWhatIsMissing) {
  if (value_of_variable("DISPLAY").value_or("").empty()) GTEST_SKIP() << "needs a clipboard of X11";
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const PretendedClipboard none(learner.state_folder(), "");
    ui.MouseMoveToPos(ui.ItemInfo("**/masks").RectFull.GetCenter());
    ui.MouseClick(ImGuiMouseButton_Right);
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "Pictures cannot be copied: xclip is not installed."));
    EXPECT_FALSE(ui.ItemExists("//$FOCUSED/copy_picture"));
    EXPECT_TRUE(ui.ItemExists("//$FOCUSED/copy_svg"));
    learner.saves(ui, "export_no_pictures");
    ui.KeyPress(ImGuiKey_Escape);
    wishes(ui, learner, ExportPart::steps, ExportForm::copy_picture);  // from the palette
    ASSERT_EQ(learner.state().exports->problems.size(), 1u);
    EXPECT_EQ(learner.state().exports->problems.front().cure, "Install xclip, or save the picture as PNG.");
  });
}

// Folders are searched when the menu opens, and not once per frame.
TEST(Export, TheMenuAsksForTheClipboardOnce) {
  if (value_of_variable("DISPLAY").value_or("").empty()) GTEST_SKIP() << "needs a clipboard of X11";
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const auto opens = [&] {
      ui.MouseMoveToPos(ui.ItemInfo("**/masks").RectFull.GetCenter());
      ui.MouseClick(ImGuiMouseButton_Right);
      ui.Yield(3);
    };
    {
      const PretendedClipboard there(learner.state_folder(), "exit 0");
      opens();
      EXPECT_TRUE(ui.ItemExists("//$FOCUSED/copy_picture"));
    }
    const PretendedClipboard gone(learner.state_folder() + "/without", "");
    ui.Yield(3);
    EXPECT_TRUE(ui.ItemExists("//$FOCUSED/copy_picture")) << "as it was when the menu opened";
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    opens();
    EXPECT_FALSE(ui.ItemExists("//$FOCUSED/copy_picture"));
  });
}

TEST(Export, WhatIsNotOnScreenIsNotExportedSilently) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().results = gui::ResultsTab::agreement;
    ui.Yield(2);
    wishes(ui, learner, ExportPart::time, ExportForm::svg);
    ASSERT_EQ(learner.state().exports->problems.size(), 1u);
    EXPECT_EQ(learner.state().exports->problems.front().code, "export.nothing");
  });
}

TEST(Export, AFolderThatCannotBeMadeIsTold) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    const std::string file = learner.state_folder() + "/no folder";
    fs::create_directories(learner.state_folder());
    std::ofstream(file) << "a file";
    exports.folder = file + "/pictures";
    for (const ExportForm form : {ExportForm::csv, ExportForm::png}) {
      wishes(ui, learner, ExportPart::numbers, form);
      ASSERT_EQ(exports.problems.size(), 1u);
      EXPECT_EQ(exports.problems.front().code, "export.io");
      EXPECT_TRUE(exports.told.empty());
    }
  });
}

TEST(Export, TheMenuAtAPanelsCornerAndTheRightButtonDoTheSame) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/menu";
    ui.MouseMoveToPos(ui.ItemInfo("**/masks").RectFull.GetCenter());
    ui.Yield(2);
    learner.saves(ui, "export_corner");
    ui.MouseClick(ImGuiMouseButton_Right);
    ui.Yield(2);
    learner.saves(ui, "export_menu");
    ui.ItemClick("//$FOCUSED/csv");
    EXPECT_TRUE(learner.wait_for(ui, [&] { return !exports.told.empty(); }));
    EXPECT_EQ(fs::path(exports.last_path).filename(), "coalescing-stride-steps.csv");
  });
}

TEST(Export, TheNumbersMenuCoversNoFigure) {
  gui::Options options;
  options.width = 1024, options.height = 640;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    learner.wait(ui);
    const ImGuiTestItemInfo first = ui.ItemInfo("**/number");
    ASSERT_NE(first.ID, 0u);
    ui.MouseMoveToPos(first.RectFull.GetCenter());
    ui.Yield(2);
    const auto& beside = learner.state().exports->beside_numbers;
    ASSERT_TRUE(beside) << "the heading is in sight";
    // In the heading's row, above every number and left of the heading's right-hand items.
    EXPECT_LE(beside->y + 12, first.RectFull.Min.y + 1);
    EXPECT_LT(beside->x + 24, first.RectFull.Max.x);
    learner.saves(ui, "export_corner_numbers");
  });
}

}  // namespace
}  // namespace lanescope::test
