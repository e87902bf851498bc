// A program that cannot be built: its text is on screen, where it can be corrected.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "compile/nvcc/nvcc.h"
#include "core/os/message_codec.h"
#include "driver.h"
#include "test_paths.h"
#include "unit/device/saved_program.h"
#include "unit/golden.h"

namespace lanescope::test {
namespace {

// A program that does not build is open as text, with what the compiler says. Run builds it again: with the edit, which
// its launches then have.
TEST(UnbuiltProgram, IsOpenToBeCorrected) {
  const TempFolder folder;
  const std::string saved = device_test::save_launches(folder.path(), {});
  const std::string program = (folder / "add.cu").string();
  std::ofstream(program, std::ios::app) << "int main() {}\n";
  std::ifstream in(program);
  const std::string own{std::istreambuf_iterator<char>(in), {}};
  const Diagnostic wrong{
      Severity::error, "compile.error", {"WHERE", 2, 1}, "The file is empty.", "Drop a CUDA source file."};
  std::ofstream(folder / "wrong") << Message{{"said", Message::array({as_message(wrong)})}}.dump();
  // Only a text with the word `mended` builds.
  gui::Options options;
  options.run = program;
  options.own_program = (folder / "exec").string();
  options.include_paths = {"/some/headers"};
  options.defines = {"N=4"};
  std::ofstream(options.own_program) << "#!/bin/sh\nsaid=$4; save=$6\n"
                                     << "echo \"$@\" >> '" << (folder / "words").string() << "'\n"
                                     << "for w; do case $w in */add.cu) file=$w;; esac; done\n"
                                     << "grep -q mended \"$file\" || { sed \"s|WHERE|$file|\" '"
                                     << (folder / "wrong").string() << "' > \"$said\"; exit 1; }\n"
                                     << "cp '" << saved << "' \"$save\"; echo '{\"said\":[]}' > \"$said\"\n";
  std::filesystem::permissions(options.own_program, std::filesystem::perms::owner_all);
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(s.selection.run(), nullptr);
    ASSERT_NE(s.selection.kernel_file(), nullptr);
    EXPECT_EQ(s.selection.source(), own);
    EXPECT_TRUE(s.notices().empty());
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().place.line, 2);
    EXPECT_EQ(s.runs.shown(), nullptr) << "its kernels do not run without it";
    EXPECT_TRUE(learner.says(ui, "This program could not be built."));
    learner.saves(ui, "program_to_correct");
    learner.types_over_everything(ui, own + "// still wrong\n");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.source(), own + "// still wrong\n");
    EXPECT_FALSE(s.runs.problems_outdated());
    learner.types_over_everything(ui, own + "// mended\n");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.source(), own + "// mended\n");
    EXPECT_TRUE(s.selection.edited());
  });
  std::ifstream builds(folder / "words");
  int with_options = 0;
  for (std::string words; std::getline(builds, words);)
    with_options += words.find(" -I /some/headers -D N=4 ") != std::string::npos ? 1 : 0;
  EXPECT_EQ(with_options, 3) << "the include path and the macro of the command line, each time";
}

// The window has no field for include paths of programs.
TEST(UnbuiltProgram, IsBuiltWithTheFolderInWhichItsHeadersAre) {
  if (const auto found = compile::locate_nvcc(); !found) GTEST_SKIP() << "no nvcc: " << format(found.errors().front());
  const TempFolder folder;
  for (const char* sub : {"include", "src"}) std::filesystem::create_directory(folder / sub);
  std::ofstream(folder / "include/sizes.h") << "constexpr int size = 64;\n";
  gui::Options options;
  options.run = (folder / "src/main.cu").string();
  options.own_program = LANESCOPE_BINARY;
  std::ofstream(options.run) << "#include <cstdio>\n"
                                "#include \"sizes.h\"\n"
                                "__global__ void fill(float* x) { x[threadIdx.x] = 1; }\n"
                                "int main() {\n"
                                "  float* x;\n"
                                "  cudaMalloc(&x, size * sizeof(float));\n"
                                "  fill<<<1, size>>>(x);\n"
                                "  std::printf(\"%d\\n\", static_cast<int>(cudaDeviceSynchronize()));\n"
                                "}\n";
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.run()->program->printed, "0\n");
    EXPECT_TRUE(learner.says(ui, "Headers were found in "));
    learner.saves(ui, "program_headers_found");
    ui.ItemClick("**/run kernel");
    learner.wait(ui);
    ASSERT_NE(s.selection.run(), nullptr);
    EXPECT_EQ(s.selection.run()->program->program.preprocessor.include_paths.size(), 1u);
    EXPECT_TRUE(s.runs.problems().empty());
  });
}

}  // namespace
}  // namespace lanescope::test
