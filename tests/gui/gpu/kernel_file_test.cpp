// Launch forms and programs with a GPU: their launches run there, too. A stand-in answers in place of the GPU.

#include "gpu/with_a_gpu.h"
#include "kernel_folder.h"
#include "unit/device/saved_program.h"

namespace lanescope::test {
namespace {

constexpr const char* one_kernel =
    "__global__ void scale(const float* in, float* out, float factor, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = factor * in[i];\n"
    "}\n";

TEST(GpuOfAFile, AFormsLaunchIsTimedRecordedAndCounted) {
  const KernelFolder folder;
  auto gpu = std::make_shared<PretendGpu>();
  gui::Options options = with(gpu);
  options.run = folder.write("scale.cu", one_kernel);
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.selection.kernel_file(), nullptr);
    ASSERT_TRUE(reached(s, GpuStage::done)) << "the first launch runs at once, there too";
    ASSERT_TRUE(s.runs.gpu()->timing);
    EXPECT_TRUE(ui.ItemExists("**/own/time row"));
    EXPECT_TRUE(learner.says(ui, "12.5")) << "microseconds";
    EXPECT_TRUE(learner.says(ui, "occupancy 75 %, from the driver"));
    learner.saves(ui, "form_on_a_gpu");
    ui.ItemClick("**/results agreement");
    ui.Yield(2);
    ASSERT_NE(s.runs.agreement(), nullptr);
    EXPECT_TRUE(learner.says(ui, "Pretend 9000"));
    learner.saves(ui, "form_on_a_gpu_agreement");
    ASSERT_NE(s.runs.gpu_recording(), nullptr);
    EXPECT_EQ(s.runs.gpu_recording()->outcome.first().trace.origin, trace::Origin::recorded);

    const int before = gpu->runs;
    ui.ItemClick("**/##block");
    ui.KeyCharsReplace("64");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_GT(gpu->runs, before) << "another launch is another run";
    ASSERT_TRUE(reached(s, GpuStage::done));
    EXPECT_EQ(s.runs.gpu()->key, s.runs.shown()->key);

    turn(ui, "cpu");
    EXPECT_EQ(s.runs.gpu(), nullptr);
    EXPECT_FALSE(ui.ItemExists("**/own/time row"));
    EXPECT_FALSE(ui.ItemExists("**/results agreement")) << "without a GPU nothing was measured of a file";
    turn(ui, "gpu 1");
    learner.wait(ui);
    ASSERT_NE(s.runs.gpu(), nullptr);
    EXPECT_EQ(s.runs.gpu()->device.name, "Pretend 100");
  });
}

TEST(GpuOfAFile, WhatItsTextBecomesRunsThereToo) {
  const KernelFolder folder;
  auto gpu = std::make_shared<PretendGpu>();
  gui::Options options = with(gpu);
  options.run = folder.write("scale.cu", one_kernel);
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::string text = one_kernel;
    text.replace(text.find("float factor, "), 14, "");
    text.replace(text.find("factor * "), 9, "2 * ");
    learner.types_over_everything(ui, text);
    learner.wait(ui);  // until the fields are those of the text
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_TRUE(reached(s, GpuStage::done));
    EXPECT_EQ(s.runs.gpu()->key.source, text) << "another set of fields: the file on screen is another object";
    ui.ItemClick("**/compare");  // now and before
    learner.wait(ui);
    s.compare(std::nullopt);
    gpu->mood = Mood::faults;
    s.runs.run();
    learner.wait(ui);
    ASSERT_NE(s.runs.gpu(), nullptr);
    EXPECT_TRUE(learner.says(ui, "The kernel touched memory that is not its own."));
    s.choose_lesson(0);
    gpu->mood = Mood::answers;
    learner.wait(ui);
    EXPECT_EQ(s.runs.shown()->key.lesson, s.selection.lessons().front().id);
  });
}

TEST(GpuOfAFile, ALaunchOfAProgramRunsThereToo) {
  const KernelFolder folder;
  const std::string saved = device_test::save_launches(folder.path(), {1000, 2});
  auto gpu = std::make_shared<PretendGpu>();
  gui::Options options = with(gpu);
  options.run = saved;
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    ASSERT_TRUE(reached(s, GpuStage::done));
    EXPECT_TRUE(ui.ItemExists("**/own/time row"));
    EXPECT_TRUE(learner.says(ui, "GPU: " + gui::time_text(s.runs.gpu()->timing->seconds.median)))
        << "in the list of launches";
    learner.saves(ui, "saved_run_on_a_gpu");
    ui.ItemClick("**/launch 2");
    learner.wait(ui);
    EXPECT_EQ(gpu->runs, 2);
    ASSERT_NE(s.runs.gpu(), nullptr);
    EXPECT_EQ(s.runs.gpu()->key, s.runs.shown()->key);
    turn(ui, "cpu");
    ui.Yield(2);
    EXPECT_FALSE(learner.says(ui, "GPU: ")) << "the interpreter's time is no launch's";
  });
}

}  // namespace
}  // namespace lanescope::test
