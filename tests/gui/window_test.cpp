// The window as a learner uses it.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "TextEditor.h"
#include "driver.h"
#include "gui/numbers/numbers.h"
#include "gui/parts/problems.h"
#include "gui/session/state_store.h"
#include "imgui_internal.h"
#include "job/lesson/lesson_request.h"
#include "job/run/job.h"
#include "test_paths.h"
#include "unit/english.h"

namespace lanescope::test {
namespace {

using gui::NumberRow;
using gui::Session;

// What the command line would report for what is on screen: the same request, run directly.
std::vector<metrics::Measurement> directly(const Session& s) {
  const gui::RunKey key = s.wanted();
  auto request = job::from_lesson(s.lesson(), s.variant(), key.controls);
  EXPECT_TRUE(request) << format(request.errors()[0]);
  request->source.text = key.source;
  const job::Outcome outcome = job::run(*request, &s.variant());
  EXPECT_TRUE(outcome.completed);
  return metrics::report(outcome.first().trace);
}

void expect_numbers_equal(const Session& s) {
  ASSERT_NE(s.shown(), nullptr);
  EXPECT_FALSE(s.stale());
  const auto direct = directly(s);
  const std::vector<NumberRow> rows = gui::number_rows(*s.shown());
  EXPECT_GE(rows.size(), 4u);
  for (const NumberRow& row : rows) {
    const auto found = std::ranges::find(direct, row.name, &metrics::Measurement::name);
    ASSERT_NE(found, direct.end()) << row.name;
    EXPECT_EQ(row.value, gui::number_text(*found)) << row.name;
    if (found->ideal >= 0) {
      EXPECT_EQ(row.ideal, gui::number_text(found->ideal, found->unit)) << row.name;
    }
  }
}

// Whether a part of the window with this name was painted in the last frame.
bool part_is_shown(const std::string& name) {
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::string(window->Name).find("/" + name + "_") != std::string::npos) return true;
  return false;
}

double sectors_per_request(const Session& s) {
  return metrics::find(s.shown()->outcome.first().trace, "global_load.sectors_per_request").value;
}

TEST(Window, TheFirstPictureIsThereBeforeAnyButtonIsPressed) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return learner.session().shown() != nullptr; }));
    learner.wait(ui);
    ASSERT_NE(learner.session().event(), nullptr);
    EXPECT_EQ(learner.session().event()->kind, trace::EventKind::memory);
    EXPECT_TRUE(ui.ItemExists("**/lanes"));
    EXPECT_TRUE(ui.ItemExists("**/view"));
    EXPECT_TRUE(learner.session().problems().empty());
    expect_numbers_equal(learner.session());
  });
}

TEST(Window, LessonsAndVariantsArePickedByTheirNames) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/offset");
    learner.wait(ui);
    EXPECT_EQ(s.variant().id, "offset");
    expect_numbers_equal(s);
    for (const lesson::Lesson& lesson : s.lessons()) {
      ui.ItemClick("**/lessons");
      ui.ItemClick(("//$FOCUSED/" + lesson.id).c_str());
      EXPECT_EQ(s.lesson().id, lesson.id);
    }
    ui.ItemClick("**/lessons");
    ui.ItemClick("//$FOCUSED/coalescing");
    learner.wait(ui);
    EXPECT_EQ(s.variant().id, "offset") << "each lesson remembers its variant";
  });
}

TEST(Window, TheSliderRunsTheKernelAgain) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::int64_t before = s.control("stride");
    ui.MouseMove("**/stride/track");
    ui.MouseDown();
    ui.MouseMoveToPos({ImGui::GetMousePos().x - 4000, ImGui::GetMousePos().y});
    ui.MouseUp();
    learner.wait(ui);
    EXPECT_EQ(s.control("stride"), 1);
    EXPECT_NE(before, 1);
    EXPECT_EQ(s.shown()->key.controls.at("stride"), 1);
    EXPECT_DOUBLE_EQ(sectors_per_request(s), 4);
    expect_numbers_equal(s);

    // The value can be typed as well.
    ui.ItemClick("**/stride/value");
    ui.Yield(2);
    ui.KeyCharsReplaceEnter("8");
    learner.wait(ui);
    EXPECT_EQ(s.control("stride"), 8);
    EXPECT_DOUBLE_EQ(sectors_per_request(s), 32);
    expect_numbers_equal(s);
  });
}

TEST(Window, WithoutAGpuWhatARecordingCountedStandsBesideTheInterpretersNumbersOfThatRunOnly) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/results agreement");
    learner.wait(ui);
    const auto rows = [&] { return ui.ItemExists("**/global_load.sectors/agreement row"); };
    EXPECT_TRUE(rows());
    EXPECT_FALSE(ui.ItemExists("**/shared_load.bank_conflicts/agreement row")) << "nothing to count";
    learner.saves(ui, "agreement of the recording");
    s.set_control("stride", 3);
    s.run();
    learner.wait(ui);
    EXPECT_FALSE(rows()) << "nobody counted at a stride of 3";
    s.set_control("stride", 8);
    s.run();
    learner.wait(ui);
    EXPECT_TRUE(rows());
    std::string edited = s.original_source();
    edited.replace(edited.find("i * stride"), 10, "stride * i");
    s.set_source(edited);
    s.run();
    learner.wait(ui);
    EXPECT_FALSE(rows()) << "nobody counted this text";
  });
}

TEST(Window, AnEditedKernelRunsAndItsNumbersAreItsOwn) {
  Learner learner;
  Session& s = learner.session();
  std::string edited = s.source();
  const std::size_t at = edited.find("[i * stride]");
  ASSERT_NE(at, std::string::npos);
  edited.replace(at, 12, "[i]");
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_DOUBLE_EQ(sectors_per_request(s), 32);
    learner.types_over_everything(ui, edited);
    EXPECT_EQ(s.source(), edited);
    EXPECT_TRUE(s.edited());
    EXPECT_TRUE(s.stale()) << "what is shown belongs to the text before";
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(s.source(), edited) << "Ctrl+Enter types nothing";
    EXPECT_DOUBLE_EQ(sectors_per_request(s), 4);
    expect_numbers_equal(s);
  });
}

TEST(Window, TypingIsTyping) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Position before = s.position();
    const std::string variant = s.variant().id;
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("/* a b */ ");
    ui.KeyPress(ImGuiKey_Space);
    ui.KeyPress(ImGuiKey_A);
    ui.KeyPress(ImGuiKey_LeftArrow);
    ui.KeyPress(ImGuiKey_Home);
    learner.wait(ui);
    EXPECT_TRUE(s.source().starts_with("/* a b */ ")) << s.source().substr(0, 40);
    EXPECT_EQ(s.variant().id, variant);
    EXPECT_EQ(s.position().step, before.step);
    EXPECT_TRUE(s.stale());
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    ui.KeyPress(ImGuiKey_Space);
    learner.wait(ui);
    EXPECT_FALSE(s.stale()) << "Escape leaves the editor, then Space runs";
  });
}

TEST(Window, AKernelThatDoesNotCompileSaysWhereAndKeepsTheLastPictureMarkedOld) {
  Learner learner;
  Session& s = learner.session();
  const std::string good = s.source();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::RunResult* before = s.shown();
    learner.clicks_into_line(ui, 3);
    ui.KeyChars("oops ");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_FALSE(s.problems().empty());
    const Diagnostic& problem = s.problems().front();
    EXPECT_EQ(problem.code, "compile.error");
    EXPECT_EQ(problem.place.line, 3);
    EXPECT_FALSE(problem.message.empty());
    EXPECT_FALSE(problem.cure.empty());
    EXPECT_TRUE(part_is_shown("problems"));
    EXPECT_EQ(s.shown(), before) << "the last good picture stays";
    EXPECT_TRUE(s.stale()) << "and is marked old";
    // Undo brings the text back, and with it the numbers are true again without a run.
    for (int i = 0; i < 20 && s.source() != good; ++i) ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(s.source(), good);
    EXPECT_FALSE(s.stale());
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_TRUE(s.problems().empty());
    EXPECT_FALSE(part_is_shown("problems"));
    expect_numbers_equal(s);
  });
}

TEST(Window, AFaultWhileRunningNamesItsLine) {
  Learner learner;
  Session& s = learner.session();
  std::string edited = s.source();
  const std::size_t at = edited.find("[i * stride]");
  ASSERT_NE(at, std::string::npos);
  edited.replace(at, 12, "[i * stride + 100000000]");
  const int line =
      1 + static_cast<int>(std::count(edited.begin(), edited.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.types_over_everything(ui, edited);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_FALSE(s.problems().empty());
    EXPECT_EQ(s.problems().front().code, "memory.out_of_bounds");
    EXPECT_EQ(s.problems().front().place.line, line);
    EXPECT_TRUE(s.stale());
  });
}

// A kernel that runs to its end and computes something else: which element, its value, the expected one, and who wrote
// it.
TEST(Window, AWrongResultIsSaidFirstAndLeadsToItsLastWrite) {
  gui::Options options;
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  const auto with = [&](const std::string& store) {
    std::string text = s.original_source();
    const std::size_t at = text.find("out[i] = value;");
    EXPECT_NE(at, std::string::npos);
    return text.replace(at, 15, store);
  };
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(s.remarks().empty());
    s.set_source(with("if (i != 37) out[i] = value;"));
    s.run();
    learner.wait(ui);
    ASSERT_FALSE(s.remarks().empty());
    EXPECT_EQ(s.remarks().front().code, "result.wrong");
    EXPECT_TRUE(part_is_shown("problems"));
    EXPECT_TRUE(learner.says(ui, "out[37] is 0, expected 296. 1 of 16,384 elements is wrong."));
    EXPECT_TRUE(learner.says(ui, "No thread writes it"));
    learner.saves(ui, "wrong result");

    // Where the code is not in sight too.
    const std::string wrong = "out[37] is 0, expected 296.";
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
    s.set_source(with("out[i] = i == 300 ? 1 : value;"));
    s.run();
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "out[300] is 1, expected 2400."));
    ASSERT_TRUE(s.go_to_writer(0));
    learner.wait(ui);
    EXPECT_EQ(s.position().block, 1u);
    EXPECT_EQ(s.position().warp, 1u);
    ASSERT_NE(s.site(), nullptr);
    EXPECT_EQ(s.site()->operation, trace::Operation::store);

    s.set_source(s.original_source());
    s.run();
    learner.wait(ui);
    EXPECT_TRUE(s.remarks().empty());
    EXPECT_FALSE(part_is_shown("problems"));
  });
}

// The lesson's own text is known; a learner's is looked through as far as that takes a moment, and else the window says
// so.
TEST(Window, SaysWhatRacesInAnEditedKernel) {
  gui::Options options;
  options.lesson = "divergence";
  options.variant = "reduce_sequential";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    s.set_control("n", 1024);
    s.run_if_needed();
    learner.wait(ui);
    EXPECT_TRUE(s.remarks().empty());
    std::string text = s.original_source();
    const std::size_t at = text.rfind("__syncthreads();");
    ASSERT_NE(at, std::string::npos);
    const int line =
        1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    s.set_source(text.replace(at, 16, ""));
    s.run();
    learner.wait(ui);
    const auto race = std::ranges::find(s.remarks(), "race.found", &Diagnostic::code);
    ASSERT_NE(race, s.remarks().end());
    EXPECT_LT(std::abs(race->place.line - line), 12);
    EXPECT_FALSE(race->cure.empty());
    EXPECT_TRUE(part_is_shown("problems"));
    learner.saves(ui, "race of an edited kernel");

    s.set_control("n", 1 << 20);
    s.run();
    learner.wait(ui);
    EXPECT_NE(std::ranges::find(s.remarks(), "race.not_looked_for", &Diagnostic::code), s.remarks().end());
    EXPECT_TRUE(learner.says(ui, "run several schedules"));

    // A __constant__ variable that nobody fills.
    s.set_control("n", 1024);
    text = "__constant__ float factor[4];\n" + s.original_source();
    s.set_source(text.insert(text.find("in[i]"), "factor[0] * "));
    s.run();
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "which was never set"));
  });
}

// In Chinese, what is wrong with a learner's code is said in Chinese, values included, and the compiler's words.
TEST(Window, SaysInChineseWhatIsWrong) {
  gui::Options options;
  options.language = "zh-CN";
  options.variant = "stride";
  Learner learner(options);
  Session& s = learner.session();
  gui::WindowState& state = learner.state();
  const std::string good = s.source();
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
      ASSERT_FALSE(s.problems().empty()) << wrong.name;
      EXPECT_TRUE(part_is_shown("problems"));
      const Diagnostic& problem = s.problems().front();
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

TEST(Window, ALongRunCanBeStoppedAndNeverFreezesTheWindow) {
  Learner learner;
  Session& s = learner.session();
  std::string endless = s.source();
  const std::size_t at = endless.find("if (i >= n)");
  ASSERT_NE(at, std::string::npos);
  endless.insert(at, "while (n > 0) { if (in[0] == 12345.0f) n = 0; }\n  ");
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::RunResult* before = s.shown();
    learner.types_over_everything(ui, endless);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return s.running().busy && s.running().seconds > 0.6; }, 10));
    const int frames = ImGui::GetFrameCount();
    ui.Yield(5);
    EXPECT_GE(ImGui::GetFrameCount(), frames + 5) << "the window keeps painting";
    ui.ItemClick("**/run kernel");  // it says Stop now
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return !s.running().busy; }, 5));
    ui.Yield(2);  // the frame that takes the result over
    ASSERT_FALSE(s.problems().empty());
    EXPECT_EQ(s.problems().front().code, "run.cancelled");
    EXPECT_EQ(s.shown(), before);
    EXPECT_TRUE(s.stale());
  });
}

TEST(Window, ResetBringsTheLessonsCodeBackAndCanBeUndone) {
  Learner learner;
  Session& s = learner.session();
  const std::string original = s.source();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(ui.ItemExists("**/reset")) << "nothing to reset";
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("// mine ");
    const std::string edited = s.source();
    EXPECT_NE(edited, original);
    ui.ItemClick("**/reset");
    learner.wait(ui);
    EXPECT_EQ(s.source(), original);
    EXPECT_FALSE(s.edited());
    EXPECT_FALSE(s.stale());
    learner.clicks_into_line(ui, 1);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ui.Yield(2);
    EXPECT_EQ(s.source(), edited) << "undo brings the edit back";
  });
}

TEST(Window, EditsAreKeptByVariantAcrossSwitchesAndRestarts) {
  Learner learner;
  std::string edited;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.clicks_into_line(ui, 1);
    ui.KeyChars("// mine ");
    edited = learner.session().source();
    ui.KeyPress(ImGuiKey_Escape);
    ui.ItemClick("**/offset");
    EXPECT_FALSE(learner.session().edited());
    ui.ItemClick("**/stride");
    EXPECT_EQ(learner.session().source(), edited);
    // On disk a moment later: a crash would lose nothing.
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return learner.session().seconds_to_next_save() < 0; }, 5));
    EXPECT_EQ(gui::StateStore(learner.state_folder() + "/lanescope").edit("coalescing", "stride"), edited);
  });
  learner.restarts();
  EXPECT_EQ(learner.session().source(), edited);
  EXPECT_TRUE(learner.session().edited());
}

TEST(Window, AStateFolderThatCannotBeWrittenIsSaidAndLosesNothing) {
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
    EXPECT_TRUE(learner.session().source().starts_with("// mine "));
  });
}

// A lesson's recordings are read when it is opened; a file that does not open could be of any lesson.
TEST(Window, ADamagedRecordingIsToldOfOnceAndHidesNoOther) {
  std::string folder = (std::filesystem::temp_directory_path() / "lanescope-recordings-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  for (const char* lesson : {"coalescing", "transpose"})
    std::filesystem::copy(std::string(LANESCOPE_SOURCE_DIR "/assets/recordings/") + lesson + ".json", folder);
  std::ofstream(folder + "/broken.json") << "{ nothing";
  gui::Options options;
  options.recordings_folder = folder;
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    for (const char* lesson : {"coalescing", "transpose", "divergence", "coalescing"}) {
      const auto found = std::ranges::find(s.lessons(), lesson, &lesson::Lesson::id);
      s.choose_lesson(static_cast<std::size_t>(found - s.lessons().begin()));
      learner.wait(ui);
      if (std::string(lesson) == "divergence") {
        EXPECT_EQ(s.recording(), nullptr) << "there is none";
      } else {
        ASSERT_NE(s.recording(), nullptr) << lesson;
        EXPECT_EQ(s.recording()->lesson, lesson);
        EXPECT_NE(s.recorded_run(), nullptr) << lesson;
      }
      ASSERT_EQ(s.notices().size(), 1u) << lesson;
      EXPECT_EQ(s.notices().front().code, "recording.syntax");
    }
  });
  std::filesystem::remove_all(folder);
}

TEST(Window, KeysMoveThroughTheStepsAndVariants) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_GT(s.step_count(), 3u);
    ui.KeyPress(ImGuiKey_Home);
    EXPECT_EQ(s.position().step, 0u);
    ui.KeyPress(ImGuiKey_LeftArrow);
    EXPECT_EQ(s.position().step, 0u);
    ui.KeyPress(ImGuiKey_RightArrow, 2);
    EXPECT_EQ(s.position().step, 2u);
    ui.KeyPress(ImGuiKey_End);
    EXPECT_EQ(s.position().step, s.step_count() - 1);
    ui.ItemClick("**/steps/first");
    EXPECT_EQ(s.position().step, 0u);
    ui.ItemClick("**/steps/next");
    EXPECT_EQ(s.position().step, 1u);
    const std::size_t variant = s.variant_index();
    ui.KeyPress(ImGuiKey_B);
    EXPECT_EQ(s.variant_index(), variant + 1);
    ui.KeyPress(ImGuiKey_A);
    EXPECT_EQ(s.variant_index(), variant);
    learner.wait(ui);
    ui.ItemClick("**/block/up");
    EXPECT_EQ(s.position().block, 1u);
    ui.ItemClick("**/warp/up");
    EXPECT_EQ(s.position().warp, 1u);
    EXPECT_EQ(s.event()->block, 1u);
    EXPECT_EQ(s.event()->warp, 1u);
    ui.KeyPress(ImGuiKey_DownArrow);
    EXPECT_EQ(s.position().warp, 2u);
    ui.KeyPress(ImGuiKey_UpArrow, 5);
    EXPECT_EQ(s.position().warp, 0u);
    ui.KeyPress(ImGuiKey_3);
    EXPECT_EQ(s.variant_index(), 2u);
    const gui::Page page = learner.state().page;
    ui.KeyPress(ImGuiKey_PageDown);
    EXPECT_EQ(static_cast<int>(learner.state().page), static_cast<int>(page) + 1);
    ui.KeyPress(ImGuiKey_PageUp);
    EXPECT_EQ(learner.state().page, page);
    learner.wait(ui);
  });
}

TEST(Window, PresentModeHelpZoomThemeAndLanguage) {
  Learner learner;
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    EXPECT_TRUE(state.present);
    EXPECT_FALSE(ui.ItemExists("**/run kernel"));
    EXPECT_TRUE(ui.ItemExists("**/lanes"));
    const std::size_t step = learner.session().position().step;
    ui.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(learner.session().position().step, step + 1);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_FALSE(state.present);
    EXPECT_TRUE(ui.ItemExists("**/run kernel"));

    ui.KeyPress(ImGuiKey_F1);
    EXPECT_TRUE(state.help);
    ui.KeyPress(ImGuiKey_Escape);
    EXPECT_FALSE(state.help);

    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    EXPECT_GT(state.settings.zoom, 1.05f);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus, 2);
    EXPECT_LT(state.settings.zoom, 0.95f);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
    EXPECT_FLOAT_EQ(state.settings.zoom, 1);

    // Escape leaves a menu, and only that.
    ui.ItemClick("**/menu");
    EXPECT_TRUE(ui.ItemExists("//$FOCUSED/theme"));
    const auto has_chinese = [&] { return learner.app().look().font(gui::Face::regular)->IsGlyphInFont(0x4e2d); };
    const bool named = has_chinese();
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_TRUE(ImGui::GetCurrentContext()->OpenPopupStack.empty());

    ui.ItemClick("**/menu");
    ui.ItemClick("//$FOCUSED/theme");
    EXPECT_EQ(state.settings.theme, gui::Theme::light);
    ui.ItemClick("**/menu");
    ui.ItemClick("//$FOCUSED/language");
    EXPECT_EQ(state.settings.language, gui::Language::chinese);
    learner.wait(ui);
    EXPECT_EQ(named, has_chinese()) << "the menu names the other language in its own script";
  });
  learner.restarts();
  EXPECT_EQ(learner.state().settings.theme, gui::Theme::light) << "settings outlive the program";
}

TEST(Window, PagesTabsAndListings) {
  Learner learner;
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (const char* page : {"read", "predict", "run", "see", "explain", "try"}) {
      ui.ItemClick((std::string("**/pages/") + page).c_str());
      EXPECT_STREQ(gui::code_of(state.page), page);
    }
    ui.ItemClick("**/page back");
    EXPECT_STREQ(gui::code_of(state.page), "explain");
    ui.ItemClick("**/code tabs/ptx");
    ui.Yield(3);
    const auto& ptx = learner.session().shown()->ptx;
    const trace::Site* site = learner.session().site();
    EXPECT_TRUE(std::ranges::any_of(ptx, [&](const gui::PtxLine& line) {
      return line.number == site->ptx_line && line.cuda_line == site->line &&
             line.text.find("ld.global") != std::string::npos;
    })) << "the listing holds the step's instruction, on its CUDA line";
    ui.ItemClick("**/code tabs/sass");
    learner.wait(ui);
    const auto* sass = learner.session().sass();
    ASSERT_NE(sass, nullptr);
    if (sass->ok())
      EXPECT_FALSE(sass->value().instructions.empty());
    else
      EXPECT_FALSE(sass->errors().front().cure.empty());
  });
}

TEST(Window, TwoVariantsSideBySide) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/compare");
    learner.wait(ui);
    ASSERT_TRUE(s.compared());
    const std::size_t a = s.variant_index(), b = *s.compared();
    EXPECT_NE(a, b);
    ASSERT_NE(s.shown(b), nullptr);
    EXPECT_FALSE(s.stale(a));
    EXPECT_FALSE(s.stale(b));
    EXPECT_FALSE(ui.ItemExists("**/lanes")) << "the single view gives way";
    EXPECT_TRUE(part_is_shown("side a"));
    EXPECT_TRUE(part_is_shown("side b"));
    EXPECT_TRUE(part_is_shown("totals"));

    const gui::CompareView& view = learner.app().window().comparison();
    ASSERT_GE(view.steps().size(), 2u);
    ui.KeyPress(ImGuiKey_Home);
    EXPECT_EQ(view.step(), 0u);
    ui.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(view.step(), 1u);
    ui.ItemClick("**/both/first");
    EXPECT_EQ(view.step(), 0u);
    ASSERT_TRUE(view.parting());
    ui.ItemClick("**/both/last");
    ui.ItemClick("**/parting");
    EXPECT_EQ(view.step(), *view.parting());

    ui.KeyPress(ImGuiKey_B);
    learner.wait(ui);
    EXPECT_NE(*s.compared(), b);
    EXPECT_EQ(s.variant_index(), a);
    // Choosing B's variant as A exchanges them.
    const std::size_t now_b = *s.compared();
    s.choose_variant(now_b);
    EXPECT_EQ(*s.compared(), a);
    learner.wait(ui);

    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_FALSE(s.compared());
    EXPECT_TRUE(ui.ItemExists("**/lanes"));
  });
}

TEST(Window, TheSweepIsOfTheKernelOnScreen) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Sweep& sweep = s.sweep("stride");
    ASSERT_EQ(sweep.points.size(), sweep.wanted);
    for (const gui::Sweep::Point& point : sweep.points) {
      ASSERT_TRUE(point.ok);
      const trace::MemoryTotals& loads = point.totals.of(trace::MemoryClass::global_load);
      EXPECT_EQ(loads.sectors,
                loads.requests * static_cast<std::uint64_t>(std::min<std::int64_t>(32, 4 * point.value)));
    }
  });
}

// A control may reach sizes of many seconds: what a plot would have to wait for long is not in it.
TEST(Window, ASweepHoldsLegalValuesOfBoundedSize) {
  gui::Options options;
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    for (const std::size_t lesson : {0u, 1u}) {  // over a stride, and over a size
      s.choose_lesson(lesson);
      learner.wait(ui);
      const lesson::Control& control = *s.controls().front();
      learner.plots_over(ui, control.name);
      const gui::Sweep& sweep = s.sweep(control.name);
      EXPECT_GT(sweep.points.size(), 4u) << control.name;
      for (const gui::Sweep::Point& point : sweep.points) {
        EXPECT_TRUE(control.allows(point.value)) << control.name << " = " << point.value;
        EXPECT_LT(point.totals.lane_instructions, 100'000'000u) << control.name << " = " << point.value;
      }
    }
  });
}

}  // namespace
}  // namespace lanescope::test
