// Files that are dropped onto the window, as GLFW reports them.

#include <GLFW/glfw3.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "TextEditor.h"
#include "driver.h"
#include "gui/main_window.h"

namespace lanescope::test {
namespace {

// Where the pointer is.
void drops(ImGuiTestContext& ui, const std::string& file) {
  auto* window = static_cast<GLFWwindow*>(ImGui::GetMainViewport()->PlatformHandle);
  const GLFWdropfun callback = glfwSetDropCallback(window, nullptr);
  glfwSetDropCallback(window, callback);
  const char* const files[] = {file.c_str()};
  ASSERT_NE(callback, nullptr);
  callback(window, 1, const_cast<const char**>(files));
  ui.Yield(3);
}

void drops_on_code(ImGuiTestContext& ui, const std::string& file) {
  ui.MouseMove("**/into editor", ImGuiTestOpFlags_NoCheckHoveredId);
  drops(ui, file);
}

std::string written(const Learner& learner, const std::string& name, const std::string& text) {
  std::filesystem::create_directories(learner.state_folder());
  const std::string file = learner.state_folder() + "/" + name;
  std::ofstream(file) << text;
  return file;
}

TEST(Dropped, CodeReplacesTheVariantsAndRunsAndCanBeUndone) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::string before = s.selection.source();
    const std::string code =
        "__global__ void stride_copy(const float* in, float* out, int n, int stride) {\n"
        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) out[i] = in[i * stride];\n"
        "}\n";
    drops_on_code(ui, written(learner, "mine.cu", code));
    learner.wait(ui);
    EXPECT_EQ(s.selection.run(), nullptr) << "it is no saved run";
    EXPECT_TRUE(learner.app().window().told().empty() && s.notices().empty());
    EXPECT_EQ(s.selection.source(), code);
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_EQ(s.runs.shown()->key.source, code) << "and it ran";
    learner.clicks_into_line(ui, 1);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ui.Yield(2);
    EXPECT_EQ(s.selection.source(), before);
  });
}

TEST(Dropped, AKernelOfAnotherNameSaysWhichNameTheLessonLaunches) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    drops_on_code(ui, written(learner, "own.cu", "__global__ void own(float* out) { out[0] = 1; }\n"));
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "there is no kernel stride_copy; the kernels are: own"));
  });
}

TEST(Dropped, CodeBesideTheEditorOpensWithAFormForItsKernels) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::string before = s.selection.source();
    ui.MouseMove("**/read", ImGuiTestOpFlags_NoCheckHoveredId);
    drops(ui, written(learner, "own.cu", "__global__ void own(float* out) { out[threadIdx.x] = 1; }\n"));
    learner.wait(ui);
    ASSERT_NE(s.selection.kernel_file(), nullptr);
    EXPECT_EQ(s.selection.variant().id, "own");
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.kernel, "own");
    s.choose_lesson(s.selection.lesson_index());
    learner.wait(ui);
    EXPECT_EQ(s.selection.source(), before) << "the lesson's code is as it was";
  });
}

TEST(Dropped, WhatCannotBeReadOrIsNoSavedRunIsSaidAndChangesNothing) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::string before = s.selection.source();
    drops_on_code(ui, written(learner, "empty.cu", ""));
    EXPECT_TRUE(learner.says(ui, "The file is empty."));
    drops(ui, learner.state_folder() + "/not_there.cu");
    EXPECT_TRUE(learner.says(ui, "The file could not be read"));
    drops(ui, written(learner, "picture.png", "not a run"));
    EXPECT_TRUE(learner.says(ui, "The file is not a saved run."));
    EXPECT_EQ(s.selection.source(), before);
    EXPECT_EQ(s.selection.run(), nullptr);
  });
}

}  // namespace
}  // namespace lanescope::test
