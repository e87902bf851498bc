// Bad input gives a diagnostic with place, reason and cure and the right exit code, and leaves files unchanged.

#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "cli/program.h"
#include "english.h"
#include "expressions.h"
#include "lesson/lesson_fixture.h"
#include "test_paths.h"
#include "trace/codec.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::lanescope;
using test::Ran;
using testing::AllOf;
using testing::HasSubstr;

std::vector<std::string> trace(const std::string& file, const std::string& kernel, const std::string& grid,
                               const std::string& block, const std::vector<std::string>& arguments,
                               const std::vector<std::string>& more = {}) {
  std::vector<std::string> made{"trace", file, "--kernel", kernel, "--grid", grid, "--block", block};
  for (const std::string& argument : arguments) {
    made.push_back("--arg");
    made.push_back(argument);
  }
  made.insert(made.end(), more.begin(), more.end());
  return made;
}

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

// Numbers, addresses and names in backticks: what a translated message must keep.
std::multiset<std::string> values_in(const std::string& text) {
  const auto found = test::all_words(text, "`[^`]*`|0x[0-9a-f]+|[0-9]+");
  return {found.begin(), found.end()};
}

// What a Chinese reader is told, without text quoted from others.
void expect_no_english(const std::string& told) {
  EXPECT_THAT(told, AllOf(HasSubstr("错误："), HasSubstr("办法："), testing::Not(HasSubstr("error: ")),
                          testing::Not(HasSubstr("cure: "))));
  const std::string error = "错误：", cure = "办法：";
  std::istringstream lines(told);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t reason = line.find(error),
                      begin = reason != std::string::npos ? reason + error.size() : line.find(cure);
    if (begin == std::string::npos) continue;
    EXPECT_EQ(test::english_in(line.substr(begin)), "") << line;
  }
}

// The same in Chinese: no English of ours is left, and no value is lost.
void expect_chinese(const std::vector<std::string>& command, int exit_code) {
  const Ran ran = lanescope(test::with(command, {"--json", "--language", "zh-CN"}));
  EXPECT_EQ(ran.code, exit_code);
  const json document = ran.json();
  EXPECT_FALSE(document["diagnostics"].empty());
  for (const json& diagnostic : document["diagnostics"]) {
    const std::string message = diagnostic["message"], cure = diagnostic["cure"], code = diagnostic["code"];
    EXPECT_FALSE(message.empty());
    EXPECT_THAT(ran.err, testing::AnyOf(testing::Not(HasSubstr(message)), HasSubstr("“" + message + "”")))
        << "the message is English";
    if (!cure.empty()) {
      EXPECT_THAT(ran.err, testing::Not(HasSubstr(cure))) << "the cure is English";
    }
    const std::multiset<std::string> said = values_in(ran.err);
    for (const std::string& text : {message, cure})
      for (const std::string& value : values_in(text))
        EXPECT_TRUE(said.contains(value)) << value << " of \"" << text << "\" is lost:\n" << ran.err;
  }
  expect_no_english(ran.err);
}

TEST_P(CliBadInput, IsExplainedInChinese) {
  expect_chinese(GetParam().arguments, GetParam().code);
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
      const char* typed = "--[a-z]+( [a-z0-9=.]+)?|lanescope [a-z]+( [a-z]+)?";
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

const std::vector<std::string> copy_arguments{"f32[64]=1", "f32[64]", "i32=64"};

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
                 {"Parameter 3", "int (.u32", "`i32[1]=4`"}},
        BadInput{"scalar_for_a_buffer",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "i32=4", "i32=4"}),
                 2,
                 "argument.mismatch",
                 {"Parameter 2", "float*"}},
        BadInput{"narrow_for_a_wide_parameter",
                 trace("copy.cu", "fill<float,3>", "1", "32", {"f32[64]", "i32=4"}),
                 2,
                 "argument.mismatch",
                 {"copy.cu:7:17: error", "Parameter 2", "unsigned long long (.u64"}},
        BadInput{"float_for_an_integer",
                 trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "f32[64]", "f32=64"}),
                 2,
                 "argument.mismatch",
                 {"Parameter 3", "`f32=64`"}},
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
                 {"Argument 2 is not a buffer"}},
        BadInput{"write_to_a_full_disk",
                 trace("copy.cu", "copy", "2", "32", copy_arguments, {"--write", "1=/dev/full"}),
                 1,
                 "io.cannot_write",
                 {"/dev/full", "No space left"}},
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
  }
  EXPECT_THAT(lanescope({"runn"}).err, HasSubstr("Did you mean `run`?"));
  EXPECT_EQ(lanescope({"--help"}).code, 0);
  EXPECT_EQ(lanescope({"run", "--help"}).code, 0);
  EXPECT_EQ(lanescope({"--version"}).code, 0);
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

// An unreadable file must not end the program, neither as the source nor behind an #include.
TEST(CliBadInput, AFileThatBreaksOffWhileRead) {
  if (!fs::is_regular_file("/proc/self/mem")) GTEST_SKIP() << "no /proc/self/mem";
  EXPECT_EQ(lanescope(trace("/proc/self/mem", "copy", "1", "32", copy_arguments)).code, 2);
  test::TempFolder folder;
  const std::string source = (folder / "k.cu").string();
  test::write_file(source, "#include \"/proc/self/mem\"\n__global__ void k(int* out) { out[0] = 1; }\n");
  const Ran ran = lanescope(trace(source, "k", "1", "1", {"i32[1]"}));
  EXPECT_THAT(ran.code, testing::AnyOf(0, 1)) << ran.err;
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("terminate")));
}

TEST(CliBadInput, APlaceIsInTheFileByItsOwnName) {
  test::TempFolder folder;
  const std::string source = (folder / "größe 核 \"x\".cu").string();
  test::write_file(source,
                   "__device__ int far(int i) {\n  return i + 100;\n}\n__global__ void k(int* out) {\n  "
                   "out[far(threadIdx.x)] = 1;\n}\n");
  const Ran ran = lanescope(trace(source, "k", "1", "32", {"i32[64]"}));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr(source + ":5:"));
}

TEST(CliBadInput, ANameThatPtxCannotWrite) {
  test::TempFolder folder;
  const std::string source = (folder / "a\nb.cu").string();
  test::write_file(source, "__global__ void k(int* out) { out[0] = 1; }\n");
  const Ran ran = lanescope(trace(source, "k", "1", "1", {"i32[1]"}));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("line break"), HasSubstr("Rename the file.")));
}

// The totals that the program prints of such a buffer are not those of the kernel's elements.
TEST(CliBadInput, ABufferOfOtherElementsIsWarnedOf) {
  const Ran other = lanescope(trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "i32[64]", "i32=32"}));
  EXPECT_EQ(other.code, 0);
  EXPECT_THAT(other.err, AllOf(HasSubstr("copy.cu:1:17: warning: Parameter 2 of `copy` is float*"),
                               HasSubstr("`i32[64]` holds i32"), HasSubstr("f32[1024]")));
  EXPECT_EQ(lanescope(trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "f32[64]", "i32=32"})).err, "");
}

// Filling buffers takes longest, so it comes after all checks. Here there is not enough memory to fill them.
TEST(CliBadInput, WhatCannotBeLaunchedNeedsNoMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer takes more address space than any limit allows";
#endif
  const test::Setting little{"", "ulimit -v 3000000", "", ""};  // KiB
  const auto too_large = [](const char* grid, const char* block, const std::vector<std::string>& more) {
    return test::with(trace("copy.cu", "copy", grid, block, {"f32[1073741824]=iota", "f32[1073741824]", "i32=100"}),
                      more);
  };
  EXPECT_THAT(lanescope(too_large("1057", "256", {"--cooperative"}), little).err,
              HasSubstr("of 1057 blocks only 1056 fit"));
  EXPECT_THAT(lanescope(too_large("1", "1025", {}), little).err, HasSubstr("is too large"));
  EXPECT_THAT(lanescope(too_large("1", "256", {"--shared", "999999"}), little).err, HasSubstr("of shared memory"));
  EXPECT_THAT(lanescope(too_large("1056", "256", {"--cooperative"}), little).err,
              HasSubstr("there is not enough memory for"));
}

TEST(CliBadInput, PtxThatIsNone) {
  for (const char* command : {"parse", "cfg"}) {
    EXPECT_EQ(lanescope({command, "nowhere.ptx"}).code, 2);
    const Ran ran = lanescope({command, "unsupported.ptx"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.err, HasSubstr("unsupported.ptx:9"));
    EXPECT_EQ(lanescope({command, "copy.cu", "--kernel", "nothing"}).code, 2);
  }
}

TEST(CliBadInput, NoCompilerIsExitCode3) {
  test::TempFolder nothing;
  const test::Setting setting{"LANESCOPE_CUDA=" + nothing.path().string(), "", "", ""};
  const Ran ran = lanescope({"run", "coalescing", "--json"}, setting);
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("NVRTC"));
  const Ran doctor = lanescope({"doctor"}, setting);
  EXPECT_EQ(doctor.code, 3) << doctor.out;
  EXPECT_THAT(doctor.out, HasSubstr("missing  CUDA compiler (NVRTC)"));
}

// Damaged lessons: `check` names file, line and cure and exits with 1.
TEST(CliBadInput, LessonsThatAreWrong) {
  struct Spoilt {
    const char* what;
    const char* file;
    std::string contents;
    const char* said;
  };
  const Spoilt cases[] = {
      {"missing field", "lesson.toml", test::replaced(test::small_lesson, "title = \"Small\"\n", ""), "lacks `title`"},
      {"unknown key", "lesson.toml", test::replaced(test::small_lesson, "block = 32", "blok = 32"),
       "Did you mean `block`?"},
      {"stray file", "notes.txt", "x", "No variant uses this file"},
      {"wrong number", "text.md", test::replaced(test::small_text, "[[4 =", "[[5 ="), "The text states 5"},
      {"false check", "text.md", test::replaced(test::small_text, ">= 4", ">= 400"), "does not hold"},
      {"unknown number", "text.md", test::replaced(test::small_text, "sectors | 0", "sektors | 0"),
       "global_load.sectors"},
      {"swapped kernel", "copy.cu", test::replaced(test::small_kernel, "in[i * stride_of]", "in[i]"),
       "`out[1]` is 1, expected 8"},
      {"wrong figure", "lesson.toml", test::replaced(test::small_lesson, "min(32, 4 * stride)", "4 * stride + 1"),
       "does not hold"},
      {"kernel that faults", "copy.cu",
       test::replaced(test::small_kernel, "in[i * stride_of]", "in[i * stride_of + 8]"), "copy.cu:4"},
      {"kernel that does not compile", "copy.cu", test::replaced(test::small_kernel, "= value;", "= valu;"),
       "copy.cu:6"},
      {"launch that is impossible", "lesson.toml", test::replaced(test::small_lesson, "block = 32", "block = 2048"),
       "1024"},
      {"fill that is none", "lesson.toml", test::replaced(test::small_lesson, "\"iota\"", "\"iotas\""), "iotas"},
      {"languages that differ", "text.zh-CN.md", test::replaced(test::small_text, "[[4 =", "[[4.0 ="),
       "but not in text.zh-CN.md"},
  };
  test::TempFolder good;
  test::write_small_lesson(good.path());
  const Ran holds = lanescope({"check", good.path().string()});
  EXPECT_EQ(holds.code, 0) << holds.err;
  for (const Spoilt& spoilt : cases) {
    test::TempFolder folder;
    test::write_small_lesson(folder.path());
    test::write_file(folder / spoilt.file, spoilt.contents);
    const Ran ran = lanescope({"check", folder.path().string()});
    EXPECT_EQ(ran.code, 1) << spoilt.what << ran.err;
    EXPECT_THAT(ran.err, AllOf(HasSubstr(spoilt.said), HasSubstr("cure: "))) << spoilt.what;
    SCOPED_TRACE(spoilt.what);
    expect_chinese({"check", folder.path().string()}, 1);
  }
}

TEST(CliBadInput, TracesThatAreDamaged) {
  test::TempFolder folder;
  const std::string saved = (folder / "a.trace").string();
  ASSERT_EQ(lanescope({"run", "coalescing", "--set", "n=64", "--save", saved}).code, 0);
  ASSERT_EQ(lanescope({"show", saved}).code, 0);
  const std::string whole = test::read_file(saved);
  test::write_file(folder / "short.trace", whole.substr(0, whole.size() / 2));
  const Ran truncated = lanescope({"show", (folder / "short.trace").string(), "--json"});
  EXPECT_EQ(truncated.code, 1);
  EXPECT_EQ(truncated.json()["diagnostics"][0]["code"], "trace.truncated");
  std::string damaged = whole;
  damaged[whole.size() - 1] = static_cast<char>(damaged[whole.size() - 1] ^ 1);
  test::write_file(folder / "damaged.trace", damaged);
  EXPECT_EQ(lanescope({"show", (folder / "damaged.trace").string()}).code, 1);
  for (const char* name : {"short.trace", "damaged.trace"}) expect_chinese({"show", (folder / name).string()}, 1);
  std::string newer = whole;
  newer[8] = static_cast<char>(trace::format_version + 1);  // format version and checksum of the bytes up to there
  const std::uint64_t check = trace::checksum(std::as_bytes(std::span(newer).first(12)));
  for (std::size_t i = 0; i < 4; ++i) newer[12 + i] = static_cast<char>(check >> (8 * i));
  test::write_file(folder / "newer.trace", newer);
  const Ran later = lanescope({"show", (folder / "newer.trace").string(), "--json"});
  EXPECT_EQ(later.code, 1);
  EXPECT_EQ(later.json()["diagnostics"][0]["code"], "trace.newer");
  EXPECT_THAT(later.err, AllOf(HasSubstr("newer.trace"), HasSubstr("cure: ")));
  expect_chinese({"show", (folder / "newer.trace").string()}, 1);
}

// Shipped times are damaged. The lesson still runs; what its text says about times is not checked.
TEST(CliBadInput, ARecordingThatIsDamaged) {
  test::TempFolder root;
  fs::create_directories(root / "assets/recordings");
  fs::create_directory_symlink(fs::path(LANESCOPE_SOURCE_DIR) / "lessons", root / "lessons");
  test::write_file(root / "assets/recordings/coalescing.json", "{\"lanescope_recording\": 1, \"lesson\"");
  const test::Setting there{"LANESCOPE_ROOT=" + root.path().string(), "", "", ""};
  const Ran ran = lanescope({"run", "coalescing"}, there);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("coalescing.json: warning: "), HasSubstr("damaged"), HasSubstr("cure: ")));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("recorded time")));
  const Ran checked = lanescope({"check", (root / "lessons/01_coalescing").string()}, there);
  EXPECT_EQ(checked.code, 1) << checked.err;
  EXPECT_THAT(checked.err, AllOf(HasSubstr("coalescing.json: error: "), HasSubstr("cure: ")));
}

// A limit on file sizes stands for a full disk.
TEST(CliBadInput, AFullDiskLosesNothing) {
  const test::Setting full{"", "trap '' XFSZ; ulimit -f 2", "", ""};
  test::TempFolder folder;
  const std::string saved = (folder / "a.trace").string();
  test::write_file(saved, "what was there before");
  const Ran ran = lanescope({"run", "coalescing", "--save", saved, "--svg", folder.path().string()}, full);
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("a.trace"), HasSubstr(".svg"), HasSubstr("cure: ")));
  EXPECT_EQ(test::read_file(saved), "what was there before");
  std::vector<std::string> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
    left.push_back(entry.path().filename().string());
  EXPECT_THAT(left, testing::Each(testing::Not(testing::EndsWith(".part"))));

  const Ran device = lanescope({"run", "coalescing", "--save", "/dev/full"});
  EXPECT_EQ(device.code, 1);
  EXPECT_THAT(device.out, HasSubstr("global load sectors")) << "the run itself is not lost";
  const Ran output = lanescope({"list"}, {"", "", "", "/dev/full"});
  EXPECT_EQ(output.code, 1);
  EXPECT_THAT(output.err, HasSubstr("could not be written"));
  EXPECT_EQ(lanescope({"run", "coalescing", "--save", "/nowhere/a.trace"}).code, 1);
  EXPECT_EQ(lanescope({"run", "coalescing", "--svg", "/dev/null/pictures"}).code, 1);
}

}  // namespace
}  // namespace lanescope
