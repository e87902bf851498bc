// A kernel that the learner edits: its numbers, its errors, and that its text is kept.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "TextEditor.h"
#include "driver.h"
#include "gui/parts/problems.h"
#include "gui/state/state_store.h"
#include "imgui_internal.h"
#include "on_screen.h"
#include "test_paths.h"
#include "unit/english.h"

namespace lanescope::test {
namespace {

using gui::Session;

TEST(Editing, AnEditedKernelRunsAndItsNumbersAreItsOwn) {
  Learner learner;
  Session& s = learner.session();
  std::string edited = s.selection.source();
  const std::size_t at = edited.find("[i * stride]");
  ASSERT_NE(at, std::string::npos);
  edited.replace(at, 12, "[i]");
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_DOUBLE_EQ(sectors_per_request(s), 32);
    learner.types_over_everything(ui, edited);
    EXPECT_EQ(s.selection.source(), edited);
    EXPECT_TRUE(s.selection.edited());
    EXPECT_TRUE(s.runs.stale()) << "what is shown belongs to the text before";
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(s.selection.source(), edited) << "Ctrl+Enter types nothing";
    EXPECT_DOUBLE_EQ(sectors_per_request(s), 4);
    expect_numbers_equal(s);
  });
}

TEST(Editing, TypingIsTyping) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Position before = s.place.position();
    const std::string variant = s.selection.variant().id;
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("/* a b */ ");
    ui.KeyPress(ImGuiKey_Space);
    ui.KeyPress(ImGuiKey_A);
    ui.KeyPress(ImGuiKey_LeftArrow);
    ui.KeyPress(ImGuiKey_Home);
    learner.wait(ui);
    EXPECT_TRUE(s.selection.source().starts_with("/* a b */ ")) << s.selection.source().substr(0, 40);
    EXPECT_EQ(s.selection.variant().id, variant);
    EXPECT_EQ(s.place.position().step, before.step);
    EXPECT_TRUE(s.runs.stale());
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    ui.KeyPress(ImGuiKey_Space);
    learner.wait(ui);
    EXPECT_FALSE(s.runs.stale()) << "Escape leaves the editor, then Space runs";
  });
}

TEST(Editing, AKernelThatDoesNotCompileSaysWhereAndKeepsTheLastPictureMarkedOld) {
  Learner learner;
  Session& s = learner.session();
  const std::string good = s.selection.source();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::RunResult* before = s.runs.shown();
    learner.clicks_into_line(ui, 3);
    ui.KeyChars("oops ");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_FALSE(s.runs.problems().empty());
    const Diagnostic& problem = s.runs.problems().front();
    EXPECT_EQ(problem.code, "compile.error");
    EXPECT_EQ(problem.place.line, 3);
    EXPECT_FALSE(problem.message.empty());
    EXPECT_FALSE(problem.cure.empty());
    EXPECT_TRUE(part_is_shown("problems"));
    EXPECT_EQ(s.runs.shown(), before) << "the last good picture stays";
    EXPECT_TRUE(s.runs.stale()) << "and is marked old";
    // Undo restores the text, and the numbers are valid again without a run.
    for (int i = 0; i < 20 && s.selection.source() != good; ++i) ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(s.selection.source(), good);
    EXPECT_FALSE(s.runs.stale());
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_TRUE(s.runs.problems().empty());
    EXPECT_FALSE(part_is_shown("problems"));
    expect_numbers_equal(s);
  });
}

TEST(Editing, AClickOnAProblemShowsItsLine) {
  gui::Options options;
  options.width = 1024, options.height = 640;
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::string text = s.selection.source();
    for (int i = 0; i < 40; ++i) text += "// a line\n";
    learner.types_over_everything(ui, text + "__device__ int broken() { return oops; }\n");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_FALSE(s.runs.problems().empty());
    const auto line = static_cast<std::size_t>(s.runs.problems().front().place.line);
    learner.clicks_into_line(ui, 1);
    TextEditor& editor = learner.app().window().code().editor(s);
    ASSERT_LT(editor.GetLastVisibleRow() + 1, line) << "it is out of sight";
    const ImGuiWindow* const problems = window_of_part("problems");
    ASSERT_NE(problems, nullptr);
    ui.MouseMoveToPos({problems->Pos.x + 60, problems->Pos.y + 20});
    ui.MouseClick();
    ui.Yield(4);
    EXPECT_EQ(editor.GetMainCursorPosition().line + 1, line);
    const float top = editor.DocPos2ScreenPos({line - 1, 0}).y;
    const ImGuiWindow* const code = window_of_part("editor");
    ASSERT_NE(code, nullptr);
    EXPECT_GE(top, code->ClipRect.Min.y);
    EXPECT_LE(top + editor.GetLineHeight(), code->ClipRect.Max.y);
  });
}

// The click also ends typing, while which the code does not move.
TEST(Editing, AClickOnAWrongResultBringsTheLineOfItsWriterIntoSight) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::string text = s.selection.source(), lines;
    for (int i = 0; i < 40; ++i) lines += "  // a line\n";
    const std::size_t store = text.find("  out[i] = value;");
    ASSERT_NE(store, std::string::npos);
    text.insert(store, lines);
    text.replace(text.find("[i * stride]"), 12, "[i * stride + 1]");
    learner.types_over_everything(ui, text);
    learner.clicks_into_line(ui, 1);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_FALSE(s.runs.shown()->wrong.empty());
    const TextEditor& editor = learner.app().window().code().editor(s);
    ASSERT_EQ(editor.GetFirstVisibleRow(), 0u);
    const ImGuiWindow* const problems = window_of_part("problems");
    ASSERT_NE(problems, nullptr);
    ui.MouseMoveToPos({problems->Pos.x + 60, problems->Pos.y + 20});
    ui.MouseClick();
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.replays.open && s.place.site()->line > 40; }));
    ui.Yield(12);
    EXPECT_TRUE(editor.IsDocPosVisible({static_cast<std::size_t>(s.place.site()->line) - 1, 0}));
  });
}

TEST(Editing, AFaultWhileRunningNamesItsLine) {
  Learner learner;
  Session& s = learner.session();
  std::string edited = s.selection.source();
  const std::size_t at = edited.find("[i * stride]");
  ASSERT_NE(at, std::string::npos);
  edited.replace(at, 12, "[i * stride + 100000000]");
  const int line =
      1 + static_cast<int>(std::count(edited.begin(), edited.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.place.set_step(0);
    ASSERT_NE(s.place.site()->line, line) << "the fault leads there";
    learner.types_over_everything(ui, edited);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().code, "memory.out_of_bounds");
    EXPECT_EQ(s.runs.problems().front().place.line, line);
    EXPECT_FALSE(s.runs.stale());
    ASSERT_NE(s.runs.shown()->fault(), nullptr) << "what it did before that is on screen";
    EXPECT_EQ(s.place.site()->line, line);
  });
}

// A kernel that completes with a wrong result: which element, its value, the expected value, and who wrote it.
TEST(Editing, AWrongResultIsSaidFirstAndLeadsToItsLastWrite) {
  gui::Options options;
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  const auto with = [&](const std::string& store) {
    std::string text = s.selection.original_source();
    const std::size_t at = text.find("out[i] = value;");
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, 15, store);
  };
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(s.runs.remarks().empty());
    s.selection.set_source(with("if (i != 37) out[i] = value;"));
    s.runs.run();
    learner.wait(ui);
    ASSERT_FALSE(s.runs.remarks().empty());
    EXPECT_EQ(s.runs.remarks().front().code, "result.wrong");
    EXPECT_TRUE(part_is_shown("problems"));
    EXPECT_TRUE(learner.says(ui, "out[37] was never written, expected 296. 1 of 16,384 elements is wrong."));
    EXPECT_TRUE(learner.says(ui, "No thread writes it"));
    learner.saves(ui, "wrong result");

    // Also where the code is not visible.
    const std::string wrong = "out[37] was never written, expected 296.";
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, wrong));
    learner.saves(ui, "wrong result presented");
    ui.KeyPress(ImGuiKey_F5);
    s.compare(1);
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, wrong));
    learner.saves(ui, "wrong result compared");
    s.compare(std::nullopt);
    learner.wait(ui);

    // Thread 44 of block 1 writes out[300].
    s.selection.set_source(with("out[i] = i == 300 ? 1 : value;"));
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "out[300] is 1, expected 2400."));
    ASSERT_TRUE(s.replays.go_to_writer(0));
    learner.wait(ui);
    EXPECT_EQ(s.place.position().block, 1u);
    EXPECT_EQ(s.place.position().warp, 1u);
    ASSERT_NE(s.place.site(), nullptr);
    EXPECT_EQ(s.place.site()->operation, trace::Operation::store);

    s.selection.set_source(s.selection.original_source());
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(s.runs.remarks().empty());
    EXPECT_FALSE(part_is_shown("problems"));
  });
}

// Races in the lesson's own text are known. A learner's text is checked if that takes only a moment; otherwise the
// window says that it was not.
TEST(Editing, SaysWhatRacesInAnEditedKernel) {
  gui::Options options;
  options.lesson = "divergence";
  options.variant = "reduce_sequential";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    s.selection.set_control("n", 1024);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_TRUE(s.runs.remarks().empty());
    std::string text = s.selection.original_source();
    const std::size_t at = text.rfind("__syncthreads();");
    ASSERT_NE(at, std::string::npos);
    const int line =
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    s.selection.set_source(text.replace(at, 16, ""));
    s.runs.run();
    learner.wait(ui);
    const auto race = std::ranges::find(s.runs.remarks(), "race.found", &Diagnostic::code);
    ASSERT_NE(race, s.runs.remarks().end());
    EXPECT_LT(std::abs(race->place.line - line), 12);
    EXPECT_FALSE(race->cure.empty());
    EXPECT_TRUE(part_is_shown("problems"));
    learner.saves(ui, "race of an edited kernel");

    s.selection.set_control("n", 1 << 20);
    s.runs.run();
    learner.wait(ui);
    EXPECT_NE(std::ranges::find(s.runs.remarks(), "race.not_looked_for", &Diagnostic::code), s.runs.remarks().end());
    EXPECT_TRUE(learner.says(ui, "run several schedules"));

    // A __constant__ variable that nobody fills.
    s.selection.set_control("n", 1024);
    text = "__constant__ float factor[4];\n" + s.selection.original_source();
    s.selection.set_source(text.insert(text.find("in[i]"), "factor[0] * "));
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "which was never set"));
  });
}

// What the compiler said of a change that was taken back is not true of the code on screen, which has run.
TEST(Editing, TakingAFaultyChangeBackTakesItsMessageAway) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::string text = s.selection.original_source();
    s.selection.set_source(text.replace(text.find("stride]"), 7, "strid]"));
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "is undefined"));
    s.selection.set_source(s.selection.original_source());
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "is undefined"));
    EXPECT_FALSE(learner.says(ui, "The code has changed since then."));
    EXPECT_FALSE(part_is_shown("problems"));
  });
}

// In Chinese, messages about a learner's code are in Chinese, including values and the compiler's text.
TEST(Editing, SaysInChineseWhatIsWrong) {
  gui::Options options;
  options.language = "zh-CN";
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  gui::WindowState& state = learner.state();
  const std::string good = s.selection.source();
  const auto with = [&](const char* part, const char* instead) {
    std::string text = good;
    const std::size_t at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, std::string(part).size(), instead);
  };
  struct Wrong {
    std::string name, source, code;
    std::vector<std::string> said;
  };
  const Wrong wrongs[] = {
      {"out of bounds",
       with("[i * stride]", "[i * stride + 100000000]"),
       "memory.out_of_bounds",
       {"越界", "线程 (0, 0, 0)", "的读取（4 字节）"}},
      {"a parameter more", with("int stride", "int stride, int more"), "argument.too_few", {"5 个形参", "4 个实参"}},
      {"no semicolon", with(";", ""), "compile.error", {"这里应当有 `;`"}},
      {"a name of its own", with("int stride", "int strid"), "compile.error", {"标识符 `stride` 没有定义"}}};
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (const Wrong& wrong : wrongs) {
      learner.types_over_everything(ui, wrong.source);
      ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
      learner.wait(ui);
      ASSERT_FALSE(s.runs.problems().empty()) << wrong.name;
      EXPECT_TRUE(part_is_shown("problems"));
      const Diagnostic& problem = s.runs.problems().front();
      EXPECT_EQ(problem.code, wrong.code) << problem.message;
      const gui::Ui window{learner.app().look(), s, state};
      const std::string said = gui::problem_text(window, problem), cure = window.told(problem.cure);
      for (const std::string& words : wrong.said) EXPECT_NE(said.find(words), std::string::npos) << said;
      EXPECT_EQ(test::english_in(said), "") << said;
      EXPECT_FALSE(cure.empty());
      EXPECT_EQ(test::english_in(cure), "") << cure;
      EXPECT_EQ(cure.find("`n`") != std::string::npos, wrong.code == "argument.too_few")
          << "what the lesson gives: " << cure;
      EXPECT_TRUE(cure.ends_with("。")) << cure;
      learner.saves(ui, "chinese_" + wrong.name);
    }
  });
}

TEST(Editing, ALongRunCanBeStoppedAndNeverFreezesTheWindow) {
  Learner learner;
  Session& s = learner.session();
  std::string endless = s.selection.source();
  const std::size_t at = endless.find("if (i >= n)");
  ASSERT_NE(at, std::string::npos);
  endless.insert(at, "while (n > 0) { if (in[0] == 12345.0f) n = 0; }\n  ");
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.types_over_everything(ui, endless);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return s.runs.running().busy && s.runs.running().seconds > 0.6; }, 10));
    const int frames = ImGui::GetFrameCount();
    ui.Yield(5);
    EXPECT_GE(ImGui::GetFrameCount(), frames + 5) << "the window keeps painting";
    ui.ItemClick("**/run kernel");  // the button now says Stop
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return !s.runs.running().busy; }, 5));
    ui.Yield(2);  // the frame that takes over the result
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().code, "run.cancelled");
    EXPECT_FALSE(s.runs.stale());
    EXPECT_FALSE(s.runs.shows_whole());
    ASSERT_NE(s.runs.shown()->fault(), nullptr) << "where it stood";
    EXPECT_GT(s.runs.problems().front().place.line, 0);
  });
}

TEST(Editing, ResetBringsTheLessonsCodeBackAndCanBeUndone) {
  Learner learner;
  Session& s = learner.session();
  const std::string original = s.selection.source();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(ui.ItemExists("**/reset")) << "nothing to reset";
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("// mine ");
    const std::string edited = s.selection.source();
    EXPECT_NE(edited, original);
    ui.ItemClick("**/reset");
    learner.wait(ui);
    EXPECT_EQ(s.selection.source(), original);
    EXPECT_FALSE(s.selection.edited());
    EXPECT_FALSE(s.runs.stale());
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ui.Yield(2);
    EXPECT_EQ(s.selection.source(), edited) << "undo brings the edit back, without a click into the code";
  });
}

TEST(Editing, CtrlSSaysWhereTheEditIsKept) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);
    ASSERT_EQ(learner.session().notices().size(), 1u);
    EXPECT_EQ(learner.session().notices().front().code, "edit.none");
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("// mine ");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_S);  // while typing
    ASSERT_EQ(learner.session().notices().size(), 1u);
    const Diagnostic kept = learner.session().notices().front();
    EXPECT_EQ(kept.code, "edit.kept");
    std::ifstream file(kept.place.file);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(text.starts_with("// mine ")) << kept.place.file;
    learner.saves(ui, "edit_kept");
  });
}

TEST(Editing, EditsAreKeptByVariantAcrossSwitchesAndRestarts) {
  Learner learner;
  std::string edited;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("// mine ");
    edited = learner.session().selection.source();
    ui.KeyPress(ImGuiKey_Escape);
    ui.ItemClick("**/offset");
    EXPECT_FALSE(learner.session().selection.edited());
    ui.ItemClick("**/stride");
    EXPECT_EQ(learner.session().selection.source(), edited);
    // Saved to disk a moment later, so a crash would lose nothing.
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return learner.session().selection.seconds_to_next_save() < 0; }, 5));
    EXPECT_EQ(gui::StateStore(learner.state_folder() + "/lanescope").edit("coalescing", "stride"), edited);
  });
  learner.restarts();
  EXPECT_EQ(learner.session().selection.source(), edited);
  EXPECT_TRUE(learner.session().selection.edited());
}

TEST(Editing, AStateFolderThatCannotBeWrittenIsSaidAndLosesNothing) {
  Learner learner;
  std::filesystem::create_directories(learner.state_folder() + "/lanescope");
  std::ofstream(learner.state_folder() + "/lanescope/edits") << "in the way";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("// mine ");
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return !learner.session().notices().empty(); }, 5));
    EXPECT_EQ(learner.session().notices().front().code, "state.io");
    EXPECT_TRUE(learner.session().selection.source().starts_with("// mine "));
  });
}

}  // namespace
}  // namespace lanescope::test
