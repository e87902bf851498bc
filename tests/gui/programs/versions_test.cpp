// A program or a kernel that ran, was changed and ran again: the same launch of both versions beside each other.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "compile/nvcc/nvcc.h"
#include "driver.h"
#include "test_paths.h"
#include "unit/device/saved_program.h"
#include "unit/golden.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;

std::uint64_t lanes_of(const gui::RunResult* result) {
  return result->outcome.first().trace.totals.lane_instructions;
}

// A program of the learner, and what the window takes for `lanescope exec`: it gives the saved run that is in place.
class TwoRuns {
 public:
  TwoRuns() {
    const fs::path exec = folder_ / "exec";
    program = (folder_ / "learners").string();
    for (const fs::path& script : {exec, fs::path(program)}) {
      std::ofstream(script) << "#!/bin/sh\ncp '" << (folder_ / "next").string()
                            << "' \"$6\"; echo '{\"said\":[]}' > \"$4\"\n";
      fs::permissions(script, fs::perms::owner_all);
    }
    options.own_program = exec.string();
  }
  // The next run of the program makes so many launches of `add`, on so many elements.
  void will_run(std::uint32_t elements, int launches) {
    fs::remove_all(folder_ / "saved");
    fs::create_directory(folder_ / "saved");
    const std::string saved = device_test::save_launches(folder_ / "saved", {elements, launches});
    fs::copy_file(saved, folder_ / "next", fs::copy_options::overwrite_existing);
  }
  std::string program;
  gui::Options options;

 private:
  TempFolder folder_;
};

void opens_program(ImGuiTestContext& ui, const std::string& file, const std::string& arguments = {}) {
  ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
  ui.Yield(3);
  ui.KeyCharsReplace(file.c_str());
  ui.Yield(3);
  if (!arguments.empty()) {
    ui.ItemClick("//$FOCUSED/##arguments");
    ui.KeyCharsReplace(arguments.c_str());
  }
  ui.KeyPress(ImGuiKey_Enter);
  ui.Yield(3);
}

TEST(Versions, TheSameLaunchOfAProgramNowAndBefore) {
  TwoRuns of;
  of.will_run(1000, 3);
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens_program(ui, of.program);
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_FALSE(s.selection.versions(0)) << "it ran once";
    ui.KeyPress(ImGuiKey_Space);
    learner.wait(ui);
    EXPECT_FALSE(s.selection.versions(0)) << "nothing changed";
    ui.ItemClick("**/launch 2");
    learner.wait(ui);
    of.will_run(500, 2);
    ui.KeyPress(ImGuiKey_Space);
    learner.wait(ui);
    ASSERT_TRUE(s.selection.versions(0));
    EXPECT_TRUE(learner.says(ui, "version 2 · 2 launches"));
    EXPECT_TRUE(learner.says(ui, "Launched in version 1 only: add (1)"));
    learner.saves(ui, "versions_launches");

    ui.ItemClick("**/compare");
    learner.wait(ui);
    const gui::CompareView& view = learner.app().window().comparison();
    ASSERT_NE(view.result(false), nullptr);
    ASSERT_NE(view.result(true), nullptr);
    EXPECT_TRUE(learner.says(ui, "2 add · now (version 2)"));
    EXPECT_TRUE(learner.says(ui, "2 add · before (version 1)"));
    // 500 and 1,000 elements, each in its own version.
    EXPECT_LT(lanes_of(view.result(true)), lanes_of(view.result(false)));
    EXPECT_FALSE(s.runs.compared_stale());
    learner.saves(ui, "versions_compared");

    s.choose_variant(0);  // both sides follow
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "1 add · now (version 2)"));
    EXPECT_TRUE(learner.says(ui, "1 add · before (version 1)"));

    s.compare(1);  // another launch is no version
    learner.wait(ui);
    ui.MouseMove("**/compare");
    ui.SleepNoSkip(1, 0.1f);
    EXPECT_TRUE(learner.says(ui, "side by side, stepped together"));
    EXPECT_FALSE(learner.says(ui, "what runs now and the version before it"));
  });
}

TEST(Versions, ALaunchThatTheOtherVersionHasNotIsSaidToBeMissing) {
  TwoRuns of;
  of.will_run(1000, 2);
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens_program(ui, of.program, "small");
    learner.wait(ui);
    of.will_run(1000, 3);
    opens_program(ui, of.program, "large");
    learner.wait(ui);
    ui.ItemClick("**/launch 3");
    learner.wait(ui);
    ui.ItemClick("**/compare");
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "Version 1 of the program has no launch 3 of add; it has 2."));
    EXPECT_TRUE(learner.says(ui, "3 add · now (version 2) · arguments: large"));
    EXPECT_TRUE(learner.says(ui, "add · before (version 1) · arguments: small"));
    const gui::CompareView& view = learner.app().window().comparison();
    EXPECT_EQ(view.result(false), nullptr) << "nothing stands for the launch that is not there";
    // The side that has it shows it all the same.
    EXPECT_FALSE(view.steps().empty());
    EXPECT_TRUE(view.event(true));
    EXPECT_FALSE(view.event(false));
    EXPECT_FALSE(view.picture(true).rects.empty());
    EXPECT_TRUE(view.picture(false).rects.empty());
    EXPECT_FALSE(view.parting());
    EXPECT_TRUE(learner.says(ui, "B has no result to compare with."));
    EXPECT_FALSE(ui.ItemExists("**/parting")) << "nothing can be said of where they part";
    ui.KeyPress(ImGuiKey_DownArrow);
    ui.KeyPress(ImGuiKey_C);
    ui.KeyPress(ImGuiKey_C);
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "global load requests")) << "and its numbers";
    learner.saves(ui, "versions_missing");
    s.choose_variant(1);
    learner.wait(ui);
    EXPECT_NE(view.result(false), nullptr);
    EXPECT_FALSE(learner.says(ui, "has no launch"));
    of.will_run(1000, 1);
    s.run();  // goes on comparing with what ran last
    learner.wait(ui);
    ASSERT_NE(s.selection.comparison(), nullptr);
    EXPECT_TRUE(learner.says(ui, "1 add · now (version 3)"));
    EXPECT_TRUE(learner.says(ui, "1 add · before (version 2)"));
  });
}

// "edited" stood beside the version before, the lesson's own code, and not beside the one now.
TEST(Versions, OfALessonTheEditedOneIsCalledEdited) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::string now = s.selection.source();
    now.replace(now.find("i * stride]"), 11, "i * stride + 1]");
    learner.types_over_everything(ui, now);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    s.compare_with(gui::version_before(s.selection.variant_index()));
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "stride · now (version 2) · edited"));
    EXPECT_TRUE(learner.says(ui, "stride · before (version 1)"));
    EXPECT_FALSE(learner.says(ui, "before (version 1) · edited"));
    learner.saves(ui, "versions_of_a_lesson");
  });
}

TEST(Versions, TheKernelOfAFileNowAndBefore) {
  const TempFolder folder;
  const std::string before =
      "__global__ void copy(const float* in, float* out, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) out[i] = in[i];\n"
      "}\n";
  std::ofstream(folder / "copy.cu") << before;
  std::string now = before;
  now.replace(now.find("= in[i]"), 7, "= in[i ^ 8]");
  gui::Options options;
  options.run = (folder / "copy.cu").string();
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.runs.shown(), nullptr);
    learner.types_over_everything(ui, before + "// 1\n");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    learner.types_over_everything(ui, now);
    ui.ItemClick("**/##block");
    ui.KeyCharsReplace("64");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    ui.ItemClick("**/compare");
    learner.wait(ui);
    const gui::CompareView& view = learner.app().window().comparison();
    ASSERT_NE(view.result(true), nullptr);
    ASSERT_NE(view.result(false), nullptr);
    EXPECT_EQ(view.result(true)->key.source, now);
    EXPECT_EQ(view.result(false)->key.source, before + "// 1\n") << "neither the file's text nor that on screen";
    EXPECT_EQ(view.result(false)->outcome.first().trace.launch.block.x, 256u) << "with the launch that it ran with";
    EXPECT_TRUE(learner.says(ui, "copy · now (version 3)"));
    EXPECT_TRUE(learner.says(ui, "copy · before (version 2)"));
    learner.saves(ui, "versions_of_a_kernel");
    learner.state().compare_code = true;
    ui.Yield(3);
    std::size_t changed = 0;
    for (const gui::DiffRow& row : view.text_rows()) changed += row.changed ? 1 : 0;
    EXPECT_EQ(changed, 2u);
    learner.saves(ui, "versions_of_a_kernel_code");
  });
}

TEST(Versions, AProgramThatIsEditedAndBuiltAgain) {
  if (const auto found = compile::locate_nvcc(); !found) GTEST_SKIP() << "no nvcc: " << format(found.errors().front());
  const TempFolder folder;
  const std::string file = (folder / "saxpy.cu").string();
  fs::copy_file(LANESCOPE_SOURCE_DIR "/tests/exec/saxpy.cu", file);
  std::ifstream in(file);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  gui::Options options;
  options.own_program = LANESCOPE_BINARY;
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens_program(ui, file, "2000");
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    text.replace(text.find("a * x[i]"), 8, "a * x[i / 2]");
    learner.types_over_everything(ui, text);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ui.ItemClick("**/compare");
    learner.wait(ui);
    const gui::CompareView& view = learner.app().window().comparison();
    ASSERT_NE(view.result(true), nullptr);
    ASSERT_NE(view.result(false), nullptr);
    EXPECT_EQ(view.result(true)->key.source, text);
    EXPECT_NE(view.result(false)->key.source, text);
    EXPECT_TRUE(learner.says(ui, "saxpy · now (version 2)"));
    learner.saves(ui, "versions_of_a_program");
    learner.state().compare_code = true;
    ui.Yield(3);
    EXPECT_EQ(std::ranges::count(view.text_rows(), true, &gui::DiffRow::changed), 1);
    learner.saves(ui, "versions_of_a_program_code");
  });
}

}  // namespace
}  // namespace lanescope::test
