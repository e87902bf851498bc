// The window runs a program: its launches are shown when it has ended, and it can be stopped. A script stands in for
// `lanescope exec`, so that no nvcc is needed; the last tests build and run real programs.

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "TextEditor.h"
#include "compile/nvcc/nvcc.h"
#include "core/os/message_codec.h"
#include "driver.h"
#include "test_paths.h"
#include "unit/device/saved_program.h"
#include "unit/golden.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;

#define NEEDS_NVCC() \
  if (const auto found = compile::locate_nvcc(); !found) GTEST_SKIP() << "no nvcc: " << format(found.errors().front())

std::string script_in(const fs::path& folder, const std::string& name, const std::string& text) {
  const fs::path path = folder / name;
  std::ofstream(path) << "#!/bin/sh\n" << text;
  fs::permissions(path, fs::perms::owner_all);
  return path.string();
}

// A program of the learner, and what the window takes for Lanescope: a script that is called
// `exec --verbose --said SAID --save SAVE PROGRAM -- ARGUMENT…`.
class Scripted {
 public:
  explicit Scripted(const std::string& exec) {
    saved_ = device_test::save_three_launches(folder_.path());
    program = script_in(folder_.path(), "learners", "");
    options.own_program = script_in(folder_.path(), "exec", "said=$4; save=$6; shift 8\n" + exec);
  }
  std::string copy_run() const { return "cp '" + saved_ + "' \"$save\"; echo '{\"said\":[]}' > \"$said\"\n"; }
  fs::path path(const std::string& name) const { return folder_ / name; }
  void replace_exec(const std::string& exec) {
    options.own_program = script_in(folder_.path(), "exec", "said=$4; save=$6; shift 8\n" + exec);
  }

  std::string program;
  gui::Options options;

 private:
  TempFolder folder_;
  std::string saved_;
};

void opens(ImGuiTestContext& ui, const std::string& file, const std::string& arguments = {}) {
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

TEST(ProgramInWindow, ShowsItsLaunchesWhenItHasEnded) {
  Scripted of("");
  of.replace_exec("echo \"first $1, second $2\"; pwd\necho last\n" + of.copy_run() + "exit 3\n");
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, of.program, "one 'two words'");
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    ASSERT_NE(s.selection.run()->program, nullptr);
    const gui::EndedProgram& ended = *s.selection.run()->program;
    EXPECT_EQ(ended.printed, "first one, second two words\n" + of.path("").parent_path().string() + "\nlast\n");
    EXPECT_EQ(ended.end.exit_status, 3);
    EXPECT_TRUE(learner.says(ui, "3 launches"));
    EXPECT_TRUE(learner.says(ui, "exit code 3"));
    EXPECT_TRUE(s.notices().empty());
    EXPECT_EQ(learner.state().recent_runs.front(), of.program);
    learner.saves(ui, "program_ended");
    ui.ItemClick("**/launch 2");
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_Home);
    ui.KeyPress(ImGuiKey_RightArrow);
    ui.KeyPress(ImGuiKey_RightArrow);
    learner.wait(ui);
    const gui::Position at = s.place.position();
    const gui::OpenRun* before = s.selection.run();
    ui.KeyPress(ImGuiKey_Space);  // runs the program again
    learner.wait(ui);
    EXPECT_NE(s.selection.run(), before);
    EXPECT_EQ(s.selection.variant().id, "2") << "the same launch";
    EXPECT_GT(at.step, 0u);
    EXPECT_EQ(s.place.position().step, at.step) << "and the same place";
  });
  learner.restarts();
  EXPECT_EQ(learner.state().recent_runs.front(), of.program);
  EXPECT_EQ(learner.state().programs.at(of.program).arguments, "one 'two words'");
}

// As `lanescope open PROGRAM ARGUMENT` starts it: as if it had been opened in the window, but in the terminal's folder.
TEST(ProgramInWindow, OneThatIsOpenedFromATerminalIsStoppedAndRunAgain) {
  Scripted of("");
  of.replace_exec("pwd; echo \"with $1\"\n" + of.copy_run());
  fs::create_directory(of.path("elsewhere"));
  of.options.run = of.program;
  of.options.run_arguments = "'two words'";
  of.options.run_folder = of.path("elsewhere").string();
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::string printed = of.path("elsewhere").string() + "\nwith two words\n";
    ASSERT_NE(s.selection.run(), nullptr);
    ASSERT_NE(s.program_on_screen(), nullptr);
    EXPECT_EQ(s.selection.run()->program->printed, printed);
    EXPECT_EQ(learner.state().recent_runs.front(), of.program);
    const gui::OpenRun* before = s.selection.run();
    ui.ItemClick("**/run kernel");
    learner.wait(ui);
    EXPECT_NE(s.selection.run(), before);
    EXPECT_EQ(s.selection.run()->program->printed, printed) << "in the same folder";
    s.run();
    EXPECT_TRUE(s.program.busy());
    s.stop();
    learner.wait(ui);
    EXPECT_FALSE(s.program.busy());
    s.choose_lesson(0);
    learner.wait(ui);
    ui.ItemClick("**/lessons");
    ui.ItemClick("//$FOCUSED/recent 0");
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.run()->program->printed, printed) << "the folder is kept, as the arguments are";
  });
}

// What the launch on screen tells below its code is not told above it, too; all else is a notice.
TEST(ProgramInWindow, AFaultThatNoLaunchOnScreenTellsIsANotice) {
  Scripted of("");
  const Diagnostic fault{Severity::error,
                         "sim.out_of_bounds",
                         {of.path("add.cu").string(), 6, 0},
                         "The file is empty.",
                         "Drop a CUDA source file."};
  std::ofstream(of.path("fault")) << Message{{"said", Message::array({as_message(fault)})}}.dump();
  of.replace_exec(of.copy_run() + "cp '" + of.path("fault").string() + "' \"$said\"\n");
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, of.program);
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.variant().id, "3") << "the last launch";
    ASSERT_EQ(s.notices().size(), 1u);
    EXPECT_EQ(s.notices().front().code, "sim.out_of_bounds");
    EXPECT_TRUE(learner.says(ui, "The file is empty."));
  });
}

// As on Windows.
TEST(ProgramInWindow, WhereNoneRunsTheWindowSaysSo) {
  const TempFolder folder;
  const std::string python = script_in(folder.path(), "a.py", "");
  Learner learner(gui::Options{});
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, python);
    EXPECT_FALSE(s.program.busy());
    ASSERT_EQ(s.notices().size(), 1u);
    EXPECT_EQ(s.notices().front().code, "toolchain.no_device");
    EXPECT_TRUE(learner.says(ui, "do not run here on this operating system"));
    EXPECT_TRUE(learner.state().recent_runs.empty());
    EXPECT_EQ(s.selection.run(), nullptr);
  });
}

TEST(ProgramInWindow, ARecentOneRunsAgainFromTheListOfLessons) {
  Scripted of("");
  of.replace_exec("echo \"with $1\"\n" + of.copy_run());
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, of.program, "512");
    learner.wait(ui);
    s.choose_lesson(0);
    learner.wait(ui);
    EXPECT_EQ(s.selection.run(), nullptr);
    ui.ItemClick("**/lessons");
    ui.ItemClick("//$FOCUSED/recent 0");
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.run()->program->printed, "with 512\n");
  });
}

// Whether a process with this number, which the script wrote, still runs.
bool lives(const fs::path& file) {
  int pid = 0;
  std::ifstream(file) >> pid;
  if (pid <= 0) return false;
  std::ifstream state("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, letter;
  return (state >> number >> name >> letter) && letter != "Z";
}

// One that does not want to end, with a process that it started.
TEST(ProgramInWindow, IsStoppedWithAllThatItStarted) {
  Scripted of("");
  of.replace_exec("trap '' TERM\necho $$ > '" + of.path("first").string() + "'\nsleep 1000 &\necho $! > '" +
                  of.path("second").string() + "'\n" + of.copy_run() +
                  "echo 'lanescope: launch 1: k'\necho working\nwait\nwait\nsleep 1000\n");
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, of.program);
    EXPECT_TRUE(learner.wait_for(ui, [&] { return s.program.status().last_line == "working"; }));
    EXPECT_EQ(s.program.status().launches, 1u);
    EXPECT_TRUE(lives(of.path("first")) && lives(of.path("second")));
    EXPECT_TRUE(learner.says(ui, "learners runs"));
    EXPECT_TRUE(learner.says(ui, "1 launch"));
    EXPECT_TRUE(learner.says(ui, "working"));
    learner.saves(ui, "program_runs");
    ui.KeyPress(ImGuiKey_RightArrow);  // the window is as usable as before
    ui.ItemClick("**/stop program");
    learner.wait(ui);
    EXPECT_FALSE(lives(of.path("first")));
    EXPECT_FALSE(lives(of.path("second")));
    ASSERT_NE(s.selection.run(), nullptr) << "what it did up to there";
    EXPECT_TRUE(s.selection.run()->program->stopped);
  });
}

// The launch that had not ended is not run after all, neither for the panels nor for the list of launches.
TEST(ProgramInWindow, StoppingEndsItsLaunch) {
  Scripted of("");
  of.replace_exec(of.copy_run() + "echo working\nexec sleep 1000\n");
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, of.program);
    EXPECT_TRUE(learner.wait_for(ui, [&] { return s.program.status().last_line == "working"; }));
    ui.ItemClick("**/stop program");
    learner.wait(ui);
    EXPECT_EQ(s.runs.shown(), nullptr);
    EXPECT_TRUE(learner.says(ui, "Launch 1 had not ended") && !learner.says(ui, "× ideal"));
    ui.KeyPress(ImGuiKey_Space);
    EXPECT_FALSE(s.program.busy()) << "the launch alone";
    learner.wait(ui);
    EXPECT_NE(s.runs.shown(), nullptr);
  });
}

TEST(ProgramInWindow, WhatItLeavesBehindIsStoppedToo) {
  Scripted of("");
  of.replace_exec("(trap '' TERM; sleep 1000 & echo $! > '" + of.path("second").string() +
                  "'; wait) &\nwhile ! [ -s '" + of.path("second").string() + "' ]; do sleep 0.05; done\n" +
                  of.copy_run() + "trap 'exit 0' TERM\necho working\nwait\n");
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, of.program);
    EXPECT_TRUE(learner.wait_for(ui, [&] { return s.program.status().last_line == "working"; }));
    EXPECT_TRUE(lives(of.path("second")));
    ui.ItemClick("**/stop program");
    learner.wait(ui);
    EXPECT_FALSE(lives(of.path("second"))) << "it ignores the request to end, and its parent has ended";
  });
}

TEST(ProgramInWindow, EndsWithTheWindow) {
  Scripted of("");
  of.replace_exec("echo $$ > '" + of.path("first").string() + "'\necho working\nsleep 1000\n");
  Learner learner(of.options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, of.program);
    EXPECT_TRUE(learner.wait_for(ui, [&] { return learner.session().program.status().last_line == "working"; }));
    EXPECT_TRUE(lives(of.path("first")));
  });
  learner.closes();
  EXPECT_FALSE(lives(of.path("first")));
}

TEST(ProgramInWindow, OneThatSavesNothingSaysWhyAndAllStaysAsItWas) {
  Scripted of("echo usage: learners N; exit 2\n");
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, of.program);
    learner.wait(ui);
    EXPECT_EQ(s.selection.run(), nullptr);
    EXPECT_TRUE(learner.says(ui, "ended before it launched a kernel (exit code 2)"));
    EXPECT_TRUE(learner.says(ui, "It printed last: usage: learners N"));
    learner.saves(ui, "program_saves_nothing");
  });
}

TEST(ProgramInWindow, ThePathIsTypedChosenAndCompletedByKeys) {
  Scripted of("");
  of.replace_exec(of.copy_run());
  fs::create_directory(of.path("sub"));
  const std::string cu = of.path("sub/kernels.cu").string();
  std::ofstream(cu) << "__global__ void stride_copy(const float* in, float* out, int n, int stride) {}\n";
  Learner learner(of.options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const auto& entries = [&]() -> const std::vector<gui::PathEntry>& {
      return learner.app().window().open_overlay().entries();
    };
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    ui.Yield(3);
    ui.KeyCharsReplace((of.path("").string() + "le").c_str());
    EXPECT_TRUE(learner.wait_for(ui, [&] { return entries().size() == 1; }));
    ui.KeyPress(ImGuiKey_Tab);  // completes
    ui.Yield(3);
    ui.KeyPress(ImGuiKey_Tab);  // goes on to the arguments
    ui.Yield(3);
    ui.KeyChars("7");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(s.program_on_screen()->file, of.program);
    EXPECT_EQ(s.program_on_screen()->arguments, "7");
    // A folder is gone into by Enter, a file is chosen by an arrow.
    s.choose_lesson(0);
    learner.wait(ui);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    ui.Yield(3);
    ui.KeyCharsReplace((of.path("").string() + "su").c_str());
    EXPECT_TRUE(learner.wait_for(ui, [&] { return entries().size() == 1 && entries()[0].folder; }));
    learner.saves(ui, "open_overlay");
    ui.KeyPress(ImGuiKey_Enter);
    EXPECT_TRUE(learner.wait_for(ui, [&] { return entries().size() == 1 && entries()[0].name == "kernels.cu"; }));
    ui.Yield(3);
    ui.KeyPress(ImGuiKey_DownArrow);
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_NE(s.selection.kernel_file(), nullptr) << "code without main() opens with a launch form";
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    ui.Yield(3);
    EXPECT_TRUE(learner.app().window().open_overlay().is_open());
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_FALSE(learner.app().window().open_overlay().is_open());
  });
}

// ---- with `lanescope exec` itself

TEST(ProgramInWindow, OneThatDoesNotUseCudaIsToldSo) {
  const TempFolder folder;
  const std::string program = script_in(folder.path(), "no_cuda", "echo hello\n");
  gui::Options options;
  options.own_program = LANESCOPE_BINARY;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, program);
    learner.wait(ui);
    EXPECT_EQ(learner.session().selection.run(), nullptr);
    EXPECT_FALSE(learner.session().notices().empty());
    EXPECT_TRUE(learner.says(ui, "It printed last: hello"));
    learner.saves(ui, "program_without_cuda");
  });
}

// A copy of a program of tests/exec, and the real `exec`.
class Built : public testing::Test {
 protected:
  std::string copy(const std::string& name) {
    fs::copy_file(std::string(LANESCOPE_SOURCE_DIR "/tests/exec/") + name, folder_ / name);
    return (folder_ / name).string();
  }
  static gui::Options with_exec() {
    gui::Options options;
    options.own_program = LANESCOPE_BINARY;
    return options;
  }
  static std::string text_of(const std::string& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  TempFolder folder_;
};
using ProgramInWindowBuilt = Built;

TEST_F(ProgramInWindowBuilt, IsEditedAndRunAgainAndItsFileStaysAsItIs) {
  NEEDS_NVCC();
  const std::string file = copy("saxpy.cu"), original = text_of(file);
  std::string edited = original;
  const std::string mine = "a * x[i] + y[i]";
  edited.replace(edited.find(mine), mine.size(), "a * x[0] + y[i]");
  Learner learner(with_exec());
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, file, "2000");
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.lesson().variants.size(), 2u);
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.launch.grid.x, 8u);
    EXPECT_TRUE(learner.says(ui, "right, cudaSuccess"));
    ui.ItemClick("**/launch 2");
    learner.wait(ui);
    learner.saves(ui, "program_built");
    learner.types_over_everything(ui, edited);
    EXPECT_TRUE(s.selection.edited());
    EXPECT_TRUE(s.runs.stale());
    learner.saves(ui, "program_edited");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "wrong at")) << "the edited program ran";
    EXPECT_EQ(s.selection.variant().id, "2");
    EXPECT_EQ(s.selection.source(), edited);
    EXPECT_TRUE(s.selection.edited()) << "it differs from the file";
    EXPECT_FALSE(s.runs.stale()) << "what is shown belongs to the edited text";
    EXPECT_NE(s.runs.shown()->line(8), nullptr) << "its lines have their costs";
    EXPECT_EQ(text_of(file), original);
    learner.saves(ui, "program_edited_and_run");
    // A mistake is said at its line, and what ran before stays on screen.
    learner.types_over_everything(ui, original + "int mistake = nowhere;\n");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_TRUE(s.notices().empty());
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().place.line, 27);
    EXPECT_TRUE(learner.says(ui, "nowhere"));
    EXPECT_NE(s.runs.shown(), nullptr);
    learner.saves(ui, "program_with_a_mistake");
    learner.types_over_everything(ui, edited);
  });
  learner.restarts();
  gui::Session& later = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/lessons");
    ui.ItemClick("//$FOCUSED/recent 0");
    learner.wait(ui);
    ASSERT_NE(later.selection.run(), nullptr);
    EXPECT_EQ(later.selection.source(), edited) << "the text was kept";
    EXPECT_TRUE(learner.says(ui, "wrong at")) << "and is what ran";
    ui.ItemClick("**/reset");
    learner.wait(ui);
    EXPECT_FALSE(later.selection.edited());
    EXPECT_TRUE(learner.says(ui, "right, cudaSuccess"));
    EXPECT_EQ(text_of(file), original);
  });
}

TEST_F(ProgramInWindowBuilt, OneThatDoesNotCompileIsToldWhere) {
  NEEDS_NVCC();
  const std::string file = copy("no_header.cu");
  Learner learner(with_exec());
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, file);
    learner.wait(ui);
    EXPECT_EQ(learner.session().selection.run(), nullptr);
    ASSERT_FALSE(learner.session().runs.problems().empty());
    EXPECT_EQ(learner.session().runs.problems().front().place.line, 2);
    EXPECT_TRUE(learner.says(ui, "nobody_has_this.h"));
    learner.saves(ui, "program_not_built");
  });
}

TEST_F(ProgramInWindowBuilt, OneWithAFaultShowsTheLaunchThatFailed) {
  NEEDS_NVCC();
  const std::string file = copy("out_of_bounds.cu");
  Learner learner(with_exec());
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    opens(ui, file);
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_FALSE(s.runs.problems().empty());
    EXPECT_TRUE(learner.says(ui, "out of bounds"));
    EXPECT_TRUE(s.notices().empty()) << "it is told below the code";
    learner.saves(ui, "program_with_a_fault");
  });
}

}  // namespace
}  // namespace lanescope::test
