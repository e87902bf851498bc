// The controls of the top bar in combination, and random walks over all of the window's controls.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>

#include "driver.h"
#include "gui/numbers/numbers.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::Session;

TEST(Toggles, ComparingEndsWhereItBegan) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (int i = 0; i < 3; ++i) {
      ui.ItemClick("**/compare");
      learner.wait(ui);
      EXPECT_TRUE(s.selection.compared());
      EXPECT_FALSE(ui.ItemExists("**/lanes"));
      ui.ItemClick("**/compare");
      learner.wait(ui);
      EXPECT_FALSE(s.selection.compared());
      EXPECT_TRUE(ui.ItemExists("**/lanes"));
    }
  });
}

// Another lesson has no such pair, so the comparison ends with its lesson, in the frame that asks for the other one.
TEST(Toggles, ALessonCanBeChosenWhileComparing) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (const char* lesson : {"transpose", "divergence", "coalescing"}) {
      ui.ItemClick("**/compare");
      ui.ItemClick("**/lessons");
      ui.ItemClick((std::string("//$FOCUSED/") + lesson).c_str());
      EXPECT_EQ(s.selection.lesson().id, lesson);
      EXPECT_FALSE(s.selection.compared());
      learner.wait(ui);
    }
  });
}

// A frame's requests are executed after it is painted. What is requested twice is executed twice.
TEST(Toggles, TwiceInOneFrameIsAsBefore) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (const std::size_t times : {1u, 2u, 3u}) {
      const bool before = s.selection.compared().has_value();
      for (std::size_t i = 0; i < times; ++i)
        learner.state().afterwards(
            [&s] { s.compare(s.selection.compared() ? std::nullopt : std::optional<std::size_t>(1)); });
      ui.Yield(2);
      EXPECT_EQ(s.selection.compared().has_value(), before != (times % 2 == 1));
    }
    s.compare(std::nullopt);
    learner.wait(ui);
  });
}

// A variant's last run may have been replaced while it was the other side, or while another lesson was on screen. The
// viewed step must be found again in the new run, as after a run of its own.
TEST(Places, AreFoundAgainInARunThatCameBesideAnother) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    s.choose("divergence", "reduce_sequential", {{"block", 1024}});
    learner.wait(ui);
    const std::size_t looked_at = s.selection.variant_index(), other = looked_at == 0 ? 1 : looked_at - 1;
    const trace::Site last = (s.place.set_step(s.place.step_count() - 1), *s.place.site());
    const std::size_t steps = s.place.step_count();
    s.choose_variant(other);
    s.compare(looked_at);
    s.selection.set_control("block", 64);
    s.runs.run_if_needed();
    learner.wait(ui);
    s.compare(std::nullopt);
    s.choose_variant(looked_at);
    ASSERT_NE(s.runs.shown(), nullptr);
    ASSERT_FALSE(s.runs.stale());
    EXPECT_LT(s.place.step_count(), steps);
    ASSERT_LT(s.place.position().step, s.place.step_count());
    EXPECT_EQ(s.place.site()->line, last.line);
    EXPECT_EQ(s.place.site()->opcode, last.opcode);

    // Back to the larger block while it is the other side: the same step has another position there.
    s.choose_variant(other);
    s.compare(looked_at);
    s.selection.set_control("block", 1024);
    s.runs.run_if_needed();
    learner.wait(ui);
    s.compare(std::nullopt);
    s.choose_variant(looked_at);
    ASSERT_LT(s.place.position().step, s.place.step_count());
    EXPECT_EQ(s.place.site()->line, last.line);
    EXPECT_EQ(s.place.site()->opcode, last.opcode);
  });
}

TEST(Places, OpenWhereTheLessonSaysAfterARunAsTheOtherSide) {
  std::size_t opens_at = 0;
  for (const bool as_other_side : {false, true}) {
    Learner learner;
    Session& s = learner.session();
    learner.does([&](ImGuiTestContext& ui) {
      s.choose("divergence", "reduce_modulo", {});
      learner.wait(ui);
      if (as_other_side) {
        s.compare(2);
        learner.wait(ui);
        s.compare(std::nullopt);
      }
      s.choose_variant(2);
      learner.wait(ui);
      if (!as_other_side) opens_at = s.place.position().step;
      EXPECT_EQ(s.place.position().step, opens_at);
      EXPECT_GT(opens_at, 0u);
    });
  }
}

// Clicking what a text names or counts goes there: text, variant, values, step and picture change together.
TEST(Links, OfATextLeadToVariantsAndToWhereANumberComesFrom) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_EQ(s.selection.lesson().id, "coalescing");
    learner.state().page = gui::Page::predict;
    ui.Yield(3);
    ASSERT_TRUE(bring(ui, "**/variant:offset"));
    ui.ItemClick("**/variant:offset");
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "offset");

    // The table's row for a stride of 8, after the four numbers of the run on screen: another variant and other values.
    learner.state().page = gui::Page::see;
    s.place.set_step(0);
    ui.Yield(3);
    learner.saves(ui, "links");
    ASSERT_TRUE(bring(ui, "**/number:10"));
    ui.ItemClick("**/number:10");
    learner.wait(ui);
    ui.Yield(3);
    EXPECT_EQ(s.selection.variant().id, "stride");
    EXPECT_EQ(s.selection.control("stride"), 8);
    ASSERT_NE(s.place.site(), nullptr);
    EXPECT_EQ(s.place.site()->operation, trace::Operation::load);
    EXPECT_EQ(s.place.site()->space, trace::MemorySpace::global);

    // A number of the run on screen: the run stays, and the step is found.
    s.place.set_step(0);
    ASSERT_TRUE(bring(ui, "**/number:0"));
    ui.ItemClick("**/number:0");
    learner.wait(ui);
    ui.Yield(3);
    EXPECT_EQ(s.selection.variant().id, "stride");
    EXPECT_GT(s.place.position().step, 0u);
  });
}

// First the lesson's point: its sentence, its four numbers, its heat. The other numbers come on request.
TEST(Point, IsSaidFirst) {
  gui::Options options;
  options.lesson = "divergence";
  options.variant = "reduce_modulo";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    ui.Yield(3);
    const auto number = [&](const char* name) {
      return std::to_string(static_cast<int>(metrics::find(s.runs.shown()->outcome.first().trace, name).value));
    };
    EXPECT_EQ(learner.state().heat, gui::Heat::lanes);
    EXPECT_FALSE(learner.state().all_numbers);
    const auto split = [&] {
      return gui::grouped(std::int64_t{std::stoll(number("divergent_branches"))}) + " of " +
             gui::grouped(std::int64_t{std::stoll(number("branches"))}) + " branches split a warp";
    };
    EXPECT_TRUE(learner.says(ui, split())) << split();
    EXPECT_TRUE(learner.says(ui, "divergent branches"));
    EXPECT_FALSE(learner.says(ui, "global load bytes moved"));
    learner.saves(ui, "point");
    ui.ItemClick("**/all numbers");
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "global load bytes moved"));
    EXPECT_TRUE(learner.says(ui, "conditional branches"));

    s.choose("divergence", "reduce_sequential", {});
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, split())) << "of the variant on screen";
  });
}

// Each side with its own numbers, in Chinese as in English.
TEST(Point, IsSaidOfBothThatAreCompared) {
  gui::Options options;
  options.lesson = "divergence";
  options.variant = "reduce_modulo";
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    const auto& variants = s.selection.lesson().variants;
    const auto partner = std::ranges::find(variants, "reduce_sequential", &lesson::Variant::id);
    ASSERT_NE(partner, variants.end());
    s.compare(static_cast<std::size_t>(partner - variants.begin()));
    learner.wait(ui);
    ui.Yield(3);
    const auto split = [&](bool of_a, const char* pattern) {
      const gui::RunResult* run = learner.app().window().comparison().result(of_a);
      const auto number = [&](const char* name) {
        return gui::grouped(static_cast<std::int64_t>(metrics::find(run->outcome.first().trace, name).value));
      };
      return fmt::format(fmt::runtime(pattern), number("divergent_branches"), number("branches"));
    };
    constexpr const char* english = "{0} of {1} branches split a warp";
    ASSERT_NE(split(true, english), split(false, english));
    EXPECT_TRUE(learner.says(ui, split(true, english))) << split(true, english);
    EXPECT_TRUE(learner.says(ui, split(false, english))) << split(false, english);
    learner.saves(ui, "point-compared");
    learner.state().settings.language = gui::Language::chinese;
    ui.Yield(3);
    constexpr const char* chinese = "{1} 次分支中有 {0} 次让 warp 分歧";
    EXPECT_TRUE(learner.says(ui, split(true, chinese))) << split(true, chinese);
    EXPECT_TRUE(learner.says(ui, split(false, chinese))) << split(false, chinese);
    learner.saves(ui, "point-compared-chinese");
  });
}

struct Toggle {
  const char* name;
  std::function<void(ImGuiTestContext&)> press;
  std::function<bool()> on;
};

std::vector<Toggle> toggles_of(Learner& learner) {
  Session& s = learner.session();
  gui::WindowState& state = learner.state();
  const auto of_menu = [](const char* item) {
    return [item](ImGuiTestContext& ui) {
      ui.ItemClick("**/menu");
      ui.ItemClick((std::string("//$FOCUSED/") + item).c_str());
    };
  };
  const auto key = [](ImGuiKeyChord chord) { return [chord](ImGuiTestContext& ui) { ui.KeyPress(chord); }; };
  return {{"compare", [](ImGuiTestContext& ui) { ui.ItemClick("**/compare"); },
           [&] { return s.selection.compared().has_value(); }},
          {"language", of_menu("language"), [&] { return state.settings.language == gui::Language::chinese; }},
          {"theme", of_menu("theme"), [&] { return state.settings.theme == gui::Theme::light; }},
          {"motion", of_menu("motion"), [&] { return state.settings.reduce_motion; }},
          {"present", key(ImGuiKey_F5), [&] { return state.present; }},
          {"help", key(ImGuiKey_F1), [&] { return state.help; }}};
}

// Each toggle with each other one on: switches on and off again, and changes nothing else.
TEST(Toggles, OfTheTopBarInEachOthersPresence) {
  Learner learner;
  const std::vector<Toggle> toggles = toggles_of(learner);
  // Present mode has no top bar, and a click closes the help.
  const auto together = [](std::size_t first, std::size_t second) { return first < 4 || second >= 4; };
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (std::size_t first = 0; first < toggles.size(); ++first)
      for (std::size_t second = 0; second < toggles.size(); ++second) {
        if (first == second || !together(first, second)) continue;
        SCOPED_TRACE(std::string(toggles[first].name) + ", then " + toggles[second].name);
        const auto press = [&](std::size_t which) {
          toggles[which].press(ui);
          ui.Yield(3);
        };
        const bool was_first = toggles[first].on(), was_second = toggles[second].on();
        press(first);
        ASSERT_NE(toggles[first].on(), was_first);
        press(second);
        ASSERT_NE(toggles[second].on(), was_second);
        press(second);
        ASSERT_EQ(toggles[second].on(), was_second);
        ASSERT_NE(toggles[first].on(), was_first);
        press(first);
        ASSERT_EQ(toggles[first].on(), was_first);
      }
  });
}

// Clicks, drags, scrolls and types at random, usually where there is something under the pointer.
class Walk {
 public:
  Walk(Learner& learner, ImGuiTestContext& ui, unsigned seed)
      : learner_(learner), ui_(ui), random_(seed), tell_(std::getenv("LANESCOPE_WALK_TELLS") != nullptr) {}

  void step(int number) {
    number_ = number;
    const int kind = below(100);
    if (kind < 55) {
      go_somewhere();
      tell("click");
      ui_.MouseClick(below(12) == 0 ? ImGuiMouseButton_Right : ImGuiMouseButton_Left);
    } else if (kind < 62) {
      go_somewhere();
      tell("drag");
      ui_.MouseDown();
      ui_.MouseMoveToPos(somewhere());
      ui_.MouseUp();
    } else if (kind < 68) {
      go_somewhere();
      tell("wheel");
      ui_.MouseWheelY(static_cast<float>(below(11) - 5));
    } else if (kind < 96) {
      press();
    } else {
      constexpr const char* texts[] = {"8", "0", "-1", "99999999999", "x", "if (", "// ", "int i = 0;"};
      tell("type");
      ui_.KeyChars(texts[below(std::size(texts))]);
    }
    if (below(6) == 0) wait();
    check();
  }

 private:
  int below(std::size_t limit) {
    return static_cast<int>(std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_));
  }

  ImVec2 somewhere() {
    const ImVec2 size = ImGui::GetMainViewport()->Size;
    return {static_cast<float>(below(static_cast<std::size_t>(size.x))),
            static_cast<float>(below(static_cast<std::size_t>(size.y)))};
  }

  void go_somewhere() {
    // An open menu first: otherwise it would close before anything in it is chosen.
    ImGuiContext& g = *ImGui::GetCurrentContext();
    for (int tries = 0; tries < 6; ++tries) {
      ImVec2 to = somewhere();
      if (!g.OpenPopupStack.empty() && g.OpenPopupStack.back().Window != nullptr && below(3) != 0) {
        const ImRect menu = g.OpenPopupStack.back().Window->Rect();
        to = {menu.Min.x + menu.GetWidth() * static_cast<float>(below(100)) / 100,
              menu.Min.y + menu.GetHeight() * static_cast<float>(below(100)) / 100};
      }
      ui_.MouseMoveToPos(to);
      if (g.HoveredId != 0) return;
    }
  }

  void press() {
    static constexpr ImGuiKeyChord keys[] = {ImGuiKey_Space,
                                             ImGuiKey_LeftArrow,
                                             ImGuiKey_RightArrow,
                                             ImGuiKey_UpArrow,
                                             ImGuiKey_DownArrow,
                                             ImGuiKey_Home,
                                             ImGuiKey_End,
                                             ImGuiKey_PageUp,
                                             ImGuiKey_PageDown,
                                             ImGuiKey_Tab,
                                             ImGuiMod_Shift | ImGuiKey_Tab,
                                             ImGuiKey_Enter,
                                             ImGuiKey_Escape,
                                             ImGuiKey_Escape,
                                             ImGuiKey_Escape,
                                             ImGuiKey_A,
                                             ImGuiKey_B,
                                             ImGuiKey_C,
                                             ImGuiKey_F1,
                                             ImGuiKey_F5,
                                             ImGuiKey_1,
                                             ImGuiKey_2,
                                             ImGuiKey_3,
                                             ImGuiKey_6,
                                             ImGuiKey_9,
                                             ImGuiKey_Delete,
                                             ImGuiKey_Backspace,
                                             ImGuiMod_Ctrl | ImGuiKey_Equal,
                                             ImGuiMod_Ctrl | ImGuiKey_Minus,
                                             ImGuiMod_Ctrl | ImGuiKey_0,
                                             ImGuiMod_Ctrl | ImGuiKey_Z,
                                             ImGuiMod_Ctrl | ImGuiKey_Enter,
                                             ImGuiMod_Shift | ImGuiKey_LeftArrow,
                                             ImGuiMod_Shift | ImGuiKey_RightArrow,
                                             ImGuiMod_Alt | ImGuiKey_LeftArrow,
                                             ImGuiMod_Alt | ImGuiKey_RightArrow,
                                             ImGuiMod_Ctrl | ImGuiKey_F,
                                             ImGuiMod_Ctrl | ImGuiKey_P,
                                             ImGuiMod_Ctrl | ImGuiKey_UpArrow,
                                             ImGuiMod_Ctrl | ImGuiKey_DownArrow,
                                             ImGuiMod_Ctrl | ImGuiKey_LeftArrow,
                                             ImGuiMod_Ctrl | ImGuiKey_RightArrow,
                                             ImGuiMod_Ctrl | ImGuiKey_Y,
                                             ImGuiKey_F3,
                                             ImGuiMod_Shift | ImGuiKey_F3,
                                             ImGuiKey_F6,
                                             ImGuiKey_Slash,
                                             ImGuiKey_D,
                                             ImGuiKey_W,
                                             ImGuiMod_Shift | ImGuiKey_W,
                                             ImGuiKey_L,
                                             ImGuiKey_G,
                                             ImGuiKey_R,
                                             ImGuiMod_Shift | ImGuiKey_R,
                                             ImGuiKey_F,
                                             ImGuiKey_V,
                                             ImGuiKey_T,
                                             ImGuiKey_M,
                                             ImGuiKey_P,
                                             ImGuiKey_Equal,
                                             ImGuiKey_Minus,
                                             ImGuiKey_0};
    const ImGuiKeyChord key = keys[below(std::size(keys))];
    tell(ImGui::GetKeyChordName(key));
    ui_.KeyPress(key);
  }

  // Stops long runs: a typed size may take many seconds.
  void wait() {
    if (learner_.wait_for(
            ui_, [&] { return learner_.app().settled(); }, 1.0))
      return;
    learner_.session().runs.stop();
    learner_.session().schedules.stop();
    learner_.session().runs.stop_measuring();
  }

  void check() const {
    const Session& s = learner_.session();
    ASSERT_LT(s.selection.variant_index(), s.selection.lesson().variants.size());
    if (s.selection.compared()) {
      ASSERT_LT(*s.selection.compared(), s.selection.lesson().variants.size());
    }
    if (s.runs.shown() != nullptr && s.place.step_count() > 0) {
      ASSERT_LT(s.place.position().step, s.place.step_count());
    }
    for (const lesson::Control* control : s.selection.controls())
      ASSERT_TRUE(control->allows(s.selection.control(control->name))) << control->name;
    ASSERT_TRUE(learner_.state().settings.zoom >= 0.59f && learner_.state().settings.zoom <= 3.01f);
  }

  void tell(const char* what) const {
    if (!tell_) return;
    const ImVec2 at = ImGui::GetMousePos();
    std::fprintf(stderr, "%d %s at %.0f,%.0f in %s/%s%s\n", number_, what, at.x, at.y,
                 learner_.session().selection.lesson().id.c_str(), learner_.session().selection.variant().id.c_str(),
                 learner_.session().selection.compared() ? ", comparing" : "");
  }

  Learner& learner_;
  ImGuiTestContext& ui_;
  std::mt19937 random_;
  bool tell_;
  int number_ = 0;
};

int number_from(const char* variable, int otherwise) {
  const char* text = std::getenv(variable);
  return text != nullptr ? std::atoi(text) : otherwise;
}

// LANESCOPE_WALK_STEPS=10000 for a long walk, LANESCOPE_WALK_SEED for another one; LANESCOPE_WALK_TELLS=1 prints each
// action.
TEST(Walk, AtRandomOverAllControlsEndsWithoutAFault) {
  gui::Options options;
  options.width = 1200, options.height = 740;
  Learner learner(options);
  const int steps = number_from("LANESCOPE_WALK_STEPS", 400), seed = number_from("LANESCOPE_WALK_SEED", 1);
  for (int done = 0; done < steps && !testing::Test::HasFailure();) {
    const int end = std::min(done + 25, steps);  // the test engine ends a test after 7,200 frames, many of them waits
    learner.does([&](ImGuiTestContext& ui) {
      Walk walk(learner, ui, static_cast<unsigned>(seed * 1000 + done));
      for (; done < end && !testing::Test::HasFailure(); ++done) walk.step(done);
    });
  }
}

}  // namespace
}  // namespace lanescope::test
