// What somebody who had never seen the window did not find, did not understand, or was misled by.

#include <algorithm>
#include <cmath>
#include <string>

#include "driver.h"
#include "gui/code/editor_style.h"
#include "gui/forms/guess_doubt.h"
#include "gui/parts/exports.h"
#include "gui/parts/presenting.h"
#include "imgui_internal.h"
#include "kernel_folder.h"
#include "on_screen.h"

namespace lanescope::test {
namespace {

using gui::Session;

gui::Options on_lesson(const char* lesson, const char* variant) {
  gui::Options options;
  options.lesson = lesson, options.variant = variant;
  return options;
}

// ---- a task with a launch of its own

TEST(TaskLaunch, RunUsesIt) {
  Learner learner(on_lesson("transpose", "padded"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  const auto block = [&] { return s.runs.shown()->outcome.first().trace.launch.block; };
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(block().y, 32u);
    EXPECT_NE(s.recordings.run(), nullptr) << "the lesson's own launch was recorded";
    ASSERT_TRUE(bring(ui, "**/four/open task"));
    EXPECT_FALSE(ui.ItemExists("**/four/check task")) << "its launch is not the one that Run uses";
    ui.ItemClick("**/four/open task");
    learner.wait(ui);
    EXPECT_EQ(block().x, 32u);
    EXPECT_EQ(block().y, 8u);
    EXPECT_TRUE(learner.says(ui, "Run uses this task's launch: block 32 × 8."));
    EXPECT_FALSE(s.runs.stale());
    EXPECT_EQ(s.recordings.run(), nullptr) << "no time was measured of this launch";
    EXPECT_NE(s.runs.shown()->fault(), nullptr) << "a quarter of the threads fill a quarter of the tile";
    learner.saves(ui, "task_launch");
    learner.types_over_everything(ui, s.selection.lesson().sources.at("tasks/four.solution.cu"));
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_TRUE(s.runs.problems().empty());
    EXPECT_EQ(block().y, 8u);
    EXPECT_TRUE(s.runs.shown()->wrong.empty());
    ui.KeyPress(ImGuiKey_Escape);
    ASSERT_TRUE(bring(ui, "**/four/leave task"));
    ui.ItemClick("**/four/leave task");
    learner.wait(ui);
    EXPECT_EQ(block().y, 32u);
    ASSERT_TRUE(bring(ui, "**/four/open task"));
    ui.ItemClick("**/four/open task");
    learner.wait(ui);
    EXPECT_EQ(block().y, 8u);
    s.choose_variant(0);
    learner.wait(ui);
    EXPECT_EQ(s.selection.task(), nullptr) << "another variant has its own launch";
  });
}

// ---- votes and atomics

TEST(VotesAndAtomics, AreToldInTheFieldsTerms) {
  const KernelFolder folder;
  gui::Options options;
  options.run = folder.write("votes.cu",
                             "// run: --grid 1 --block 32 --arg u32[64]=iota --arg u32[64]=0\n"
                             "__global__ void votes(const unsigned* in, unsigned* out) {\n"
                             "  const unsigned v = in[threadIdx.x];\n"
                             "  const int any = __any_sync(0xffffffff, v > 40);\n"
                             "  atomicAdd(out, v);\n"
                             "  const unsigned same = __match_any_sync(0xffffffff, v / 8);\n"
                             "  out[threadIdx.x + 1] = any + same;\n"
                             "}\n");
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.runs.shown(), nullptr);
    const auto go_to = [&](const char* opcode) {
      s.place.set_step(0);
      while (s.place.step_count() > s.place.position().step + 1 && !s.place.site()->opcode.starts_with(opcode))
        s.place.step_by(1);
      learner.wait(ui);
      EXPECT_TRUE(s.place.site()->opcode.starts_with(opcode)) << opcode;
    };
    go_to("vote");
    EXPECT_TRUE(
        learner.says(ui, "32 lanes vote (any): each gets true if the predicate of at least one of them is true."));
    EXPECT_TRUE(learner.says(ui, "Vote"));
    EXPECT_FALSE(learner.says(ui, "ranks 0 to 31"));
    learner.saves(ui, "vote");
    go_to("match");
    EXPECT_TRUE(learner.says(ui, "each gets the mask of the lanes that have the same value as its own"));
    // The compiler may have made one atomic of the warp's; the step that is left says what waits.
    s.summaries.go_to(gui::Sought::worst_request, 1);
    learner.wait(ui);
    learner.saves(ui, "atomic_sectors");
  });
}

TEST(VotesAndAtomics, TheQueueOfAnAtomicIsSaidBesideItsSectorsAndFoundAsTheWorst) {
  Learner learner(on_lesson("half_atomics", "half_native"));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.place.set_step(0);
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_W);
    learner.wait(ui);
    ASSERT_NE(s.place.site(), nullptr);
    EXPECT_TRUE(s.place.site()->opcode.starts_with("atom")) << "32 lanes at one address: the worst of its requests";
    learner.state().warp_tab = gui::WarpTab::sectors;
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "The lanes of an address take turns: 32 deep."));
    learner.saves(ui, "atomic_sectors");
  });
}

// ---- answers that were changed, links that lead elsewhere

TEST(Verdicts, GoStaleVisiblyWhenTheAnswerChanges) {
  Learner learner;
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const auto type = [&](const char* number) {
      ASSERT_TRUE(bring(ui, "**/stride_sectors/##number"));
      ui.ItemInput("**/stride_sectors/##number");
      ui.KeyCharsReplace(number);
      ui.Yield(2);
    };
    type("4");
    ui.ItemClick("**/stride_sectors/check answer");
    learner.wait(ui);
    const std::string old = "For your earlier answer, 4; check the new one.";
    EXPECT_FALSE(learner.says(ui, old));
    type("8");
    EXPECT_TRUE(learner.says(ui, old));
    learner.saves(ui, "verdict_stale");
    type("4.0");
    EXPECT_FALSE(learner.says(ui, old)) << "the same answer";
    type("32");
    ui.ItemClick("**/stride_sectors/check answer");
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "For your earlier answer"));
  });
}

TEST(Links, SayWhatTheyChanged) {
  Learner learner;
  gui::WindowState& state = learner.state();
  Session& s = learner.session();
  state.page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(bring(ui, "**/variant:offset"));
    ui.ItemClick("**/variant:offset");
    learner.wait(ui);
    ASSERT_EQ(s.selection.variant().id, "offset");
    EXPECT_TRUE(state.exports->told.starts_with("On screen: variant offset · step ")) << state.exports->told;
    EXPECT_FALSE(state.went_from) << "told once";
    learner.saves(ui, "link_told");
  });
}

// ---- the form of a kernel

TEST(GuessDoubts, NameTheGuessAndWhatToPutInItsPlace) {
  const KernelFolder folder;
  gui::Options options;
  options.run = folder.write("rows.cu",
                             "__global__ void rows(const float* in, float* out, int stride, int cols) {\n"
                             "  const int r = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "  float s = 0;\n"
                             "  const int start = r == 1 ? stride * 33554432 : 0;\n"  // more than a trial makes of `in`
                             "  for (int c = 0; c < cols; ++c) s += in[start + c];\n"
                             "  out[r + 1] = s;\n"
                             "}\n");
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_FALSE(s.runs.remarks().empty());
    const std::string said =
        "Likely the guess for in: it has 4,096 elements, and the kernel accessed element "
        "33,554,432.";
    EXPECT_TRUE(learner.says(ui, said)) << s.runs.remarks().front().message;
    EXPECT_TRUE(learner.says(ui, "Give in at least 33554433 elements, or make stride, cols smaller."));
    learner.saves(ui, "guess_doubted");
    ui.ItemInput("**/$$2/##value");
    ui.KeyCharsReplace("0");
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, said)) << "these are no longer the values that failed";
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "Likely the guess for out: it has 4,096 elements")) << "the next one";
    ui.ItemInput("**/$$1/##elements");
    ui.KeyCharsReplace("4097");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "Likely the guess"));
    EXPECT_TRUE(s.runs.problems().empty());
  });
}

job::FormKernel guessed(const std::string& source) {
  return job::form_kernels({"k.cu", source}).front();
}
Diagnostics failed(const char* code, std::string message) {
  return {Diagnostic{Severity::error, code, {}, Wording(std::move(message)), {}}};
}

TEST(GuessDoubts, FollowWhatTheRunSaid) {
  const job::FormKernel kernel =
      guessed("__global__ void k(const double* in, double* out, int n) { if (threadIdx.x < n) out[0] = in[n]; }");
  const auto of = [&](const char* code, const std::string& message) {
    return gui::doubt_of(kernel, kernel.form, kernel.form, failed(code, message));
  };
  const std::uint64_t count = std::stoull(kernel.form.arguments[0].count);
  // 80 bytes past the end are ten doubles.
  const auto past = of("memory.out_of_bounds", "a read is out of bounds: 80 bytes past the end of arg 0 (f64[9])");
  ASSERT_TRUE(past);
  EXPECT_EQ(past->field, gui::GuessDoubt::Field::argument);
  EXPECT_EQ(past->argument, 0u);
  EXPECT_EQ(past->cure, "Give in at least " + std::to_string(count + 11) + " elements, or make n smaller.");
  const auto last = of("memory.out_of_bounds", "a write is out of bounds: just past the end of arg 1 (f64[9])");
  ASSERT_TRUE(last);
  EXPECT_EQ(last->argument, 1u);
  const auto far = of("memory.out_of_bounds", "239190016000 bytes past the end of arg 0 (f64[9])");
  ASSERT_TRUE(far);
  EXPECT_EQ(far->cure, "Make n smaller.") << "nobody wants so large a buffer";
  const auto before = of("memory.out_of_bounds", "8 bytes before the start of arg 0 (f64[9])");
  ASSERT_TRUE(before);
  EXPECT_EQ(before->cure, "Check n, the grid and the block.");
  const auto shared = of("memory.out_of_bounds", "8 bytes past the end of the 256 bytes of shared memory");
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->field, gui::GuessDoubt::Field::block);
  EXPECT_TRUE(of("barrier.not_reached_by_all", "x"));
  EXPECT_TRUE(of("run.step_budget", "x"));
  EXPECT_FALSE(of("compile.error", "x"));
  EXPECT_FALSE(gui::doubt_of(kernel, kernel.form, kernel.form, {}));
  job::LaunchForm own = kernel.form;
  own.arguments[0].count = "17";
  EXPECT_FALSE(gui::doubt_of(kernel, kernel.form, own,
                             failed("memory.out_of_bounds", "8 bytes past the end of arg 0 (f64[17])")))
      << "what the learner typed is no guess";
  const job::FormKernel told =
      guessed("// run: --grid 1 --block 32 --arg f32[4]=1\n__global__ void k(float* p) { p[9] = 1; }");
  EXPECT_FALSE(gui::doubt_of(told, told.form, told.form,
                             failed("memory.out_of_bounds", "8 bytes past the end of arg 0 (f32[4])")));
}

// ---- the top bar, the palette, the film, the heat

TEST(TopBar, TabFollowsWhatIsSeenFromLeftToRight) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F6);  // the first control
    ui.Yield(4);
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    float before = -1;
    int seen = 0;
    for (int i = 0; i < 30; ++i) {
      const ImRect at = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[0]);
      if (at.Min.y > 56) break;
      EXPECT_GT(at.Min.x, before) << "control " << seen;
      before = at.Min.x;
      ++seen;
      ui.KeyPress(ImGuiKey_Tab);
      ui.Yield(2);
    }
    EXPECT_GE(seen, 7) << "lessons, variants, device, Run, Compare, Present, menu";
    EXPECT_GT(before, 1300) << "the menu is the last";
  });
}

TEST(CommandPalette, FindsTheExportsByThatName) {
  for (const char* typed : {"export", "导出"}) {
    Learner learner;
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
      ui.Yield(3);
      ui.KeyChars(typed);
      ui.Yield(3);
      EXPECT_TRUE(learner.says(ui, "Save as PNG"));
      EXPECT_TRUE(learner.says(ui, "Save the table as CSV"));
      EXPECT_TRUE(learner.says(ui, "Save the drawing as SVG"));
      learner.saves(ui, "palette_export");
      ui.KeyPress(ImGuiKey_Escape);
    });
  }
}

TEST(FilmAnswers, AreGoneWithTheirCause) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const auto asks = [&] {
      ui.KeyPress(ImGuiKey_D);
      ui.Yield(3);
    };
    const std::string none = "No kept step is a branch on which lanes disagree.";
    asks();
    ASSERT_TRUE(learner.says(ui, none));
    asks();
    EXPECT_TRUE(learner.says(ui, none)) << "asked again, answered again";
    const std::ptrdiff_t away = s.place.position().step == 0 ? 1 : -1;
    s.place.step_by(away);
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, none));
    s.place.step_by(-away);
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, none)) << "it does not come back with the step";
    asks();
    ASSERT_TRUE(learner.says(ui, none));
    ui.ItemClick("**/code tabs/ptx");
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, none)) << "something else was done";
  });
}

TEST(LineHeat, SaysWhoseExecutionsItCounts) {
  Learner learner;
  learner.state().heat = gui::Heat::executions, learner.state().heat_chosen = true;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.MouseMove("**/heat");
    ui.SleepNoSkip(1, 1.0f / 30);
    EXPECT_TRUE(learner.says(ui, "the line's most executed instruction, summed over the launch"));
    learner.saves(ui, "heat_hint");
  });
}

// ---- colours of the code

double part_of_light(float channel) {
  return channel <= 0.03928f ? channel / 12.92f : std::pow((channel + 0.055) / 1.055, 2.4);
}
double light_of(ImU32 colour) {
  const ImVec4 c = ImGui::ColorConvertU32ToFloat4(colour);
  return 0.2126 * part_of_light(c.x) + 0.7152 * part_of_light(c.y) + 0.0722 * part_of_light(c.z);
}
double contrast(ImU32 a, ImU32 b) {
  const auto [dark, bright] = std::minmax(light_of(a), light_of(b));
  return (bright + 0.05) / (dark + 0.05);
}

TEST(CodeColours, CanBeReadOnTheStepsLineAndAtAFault) {
  for (const gui::Theme theme : {gui::Theme::dark, gui::Theme::light}) {
    const gui::Palette p = gui::make_palette(theme);
    const TextEditor::Palette code = gui::editor_palette(p);
    using C = TextEditor::Color;
    for (const ImU32 ground : {p.panel, p.accent_soft}) {
      for (const C what : {C::lineNumber, C::text, C::keyword, C::number, C::comment, C::preprocessor})
        for (const float problem : {0.0f, gui::problem_ground})
          EXPECT_GE(contrast(code[static_cast<std::size_t>(what)], gui::mix(ground, p.conflict, problem)), 4.5)
              << static_cast<int>(what) << " in theme " << static_cast<int>(theme) << ", " << problem;
    }
  }
}

// ---- Ctrl + F

TEST(FindAgain, AnotherTextHasItsOwnMatches) {
  Learner learner;
  gui::WindowState& state = learner.state();
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ui.Yield(3);
    ui.KeyChars("thread");
    ui.Yield(8);
    for (int i = 0; i < 4; ++i) ui.KeyPress(ImGuiKey_F3), ui.Yield(3);
    ASSERT_FALSE(state.find.unseen);
    s.choose_lesson(1);
    learner.wait(ui);
    ASSERT_GT(state.find.all.size(), 2u);
    EXPECT_TRUE(state.find.unseen) << "nobody went to a match of this lesson";
    EXPECT_TRUE(learner.says(ui, "– of " + std::to_string(state.find.all.size())));
    learner.saves(ui, "find_another_lesson");
    const auto expected = std::ranges::find_if(state.find.all, [&](const gui::FoundText& one) {
      return one.page < 0 || one.page >= static_cast<int>(state.page);
    });
    ui.KeyPress(ImGuiKey_F3);
    ui.Yield(6);
    EXPECT_FALSE(state.find.unseen);
    EXPECT_EQ(state.find.current, static_cast<std::size_t>(expected - state.find.all.begin()));
  });
}

TEST(FindAgain, AfterAnEditTheNextMatchComesNext) {
  Learner learner;
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.types_over_everything(ui, "// apple\n// pear\n// apple\n// pear\n// apple\n");
    ui.KeyPress(ImGuiKey_Escape);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ui.Yield(3);
    ui.KeyChars("apple");
    ui.Yield(8);
    ASSERT_EQ(state.find.all.size(), 3u);
    ui.KeyPress(ImGuiKey_F3);
    ui.Yield(3);
    ASSERT_EQ(state.find.current, 1u);
    learner.app().window().code().editor(learner.session()).ReplaceSectionText({2, 3}, {2, 8}, "pear");
    ui.Yield(3);
    ASSERT_EQ(state.find.all.size(), 2u);
    EXPECT_TRUE(state.find.unseen) << "the match that was gone to is no longer there";
    ui.KeyPress(ImGuiKey_F3);
    ui.Yield(3);
    EXPECT_EQ(state.find.current, 1u) << "not the first one of the text";
    EXPECT_EQ(state.find.all[1].unit, 4u);
    learner.types_over_everything(ui, "// pear\n");
    ui.Yield(3);
    EXPECT_TRUE(state.find.all.empty());
    EXPECT_TRUE(learner.says(ui, "not found"));
  });
}

}  // namespace
}  // namespace lanescope::test
