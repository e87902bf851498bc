// What the window shows first of a file of the learner's.

#include "driver.h"
#include "imgui_internal.h"
#include "kernel_folder.h"
#include "on_screen.h"

namespace lanescope::test {
namespace {

gui::Options with_own_file(const std::string& file) {
  gui::Options options;
  options.run = file;
  return options;
}

// What it costs stands beside the lines from the start: here not the sectors, which are ideal.
TEST(OwnFile, TheNumberAtEachLineIsTheOneFarthestFromItsIdeal) {
  const KernelFolder folder;
  const std::string file = folder.write("conflicts.cu",
                                        "// run: --grid 2 --block 32 --arg f32[64]=iota\n"
                                        "__global__ void columns(float* data) {\n"
                                        "  __shared__ float tile[32][32];\n"
                                        "  tile[threadIdx.x][0] = data[blockIdx.x * 32 + threadIdx.x];\n"
                                        "  __syncthreads();\n"
                                        "  data[blockIdx.x * 32 + threadIdx.x] = 2 * tile[threadIdx.x][0];\n"
                                        "}\n");
  const std::string plain = folder.write("plain.cu",
                                         "// run: --grid 2 --block 32 --arg f32[64]=iota\n"
                                         "__global__ void twice(float* data) {\n"
                                         "  data[blockIdx.x * 32 + threadIdx.x] *= 2;\n"
                                         "}\n");
  Learner learner(with_own_file(file));
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.Yield(3);
    EXPECT_EQ(learner.state().heat, gui::Heat::wavefronts_per_request);
    learner.saves(ui, "heat_of_conflicts");
    ASSERT_TRUE(learner.session().open_kernels(plain));
    learner.wait(ui);
    ui.Yield(3);
    EXPECT_EQ(learner.state().heat, gui::Heat::sectors_per_request);
    learner.state().heat = gui::Heat::executions, learner.state().heat_chosen = true;
    ASSERT_TRUE(learner.session().open_kernels(file));
    learner.wait(ui);
    ui.Yield(3);
    EXPECT_EQ(learner.state().heat, gui::Heat::executions) << "the learner's own choice";
  });
}

// The sentence in place of the numbers is not cut.
TEST(OwnFile, WhyThereAreNoNumbersIsLegible) {
  const KernelFolder folder;
  gui::Options options = with_own_file(folder.write("unfinished.cu", "__global__ void k(float* a) {\n  a[0] = 1\n}\n"));
  options.width = 1440, options.height = 900;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.Yield(4);
    const ImGuiWindow* below = window_of_part("below");
    ASSERT_NE(below, nullptr);
    EXPECT_EQ(below->ScrollMax.y, 0);
    learner.saves(ui, "no_numbers");
  });
}

TEST(OwnFile, PtxIsToldHowToRun) {
  const KernelFolder folder;
  const std::string file = folder.write("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n");
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_O);
    ui.Yield(3);
    ui.KeyCharsReplace(file.c_str());
    ui.Yield(3);
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(4);
    EXPECT_TRUE(learner.says(ui, "PTX does not open in the window."));
    EXPECT_TRUE(learner.says(ui, "trace " + file));
    learner.saves(ui, "ptx_in_window");
  });
}

// As in extensions of a library that is not here: the kernel that the file launches needs nothing of it.
TEST(OwnFile, BeginsWithAKernelThatTheFileLaunches) {
  const std::string text =
      "#include <tensors/accessor.h>\n"
      "__global__ void gate(const tensors::accessor<float> in, float* out) { out[threadIdx.x] = in[threadIdx.x]; }\n"
      "__global__ void twice(float* x, int n) {\n"
      "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
      "  if (i < n) x[i] *= 2;\n"
      "}\n"
      "void run(float* x, int n) { twice<<<(n + 127) / 128, 128>>>(x, n); }\n";
  const KernelFolder folder;
  Learner learner(with_own_file(folder.write("own.cu", text)));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "twice");
    EXPECT_TRUE(s.runs.problems().empty());
    s.choose_variant(0);
    learner.wait(ui);
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().code, "compile.missing_include") << "why its struct is not known";
  });
}

}  // namespace
}  // namespace lanescope::test
