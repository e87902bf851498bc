// Questions and tasks in the window: wrong answers meet their misunderstanding, right ones are told
// so, and code is held to a task's rules.

#include "driver.h"
#include "job/questions.h"

namespace lanescope::test {
namespace {

using gui::Session;

TEST(Exercises, EveryQuestionOfALessonTakesItsRightAnswer) {
  gui::Options options;
  options.lesson = "divergence";
  Learner learner(options);
  Session& s = learner.session();
  learner.state().page = gui::Page::predict;
  learner.does([&](ImGuiTestContext& ui) {
    int asked = 0;
    for (const lesson::Question& question : s.lesson().questions) {
      for (std::size_t i = 0; i < s.lesson().variants.size(); ++i)
        if (s.lesson().variants[i].id == question.variant) s.choose_variant(i);
      learner.wait(ui);
      ASSERT_NE(s.shown(), nullptr);
      job::LessonNumbers others(s.lesson());
      const auto right = job::right_answer(question, {s.variant(), s.shown()->outcome, others});
      ASSERT_TRUE(right) << question.id;
      if (!*right) continue;  // needs a measured time
      ++asked;
      s.answer(question, **right);
      learner.wait(ui);
      ASSERT_NE(s.verdict(question), nullptr) << question.id;
      EXPECT_TRUE(s.verdict(question)->right) << question.id;
      const auto wrong = job::wrong_answers(
          question, {s.variant(), s.shown()->outcome, others}, **right);
      bool named = false;
      for (const job::Answer& answer : wrong) {
        s.answer(question, answer);
        learner.wait(ui);
        EXPECT_FALSE(s.verdict(question)->right) << question.id;
        named |= s.verdict(question)->why != nullptr;
        if (named) break;
      }
      EXPECT_TRUE(named) << question.id << ": no wrong answer meets a misunderstanding";
    }
    EXPECT_GE(asked, 2);
  });
}

TEST(Exercises, ATaskFailsAtItsStartAndPassesWithItsSolution) {
  gui::Options options;
  options.lesson = "divergence";
  Learner learner(options);
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_FALSE(s.lesson().tasks.empty());
    const lesson::Task& task = s.lesson().tasks.front();
    s.open_task(task);
    learner.wait(ui);
    EXPECT_EQ(s.variant().id, task.variant);
    s.set_source(s.start_of(task));
    s.grade(task);
    learner.wait(ui);
    ASSERT_NE(s.grade_of(task), nullptr);
    EXPECT_FALSE(s.grade_of(task)->passed);
    s.set_source(s.lesson().sources.at(task.solution));
    s.grade(task);
    learner.wait(ui);
    EXPECT_TRUE(s.grade_of(task)->passed);
    EXPECT_GE(s.grade_of(task)->checks.size(), 2u);
    s.set_source("this is no kernel");
    s.grade(task);
    learner.wait(ui);
    EXPECT_FALSE(s.grade_of(task)->passed);
    EXPECT_FALSE(s.grade_of(task)->problems.empty());
    EXPECT_EQ(s.source(), "this is no kernel") << "what was typed stays";
  });
}

}  // namespace
}  // namespace lanescope::test
