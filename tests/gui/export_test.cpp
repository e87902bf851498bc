// Exported pictures and tables: files, and the clipboard.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "driver.h"
#include "gui/export_tables.h"
#include "gui/exporting.h"
#include "gui/time/sweep_plot.h"
#include "gui/time/time_sizes.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;
using gui::ExportForm;
using gui::ExportPart;

std::string text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ExportTable, QuotesWhatCsvMustQuote) {
  const gui::ExportTable table{{"name", "n"}, {{"a,b", "1"}, {"say \"x\"", "22"}, {"plain", "3"}}};
  EXPECT_EQ(gui::csv_of(table), "name,n\r\n\"a,b\",1\r\n\"say \"\"x\"\"\",22\r\nplain,3\r\n");
  EXPECT_EQ(gui::text_of(table), "name     n\na,b       1\nsay \"x\"  22\nplain     3\n");
}

// With LANESCOPE_SHOTS, the saved file stays in that folder for people to look at.
void wishes(ImGuiTestContext& ui, Learner& learner, ExportPart part, ExportForm form) {
  learner.state().exports->told = {};
  learner.state().exports->wish = gui::Exports::Wish{part, form};
  EXPECT_TRUE(learner.wait_for(ui, [&] {
    const gui::Exports& exports = *learner.state().exports;
    return !exports.wish && !exports.picture && (!exports.told.empty() || !exports.problems.empty());
  }));
  const std::string& path = learner.state().exports->last_path;
  if (const char* shots = std::getenv("LANESCOPE_SHOTS"); shots != nullptr && fs::exists(path))
    fs::copy_file(path, fs::path(shots) / fs::path(path).filename(), fs::copy_options::overwrite_existing);
}

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

TEST(Export, TablesHoldWhatThePanelsShow) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/tables";
    const gui::Session& s = learner.session();
    wishes(ui, learner, ExportPart::numbers, ExportForm::csv);
    const std::string numbers = text_of_file(exports.last_path);
    const auto of = std::ranges::find(s.runs.shown()->numbers, "global_load.sectors", &metrics::Measurement::name);
    ASSERT_NE(of, s.runs.shown()->numbers.end());
    const std::string row = "global_load.sectors," + std::to_string(static_cast<long long>(of->value)) + ",";
    EXPECT_NE(numbers.find(row), std::string::npos) << row << "\n" << numbers;

    wishes(ui, learner, ExportPart::steps, ExportForm::csv);
    const std::string steps = text_of_file(exports.last_path);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(steps, '\n')), 1 + s.place.step_count());

    wishes(ui, learner, ExportPart::warp, ExportForm::copy);
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_EQ(std::ranges::count(copied, '\n'), 33) << copied;
    EXPECT_NE(copied.find("lane  active"), std::string::npos) << copied;
    EXPECT_TRUE(copied.find("0x") != std::string::npos) << "the addresses of an access";
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
