// `trace` on a file that is not ours: what it reads from it, and what help and README say.

#include <gmock/gmock.h>

#include "cli/program.h"
#include "core/os/program_name.h"
#include "job/run/job.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::lanescope;
using test::Ran;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* blur_source = R"(__constant__ float filter[2];
__global__ void blur(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * filter[i % 2];
}
int main() {
  const int n = 100;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
  blur<<<(n + 31) / 32, 32>>>(a, b, n);
}
)";

std::string code_of(const json& document, std::size_t index) {
  return document["diagnostics"][index]["code"];
}

// A project's headers lie in a folder beside that of the source: it is an include path without -I, for what the file's
// launches name too.
TEST(CliTrace, HeadersAreFoundInAFolderNearby) {
  test::TempFolder folder;
  test::write_file((folder / "inc/size.h").string(), "#include \"more.h\"\nconstexpr int size = 64;\n");
  test::write_file((folder / "more/more.h").string(), "#pragma once\nconstexpr int more = 3;\n");
  const std::string file = (folder / "src/fill.cu").generic_string();
  test::write_file(file,
                   "#include \"size.h\"\n"
                   "__global__ void fill(int* out) { out[threadIdx.x] = size + more; }\n"
                   "int main() { int* d; cudaMalloc(&d, 4 * size); fill<<<1, size>>>(d); }\n");
  const std::vector<std::string> trace{"trace", file, "--arg", "i32[64]=0"};
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--grid", "1", "--block", "64"}}) {
    const Ran ran = lanescope(test::with(trace, more));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr("block 64"));
    for (const char* found : {"inc", "more"}) {
      const std::string path = (folder / "src/..").generic_string() + "/" + found;
      const std::string normal = fs::path(path).lexically_normal().generic_string();
      EXPECT_THAT(ran.err, HasSubstr(file + ": note: Headers were found in " + normal +
                                     ", which is an include path now (-I " + as_typed(normal) + ").\n"));
    }
  }
  EXPECT_THAT(lanescope(test::with(trace, {"--json"})).json()["diagnostics"][0]["code"], "program.headers");
  // Above the repository's root nothing is looked for.
  fs::create_directory(folder / "src/.git");
  const Ran refused = lanescope(test::with(trace, {"--grid", "1", "--block", "64"}));
  EXPECT_EQ(refused.code, 1) << refused.err;
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("cannot open source file \"size.h\""), Not(HasSubstr("Headers were found"))));
}

TEST(CliTrace, AMacroIsDefinedAsForNvcc) {
  test::TempFolder folder;
  const std::string file = (folder / "fill.cu").string();
  test::write_file(file,
                   "__global__ void fill(TYPE* out) { out[threadIdx.x] = VALUE; }\n"
                   "int main() { TYPE* d; cudaMalloc(&d, 32 * sizeof(int)); fill<<<1, THREADS>>>(d); }\n");
  const std::vector<std::string> trace{"trace", file, "--arg", "i32[32]=0", "--json"};
  EXPECT_NE(lanescope(trace).code, 0);
  const Ran ran = lanescope(test::with(trace, {"-D", "TYPE=int", "-DVALUE=3", "--define", "THREADS=32"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["launch"]["block"], (json{32, 1, 1}));
  EXPECT_EQ(ran.json()["buffers"][0]["sum"], 96);
  for (const char* stage : {"parse", "cfg"})
    EXPECT_THAT(lanescope({stage, file, "-D", "TYPE=int", "-D", "VALUE=77"}).out, HasSubstr("77")) << stage;
  for (const char* wrong : {"", "2N", "N M=1"})
    for (const std::vector<std::string>& command : {trace, {"parse", file}}) {
      const Ran refused = lanescope(test::with(command, {"-D", wrong}));
      EXPECT_EQ(refused.code, 2) << command[0] << " -D '" << wrong << "': " << refused.err;
      EXPECT_THAT(refused.out + refused.err, HasSubstr("NAME=VALUE")) << command[0];
    }
  EXPECT_THAT(lanescope({"trace", "--help"}).out, HasSubstr("-D N=1024"));
}

TEST(CliTrace, AFileSaysItsOwnLaunch) {
  test::TempFolder folder;
  const std::string file = (folder / "blur.cu").string();
  test::write_file(file, blur_source);
  const Ran ran = lanescope({"trace", file, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json document = ran.json();
  EXPECT_EQ(document["launch"]["grid"], (json{4, 1, 1}));
  EXPECT_EQ(document["launch"]["block"], (json{32, 1, 1}));
  EXPECT_EQ(document["buffers"][0]["sum"], 4950);
  EXPECT_EQ(document["buffers"][1]["sum"], 0);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("blur.cu:12: note: taken from this launch: grid 4, block 32"),
                             HasSubstr("blur.cu:4"), HasSubstr("--symbol")));
  const Ran filled = lanescope({"trace", file, "--symbol", "filter=f32[2]=2", "--json"});
  ASSERT_EQ(filled.code, 0) << filled.err;
  EXPECT_EQ(filled.json()["buffers"][1]["sum"], 9900);
  const Ran twice = lanescope(
      {"trace", file, "--symbol", "filter=f32[2]=2", "--then", "blur<<<4, 32>>>(same:1, same:0, i32=100)", "--json"});
  ASSERT_EQ(twice.code, 0) << twice.err;
  EXPECT_EQ(twice.json()["buffers"][0]["sum"], 4 * 4950);
  const Ran wrong = lanescope({"trace", file, "--symbol", "filter"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("cure: "));
}

// The first thing that anybody types: the answer is a command that runs.
TEST(CliTrace, WhatTheFileLeavesOpenIsGuessedInACommandToBeginWith) {
  test::TempFolder folder;
  const std::string file = (folder / "solve.cu").string();
  test::write_file(file,
                   "__global__ void add(const float* a, float* out, int n) {\n"
                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                   "  if (i < n) out[i] = a[i] + 1;\n"
                   "}\n"
                   "extern \"C\" void solve(const float* a, float* out, int n) {\n"
                   "  add<<<(n + 255) / 256, 256>>>(a, out, n);\n"
                   "}\n");
  const Ran ran = lanescope({"trace", file, "--block", "128", "--json"});
  EXPECT_EQ(ran.code, 2);
  const json all = ran.json()["diagnostics"];
  EXPECT_EQ(all.back()["code"], "command.example");
  EXPECT_THAT(ran.err, AllOf(HasSubstr("trace " + file + " --kernel add --grid 16 --block 128 --arg "),
                             HasSubstr("f32[4000]=iota"), Not(HasSubstr("--list"))));
  EXPECT_EQ(lanescope({"trace", file, "--kernel", "add", "--grid", "16", "--block", "128", "--arg", "f32[4000]=iota",
                       "--arg", "f32[4000]=0", "--arg", "i32=4000"})
                .code,
            0);
  const std::string two = (folder / "two.cu").string();
  test::write_file(two,
                   "__global__ void one(float* x) { x[threadIdx.x] = 1; }\n"
                   "__global__ void other(float* x) { x[threadIdx.x] = 2; }\n");
  const Ran several = lanescope({"trace", two});
  EXPECT_EQ(several.code, 2);
  EXPECT_THAT(several.err, AllOf(HasSubstr("open " + two + " --list"), HasSubstr("trace " + two + " --kernel one ")));
  EXPECT_THAT(lanescope({"trace", two, "--kernel", "other"}).err, HasSubstr("trace " + two + " --kernel other "));
  EXPECT_THAT(lanescope({"trace", two, "--kernel", "nobody"}).err, Not(HasSubstr("--grid 16")));
  const std::string program = (folder / "program.cu").string();
  test::write_file(program, test::read_file(two) + "int main() {}\n");
  EXPECT_THAT(
      lanescope({"trace", program}).err,
      AllOf(HasSubstr("exec " + program), HasSubstr("trace " + program + " --kernel one "), Not(HasSubstr("--list"))));
}

TEST(CliTrace, ARaceIsSaidUnasked) {
  test::TempFolder folder;
  const std::string file = (folder / "sum.cu").string();
  test::write_file(file, "__global__ void sum(const int* in, int* out) {\n  *out += in[threadIdx.x];\n}\n");
  const std::vector<std::string> arguments{"trace", file,        "--grid", "1",        "--block", "64",
                                           "--arg", "i32[64]=1", "--arg",  "i32[1]=0", "--json"};
  const Ran ran = lanescope(arguments);
  EXPECT_EQ(ran.code, 1) << "as with --races";
  EXPECT_EQ(ran.json()["races"]["accused"], true);
  EXPECT_EQ(code_of(ran.json(), 0), "race.found");
  EXPECT_THAT(ran.err, HasSubstr("sum.cu:2: warning: "));
}

TEST(CliTrace, HelpAndReadmeSayEveryForm) {
  const std::string readme = test::read_file(fs::path(LANESCOPE_SOURCE_DIR) / "README.md");
  const Ran english = lanescope({"trace", "--help"}), chinese = lanescope({"trace", "--help", "--language", "zh-CN"});
  for (const job::ArgumentForm& one : job::argument_forms()) {
    EXPECT_THAT(english.out, AllOf(HasSubstr(one.form), HasSubstr(one.meaning)));
    EXPECT_THAT(chinese.out, HasSubstr(one.form));
    EXPECT_THAT(readme, HasSubstr(std::string("| `") + one.form + "` | " + one.meaning + " |"));
  }
}

// Every form that help shows can be read. FILE, names in capitals and … are placeholders.
TEST(CliTrace, EveryFormIsRead) {
  for (const job::ArgumentForm& one : job::argument_forms()) {
    std::string text = one.form;
    if (text.find("FILE") != std::string::npos || text.find("[]") != std::string::npos) continue;
    for (const auto& [name, value] : {std::pair{"SEED", "7"}, {"LO", "1"}, {"HI", "2"}, {"…", "f32[64]"}})
      if (const std::size_t at = text.find(name); at != std::string::npos)
        text.replace(at, std::string(name).size(), value);
    EXPECT_TRUE(job::make_argument({text, ""}).ok()) << text;
  }
}

// Sectors of global memory are not divided by requests of shared memory.
TEST(CliTrace, AnAccessToSeveralMemoriesHasNoSectorsEach) {
  test::TempFolder folder;
  const std::string file = (folder / "mixed.cu").string();
  test::write_file(file,
                   "__global__ void mixed(float* out, float* in) {\n"
                   "  __shared__ float s[32];\n"
                   "  s[threadIdx.x] = threadIdx.x;\n"
                   "  __syncthreads();\n"
                   "  float* p = threadIdx.x % 2 ? s + threadIdx.x : in + threadIdx.x * 8;\n"
                   "  out[threadIdx.x] = *p;\n"
                   "}\n");
  const Ran ran = lanescope({"trace", file, "--kernel", "mixed", "--grid", "1", "--block", "32", "--arg", "f32[32]",
                             "--arg", "f32[256]=iota"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, testing::ContainsRegex("  ld\\.f32 +1 +32 +2 +16 +– +– +1 +0 "));
}

}  // namespace
}  // namespace lanescope
