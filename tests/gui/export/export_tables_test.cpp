// What the panels export as tables.

#include "gui/export_tables.h"

#include <algorithm>

#include "export/export_wishes.h"
#include "failing_sweep.h"
#include "gui/time/time_sizes.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;
using gui::ExportForm;
using gui::ExportPart;

TEST(ExportTable, QuotesWhatCsvMustQuote) {
  const gui::ExportTable table{{"name", "n"}, {{"a,b", "1"}, {"say \"x\"", "22"}, {"plain", "3"}}};
  EXPECT_EQ(gui::csv_of(table), "name,n\r\n\"a,b\",1\r\n\"say \"\"x\"\"\",22\r\nplain,3\r\n");
  EXPECT_EQ(gui::text_of(table), "name     n\na,b       1\nsay \"x\"  22\nplain     3\n");
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
    EXPECT_NE(numbers.find(",interpreted\r\n"), std::string::npos);
    EXPECT_EQ(fs::path(exports.last_path).filename(), "coalescing-stride-numbers.csv");
    const std::string row = "global_load.sectors," + std::to_string(static_cast<long long>(of->value)) + ",";
    EXPECT_NE(numbers.find(row), std::string::npos) << row << "\n" << numbers;

    wishes(ui, learner, ExportPart::steps, ExportForm::csv);
    const std::string steps = text_of_file(exports.last_path);
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(steps, '\n')), 1 + s.place.step_count());

    wishes(ui, learner, ExportPart::warp, ExportForm::copy_table);
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_EQ(std::ranges::count(copied, '\n'), 33) << copied;
    EXPECT_NE(copied.find("lane  active"), std::string::npos) << copied;
    EXPECT_TRUE(copied.find("0x") != std::string::npos) << "the addresses of an access";
  });
}

// Of a run that failed there is no count, and the table says so.
TEST(Export, PointsOfAPlotOverAControlAreATable) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    plots_failing_strides(ui, learner);
    wishes(ui, learner, ExportPart::time, ExportForm::csv);
    const std::string table = text_of_file(learner.state().exports->last_path);
    EXPECT_TRUE(table.starts_with("stride,series,origin,value,low,high\r\n")) << table;
    for (const char* row : {"\r\n1,run_failed,interpreted,,,\r\n", "\r\n2,run_failed,interpreted,,,\r\n",
                            "\r\n3,sectors_per_global_load,interpreted,12,,\r\n"})
      EXPECT_NE(table.find(row), std::string::npos) << row << table;
    EXPECT_EQ(table.find("3,run_failed"), std::string::npos) << table;
  });
}

TEST(Export, NumbersOfAnOldOrFailedRunSaySo) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    gui::Exports& exports = *learner.state().exports;
    exports.folder = learner.state_folder() + "/limits";
    const auto numbers = [&] {
      wishes(ui, learner, ExportPart::numbers, ExportForm::csv);
      return text_of_file(exports.last_path);
    };
    learner.types_over_everything(ui, learner.session().selection.source() + "// not run");
    ui.Yield(2);
    const std::string old = numbers();
    EXPECT_NE(old.find(",interpreted-old\r\n"), std::string::npos) << old;
    EXPECT_EQ(old.find(",interpreted\r\n"), std::string::npos);
    EXPECT_TRUE(learner.runs_changed(ui, "[i * stride]", "[i * stride + 100000000]"));
    EXPECT_NE(numbers().find(",interpreted-up-to-fault\r\n"), std::string::npos);
  });
}

}  // namespace
}  // namespace lanescope::test
