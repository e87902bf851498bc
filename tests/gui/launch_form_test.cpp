// A CUDA file without main() in the window: a form takes the lesson's place and launches its kernels.

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "driver.h"
#include "gui/lesson/command_on_screen.h"
#include "imgui_internal.h"
#include "kernel_folder.h"
#include "test_paths.h"

namespace lanescope::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* two_kernels =
    "__global__ void scale(const float* in, float* out, float factor, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n) out[i] = factor * in[i];\n"
    "}\n"
    "template <typename T>\n"
    "__global__ void reverse(T* data, int n) {\n"
    "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
    "  if (i < n / 2) {\n"
    "    const T one = data[i];\n"
    "    data[i] = data[n - 1 - i];\n"
    "    data[n - 1 - i] = one;\n"
    "  }\n"
    "}\n";

gui::Options on_file(const std::string& file) {
  gui::Options options;
  options.run = file;
  return options;
}

// What the command prints with --json.
nlohmann::json traced(const std::string& command) {
  const std::string typed = LANESCOPE_BINARY + command.substr(command.find(' ')) + " --json 2>/dev/null";
  std::string printed;
  if (FILE* pipe = ::popen(typed.c_str(), "r")) {
    char some[4096];
    while (const std::size_t got = std::fread(some, 1, sizeof some, pipe)) printed.append(some, got);
    ::pclose(pipe);
  }
  nlohmann::json parsed = nlohmann::json::parse(printed, nullptr, false);
  EXPECT_FALSE(parsed.is_discarded()) << typed << "\n" << printed.substr(0, 300);
  return parsed;
}

// Presses Tab until this item has the keyboard.
bool tabs_to_field(ImGuiTestContext& ui, const char* item) {
  const ImGuiID wanted = ui.ItemInfo(item).ID;
  constexpr int enough = 60;
  for (int i = 0; i < enough; ++i) {
    const ImGuiContext& g = *ImGui::GetCurrentContext();
    if (g.ActiveId == wanted || (g.NavId == wanted && g.NavCursorVisible)) return true;
    ui.KeyPress(ImGuiKey_Tab);
    ui.Yield();
  }
  return false;
}

// Scrolls the form to its end.
void scrolls_down(ImGuiTestContext& ui) {
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (window->WasActive && std::strstr(window->Name, "/fields_") != nullptr)
      ImGui::SetScrollY(window, window->ScrollMax.y);
  ui.Yield(3);
}

void expect_the_numbers_of(const nlohmann::json& trace, const gui::RunResult& shown) {
  const trace::Totals& totals = shown.outcome.first().trace.totals;
  EXPECT_EQ(trace["totals"]["warp_instructions"], totals.warp_instructions);
  EXPECT_EQ(trace["totals"]["lane_instructions"], totals.lane_instructions);
  ASSERT_EQ(trace["buffers"].size(), shown.outcome.buffers.size());
  for (std::size_t i = 0; i < shown.outcome.buffers.size(); ++i) {
    EXPECT_EQ(trace["buffers"][i]["hash"], shown.outcome.buffers[i].hash);
    EXPECT_EQ(trace["buffers"][i]["count"], shown.outcome.buffers[i].count);
  }
  ASSERT_EQ(trace["numbers"].size(), shown.numbers.size());
  for (std::size_t i = 0; i < shown.numbers.size(); ++i) {
    if (trace["numbers"][i]["value"].is_number()) {
      EXPECT_EQ(trace["numbers"][i]["value"], shown.numbers[i].value);
    }
  }
}

// The first `// run:` line of the kernel is wrong: the form says so, as `trace` does, and names overloads as people do.
TEST(LaunchFormPanel, SaysWhyARunLineIsNotUsed) {
  const KernelFolder folder;
  const std::string file = folder.write("over.cu",
                                        "// run: --grid 3 --blok 8 --arg f32[8]\n"
                                        "// run: --grid 2 --block 8 --arg f32[8]\n"
                                        "__global__ void over(float* x) { x[threadIdx.x] = 1; }\n"
                                        "__global__ void over(int* x) { x[threadIdx.x] = 2; }\n");
  Learner learner(on_file(file));
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "This // run: line is not used: --blok is not an option of a // run: line."));
    EXPECT_TRUE(learner.says(ui, "over(float*)"));
    EXPECT_FALSE(learner.says(ui, "(void (*)(float*))over"));
  });
}

// Names do not tell that `in` has rows of 8: the form is tried before its first run. What is typed is not.
TEST(LaunchFormPanel, AGuessThatIsTooSmallGrowsBeforeTheFirstRun) {
  const KernelFolder folder;
  Learner learner(on_file(folder.write("wide.cu",
                                       "__global__ void wide(const float* in, float* out, int n) {\n"
                                       "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                       "  if (i < n) out[i] = in[8 * i + 7];\n"
                                       "}\n")));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_TRUE(s.runs.problems().empty());
    EXPECT_EQ(s.selection.form().arguments.at(0).count, "32000");
    EXPECT_EQ(s.selection.form().arguments.at(1).count, "4000");
    ui.ItemInput("**/$$0/##elements");
    ui.KeyCharsReplace("4000");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(s.selection.form().arguments.at(0).count, "4000");
    EXPECT_FALSE(s.runs.problems().empty());
    ui.ItemClick("**/first values");
    learner.wait(ui);
    EXPECT_EQ(s.selection.form().arguments.at(0).count, "32000");
  });
}

// Headers in a folder beside the file's: the form gets it, and the types that they declare.
TEST(LaunchFormPanel, FoldersOfHeadersAreFound) {
  const KernelFolder folder;
  fs::create_directories(folder.path() / "project/include");
  fs::create_directories(folder.path() / "project/src");
  folder.write("project/include/points.h", "struct Points { int count; float* x; };\n");
  const std::string file = folder.write("project/src/move.cu",
                                        "#include \"points.h\"\n"
                                        "__global__ void move(Points points, float by) {\n"
                                        "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                        "  if (i < points.count) points.x[i] += by;\n"
                                        "}\n");
  Learner learner(on_file(file));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_TRUE(s.runs.problems().empty());
    EXPECT_EQ(s.selection.form().include_paths, std::vector<std::string>{"../include"});
    EXPECT_TRUE(s.selection.form().arguments.at(0).text().starts_with("{i32=4")) << "not zeros for its bytes";
    learner.saves(ui, "launch_form_headers_found");
  });
}

TEST(LaunchFormPanel, AKernelThatIsTypedThroughByKeyboardGivesTheNumbersOfTheCommand) {
  const KernelFolder folder;
  Learner learner(on_file(folder.write("own.cu", two_kernels)));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_NE(s.selection.kernel_file(), nullptr);
    ASSERT_NE(s.runs.shown(), nullptr) << "the guessed launch ran";
    EXPECT_TRUE(learner.says(ui, "2 kernels"));
    EXPECT_TRUE(learner.says(ui, "Guessed: the file does not launch this kernel."));
    EXPECT_FALSE(ui.ItemExists("**/results time")) << "nothing was timed";
    learner.saves(ui, "launch_form");
    const auto types = [&](const char* item, const char* text) {
      ASSERT_TRUE(tabs_to_field(ui, item)) << item;
      ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
      ui.KeyChars(text);
    };
    types("**/##grid", "5");
    types("**/##block", "96");
    types("**/$$0/##elements", "500");
    types("**/$$0/##contents", "random:3:-1:1");
    types("**/$$1/##elements", "480");
    types("**/$$2/##value", "2.5");
    types("**/$$3/##value", "480");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_TRUE(s.runs.problems().empty());
    EXPECT_FALSE(s.runs.stale());
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.launch.block.x, 96u);
    const std::string command = gui::command_on_screen(s);
    EXPECT_TRUE(learner.says(ui, command));
    expect_the_numbers_of(traced(command), *s.runs.shown());
    ASSERT_NE(s.runs.shown()->line(3), nullptr) << "the code's lines have their costs";
    scrolls_down(ui);
    learner.saves(ui, "launch_form_end");
    ui.ItemClick("**/copy command");
    EXPECT_EQ(ImGui::GetClipboardText(), command);
  });
}

TEST(LaunchFormPanel, WhatIsWrongWithAFieldIsSaidBelowItAsTraceSaysIt) {
  const KernelFolder folder;
  Learner learner(on_file(folder.write("own.cu", two_kernels)));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const auto types = [&](const char* item, const char* text) {
      ui.ItemClick(item);
      ui.KeyCharsReplace(text);
      learner.wait(ui);
    };
    types("**/##grid", "4,x");
    EXPECT_TRUE(learner.says(ui, "--grid 4,x is not a size."));
    EXPECT_TRUE(learner.says(ui, "A field is wrong."));
    learner.saves(ui, "launch_form_wrong");
    types("**/##grid", "4");
    EXPECT_FALSE(learner.says(ui, "is not a size."));
    types("**/##block", "2000");
    ASSERT_FALSE(s.form_checks.problems().block.empty()) << "the compiled kernel was asked";
    EXPECT_EQ(s.form_checks.problems().block.front().code, "launch.block_too_large");
    EXPECT_TRUE(learner.says(ui, s.form_checks.problems().block.front().message));
    types("**/##block", "128");
    types("**/$$1/##elements", "few");
    EXPECT_EQ(s.form_checks.problems().arguments[1].front().code, "argument.number");
    EXPECT_TRUE(learner.says(ui, s.form_checks.problems().arguments[1].front().message));
    types("**/$$1/##elements", "4096");
    EXPECT_FALSE(s.form_checks.problems().any());
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_FALSE(s.runs.stale());
    EXPECT_TRUE(s.runs.problems().empty());
  });
}

TEST(LaunchFormPanel, FieldsFollowTheCodeAndTheTemplateArguments) {
  const KernelFolder folder;
  Learner learner(on_file(folder.write("own.cu", two_kernels)));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/kernel");
    const ImRect box = ui.ItemInfo("**/kernel").RectFull, row = ui.ItemInfo("//$FOCUSED/reverse").RectFull;
    EXPECT_GE(row.Min.y, box.Max.y) << "the list opens below its box, wherever the pointer is";
    EXPECT_NEAR(row.Min.x, box.Min.x, 20);
    ui.ItemClick("//$FOCUSED/reverse");
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "reverse");
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.kernel, "reverse<float>");
    ui.ItemClick("**/##template argument");
    ui.KeyCharsReplace("double");
    learner.wait(ui);
    EXPECT_EQ(s.selection.form().arguments[0].type, "f64");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.kernel, "reverse<double>");
    EXPECT_TRUE(s.runs.problems().empty());
    std::string text = two_kernels;
    text.replace(text.find("T* data, int n"), 14, "T* data, int n, int unused");
    learner.types_over_everything(ui, text);
    learner.wait(ui);
    ASSERT_EQ(s.selection.form().arguments.size(), 3u);
    EXPECT_EQ(s.selection.form().arguments[0].type, "f64") << "the others keep their values";
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_TRUE(s.runs.problems().empty());
    EXPECT_FALSE(s.runs.stale());
    s.selection.flush();  // the command names the file of the edited text
    expect_the_numbers_of(traced(gui::command_on_screen(s)), *s.runs.shown());
  });
}

TEST(LaunchFormPanel, FieldsAreTakenBackInTheOrderInWhichTheyWereFilled) {
  const KernelFolder folder;
  Learner learner(on_file(folder.write("own.cu", two_kernels)));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const job::LaunchForm first = s.selection.form();
    const auto types = [&](const char* item, const char* text) {
      ui.ItemClick(item);
      ui.KeyCharsReplace(text);
      ui.Yield(2);
    };
    types("**/##grid", "5");
    types("**/##block", "96");
    types("**/$$2/##value", "2.5");
    const auto presses = [&](ImGuiKeyChord keys) {
      ui.KeyPress(keys);
      ui.Yield(2);
    };
    presses(ImGuiMod_Ctrl | ImGuiKey_Z);  // in the field that has the keyboard
    EXPECT_EQ(s.selection.form().arguments[2], first.arguments[2]);
    EXPECT_EQ(s.selection.form().block, "96");
    presses(ImGuiMod_Ctrl | ImGuiKey_Z);  // in another one
    EXPECT_EQ(s.selection.form().block, first.block);
    EXPECT_EQ(s.selection.form().grid, "5");
    presses(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(s.selection.form(), first);
    presses(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(s.selection.form(), first) << "there is nothing before it";
    presses(ImGuiMod_Ctrl | ImGuiKey_Y);
    presses(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Z);
    EXPECT_EQ(s.selection.form().grid, "5");
    EXPECT_EQ(s.selection.form().block, "96");
    types("**/##grid", "7");
    ui.ItemClick("**/first values");
    ui.Yield(2);
    EXPECT_EQ(s.selection.form(), first);
    ui.ItemClick("**/##grid");
    presses(ImGuiMod_Ctrl | ImGuiKey_Z);
    EXPECT_EQ(s.selection.form().grid, "7") << "and so are the first values";
    EXPECT_EQ(s.selection.form().block, "96");
  });
}

TEST(LaunchFormPanel, ValuesAndCodeAreKeptWithoutClosing) {
  const KernelFolder folder;
  const std::string file = folder.write("own.cu", two_kernels);
  Learner learner(on_file(file));
  const std::string changed = std::string(two_kernels) + "// mine\n";
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/##grid");
    ui.KeyCharsReplace("7");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    learner.types_over_everything(ui, changed);
    const gui::Selection& selection = learner.session().selection;
    ASSERT_TRUE(learner.wait_for(ui, [&] { return selection.seconds_to_next_save() < 0; }));
    // As after a kill: what is on the disk now.
    gui::StateStore store(gui::StateStore::default_folder());
    EXPECT_EQ(store.edit(selection.lesson().id, "file"), changed);
    EXPECT_NE(store.launches(selection.lesson().id).find("--grid 7"), std::string::npos);
  });
  learner.restarts();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(learner.session().selection.form().grid, "7");
    EXPECT_EQ(learner.session().selection.source(), changed);
  });
}

TEST(LaunchFormPanel, TwoLaunchesOfAKernelAreCompared) {
  const KernelFolder folder;
  gui::Options options = on_file(folder.write("own.cu", two_kernels));
  options.height = 1400;  // the list of launches is in sight
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/##block");
    ui.KeyCharsReplace("64");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_EQ(s.selection.forms().ran(s.selection.id()).size(), 2u);
    s.compare(s.selection.variant_index());
    learner.wait(ui);
    ASSERT_NE(s.runs.compared_run(), nullptr);
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.launch.block.x, 64u);
    EXPECT_EQ(s.runs.compared_run()->outcome.first().trace.launch.block.x, 256u);
    learner.saves(ui, "launch_form_compared");
    s.compare(std::nullopt);
    learner.wait(ui);
    ui.ItemClick("**/compare launch");  // in the list of launches that ran
    learner.wait(ui);
    ASSERT_TRUE(s.selection.compared());
    ASSERT_NE(s.runs.compared_run(), nullptr);
    EXPECT_EQ(s.runs.shown()->outcome.first().trace.launch.block.x, 64u);
    EXPECT_EQ(s.runs.compared_run()->outcome.first().trace.launch.block.x, 256u);
  });
}

TEST(LaunchFormPanel, AStructWhoseMembersAreUnknownGetsZerosOfItsSize) {
  const KernelFolder folder;
  Learner learner(on_file(folder.write("own.cu",
                                       "struct Pair { float a[2]; int c; };\n"
                                       "__global__ void fill(float* out, Pair p) { out[threadIdx.x] = p.a[0]; }\n")));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(s.selection.form().arguments[1].text(), "bytes=" + std::string(24, '0'));
    ASSERT_NE(s.runs.shown(), nullptr);
  });
}

constexpr const char* with_a_header =
    "#include \"factor.h\"\n"
    "#ifndef TIMES\n"
    "#define TIMES 1\n"
    "#endif\n"
    "__global__ void fill(float* out) { out[threadIdx.x] = factor * TIMES; }\n";

// A relative path begins in the file's folder, wherever Lanescope was started.
TEST(LaunchFormPanel, IncludePathsLeadToHeaders) {
  const KernelFolder folder;
  fs::create_directories(folder.path() / "far/from/its/headers");  // farther than they are looked for
  folder.write("far/from/its/headers/factor.h", "constexpr float factor = 2.5f;\n");
  Learner learner(on_file(folder.write("own.cu", with_a_header)));
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_TRUE(learner.says(ui, "next to the source or in an include path"));
    const auto types = [&](const char* text) {
      scrolls_down(ui);
      ui.ItemClick("**/##include paths");
      ui.KeyCharsReplace(text);
      learner.wait(ui);
    };
    types("header");
    EXPECT_TRUE(learner.says(ui, "There is no folder " + (folder.path() / "header").generic_string()));
    types("far/from/its/headers");
    EXPECT_FALSE(learner.says(ui, "There is no folder"));
    learner.saves(ui, "launch_form_include_paths");
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    ASSERT_TRUE(s.runs.problems().empty());
    ASSERT_NE(s.runs.shown(), nullptr);
    expect_the_numbers_of(traced(gui::command_on_screen(s)), *s.runs.shown());
  });
}

// `lanescope open own.cu -I … -D …`: the form begins with them.
TEST(LaunchFormPanel, BeginsWithTheIncludePathsAndMacrosOfTheCommandLine) {
  const KernelFolder folder;
  std::filesystem::create_directory(folder.path() / "headers");
  folder.write("headers/factor.h", "constexpr float factor = 2.5f;\n");
  gui::Options options = on_file(folder.write("own.cu", with_a_header));
  options.include_paths = {(folder.path() / "headers").generic_string()};
  options.defines = {"TIMES=4"};
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(s.runs.problems().empty());
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_EQ(s.selection.form().include_paths, options.include_paths);
    EXPECT_EQ(s.selection.form().defines, options.defines);
    expect_the_numbers_of(traced(gui::command_on_screen(s)), *s.runs.shown());
  });
}

// Its text is on screen with what is wrong, and runs once it has a kernel.
TEST(LaunchFormPanel, AFileWithoutAKernelIsOpenToBeCorrected) {
  const KernelFolder folder;
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(s.open_kernels(folder.write("none.cu", "void host() {}\n")));
    learner.wait(ui);
    EXPECT_TRUE(s.notices().empty());
    EXPECT_EQ(s.selection.source(), "void host() {}\n");
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().code, "command.which_kernel");
    EXPECT_TRUE(learner.says(ui, "This file has no kernel yet."));
    learner.saves(ui, "file_without_kernel");
    learner.types_over_everything(ui, "__global__ void one(float* out) { out[threadIdx.x] = 1; }\n");
    learner.wait(ui);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "one");
    EXPECT_TRUE(s.runs.shows_whole());
    EXPECT_FALSE(learner.says(ui, "This file has no kernel yet."));

    EXPECT_TRUE(s.open_kernels(folder.write("wrong.cu", "int x = ;\n__global__ void\n")));
    learner.wait(ui);
    ASSERT_FALSE(s.runs.problems().empty());
    EXPECT_EQ(s.runs.problems().front().code, "compile.error");
    EXPECT_EQ(s.runs.problems().front().place.line, 2);
    EXPECT_TRUE(s.open_kernels(folder.write("own.cu", two_kernels)));
    learner.wait(ui);
    s.choose_lesson(1);
    learner.wait(ui);
    EXPECT_TRUE(s.selection.is_lesson());
    EXPECT_TRUE(ui.ItemExists("**/read")) << "the lesson's text is back";
  });
}

}  // namespace
}  // namespace lanescope::test
