// Questions and tasks of every lesson, worked through in the window with mouse and keyboard. Wrong answers show their
// misunderstanding, right ones are confirmed, and code is checked against a task's rules.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include "driver.h"
#include "gui/parts/covers.h"
#include "gui/parts/views.h"
#include "imgui_internal.h"
#include "job/lesson/questions.h"
#include "job/lesson/recording.h"
#include "lesson/marks.h"
#include "test_paths.h"

namespace lanescope::test {
namespace {

using gui::Session;
using Kind = lesson::Question::Kind;

std::vector<std::string> lesson_ids() {
  std::vector<std::string> ids;
  for (const lesson::Lesson& lesson : lesson::load_library(LANESCOPE_SOURCE_DIR "/lessons").lessons)
    ids.push_back(lesson.id);
  return ids;
}

std::string item(const std::string& card, const std::string& name) {
  return "**/" + card + "/" + name;
}

class ExercisesOfALesson : public testing::TestWithParam<std::string> {
 protected:
  ExercisesOfALesson() {
    gui::Options options;
    options.lesson = GetParam();
    options.width = 1024, options.height = 640;  // the smallest window, and the fastest to paint
    if (const char* language = std::getenv("LANESCOPE_SHOTS_LANGUAGE")) options.language = language;
    learner_ = std::make_unique<Learner>(options);
  }
  Session& session() { return learner_->session(); }
  gui::WindowState& state() { return learner_->state(); }

  void show(ImGuiTestContext& ui, const std::string& variant) {
    const auto& variants = session().selection.lesson().variants;
    for (std::size_t i = 0; i < variants.size(); ++i)
      if (variants[i].id == variant) session().choose_variant(i);
    until(ui, [&] { return session().runs.shown() != nullptr && !session().runs.stale(); });
    ASSERT_EQ(session().selection.variant().id, variant);
  }

  // Waits until everything has settled: the sweeps behind the plots take time.
  void until(ImGuiTestContext& ui, const std::function<bool()>& condition) {
    EXPECT_TRUE(learner_->wait_for(ui, condition, 100)) << "it never came";
    ui.Yield(2);
  }
  void until_answered(ImGuiTestContext& ui, const lesson::Question& question) {
    until(ui, [&] {
      return session().exercises.verdict(question) != nullptr && session().exercises.verdict(question)->known;
    });
  }

  // As a learner answers: digits typed, lanes and options clicked, then Check.
  void give(ImGuiTestContext& ui, const lesson::Question& question, const job::Answer& answer) {
    ASSERT_TRUE(bring(ui, item(question.id, "check answer"))) << question.id << " is not asked";
    if (question.kind == Kind::number) {
      ui.ItemInput(item(question.id, "##number").c_str());
      ui.KeyCharsReplace(fmt::format("{}", answer.number).c_str());
    } else if (question.kind == Kind::lanes) {
      const bool most = answer.lanes.count() > 16;
      ASSERT_TRUE(bring(ui, item(question.id, "$$0/lane"))) << question.id << " is not asked";
      ASSERT_TRUE(bring(ui, item(question.id, most ? "all" : "none")));
      ui.ItemClick(item(question.id, most ? "all" : "none").c_str());
      ASSERT_TRUE(bring(ui, item(question.id, "$$0/lane")));
      (most ? ~answer.lanes : answer.lanes).for_each([&](int lane) {
        ui.ItemClick(item(question.id, fmt::format("$${}/lane", lane)).c_str());
      });
    } else {
      ASSERT_TRUE(bring(ui, item(question.id, answer.options.front())));
      ui.ItemClick(item(question.id, answer.options.front()).c_str());
    }
    ASSERT_TRUE(bring(ui, item(question.id, "check answer")))
        << question.id << ": page " << static_cast<int>(state().page) << ", can be asked "
        << static_cast<int>(session().exercises.askable(question)) << ", stale " << session().runs.stale();
    ui.ItemClick(item(question.id, "check answer").c_str());
    until_answered(ui, question);
  }

  // One wrong answer per misunderstanding that this run can show.
  std::map<const lesson::Misunderstanding*, job::Answer> mistakes(const lesson::Question& question,
                                                                  const job::Live& live, const job::Answer& right) {
    std::map<const lesson::Misunderstanding*, job::Answer> found;
    for (const job::Answer& answer : job::wrong_answers(question, live, right)) {
      const auto met = job::misunderstanding_of(question, live, answer, right);
      // Nobody types an answer that needs an exponent.
      if (met.ok() && *met && fmt::format("{}", answer.number).find('e') == std::string::npos)
        found.emplace(*met, answer);
    }
    return found;
  }

  void answer_wrongly_and_rightly(ImGuiTestContext& ui, const lesson::Question& question) {
    if (!others_) {
      Diagnostics ignored;
      const lesson::Lesson& lesson = session().selection.lesson();
      others_.emplace(
          lesson, job::measured_in(
                      lesson, job::open_recordings_of(lesson.id, LANESCOPE_SOURCE_DIR "/assets/recordings", ignored)));
    }
    const job::Live live{session().selection.variant(), session().runs.shown()->outcome, *others_};
    const auto right = job::right_answer(question, live);
    ASSERT_TRUE(right) << question.id << ": " << format(right.errors()[0]);
    ASSERT_TRUE(right->has_value()) << question.id << " of " << session().selection.variant().id << " has no answer";
    bool by_hand = true;  // only the first one: a click takes time, so the others are passed to the session
    for (const auto& [misunderstanding, answer] : mistakes(question, live, **right)) {
      if (std::exchange(by_hand, false)) {
        give(ui, question, answer);
        learner_->saves(ui, GetParam() + "-" + question.id + "-wrong");
      } else {
        session().exercises.answer(question, answer);
        until_answered(ui, question);
      }
      const gui::Exercises::Verdict* verdict = session().exercises.verdict(question);
      ASSERT_NE(verdict, nullptr) << question.id;
      EXPECT_TRUE(verdict->known);
      EXPECT_FALSE(verdict->right) << question.id << ": " << job::to_string(answer);
      ASSERT_NE(verdict->why, nullptr) << question.id << ": " << job::to_string(answer);
      EXPECT_EQ(verdict->why->name.en, misunderstanding->name.en) << question.id << ": " << job::to_string(answer);
      met_.insert(misunderstanding);
    }
    give(ui, question, **right);
    const gui::Exercises::Verdict* verdict = session().exercises.verdict(question);
    ASSERT_NE(verdict, nullptr) << question.id;
    EXPECT_TRUE(verdict->right) << question.id << ": " << job::to_string(**right);
    EXPECT_EQ(verdict->times.size(), question.asks_for_time() ? question.options.size() : 0u);
    ui.Yield(4);
    if (session().exercises.shows_place(question)) {  // the last thing said
      EXPECT_GT(ui.ItemInfo(item(question.id, "see place").c_str()).RectClipped.GetHeight(), 0)
          << question.id << ": below the page's edge";
    }
    learner_->saves(ui, GetParam() + "-" + question.id + "-right");
    for (const gui::Exercises::Verdict::Time& time : verdict->times)
      EXPECT_FALSE(time.label.empty()) << "a time without its origin";
    show_the_place(ui, question);
  }

  // "See it in the picture" goes to the line and the picture that the lesson names.
  void show_the_place(ImGuiTestContext& ui, const lesson::Question& question) {
    session().place.set_step(0);
    if (!session().exercises.shows_place(question)) {  // the choice is not a variant: "cannot be told", a library
      EXPECT_TRUE(question.look.mark.empty()) << question.id;
      EXPECT_FALSE(ui.ItemExists(item(question.id, "see place").c_str())) << question.id << ": a dead button";
      return;
    }
    ASSERT_TRUE(bring(ui, item(question.id, "see place")));
    ui.ItemClick(item(question.id, "see place").c_str());
    ui.Yield(3);
    if (question.look.mark.empty() || session().place.step_count() == 0) return;
    ASSERT_NE(session().place.site(), nullptr) << question.id;
    const auto marks = lesson::marks(session().selection.source());
    const auto mark = std::ranges::find(marks, question.look.mark, &lesson::Mark::name);
    ASSERT_NE(mark, marks.end()) << question.id;
    EXPECT_TRUE(mark->contains(session().place.site()->line))
        << question.id << ": line " << session().place.site()->line;
    // If lanes are asked for, the picture shows exactly that step.
    if (question.kind == Kind::lanes && question.lanes.mark == question.look.mark) {
      EXPECT_EQ(session().place.event()->executed, session().exercises.verdict(question)->correct.lanes) << question.id;
    }
    if (!question.look.view.empty()) {
      bool any = false;
      const gui::WarpTab tab =
          gui::effective_tab(state().warp_tab, *session().runs.shown(), *session().place.event(), any);
      EXPECT_TRUE(any) << question.id << ": the step has no picture";
      EXPECT_EQ(gui::code_of(tab), question.look.view) << question.id;
    }
  }

  std::unique_ptr<Learner> learner_;
  std::optional<job::LessonNumbers> others_;  // of the test's lesson
  std::set<const lesson::Misunderstanding*> met_;
};

TEST_P(ExercisesOfALesson, EveryQuestionTakesWrongAndRightAnswers) {
  state().page = gui::Page::predict;
  learner_->does([&](ImGuiTestContext& ui) {
    until(ui, [&] { return session().runs.shown() != nullptr && session().recordings.recording() != nullptr; });
    const lesson::Lesson& lesson = session().selection.lesson();
    EXPECT_GE(lesson.questions.size(), 3u);
    for (const lesson::Question& question : lesson.questions) {
      show(ui, question.variant.empty() ? lesson.variants.front().id : question.variant);
      ASSERT_NE(session().runs.shown(), nullptr) << question.id;
      answer_wrongly_and_rightly(ui, question);
      if (HasFatalFailure()) return;
    }
    EXPECT_FALSE(met_.empty());
  });
}

TEST_P(ExercisesOfALesson, EveryTaskIsOpenedHintedSolvedAndSpoilt) {
  state().page = gui::Page::try_;
  learner_->does([&](ImGuiTestContext& ui) {
    EXPECT_GE(session().selection.lesson().tasks.size(), 2u);
    for (const lesson::Task& task : session().selection.lesson().tasks) {
      // Open it from another variant.
      for (const lesson::Variant& variant : session().selection.lesson().variants)
        if (variant.id != task.variant && !variant.gpu_only) {
          show(ui, variant.id);
          break;
        }
      ASSERT_TRUE(bring(ui, item(task.id, "open task"))) << task.id;
      ui.ItemClick(item(task.id, "open task").c_str());
      until(ui, [&] { return session().selection.variant().id == task.variant && !session().runs.running().busy; });
      ASSERT_EQ(session().selection.variant().id, task.variant);
      EXPECT_EQ(session().selection.source(), session().exercises.start_of(task))
          << task.id << " begins with other code than its own";
      for (std::size_t hint = 0; hint < task.hints.size(); ++hint) {
        ASSERT_TRUE(bring(ui, item(task.id, "hint"))) << task.id << ", hint " << hint + 1;
        ui.ItemClick(item(task.id, "hint").c_str());
        ui.Yield(2);
      }
      EXPECT_FALSE(ui.ItemExists(item(task.id, "hint").c_str())) << task.id << " has no more hints";

      const auto graded = [&](const std::string& code) {
        learner_->types_over_everything(ui, code);
        EXPECT_TRUE(bring(ui, item(task.id, "check task")));
        ui.ItemClick(item(task.id, "check task").c_str());
        until(ui, [&] {
          const gui::Exercises::Grade* now = session().exercises.grade_of(task);
          return now != nullptr && now->known && !session().exercises.outdated(*now);
        });
        return session().exercises.grade_of(task);
      };
      const gui::Exercises::Grade* grade = graded(session().exercises.start_of(task));
      ASSERT_NE(grade, nullptr) << task.id;
      EXPECT_TRUE(grade->known);
      EXPECT_FALSE(grade->passed) << task.id << ": its start passes";
      learner_->saves(ui, GetParam() + "-" + task.id + "-start");
      grade = graded(session().selection.lesson().sources.at(task.solution));
      EXPECT_TRUE(grade->passed) << task.id << ": its solution fails";
      learner_->saves(ui, GetParam() + "-" + task.id + "-solved");
      EXPECT_GE(grade->checks.size(), 1u);
      grade = graded("this is no kernel");
      EXPECT_FALSE(grade->passed);
      EXPECT_FALSE(grade->problems.empty());
      EXPECT_TRUE(session().selection.source().starts_with("this is no kernel")) << "what was typed stays";
      session().selection.set_source(
          session().selection.original_source());  // the next task may be opened from this variant
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Lessons, ExercisesOfALesson, testing::ValuesIn(lesson_ids()),
                         [](const testing::TestParamInfo<std::string>& lesson) { return lesson.param; });

// The answer is for the code and the values on screen.
TEST(ExercisesOnScreen, AnswersFollowSlidersAndEdits) {
  Learner learner;
  Session& s = learner.session();
  learner.state().page = gui::Page::predict;
  const lesson::Question* question = nullptr;
  for (const lesson::Question& one : s.selection.lesson().questions)
    if (one.id == "stride_sectors") question = &one;
  ASSERT_NE(question, nullptr);
  learner.does([&](ImGuiTestContext& ui) {
    const auto check = [&](const char* number) {
      ASSERT_TRUE(bring(ui, "**/stride_sectors/##number"));
      ui.ItemInput("**/stride_sectors/##number");
      ui.KeyCharsReplace(number);
      ui.ItemClick("**/stride_sectors/check answer");
      learner.wait(ui);
    };
    learner.wait(ui);
    s.selection.set_control("stride", 2);
    s.runs.run();
    learner.wait(ui);
    check("8");
    ASSERT_NE(s.exercises.verdict(*question), nullptr);
    EXPECT_TRUE(s.exercises.verdict(*question)->right);
    s.selection.set_control("stride", 4);
    s.runs.run();
    learner.wait(ui);
    EXPECT_EQ(s.exercises.verdict(*question), nullptr) << "a verdict belongs to its run";
    check("8");
    EXPECT_FALSE(s.exercises.verdict(*question)->right);
    std::string edited = s.selection.source();
    edited.replace(edited.find("[i * stride]"), 12, "[i]");
    learner.types_over_everything(ui, edited);
    EXPECT_EQ(s.exercises.verdict(*question)->correct.number, 16) << "of the run that is shown, until the code is run";
    ui.ItemClick("**/run kernel");
    learner.wait(ui);
    check("4");
    ASSERT_NE(s.exercises.verdict(*question), nullptr);
    EXPECT_TRUE(s.exercises.verdict(*question)->right);
    // Times are only for the lesson's own code.
    for (const lesson::Question& one : s.selection.lesson().questions) {
      if (!one.asks_for_time()) continue;
      EXPECT_EQ(s.exercises.askable(one), gui::Exercises::Askable::yes) << "`stride` is no option of it";
      s.choose_variant(2);
      learner.wait(ui);
      ASSERT_EQ(s.selection.variant().id, "pairs_apart");
      s.selection.set_source(s.selection.source() + "\n");
      EXPECT_EQ(s.exercises.askable(one), gui::Exercises::Askable::edited);
      ui.Yield(2);
      EXPECT_FALSE(bring(ui, "**/" + one.id + "/check answer"));
    }
  });
}

// The picture that shows the answer appears only after the answer, in its place.
TEST(ExercisesOnScreen, ThePictureWaitsForTheAnswer) {
  Learner learner;
  Session& s = learner.session();
  const auto is_covered = [&](ImGuiTestContext& ui) {
    const bool covered = ui.ItemExists("**/uncover");
    for (const char* name : {"**/view", "**/masks"}) EXPECT_NE(ui.ItemExists(name), covered) << name;
    return covered;
  };
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_FALSE(is_covered(ui)) << "the first picture is there before any button is pressed";
    learner.state().page = gui::Page::predict;
    ui.Yield(3);
    EXPECT_TRUE(is_covered(ui));
    learner.saves(ui, "covered");
    s.place.set_step(0);
    ASSERT_TRUE(bring(ui, "**/stride_sectors/##number"));
    ui.ItemInput("**/stride_sectors/##number");
    ui.KeyCharsReplace("4");
    EXPECT_TRUE(is_covered(ui)) << "typing is no answer";
    ui.ItemClick("**/stride_sectors/check answer");
    learner.wait(ui);
    EXPECT_FALSE(is_covered(ui)) << "a wrong answer is one too";
    ASSERT_NE(s.place.site(), nullptr);
    EXPECT_EQ(s.place.site()->operation, trace::Operation::load) << "the place that the question is about";
    EXPECT_GT(s.place.position().step, 0u);

    learner.state().page = gui::Page::see;
    ui.Yield(3);
    EXPECT_FALSE(is_covered(ui)) << "only while it is asked to predict";
  });
}

// The question is below the text, out of sight at first.
TEST(ExercisesOnScreen, TheCoverLeadsToTheQuestion) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().page = gui::Page::predict;
    ui.Yield(3);
    EXPECT_FALSE(ui.ItemExists("**/stride_sectors/##number")) << "or there is nothing to test";
    ui.ItemClick("**/to question");
    learner.wait(ui);
    const ImGuiTestItemInfo field = ui.ItemInfo("**/stride_sectors/##number");
    ASSERT_NE(field.ID, 0u);
    EXPECT_GT(field.RectClipped.GetHeight(), 10);
    EXPECT_EQ(ImGui::GetActiveID(), field.ID) << "what is typed next goes into it";
    ui.KeyChars("32");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_FALSE(ui.ItemExists("**/uncover"));
    EXPECT_TRUE(learner.says(ui, "Right: 32"));
  });
}

// Until a question is answered, its answer is hidden everywhere: in the numbers, in the times, beside another variant
// and in present mode.
TEST(ExercisesOnScreen, NoNumberThatIsAskedForStandsElsewhere) {
  gui::Options options;
  options.variant = "packed4";  // it has no question about its picture, but is an option of two other questions
  Learner learner(options);
  Session& s = learner.session();
  learner.state().page = gui::Page::predict;
  const auto answers = [&](ImGuiTestContext& ui, const std::string& id, const std::string& option) {
    ASSERT_TRUE(bring(ui, item(id, option)));
    ui.ItemClick(item(id, option).c_str());
    ASSERT_TRUE(bring(ui, item(id, "check answer")));
    ui.ItemClick(item(id, "check answer").c_str());
    learner.wait(ui);
  };
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(ui.ItemExists("**/view")) << "the picture tells none of them";
    EXPECT_FALSE(ui.ItemExists("**/global_load.sectors_per_request/number"));
    answers(ui, "fewest_requests", "packed4");
    EXPECT_TRUE(ui.ItemExists("**/global_load.sectors_per_request/number")) << "numbers are told now";
    const gui::Ui here{learner.app().look(), s, learner.state()};
    EXPECT_FALSE(gui::covers(here).counts);
    EXPECT_TRUE(gui::covers(here).times) << "not which is slowest";
    answers(ui, "slowest", "pairs_apart");
    EXPECT_FALSE(gui::covers(here).results());

    // Beside `stride`, whose own question is unanswered.
    s.compare(0);
    learner.wait(ui);
    EXPECT_TRUE(ui.ItemExists("**/uncover"));
    EXPECT_FALSE(ui.ItemExists("**/which totals/launch"));
    learner.state().page = gui::Page::see;
    ui.Yield(3);
    EXPECT_TRUE(ui.ItemExists("**/which totals/launch")) << "only while it is asked to predict";
    s.compare(std::nullopt);

    learner.state().page = gui::Page::predict;
    learner.state().present = true;
    s.choose_variant(0);
    learner.wait(ui);
    EXPECT_TRUE(ui.ItemExists("**/uncover"));
    EXPECT_FALSE(ui.ItemExists("**/view"));
    learner.saves(ui, "asked_of_all");
    ui.ItemClick("**/uncover");
    ui.Yield(3);
    EXPECT_FALSE(ui.ItemExists("**/uncover"));
    EXPECT_FALSE(gui::covers(here).picture);
  });
}

// The times of all variants stand side by side, whichever is on screen.
TEST(ExercisesOnScreen, ATimeThatIsAskedForIsCoveredInEveryVariant) {
  gui::Options options;
  options.variant = "stride";  // is no option of the question about time
  Learner learner(options);
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Ui here{learner.app().look(), learner.session(), learner.state()};
    for (const lesson::Question& question : learner.session().selection.lesson().questions)
      if (question.id != "slowest") learner.state().answered.insert(gui::key_of(here, question));
    ui.Yield(3);
    EXPECT_FALSE(gui::covers(here).picture);
    EXPECT_TRUE(gui::covers(here).times);
    EXPECT_FALSE(learner.says(ui, "vs fastest"));
    learner.state().answered.insert("coalescing/slowest");
    ui.Yield(3);
    EXPECT_FALSE(gui::covers(here).times);
    EXPECT_TRUE(learner.says(ui, "vs fastest"));
  });
}

TEST(ExercisesOnScreen, OneClickUncoversForGood) {
  Learner learner;
  Session& s = learner.session();
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/uncover");
    ui.Yield(3);
    EXPECT_TRUE(ui.ItemExists("**/view"));
    s.choose_lesson(1);
    learner.wait(ui);
    EXPECT_FALSE(ui.ItemExists("**/uncover")) << "the choice holds for every lesson";
    EXPECT_TRUE(ui.ItemExists("**/view") || ui.ItemExists("**/lanes"));
  });
}

}  // namespace
}  // namespace lanescope::test
