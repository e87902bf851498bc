// Wherever the window reports an error, it says where, and what can be done about it there.

#include <cstdio>
#include <cstdlib>

#include "driver.h"
#include "gpu/pretend_gpu.h"
#include "gui/parts/problems.h"
#include "imgui_internal.h"
#include "unit/english.h"

namespace lanescope::test {
namespace {

using gui::Exercises;
using gui::Session;

gui::Options narrow(const std::string& lesson, const std::string& variant) {
  gui::Options options;
  options.lesson = lesson, options.variant = variant;
  options.width = 1024, options.height = 640;
  if (const char* size = std::getenv("LANESCOPE_SHOTS_SIZE"))
    std::sscanf(size, "%dx%d", &options.width, &options.height);
  return options;
}

std::string changed(std::string code, const std::string& from, const std::string& to) {
  const std::size_t at = code.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? code : code.replace(at, from.size(), to);
}

// In both languages: place, reason and cure.
void says_all_of(Learner& learner, ImGuiTestContext& ui, const Diagnostic& problem, const std::string& name) {
  for (const gui::Language language : {gui::Language::english, gui::Language::chinese}) {
    learner.state().settings.language = language;
    ui.Yield(3);
    const gui::Look look;
    const gui::Ui reader{look, learner.session(), learner.state()};
    const gui::ProblemTexts said = gui::plain_texts(reader, problem);
    EXPECT_TRUE(problem.severity == Severity::note || !said.cure.empty()) << said.what;
    EXPECT_TRUE(learner.says(ui, said.what)) << said.what;
    EXPECT_TRUE(learner.says(ui, said.cure)) << said.cure;
    EXPECT_TRUE(language == gui::Language::english || english_in(reader.told(problem.cure)).empty())
        << reader.told(problem.cure);
    learner.saves(ui, name + (language == gui::Language::chinese ? "-zh" : ""));
  }
  learner.state().settings.language = gui::Language::english;
}

TEST(Cures, OfATaskThatCannotBeGraded) {
  Learner learner(narrow("coalescing", "stride"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  const lesson::Task task = s.selection.lesson().tasks.front();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.open_task(task);
    learner.wait(ui);
    const std::string start = s.exercises.start_of(task);
    const std::size_t body = start.find('{', start.find("__global__")) + 1;
    const auto graded = [&](const std::string& first) {
      s.selection.set_source(start.substr(0, body) + first + start.substr(body));
      s.exercises.grade(task, 1'000'000);  // a smaller budget than for a learner's own endless loop
      EXPECT_TRUE(learner.wait_for(
          ui, [&] { return s.exercises.grade_of(task)->known; }, 110));
      EXPECT_FALSE(s.exercises.grade_of(task)->problems.empty());
      learner.wait(ui);
      EXPECT_TRUE(bring(ui, "**/" + task.id + "/check task"));
      ui.MouseMove(("**/" + task.id + "/check task").c_str());
      ui.MouseWheelY(-3);  // the message is below it
      return s.exercises.grade_of(task)->problems.empty() ? Diagnostic{} : s.exercises.grade_of(task)->problems.front();
    };
    const Diagnostic endless = graded(" for (;;) {} ");
    EXPECT_EQ(endless.code, "run.step_budget") << endless.message;
    EXPECT_NE(endless.cure.find("choose smaller control values"), std::string::npos) << endless.cure;
    says_all_of(learner, ui, endless, "cures-task-endless");
    says_all_of(learner, ui, graded(" undeclared = 1; "), "cures-task-compiler");
  });
}

TEST(Cures, OfARunUnderAnotherOrder) {
  Learner learner(narrow("coalescing", "stride"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.state().steps_tab = gui::StepsTab::schedules;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.selection.set_source(changed(s.selection.source(), "in[i * stride]", "in[i * stride + 1000000]"));
    s.schedules.run(8);
    learner.wait(ui);
    ASSERT_TRUE(s.schedules.orders()->known);
    ASSERT_FALSE(s.schedules.orders()->report->results.empty());
    ASSERT_TRUE(s.schedules.orders()->report->results.front().error);
    says_all_of(learner, ui, *s.schedules.orders()->report->results.front().error, "cures-schedules");
  });
}

// The list under the code is not visible while comparing and in present mode.
TEST(Cures, WhereTheCodeIsNotInSight) {
  Learner learner(narrow("coalescing", "stride"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    // A variant that never ran has no picture. One that did keeps it, marked as old, with the reason in a tooltip.
    for (const std::size_t variant : {std::size_t{0}, std::size_t{2}}) {
      const bool has_picture = s.runs.shown(variant) != nullptr;
      EXPECT_EQ(has_picture, variant == 0);
      s.choose_variant(variant);
      s.selection.set_source("__global__ void my_copy() {}");
      s.runs.run();
      learner.wait(ui);
      ASSERT_FALSE(s.runs.problems().empty());
      const Diagnostic why = s.runs.problems().front();
      EXPECT_NE(why.cure.find("The lesson launches `"), std::string::npos) << why.cure;
      for (const bool present : {true, false}) {
        learner.state().present = present;
        if (!present) s.compare(1);
        learner.wait(ui);
        if (has_picture) ui.MouseMove("**/badge");
        // The other side ran without an error.
        if (!present && !has_picture) {
          EXPECT_FALSE(learner.says(ui, gui::label_text(gui::Label::no_picture_failed, gui::Language::english)));
          EXPECT_TRUE(learner.says(ui, "A has no result to compare with."));
          EXPECT_FALSE(learner.app().window().comparison().picture(false).rects.empty());
        }
        says_all_of(learner, ui, why,
                    std::string("cures-") + (present ? "present" : "compare") + (has_picture ? "-old" : ""));
      }
      s.compare(std::nullopt);
    }
  });
}

// A mark is a comment: removing it makes the question unanswerable.
TEST(Cures, OfAQuestionThatCannotBeAnswered) {
  Learner learner(narrow("coalescing", "stride"));
  Session& s = learner.session();
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.selection.set_source(changed(s.selection.source(), "// @phase load", ""));
    s.runs.run();
    learner.wait(ui);
    for (const lesson::Question& question : s.selection.lesson().questions) {
      if (question.kind != lesson::Question::Kind::number || !question.applies_to(s.selection.variant().id)) continue;
      s.exercises.answer(question, {.kind = question.kind, .number = 1});
      learner.wait(ui);
      const Exercises::Verdict* verdict = s.exercises.verdict(question);
      ASSERT_NE(verdict, nullptr);
      if (!verdict->cannot) continue;
      const Diagnostic why = *verdict->cannot;
      EXPECT_TRUE(bring(ui, "**/" + question.id + "/check answer"));
      ui.MouseMove(("**/" + question.id + "/check answer").c_str());
      ui.MouseWheelY(-2);
      says_all_of(learner, ui, why, "cures-question");
      return;
    }
    ADD_FAILURE() << "no question of this lesson hangs on a mark";
  });
}

// The line is too short for it, so it is in a tooltip.
TEST(Cures, OfAControlThatCannotBeMeasured) {
  auto gpu = std::make_shared<PretendGpu>();
  gui::Options options = narrow("coalescing", "stride");
  options.gpus = gpu;
  Learner learner(options);
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.plots_over(ui, "stride");
    gpu->mood = PretendGpu::Mood::faults;
    s.runs.measure_sweep("stride");
    learner.wait(ui);
    ASSERT_NE(s.runs.gpu_sweep("stride"), nullptr);
    ASSERT_FALSE(s.runs.gpu_sweep("stride")->problems.empty());
    const std::string cure = s.runs.gpu_sweep("stride")->problems.front().cure;
    EXPECT_FALSE(learner.says(ui, cure));
    const ImGuiWindow* panel = nullptr;
    for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if (window->WasActive && std::string(window->Name).find("/time_") != std::string::npos) panel = window;
    ASSERT_NE(panel, nullptr);
    bool found = false;
    for (float y = panel->Pos.y + 40; y < panel->Pos.y + panel->Size.y && !found; y += 6) {
      ui.MouseMoveToPos({panel->Pos.x + 60, y});
      ui.SleepNoSkip(0.6f, 0.1f);  // tooltips appear after a delay
      found = learner.says(ui, cure);
    }
    EXPECT_TRUE(found) << cure;
    learner.saves(ui, "cures-sweep");
  });
}

// The kernel runs, with a note that the command line prints too.
TEST(Cures, OfWhatIsRemarkedOnInCodeThatRuns) {
  Learner learner(narrow("coalescing", "stride"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(s.runs.remarks().empty());
    learner.types_over_everything(ui, "#include \"nowhere.h\"\n" + s.selection.source());
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(s.runs.problems().empty());
    EXPECT_FALSE(s.runs.stale());
    ASSERT_FALSE(s.runs.remarks().empty());
    const Diagnostic said = s.runs.remarks().front();
    EXPECT_EQ(said.severity, Severity::note);
    EXPECT_NE(said.message.find("nowhere.h"), std::string::npos) << said.message;
    says_all_of(learner, ui, said, "cures-remark");
  });
}

// Inline PTX is parsed after compiling, so its place is in the compiler's output, not in the code on screen.
TEST(Cures, APlaceInAnotherFileIsNoLineOfTheCode) {
  Learner learner(narrow("coalescing", "stride"));
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Look look;
    const gui::Ui reader{look, s, learner.state()};
    const Diagnostic elsewhere{Severity::error, "ptx.syntax", {"stride.cu.ptx", 3, 1}, "It is wrong.", "Right it."};
    Diagnostic here = elsewhere;
    here.place.file = "stride.cu";
    EXPECT_EQ(gui::problem_text(reader, elsewhere), "stride.cu.ptx:3: It is wrong.");
    EXPECT_EQ(gui::line_in_code(reader, elsewhere), 0);
    EXPECT_EQ(gui::problem_text(reader, here), "Line 3: It is wrong.");
    EXPECT_EQ(gui::line_in_code(reader, here), 3);
  });
}

}  // namespace
}  // namespace lanescope::test
