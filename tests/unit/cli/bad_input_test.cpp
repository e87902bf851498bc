// Bad input gives a diagnostic with place, reason and cure and the right exit code, and leaves files unchanged.

#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>

#include "cli/bad_input.h"
#include "cli/program.h"
#include "english.h"
#include "expressions.h"
#include "lesson/lesson_fixture.h"
#include "test_paths.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::copy_arguments;
using test::expect_chinese;
using test::expect_no_english;
using test::lanescope;
using test::Ran;
using test::trace;
using testing::AllOf;
using testing::HasSubstr;
struct BadInput {
  std::string name;
  std::vector<std::string> arguments;
  int code;
  std::string diagnostic;         // its code
  std::vector<std::string> said;  // on standard error
};

// What a failing test prints of its case.
void PrintTo(const BadInput& bad, std::ostream* out) {
  *out << bad.name;
}

class CliBadInput : public testing::TestWithParam<BadInput> {};

TEST_P(CliBadInput, IsExplained) {
  const BadInput& bad = GetParam();
  const Ran ran = lanescope(bad.arguments);
  EXPECT_EQ(ran.code, bad.code) << ran.err << ran.out;
  EXPECT_THAT(ran.err, HasSubstr("error: "));
  EXPECT_THAT(ran.err, HasSubstr("cure: "));
  for (const std::string& words : bad.said) EXPECT_THAT(ran.err, HasSubstr(words));
  std::vector<std::string> with_json = bad.arguments;
  with_json.emplace_back("--json");
  const Ran again = lanescope(with_json);
  EXPECT_EQ(again.code, bad.code);
  std::vector<std::string> codes;
  const json document = again.json();
  for (const json& diagnostic : document["diagnostics"])
    if (diagnostic["severity"] == "error") codes.push_back(diagnostic["code"]);
  EXPECT_THAT(codes, testing::Contains(testing::StartsWith(bad.diagnostic))) << again.out;
}

TEST_P(CliBadInput, IsExplainedInChinese) {
  expect_chinese(GetParam().arguments, GetParam().code);
}

// A student's first attempts with a file.
TEST(CliBadInput, AFileInPlaceOfALessonOrACommandGetsItsCommands) {
  test::TempFolder folder;
  const std::string file = (folder / "saxpy.cu").string();
  test::write_file(file, "__global__ void saxpy(float* x) { x[threadIdx.x] *= 2; }\n");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run", file}, {"compare", file, "a", "b"}, {file}}) {
    const Ran ran = lanescope(command);
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("trace " + file), HasSubstr("exec " + file), HasSubstr("open " + file)));
  }
  EXPECT_THAT(lanescope({"run", "nowhere.cu"}).err, HasSubstr("Known: "));
}

// CLI11, the system and the TOML parser complain in English.
TEST(CliInChinese, SoDoOthersMessages) {
  test::TempFolder folder;
  test::write_file(folder / "01_x" / "lesson.toml", "id = \"x\n");
  for (const std::vector<std::string>& command :
       std::vector<std::vector<std::string>>{{"run"},
                                             {"run", "coalescing", "--bogus"},
                                             {"run", "coalescing", "a", "b"},
                                             {"run", "coalescing", "--device", "tpu"},
                                             {"run", "coalescing", "--threads", "5000"},
                                             {"run", "coalescing", "--gpu", "first"},
                                             {"run", "coalescing", "--sass"},
                                             {"run", "coalescing", "--set"},
                                             {"run", "coalescing", "--task", "a", "--variant", "b"},
                                             {"run", "coalescing", "--variant", "a", "--variant", "b"},
                                             {"run", "coalescing", "--save", "/nowhere/x"},
                                             {"run", "coalescing", "--svg", "/proc/x"},
                                             {"trace", "none.cu", "--kernel", "k", "--grid", "1", "--block", "1"},
                                             {"check", folder.path().string()}}) {
    SCOPED_TRACE(testing::PrintToString(command));
    const Ran ran = lanescope(test::with(command, {"--language", "zh-CN"}));
    EXPECT_NE(ran.code, 0);
    expect_no_english(ran.err);
  }
}

// Every line of each command's help that has a text has it in Chinese.
TEST(CliInChinese, SoIsTheHelp) {
  for (const std::string command : {"", "list", "run", "compare", "trace", "show", "open", "parse", "cfg", "check",
                                    "bench", "doctor", "instrument", "verify", "record"}) {
    SCOPED_TRACE(command);
    std::vector<std::string> arguments{"--help", "--language", "zh-CN"};
    if (!command.empty()) arguments.insert(arguments.begin(), command);
    const Ran ran = lanescope(arguments);
    EXPECT_EQ(ran.code, 0);
    EXPECT_THAT(ran.out, AllOf(HasSubstr("用法"), HasSubstr("选项"), HasSubstr("退出码")));
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) {
      const char* typed = "--[a-z]+( [a-z0-9=.]+)?|lanescope [a-z]+( [a-z]+)?|variant_[ab]";
      EXPECT_EQ(test::english_in(test::all_replaced(line, typed, "`")), "") << line;
      const bool has_chinese =
          std::any_of(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xe3; });
      const bool name_only = line.find_first_of(' ', 2) == std::string::npos;  // its text is on the next line
      EXPECT_TRUE(line.empty() || has_chinese || name_only) << line;
    }
  }
}

std::string name_of_case(const testing::TestParamInfo<BadInput>& tested) {
  return tested.param.name;
}
INSTANTIATE_TEST_SUITE_P(
    Kernels, CliBadInput,
    testing::Values(
        BadInput{"does_not_compile",
                 trace("does_not_compile.cu", "k", "1", "32", {"f32[32]=1", "f32[32]"}),
                 1,
                 "compile.error",
                 {"does_not_compile.cu:3:3: error", "out[i] = in[i];", "^"}},
        BadInput{"unknown_kernel",
                 trace("copy.cu", "kopy", "1", "32", copy_arguments),
                 2,
                 "compile.no_such_kernel",
                 {"kopy", "copy", "fill"}},
        BadInput{"kernel_name_that_is_none",
                 trace("copy.cu", "\"", "1", "32", copy_arguments),
                 2,
                 "compile.no_such_kernel",
                 {"`\"`", "copy", "fill"}},
        BadInput{"folder_for_a_file", trace(".", "copy", "1", "32", copy_arguments), 2, "io.cannot_read", {"folder"}},
        BadInput{
            "file_without_end", trace("/dev/zero", "copy", "1", "32", copy_arguments), 2, "io.cannot_read", {"device"}},
        BadInput{"binary_file", trace("/bin/sh", "copy", "1", "32", copy_arguments), 1, "compile.", {"not text"}},
        BadInput{"too_few_arguments",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=1"}),
                 2,
                 "argument.too_few",
                 {"copy.cu:1:17: error", "3 parameters", "1 argument", "float*", ".u64", "int", ".u32"}},
        BadInput{"too_many_arguments",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "f32[64]", "i32=1", "i32=2"}),
                 2,
                 "argument.too_many",
                 {"3 parameters", "4 arguments", "`i32=2`"}},
        BadInput{"buffer_for_a_scalar",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "f32[64]", "i32[1]=4"}),
                 2,
                 "argument.mismatch",
                 {"Parameter 2", "int (.u32", "`i32[1]=4`"}},
        BadInput{"scalar_for_a_buffer",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "i32=4", "i32=4"}),
                 2,
                 "argument.mismatch",
                 {"Parameter 1", "float*"}},
        BadInput{"narrow_for_a_wide_parameter",
                 trace("copy.cu", "fill<float,3>", "1", "32", {"f32[64]", "i32=4"}),
                 2,
                 "argument.mismatch",
                 {"copy.cu:7:17: error", "Parameter 1", "unsigned long long (.u64"}},
        BadInput{"float_for_an_integer",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "f32[64]", "f32=64"}),
                 2,
                 "argument.mismatch",
                 {"Parameter 2", "`f32=64`"}},
        BadInput{"unknown_type",
                 trace("copy.cu", "copy", "1", "32", {"float[64]=1", "f32[64]", "i32=1"}),
                 2,
                 "argument.type",
                 {"float[64]=1", "f32"}},
        BadInput{"bad_number",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "f32[64]", "i32=many"}),
                 2,
                 "argument.number",
                 {"many"}},
        BadInput{"missing_data_file",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=@nowhere", "f32[64]", "i32=1"}),
                 2,
                 "argument.file",
                 {"nowhere"}},
        BadInput{"too_many_threads",
                 trace("copy.cu", "copy", "1", "1025", copy_arguments),
                 2,
                 "launch.block_too_large",
                 {"1025", "1024"}},
        BadInput{"no_threads", trace("copy.cu", "copy", "1", "0", copy_arguments), 2, "launch.empty", {"at least 1"}},
        BadInput{"too_large_a_grid",
                 trace("copy.cu", "copy", "1,70000", "32", copy_arguments),
                 2,
                 "launch.grid_too_large",
                 {"70000", "65535"}},
        BadInput{"too_much_shared_memory",
                 trace("copy.cu", "copy", "1", "32", copy_arguments, {"--shared", "300000"}),
                 2,
                 "launch.shared_too_large",
                 {"300000"}},
        BadInput{
            "bad_extent", trace("copy.cu", "copy", "1x", "32", copy_arguments), 2, "command.bad_extent", {"--grid 1x"}},
        BadInput{"bad_blocks",
                 trace("copy.cu", "copy", "2", "32", copy_arguments, {"--blocks", "1-5"}),
                 2,
                 "command.bad_blocks",
                 {"--blocks 1-5", "2 blocks"}},
        BadInput{"more_blocks_than_can_be_listed",
                 trace("copy.cu", "copy", "100000000", "32", copy_arguments, {"--blocks", "0-99999999"}),
                 2,
                 "command.bad_blocks",
                 {"16777216 blocks"}},
        BadInput{"bad_write",
                 trace("copy.cu", "copy", "2", "32", copy_arguments, {"--write", "out.bin"}),
                 2,
                 "command.bad_write",
                 {"--write out.bin"}},
        BadInput{"write_of_a_scalar",
                 trace("copy.cu", "copy", "2", "32", copy_arguments, {"--write", "2=out.bin"}),
                 2,
                 "command.bad_write",
                 {"Argument 2 is not a buffer", "These are: 0, 1. Arguments"}},
        BadInput{"write_to_a_full_disk",
                 trace("copy.cu", "copy", "2", "32", copy_arguments, {"--write", "1=/dev/full"}),
                 1,
                 "io.cannot_write",
                 {"/dev/full", test::on_posix() ? "No space left" : "It cannot be written",
                  test::on_posix() ? "Free some space" : "cure: "}},
        BadInput{"write_into_no_folder",
                 trace("copy.cu", "copy", "2", "32", copy_arguments, {"--write", "1=nowhere/out.bin"}),
                 1,
                 "io.cannot_write",
                 {"nowhere/out.bin", "Make its folder"}},
        BadInput{"write_to_a_folder",
                 trace("copy.cu", "copy", "2", "32", copy_arguments, {"--write", "1=."}),
                 1,
                 "io.cannot_write",
                 {"It cannot be written", "Choose a place where you may write"}},
        BadInput{"unknown_architecture",
                 trace("copy.cu", "copy", "1", "32", copy_arguments, {"--arch", "sm_1"}),
                 2,
                 "compile.unknown_arch",
                 {"sm_1", "sm_90"}},
        BadInput{"no_such_file",
                 trace("nowhere.cu", "copy", "1", "32", copy_arguments),
                 2,
                 "io.cannot_read",
                 {"nowhere.cu", "No such file"}},
        BadInput{"no_gpu",
                 trace("copy.cu", "copy", "1", "32", copy_arguments, {"--device", "gpu", "--gpu", "999"}),
                 3,
                 "gpu.no_",
                 {}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Faults, CliBadInput,
    testing::Values(BadInput{"out_of_bounds",
                             trace("out_of_bounds.cu", "past_the_end", "2", "32", {"f32[64]=1", "f32[64]"}),
                             1,
                             "memory.out_of_bounds",
                             {"out_of_bounds.cu:3", "in[i + 1]", "thread", "block"}},
                    BadInput{"misaligned",
                             trace("misaligned.cu", "misaligned", "1", "32", {"i8[256]=1", "f32[32]"}),
                             1,
                             "memory.misaligned",
                             {"misaligned.cu:2"}},
                    BadInput{"null_pointer",
                             trace("null_pointer.cu", "null_pointer", "1", "32", {"u64=0", "f32[32]"}),
                             1,
                             "memory.null",
                             {"null_pointer.cu:2"}},
                    BadInput{"never_written",
                             trace("never_written.cu", "never_written", "1", "32", {"f32[32]", "f32[32]"}),
                             1,
                             "memory.uninitialised",
                             {"never_written.cu:2"}},
                    BadInput{"barrier_not_reached",
                             trace("barrier_not_reached.cu", "barrier_not_reached", "1", "64", {"f32[64]"}),
                             1,
                             "barrier.not_reached_by_all",
                             {"barrier_not_reached.cu:5"}},
                    BadInput{"never_ends",
                             trace("never_ends.cu", "never_ends", "1", "32", {"u32[32]"}, {"--max-steps", "100000"}),
                             1,
                             "run.step_budget",
                             {"never_ends.cu:2", "is at line 2", "warp 0", "0xffffffff",
                              "raise the limit with --max-steps"}},
                    BadInput{"grid_sync",
                             trace("grid_sync.cu", "grid_sync", "1", "32", {"i32[32]"}),
                             1,
                             "run.trap",
                             {"grid_sync.cu:5", "not cooperative", "Launch it as a cooperative kernel: --cooperative"}},
                    BadInput{"extern_shared",
                             trace("extern_shared.cu", "extern_shared", "1", "32", {"f32[32]"}),
                             1,
                             "memory.out_of_bounds",
                             {"extern_shared.cu:3", "the 0 bytes of shared memory", "(--shared)"}},
                    BadInput{"inline_assembly",
                             trace("inline_assembly.cu", "inline_assembly", "1", "32", {"i32[32]"}),
                             1,
                             "ptx.",
                             {"inline_assembly.cu:3", "frobnicate", "(PTX line "}},
                    BadInput{"waits_in_vain",
                             trace("waits_in_vain.cu", "waits_in_vain", "1", "32", {"i32[1]=0"}),
                             1,
                             "run.",
                             {"waits_in_vain.cu:2"}},
                    BadInput{"unsupported_opcode",
                             trace("unsupported.ptx", "unsupported", "1", "32", {}),
                             1,
                             "ptx.",
                             {"frobnicate", "unsupported.ptx:9"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    Lessons, CliBadInput,
    testing::Values(
        BadInput{"no_such_lesson", {"run", "coalesing"}, 2, "lesson.no_such", {"coalesing", "`coalescing`"}},
        BadInput{"no_such_variant",
                 {"run", "coalescing", "--variant", "strides"},
                 2,
                 "lesson.no_such_variant",
                 {"`stride`"}},
        BadInput{"yardstick",
                 {"run", "shuffle_reduce", "--variant", "cub_sum"},
                 2,
                 "lesson.yardstick",
                 {"library's own code", "lanescope record", "block_shared"}},
        BadInput{"no_such_control", {"run", "coalescing", "--set", "strid=2"}, 2, "control.unknown", {"`stride`"}},
        BadInput{
            "control_out_of_range", {"run", "coalescing", "--set", "stride=33"}, 2, "control.out_of_range", {"1 … 32"}},
        BadInput{"bad_setting", {"run", "coalescing", "--set", "stride"}, 2, "command.bad_setting", {"--set stride"}},
        BadInput{"compare_no_such_variant",
                 {"compare", "coalescing", "stride", "offsets"},
                 2,
                 "lesson.no_such_variant",
                 {"`offset`"}},
        // The lesson sets the launch, so only the code can be changed.
        BadInput{"lesson_with_another_kernel",
                 {"run", "coalescing", "--source", "copy.cu"},
                 2,
                 "compile.no_such_kernel",
                 {"The lesson launches `stride_copy`"}},
        BadInput{"lesson_with_a_host_call",
                 {"run", "coalescing", "--source", "host_call.cu"},
                 1,
                 "compile.",
                 {"host_call.cu:3", "the lesson allocates memory and launches the kernel"}},
        BadInput{"lesson_with_grid_sync",
                 {"run", "coalescing", "--source", "stride_copy.cu"},
                 1,
                 "run.trap",
                 {"stride_copy.cu:4", "Remove grid.sync()"}},
        BadInput{"no_such_trace", {"show", "nowhere.trace"}, 2, "io.cannot_read", {"nowhere.trace"}},
        BadInput{"folder_for_a_trace", {"show", "."}, 2, "trace.cannot_read", {"directory"}},
        BadInput{"no_such_saved_run", {"open", "nowhere.lanescope"}, 2, "io.cannot_read", {"nowhere.lanescope"}},
        BadInput{"folder_for_a_saved_run", {"open", "."}, 2, "io.cannot_read", {"directory"}},
        BadInput{"no_saved_run_at_all", {"open", "copy.cu", "--launch", "1"}, 1, "saved_run.not_one", {"copy.cu"}},
        BadInput{"no_trace_at_all", {"show", "copy.cu"}, 1, "trace.corrupt", {"copy.cu"}},
        BadInput{"no_such_lessons_folder", {"check", "nowhere"}, 2, "lesson.no_such", {"nowhere"}}),
    name_of_case);

// The engine says what a kernel needs. The command line adds the option that provides it.
TEST(CliBadInput, ACureNamesNoOptionThatTheCommandHasNot) {
  const std::vector<std::vector<std::string>> all{
      trace("grid_sync.cu", "grid_sync", "1", "32", {"i32[32]"}),
      trace("never_ends.cu", "never_ends", "1", "32", {"u32[32]"}, {"--max-steps", "1000"}),
      trace("copy.cu", "copy", "1", "32", copy_arguments, {"--device", "gpu"}),
      {"run", "coalescing", "--device", "gpu"},
      {"run", "coalescing", "--source", "copy.cu"},
      {"compare", "coalescing", "stride", "packed4", "--device", "gpu"},
      {"verify", "coalescing"},
      {"record", "coalescing", "-o", "/dev/null"},
      {"bench", "--gpu", "--seconds", "0"},
      {"doctor"}};
  const test::Setting no_gpu{"CUDA_VISIBLE_DEVICES=", "", "", ""};
  std::size_t named = 0;
  for (const std::vector<std::string>& command : all) {
    const Ran ran = lanescope(command, no_gpu);
    const std::string help = lanescope({command[0], "--help"}).out;
    std::istringstream lines(ran.err + ran.out);
    for (std::string line; std::getline(lines, line);) {
      const std::size_t at = line.find("cure: ");
      if (at == std::string::npos) continue;
      for (const std::string& option : test::all_words(line.substr(at), "--[a-z][a-z-]*")) {
        ++named;
        EXPECT_NE(help.find(option), std::string::npos) << command[0] << " has no " << option << ": " << line;
      }
    }
  }
  EXPECT_GE(named, 2u) << "no cure names any option";
}

TEST(CliBadInput, UsageErrorsAreExitCode2) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"frobnicate"},
                                                    {"runn", "coalescing"},
                                                    {"run"},
                                                    {"run", "coalescing", "--no-such-option"},
                                                    {"trace", "copy.cu"},
                                                    {"run", "coalescing", "--device", "tpu"},
                                                    {"--frobnicate"},
                                                    {"parse"},
                                                    {"parse", "a", "b"},
                                                    {"run", "coalescing", "--threads", "-1"},
                                                    {"run", "coalescing", "--max-steps", "x"},
                                                    {"run", "coalescing", "--max-steps", "-1"},
                                                    {"run", "coalescing", "--event-budget", "-1"},
                                                    {"run", "coalescing", "--event-budget", "99999999999999999999"},
                                                    {"bench", "--seconds", "nan"},
                                                    {"record", "coalescing", "-o", "x.json", "--seconds", "nan"}}) {
    const Ran ran = lanescope(arguments);
    EXPECT_EQ(ran.code, 2) << arguments[0];
    EXPECT_EQ(ran.out, "");
    EXPECT_THAT(ran.err, AllOf(HasSubstr("error: "), HasSubstr("cure: "))) << arguments[0];
    EXPECT_THAT(ran.err, testing::Not(HasSubstr("..\n"))) << arguments[0];
  }
  EXPECT_THAT(lanescope({"runn"}).err, HasSubstr("Did you mean `run`?"));
  EXPECT_THAT(lanescope({"compare", "coalescing", "stride"}).err, HasSubstr("variant_b is required"));
  EXPECT_EQ(lanescope({"--help"}).code, 0);
  EXPECT_EQ(lanescope({"run", "--help"}).code, 0);
  EXPECT_EQ(lanescope({"--version"}).code, 0);
}

// Also with an installed program, which has no source tree around it.
TEST(CliBadInput, TheDocumentsThatAreNamedAreThere) {
  const std::string version = lanescope({"--version"}).out, help = lanescope({"run", "--help"}).out;
  const auto between = [](const std::string& text, const std::string& before, const std::string& after) {
    const std::size_t begin = text.find(before);
    if (begin == std::string::npos) return std::string();
    return text.substr(begin + before.size(), text.find(after, begin) - begin - before.size());
  };
  const std::string folder = between(version, "docs      ", "\n"),
                    named = between(help, "(default 4); ", " lists all.");
  EXPECT_TRUE(std::filesystem::is_regular_file(folder + "/add-a-lesson.md")) << version;
  EXPECT_EQ(named, test::installed() ? folder + "/environment.md" : "docs/environment.md");
  EXPECT_TRUE(std::filesystem::is_regular_file(folder + "/environment.md"));
}

TEST(CliBadInput, UsageErrorsAreInTheJsonThatWasAskedFor) {
  const Ran ran = lanescope({"trace", "--kernel", "copy", "--json"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("file is required"));
  const json told = json::parse(ran.out, nullptr, false);
  ASSERT_TRUE(told.is_object()) << ran.out;
  ASSERT_EQ(told["diagnostics"].size(), 1u);
  EXPECT_EQ(told["diagnostics"][0]["code"], "command.usage");
  EXPECT_EQ(lanescope({"parse", "copy.cu", "--json"}).out, "") << "which has no JSON";
}

}  // namespace
}  // namespace lanescope
