// `// run:` lines: what `trace`, `verify` and the window take from them.

#include <cstring>
#include <tuple>

#include <gmock/gmock.h>

#include "compile/source.h"
#include "job/request/directives.h"
#include "job/request/launch_form.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"

namespace lanescope::job {
namespace {

using testing::ElementsAre;

// As `verify` and the window read it.
TEST(RunLines, ARunLineFillsWhatTheOptionsLeaveOpen) {
  const std::string text =
      "// run: ./a.out 64\n"
      "// run: --grid 2,3 --block 32 --shared 64 -D N=7 --arg f32[64]=iota --arg i32=9\n"
      "__global__ void k(float* x, int n) {}\n"
      "// run: --grid 1 --block 8\n"
      "__global__ void other() {}\n"
      "int main() { k<<<1, 1>>>(0, 0); }\n";
  const std::string without_comment = text.substr(text.find('\n'));
  const auto taken = [](const std::string& of, LaunchOptions options) {
    compile::Source source = source_of_file("k.cu", of);
    const Diagnostics notes = take_run_line(options, source);
    return std::tuple(options, source.defines, notes);
  };
  const auto [options, defines, notes] = taken(without_comment, {.kernel = "k"});
  EXPECT_EQ(options.grid, "2,3");
  EXPECT_EQ(options.block, "32");
  EXPECT_EQ(options.shared_bytes, 64u);
  EXPECT_THAT(options.arguments, ElementsAre("f32[64]=iota", "i32=9"));
  EXPECT_THAT(defines, ElementsAre("N=7"));
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].message,
            "taken from this `// run:` line: grid 2,3, block 32, 64 bytes of shared memory, 2 arguments");
  EXPECT_EQ(notes[0].place.line, 2);
  const auto [given, _, about_the_rest] = taken(without_comment, {.kernel = "k", .block = "64", .arguments = {"null"}});
  EXPECT_EQ(given.block, "64");
  EXPECT_THAT(given.arguments, ElementsAre("null"));
  EXPECT_EQ(about_the_rest[0].message, "taken from this `// run:` line: grid 2,3, 64 bytes of shared memory");
  EXPECT_TRUE(std::get<Diagnostics>(taken(without_comment, {})).empty()) << "two kernels, and none is named";
  EXPECT_EQ(std::get<0>(taken(text, {.kernel = "k"})).grid, "2,3") << "somebody else's comment is not a line of ours";
}

TEST(RunLines, ARunLineFillsVariablesAndLaunchesAgain) {
  compile::Source source = source_of_file(
      "k.cu",
      "// run: --grid 1 --block 4 --arg i32[4]=0 --symbol table=i32[4]=iota --then 'twice<<<1, 4>>>(same:0)'\r\n"
      "__global__ void first(int* out) { out[threadIdx.x] = table[threadIdx.x]; }\r\n"
      "__global__ void twice(int* out) { out[threadIdx.x] *= 2; }\r\n");
  source.text.insert(0, "__constant__ int table[4];\n");
  LaunchOptions options{.kernel = "first"};
  const Diagnostics taken = take_run_line(options, source);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].message,
            "taken from this `// run:` line: grid 1, block 4, 1 argument, 1 variable, 1 further launch");
  Diagnostics notes;
  Result<Request> request = request_from(source, options, notes);
  ASSERT_TRUE(request.ok()) << format(request.errors().front());
  const Outcome outcome = run(*request);
  ASSERT_TRUE(outcome.completed) << format(outcome.diagnostics.front());
  int written[4] = {};
  ASSERT_EQ(outcome.arguments[0].contents.size(), sizeof written);
  std::memcpy(written, outcome.arguments[0].contents.data(), sizeof written);
  EXPECT_THAT(written, ElementsAre(0, 2, 4, 6));
  EXPECT_EQ(outcome.launches.size(), 2u);
}

// One kernel's wrong line must not hide another kernel's right one, nor be passed over in silence.
TEST(RunLines, AWrongRunLineIsNamedAndConcernsItsKernelAlone) {
  const std::string text =
      "// run: --grid 1 --blok 8\n"
      "__global__ void wrong(int* x) {}\n"
      "// run: --grid 2 --block 8 --arg i32[8]\n"
      "__global__ void right(int* x) {}\n";
  compile::Source source = source_of_file("k.cu", text);
  LaunchOptions right{.kernel = "right"}, wrong{.kernel = "wrong"};
  EXPECT_EQ(take_run_line(right, source).at(0).severity, Severity::note);
  EXPECT_EQ(right.grid, "2");
  const Diagnostics warnings = take_run_line(wrong, source);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].severity, Severity::warning);
  EXPECT_EQ(warnings[0].message, "This `// run:` line is not used: --blok is not an option of a `// run:` line.");
  EXPECT_EQ(warnings[0].place.line, 1);
  EXPECT_EQ(wrong.grid, "");
}

// Where the name stands on another line than __global__, or behind a comment, or in a namespace.
TEST(RunLines, ALineBelongsToTheNextKernelHoweverItIsWritten) {
  const auto kernel = [](const std::string& written) {
    const RunLines read = read_run_lines("k.cu", "// run: --grid 1 --block 8\n" + written);
    EXPECT_TRUE(read.problems.empty() && read.lines.at(0).problems.empty()) << written;
    return read.lines.at(0).options.kernel;
  };
  EXPECT_EQ(kernel("__global__ void __launch_bounds__(256, 4)  // four (4) blocks\nscale(float* x) {}\n"), "scale");
  EXPECT_EQ(kernel("__global__\nvoid\nscale (float* x) {}\n"), "scale");
  EXPECT_EQ(kernel("__global__ static void __cluster_dims__(2, 1, 1) scale(int* x) {}\n"), "scale");
  EXPECT_EQ(kernel("// not __global__ void other(int)\n__global__ void scale(int* x) {}\n"), "scale");
  EXPECT_EQ(kernel("#define KERNEL __global__ void\nKERNEL scale(int* x) {}\n"), "scale");
  EXPECT_EQ(kernel("namespace ns {\n__global__ void scale(int* x) {}\n}\n"), "ns::scale");
  EXPECT_EQ(kernel("void on_the_host() {}\n"), "");
}

// The window takes the line that `trace` takes: none if the first one of the kernel is wrong, and says why.
TEST(RunLines, TheFormAndTraceTakeTheSameLine) {
  const std::string text =
      "// run: --grid 3 --block 8 --shared many --arg i32[8]\n"
      "// run: --grid 2 --block 8 --arg i32[8]\n"
      "__global__ void k(int* x) { x[threadIdx.x] = 1; }\n";
  compile::Source source = source_of_file("k.cu", text);
  const FormKernel form = form_kernels(source).at(0);
  LaunchOptions options{.kernel = "k"};
  const Diagnostics traced = take_run_line(options, source);
  ASSERT_EQ(traced.size(), 1u);
  EXPECT_EQ(traced[0].message, "This `// run:` line is not used: `--shared many` is not a number of bytes.");
  EXPECT_EQ(form.origin.kind, FormOrigin::Kind::guessed);
  ASSERT_EQ(form.unused.size(), 1u);
  EXPECT_EQ(format(form.unused[0]), format(traced[0]));
  source.text.erase(0, source.text.find('\n') + 1);
  EXPECT_EQ(form_kernels(source).at(0).form.grid, "2");
  EXPECT_TRUE(form_kernels(source).at(0).unused.empty());
}

}  // namespace
}  // namespace lanescope::job
