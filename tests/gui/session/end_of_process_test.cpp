// If something outside ends the program, no typed text is lost.

#include "gui/end_of_process.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <thread>

#include "TextEditor.h"
#include "core/os/clock.h"
#include "driver.h"
#include "test_paths.h"

namespace lanescope::test {
namespace {

TEST(EndOfProcess, ASignalEndsTheLoopAndWhatWasTypedIsSaved) {
  for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
    Learner learner;
    const std::string typed =
        "// typed before signal " + std::to_string(signal) + "\n" + learner.session().selection.original_source();
    std::thread sender([signal] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      ::kill(::getpid(), signal);
    });
    learner.session().selection.set_source(typed);
    learner.app().loop();  // comes back
    sender.join();
    const std::string folder = learner.state_folder() + "/lanescope";
    learner.closes();
    EXPECT_EQ(gui::StateStore(folder).edit("coalescing", "stride"), typed);
  }
}

// Calls Xlib's handler as when the server is gone.
TEST(EndOfProcess, TheEndOfTheDisplaySaves) {
  Learner learner;  // loads Xlib
  EXPECT_EXIT(
      {
        const gui::EndOfProcess end([] { std::fputs("saved", stderr); });
        void* xlib = ::dlopen("libX11.so.6", RTLD_LAZY | RTLD_NOLOAD);
        using Handler = int (*)(void*);
        const auto set = reinterpret_cast<Handler (*)(Handler)>(::dlsym(xlib, "XSetIOErrorHandler"));
        set(nullptr)(nullptr);
      },
      testing::ExitedWithCode(1), "saved");
}

TEST(EndOfProcess, TypingWithoutAPauseIsSavedToo) {
  Learner learner;
  gui::Session& session = learner.session();
  const std::string original = session.selection.original_source();
  const gui::StateStore store(learner.state_folder() + "/lanescope");
  std::string typed;
  const double begin = seconds_now();
  while (seconds_now() < begin + 1.5) {  // one key per 50 ms
    typed += "x";
    session.selection.set_source("// " + typed + "\n" + original);
    session.update();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_TRUE(store.edit("coalescing", "stride").has_value());
}

TEST(EndOfProcess, WhatWasTypedRightBeforeIsSavedToo) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) { learner.wait(ui); });
  learner.app().window().code().editor(learner.session()).SetFocus();
  const std::string typed = "//last";
  for (const char c : typed) ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
  learner.state().quit = true;
  learner.app().loop();  // comes back at once
  EXPECT_NE(learner.session().selection.source().find(typed), std::string::npos);
}

TEST(EndOfProcess, SettingsAreSavedWhenTheyChange) {
  Learner learner;
  const gui::StateStore store(learner.state_folder() + "/lanescope");
  learner.state().settings.theme = gui::Theme::light;
  const double begin = seconds_now();
  while (store.settings().theme != "light" && seconds_now() < begin + 20) {
    learner.does([](ImGuiTestContext& ui) { ui.Yield(2); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  EXPECT_EQ(store.settings().theme, "light");
}

TEST(EndOfProcess, ABrokenLessonStopsNoOther) {
  std::string folder = (std::filesystem::temp_directory_path() / "lanescope-lessons-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::filesystem::copy(LANESCOPE_SOURCE_DIR "/lessons/01_coalescing", folder + "/01_coalescing",
                        std::filesystem::copy_options::recursive);
  std::filesystem::create_directory(folder + "/02_broken");
  std::ofstream(folder + "/02_broken/lesson.toml") << "[a";
  {
    gui::Options options;
    options.lessons_folder = folder;
    Learner learner(options);
    EXPECT_EQ(learner.session().selection.lessons().size(), 1u);
    ASSERT_FALSE(learner.app().window().told().empty());
    EXPECT_EQ(learner.app().window().told().front().place.file, folder + "/02_broken/lesson.toml");
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace lanescope::test
