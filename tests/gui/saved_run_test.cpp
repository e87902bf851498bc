// A saved run in the window: its launches take the lesson's place, and each is viewed like a lesson's run.

#include <cstdlib>
#include <filesystem>

#include "driver.h"
#include "unit/device/saved_program.h"
#include "unit/golden.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;

// Removed at the end, with the saved run in it.
class RunFolder {
 public:
  RunFolder() {
    std::string pattern = (fs::temp_directory_path() / "lanescope-run-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
  }
  ~RunFolder() { fs::remove_all(folder_); }
  RunFolder(const RunFolder&) = delete;
  RunFolder& operator=(const RunFolder&) = delete;
  std::string save(bool with_lines = true) const { return device_test::save_three_launches(folder_, 1000, with_lines); }

 private:
  fs::path folder_;
};

gui::Options with_run(const std::string& file) {
  gui::Options options;
  options.run = file;
  return options;
}

// The lines of its PTX are not called those of a source that nobody knows.
TEST(SavedRun, OfAProgramWithoutLineInformationSaysSo) {
  const RunFolder folder;
  Learner learner(with_run(folder.save(/*with_lines=*/false)));
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const device::LaunchEntry& entry = learner.session().selection.run()->entry(0);
    EXPECT_TRUE(entry.in_ptx);
    EXPECT_TRUE(learner.says(ui, "PTX line " + std::to_string(entry.line)));
    EXPECT_TRUE(learner.says(ui, "Compile it with nvcc -lineinfo"));
    EXPECT_FALSE(learner.says(ui, "The source file was not found"));
    learner.saves(ui, "saved_run_without_lines");
  });
}

// The launch whose loads of `a` take five sectors for four is seen in the list, without a click. 31 full warps and one
// of 7 lanes load from `a` 31 × 5 + 1 sectors, from `b` 31 × 4 + 1: 281 in 64 requests, where 250 would do.
TEST(SavedRun, TheListTellsWhatALaunchWastes) {
  const TempFolder folder;
  Learner learner(with_run(device_test::save_launches(folder.path(), {1000, 3, true, /*shifted=*/true})));
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(learner.session().selection.variant().id, "1");
    EXPECT_TRUE(learner.says(ui, "1.12 × ideal"));
    learner.saves(ui, "launch_costs");
    ui.MouseMove("**/launch 2");
    ui.SleepNoSkip(1.2f, 0.1f);
    EXPECT_TRUE(learner.says(ui, "global load sectors per request: 4.39, ideal 3.91"));
    EXPECT_TRUE(learner.says(ui, "Of all launches, this one moves the most sectors beyond the ideal."));
    learner.saves(ui, "launch_costs_hint");
  });
}

TEST(SavedRun, TheListSaysNothingOfLaunchesThatWasteNothing) {
  const TempFolder folder;
  Learner learner(with_run(device_test::save_three_launches(folder.path())));
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "× ideal"));
  });
}

TEST(SavedRun, OpensWithItsLaunchesAndTheSecondCanBeChosenAndStepped) {
  const RunFolder folder;
  Learner learner(with_run(folder.save()));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_TRUE(learner.says(ui, "run.lanescope"));
    EXPECT_TRUE(learner.says(ui, "3 launches"));
    EXPECT_TRUE(learner.says(ui, "1 of 2"));
    EXPECT_FALSE(ui.ItemExists("**/results time")) << "nothing was timed";
    EXPECT_FALSE(ui.ItemExists("**/read"));
    learner.saves(ui, "saved_run_first");
    ui.ItemClick("**/launch 2");
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "2");
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.launch.grid.x, 8u);
    const std::size_t before = s.place.position().step;
    ui.KeyPress(ImGuiKey_Home);
    ui.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(s.place.position().step, 1u) << before;
    ASSERT_NE(s.runs.shown()->line(5), nullptr) << "the source's lines have their costs";
    learner.saves(ui, "saved_run_second");
    ui.KeyPress(ImGuiKey_B);
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "3");
  });
}

TEST(SavedRun, ItsCodeCannotBeEditedAndALessonTakesItsPlaceAgain) {
  const RunFolder folder;
  Learner learner;
  gui::Session& s = learner.session();
  const std::string file = folder.save();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::size_t lesson = s.selection.lesson_index();
    ui.ItemClick("**/lessons");
    ui.ItemClick("//$FOCUSED/open file");
    ui.Yield(3);
    ui.KeyCharsReplaceEnter(file.c_str());
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(learner.state().recent_runs.front(), file);
    learner.types_over_everything(ui, "__global__ void other() {}");
    EXPECT_EQ(s.selection.source(), device_test::add_source);
    EXPECT_FALSE(s.selection.edited());
    ui.KeyPress(ImGuiKey_Escape);
    ui.ItemClick("**/lessons");
    ui.ItemClick(("//$FOCUSED/" + s.selection.lessons()[lesson].id).c_str());
    learner.wait(ui);
    EXPECT_EQ(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.lesson_index(), lesson);
    EXPECT_TRUE(ui.ItemExists("**/read")) << "the lesson's text is back";
  });
  learner.restarts();
  EXPECT_EQ(learner.state().recent_runs, std::vector<std::string>{file});
}

TEST(SavedRun, TwoLaunchesAreCompared) {
  const RunFolder folder;
  Learner learner(with_run(folder.save()));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/compare");
    learner.wait(ui);
    ASSERT_TRUE(s.selection.compared());
    ASSERT_NE(s.runs.compared_run(), nullptr);
    EXPECT_EQ(s.runs.compared_run()->outcome.first().trace.launch.grid.x, 8u);
    learner.saves(ui, "saved_run_compared");
  });
}

TEST(SavedRun, AFileThatIsNoneIsSaidAndAllStaysAsItWas) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::string lesson = s.selection.lesson().id;
    EXPECT_FALSE(s.open("/nowhere/at/all"));
    learner.wait(ui);
    ASSERT_EQ(s.notices().size(), 1u);
    EXPECT_EQ(s.notices().front().code, "io.cannot_read");
    EXPECT_EQ(s.selection.lesson().id, lesson);
    EXPECT_EQ(s.selection.run(), nullptr);
  });
}

}  // namespace
}  // namespace lanescope::test
