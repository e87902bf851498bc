// What each subcommand prints for people.

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <regex>
#include <tuple>

#include "cli/program.h"
#include "core/os/abilities.h"
#include "core/os/program_name.h"
#include "core/source_types.h"
#include "expressions.h"
#include "ptx_text.h"
#include "test_paths.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::lanescope;
using test::Ran;
using test::with;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> copy{"trace", "copy.cu", "--kernel",      "copy",  "--grid",   "2",     "--block",
                                    "64",    "--arg",   "f32[128]=iota", "--arg", "f32[128]", "--arg", "i32=100"};

// The compiler's version differs from machine to machine.
std::string stable(const std::string& text) {
  return test::all_replaced(text, "nvrtc [0-9.]+", "nvrtc X");
}

TEST(CliCommands, RunPrintsATable) {
  const Ran ran = lanescope({"run", "coalescing", "stride", "--set", "stride=8"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  test::expect_golden("cli/run_coalescing.out", stable(ran.out));
}

TEST(CliCommands, TracePrintsATable) {
  const Ran ran = lanescope(with(copy, {"--nsight"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  test::expect_golden("cli/trace_copy.out", stable(ran.out));
}

// 3.997 sectors per request must not be shown as 4.
TEST(CliCommands, WhatIsNearlyWholeIsNotShownAsWhole) {
  const auto sectors_per_request = [](const std::string& elements) {
    const Ran ran = lanescope({"trace", "copy.cu", "--kernel", "copy", "--grid", "1000", "--block", "32", "--arg",
                               "f32[32000]=1", "--arg", "f32[32000]", "--arg", "i32=" + elements});
    const auto found = test::all_found(ran.out, "global load sectors per request +([0-9.]+) ");
    return found.empty() ? ran.out + ran.err : found[0][1];
  };
  EXPECT_EQ(sectors_per_request("32000"), "4");
  EXPECT_EQ(sectors_per_request("31976"), "4.00") << "the last warp has 8 lanes: one sector";
}

TEST(CliCommands, CompareShowsRatios) {
  const Ran ran = lanescope({"compare", "coalescing", "pairs_apart", "packed2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  test::expect_golden("cli/compare.out", stable(ran.out));
  const json document = lanescope({"compare", "coalescing", "stride", "packed4", "--set", "stride=8", "--json"}).json();
  EXPECT_EQ(document["a"]["variant"], "stride");
  EXPECT_EQ(document["b"]["variant"], "packed4");
  bool found = false;
  for (const json& row : document["ratios"]) {
    if (row["name"] != "global_load.sectors") continue;
    found = true;
    EXPECT_EQ(row["a"], 16384);
    EXPECT_EQ(row["b"], 2048);
    EXPECT_EQ(row["ratio"], 0.125);
  }
  EXPECT_TRUE(found);
}

// At the interpreted size the launch overhead dominates, and bank conflicts would seem free.
TEST(CliCommands, CompareTellsTheRecordedTimesOfTheMeasuredSize) {
  const json both = lanescope({"compare", "divergence", "reduce_strided", "reduce_sequential", "--json"}).json();
  EXPECT_EQ(both["recorded"]["sizes"], (json{{"n", 4194304}}));
  EXPECT_GT(both["recorded"]["a"]["low_seconds"], both["recorded"]["b"]["high_seconds"]);
  EXPECT_EQ(both["recorded"]["told_apart"], true);
  EXPECT_LT(both["recorded"]["ratio"], 0.9);
  const Ran alike = lanescope({"compare", "shared_memory_copy", "copy_register", "copy_register"});
  EXPECT_THAT(alike.out, HasSubstr("They cannot be told apart"));
  const json alone = lanescope({"compare", "divergence", "reduce_strided", "reduce_missing_barrier", "--json"}).json();
  EXPECT_TRUE(alone["recorded"].is_null()) << "nobody timed what is broken on purpose";
}

// One launch of a variant with several can be chosen; without a choice all are used.
TEST(CliCommands, CompareFollowsAChoiceOfLaunch) {
  const auto compared = [](std::vector<std::string> more) {
    std::vector<std::string> command = {"compare", "shuffle_reduce", "end_second", "end_second"};
    command.insert(command.end(), more.begin(), more.end());
    return lanescope(command);
  };
  const auto loads = [&](std::vector<std::string> more) {
    more.emplace_back("--json");
    const json document = compared(more).json();
    for (const json& row : document["ratios"])
      if (row["name"] == "global_load.requests") return std::pair<int, int>{row["a"], row["b"]};
    return std::pair<int, int>{0, 0};
  };
  const auto [first, second] = loads({"--launch-a", "1", "--launch-b", "2"});
  EXPECT_GT(first, second) << "the second launch adds up the blocks' sums alone";
  EXPECT_GT(second, 0);
  EXPECT_EQ(loads({}), (std::pair<int, int>{first + second, first + second}));
  EXPECT_EQ(loads({"--launch-b", "2"}), (std::pair<int, int>{first + second, second}));
  const Ran said = compared({"--launch-b", "2"});
  EXPECT_THAT(said.out, HasSubstr("launch 1 of 2"));
  EXPECT_THAT(said.out, HasSubstr("launch 2 of 2"));
  EXPECT_THAT(said.out, HasSubstr(" ×"));
  EXPECT_THAT(compared({"--set", "m=1"}).err, HasSubstr("Known: n, block, blocks.")) << "each name once";
  const Ran wrong = compared({"--launch-a", "3"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err, HasSubstr("has no launch 3"));
  EXPECT_THAT(wrong.err, HasSubstr("a value from 1 to 2 for --launch-a"));
}

TEST(CliCommands, ListNamesLessonsAndVariants) {
  const Ran ran = lanescope({"list"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1. Coalescing (coalescing)"));
  const json document = lanescope({"list", "--json"}).json();
  ASSERT_FALSE(document["lessons"].empty());
  EXPECT_EQ(document["lessons"][0]["id"], "coalescing");
  EXPECT_EQ(document["lessons"][0]["variants"].size(), 9u);
}

TEST(CliCommands, TheSameSourceWithTheSameArgumentsGivesTheSameText) {
  EXPECT_EQ(lanescope(copy).out, lanescope(copy).out);
}

TEST(CliCommands, TakesTemplatesByTheirSourceName) {
  const Ran ran = lanescope({"trace", "copy.cu", "--kernel", "fill<float, 3>", "--grid", "1", "--block", "32", "--arg",
                             "f32[32]", "--arg", "u64=32", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["kernel"], "fill<float, 3>");
  EXPECT_EQ(ran.json()["buffers"][0]["sum"], 96);
}

TEST(CliCommands, FindsHeadersBesideTheSource) {
  const std::vector<std::string> rest{"--kernel", "includes", "--grid",  "1",     "--block",
                                      "32",       "--arg",    "f32[32]", "--json"};
  const Ran beside = lanescope(with({"trace", "includes.cu"}, rest));
  ASSERT_EQ(beside.code, 0) << beside.err;
  EXPECT_EQ(beside.json()["buffers"][0]["sum"], 80);
  const Ran elsewhere =
      lanescope(with({"trace", test::case_path("cli/includes.cu").string()}, rest), {"", "", "/", ""});
  EXPECT_EQ(elsewhere.code, 0) << elsewhere.err;
}

TEST(CliCommands, PassesStructsDoublesAndBytes) {
  const Ran ran =
      lanescope({"trace", "params.cu", "--kernel", "by_value", "--grid", "1", "--block", "32", "--arg", "f32[32]",
                 "--arg", "bytes=0000c03f00000040", "--arg", "f64=10", "--arg", "u8=200", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["buffers"][0]["sum"], 32 * (1.5 * 10 + 2 + 200));
  const Ran plain = lanescope({"trace", "params.cu", "--kernel", "plain_c", "--grid", "1", "--block", "32", "--arg",
                               "f32[32]=0", "--arg", "i64=7", "--json"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_EQ(plain.json()["buffers"][0]["sum"], 7);
}

TEST(CliCommands, ShowsWhatAKernelPrints) {
  const std::vector<std::string> prints{"trace", "prints.cu", "--kernel", "prints", "--grid",
                                        "1",     "--block",   "32",       "--arg",  "i32=2"};
  const Ran ran = lanescope(prints);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("thread 0 of 2\nthread 1 of 2\n"));
  EXPECT_EQ(lanescope(with(prints, {"--json"})).json()["printf"], "thread 0 of 2\nthread 1 of 2\n");
}

// The size of `long` depends on the system, as with CUDA itself.
TEST(CliCommands, IntegersOfAnySizeArePrintedAndShown) {
  test::TempFolder folder;
  test::write_file(folder / "k.cu",
                   "#include <cstdio>\n#include <cstdint>\n__global__ void k(long* a, int64_t b) {\n"
                   "  printf(\"%ld %lu %lld %zu %hd %d|\\n\", a[0], 7ul, b, sizeof(long), (short)-3, 4);\n"
                   "  a[1] = -a[0];\n}\n");
  const Ran ran = lanescope({"trace", (folder / "k.cu").string(), "--grid", "1", "--block", "1", "--arg",
                             bytes_of_long == 8 ? "i64[4]=-5" : "i32[4]=-5", "--arg", "i64=-5000000000", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["printf"], "-5 7 -5000000000 " + std::to_string(bytes_of_long) + " -3 4|\n");
  EXPECT_EQ(ran.json()["buffers"][0]["sum"], -5 + 5 - 5 - 5);
}

TEST(CliCommands, RunsPtxWithoutACompiler) {
  test::TempFolder folder;
  test::write_file(folder / "k.ptx", test::ptx_module(R"x(.visible .entry twice(.param .u64 out)
{
  .reg .b64 %rd<4>;
  .reg .b32 %r<3>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  shl.b32 %r2, %r1, 1;
  st.global.u32 [%rd3], %r2;
  ret;
}
)x"));
  test::TempFolder nothing;
  const std::string file = (folder / "k.ptx").string();
  const Ran ran =
      lanescope({"trace", file, "--kernel", "twice", "--grid", "1", "--block", "32", "--arg", "u32[32]", "--json"},
                {"LANESCOPE_CUDA=" + nothing.path().string(), "", "", ""});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.json()["buffers"][0]["sum"], 2 * 31 * 32 / 2);
  EXPECT_THAT(lanescope({"trace", file, "--kernel", "twice", "--grid", "1", "--block", "32", "--arg", "u32[32]"}).out,
              HasSubstr("   –  of no source line\n  st.global.u32"))
      << "no .loc names one";
  EXPECT_EQ(lanescope({"trace", file, "--kernel", "twise", "--grid", "1", "--block", "32"}).code, 2);
  const Ran printed = lanescope({"parse", file});
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_THAT(printed.out, HasSubstr("st.global.u32 [%rd3], %r2;"));
  EXPECT_THAT(lanescope({"cfg", file}).out, HasSubstr("kernel twice (twice): 1 basic block"));
}

// The stages also read CUDA source. A template is named with its arguments, with any spacing.
TEST(CliCommands, StagesOfCudaSource) {
  test::TempFolder folder;
  const std::string file = (folder / "k.cu").string();
  test::write_file(file,
                   "template <typename T, int N> __global__ void scale(T* out) { out[threadIdx.x] *= N; }\n"
                   "template __global__ void scale<float, 3>(float*);\n"
                   "__global__ void fill(float* out) { out[threadIdx.x] = 1; }\n");
  const Ran printed = lanescope({"parse", file, "--arch", "sm_80"});
  std::filesystem::copy(file, file + "h");
  EXPECT_THAT(lanescope({"parse", file + "h"}).out, HasSubstr("_Z4fillPf")) << "a .cuh";
  EXPECT_EQ(printed.code, 0) << printed.err;
  EXPECT_THAT(printed.out, AllOf(HasSubstr(".target sm_80"), HasSubstr("_Z5scaleIfLi3EEvPT_"), HasSubstr("_Z4fillPf")));
  const std::string graphs = lanescope({"cfg", file, "--kernel", "scale<float,3>"}).out;
  EXPECT_THAT(graphs, AllOf(HasSubstr("kernel scale<float, 3>"), Not(HasSubstr("fill"))));
  EXPECT_THAT(lanescope({"cfg", file, "--kernel", "scale<double,2>"}).out, HasSubstr("kernel scale<double, 2>"));
  EXPECT_THAT(lanescope({"instrument", file, "--kernel", "fill"}).out, HasSubstr("_Z4fillPf"));
  const std::string empty = (folder / "empty.ptx").string();
  test::write_file(empty, test::ptx_module(""));
  EXPECT_EQ(lanescope({"instrument", empty}).code, 2) << "there is no kernel to record";
  const Ran none = lanescope({"cfg", file, "--kernel", "scale"});
  EXPECT_EQ(none.code, 2);
  EXPECT_THAT(none.err, HasSubstr("template"));
  EXPECT_THAT(lanescope({"cfg", file, "--kernel", "fell"}).err, AllOf(HasSubstr("scale<float, 3>"), HasSubstr("fill")));
}

TEST(CliCommands, KeepsTheEventsThatWereAskedFor) {
  const auto events = [](const std::string& blocks) {
    return lanescope({"run", "coalescing", "--blocks", blocks, "--json"}).json()["events"];
  };
  const json all = events("all"), one = events("0"), some = events("0,3-5"), none = events("none");
  EXPECT_EQ(all["kept"].get<int>(), 64 * one["kept"].get<int>());
  EXPECT_EQ(some["kept"].get<int>(), 4 * one["kept"].get<int>());
  EXPECT_EQ(some["blocks_not_chosen"], 60);
  EXPECT_EQ(none["kept"], 0);
}

TEST(CliCommands, CountsEventsThatDidNotFit) {
  const Ran ran = lanescope({"run", "coalescing", "--set", "n=4194304", "--event-budget", "1", "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const json document = ran.json();
  EXPECT_GT(document["events"]["dropped"].get<int>(), 0);
  EXPECT_EQ(document["totals"]["global_load"]["requests"], 4194304 / 32) << "totals stay exact";
}

// A wmma.load makes four requests of 32 lanes: a warp never has 128 lanes. Each request has its picture.
TEST(CliCommands, ASiteNeverHasMoreLanesThanAWarp) {
  test::TempFolder folder;
  const std::string file = (folder / "load.cu").string();
  std::ofstream(file) << "#include <mma.h>\n"
                         "using namespace nvcuda;\n"
                         "__global__ void load(const half* a, half* b) {\n"
                         "  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> f;\n"
                         "  wmma::load_matrix_sync(f, a, 16);\n"
                         "  b[threadIdx.x] = f.x[0];\n"
                         "}\n";
  const Ran ran = lanescope({"trace", file, "--kernel", "load", "--grid", "1", "--block", "32", "--arg",
                             "f16[256]=iota", "--arg", "f16[32]", "--svg", folder.path().string()});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::regex row("wmma\\.load[^\n]* 1 +32 +4 +32 +8 +4");
  EXPECT_TRUE(std::regex_search(ran.out, row)) << ran.out;
  std::map<std::string, std::string> pictures;  // by the end of the name
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
    if (const std::string name = entry.path().stem().string(); name.find("wmma.load") != std::string::npos)
      if (const std::size_t kind = name.find("_sectors"); kind != std::string::npos)
        pictures[name.substr(kind)] = test::read_file(entry.path());
  EXPECT_THAT(pictures, testing::ElementsAre(testing::Key("_sectors"), testing::Key("_sectors_request2"),
                                             testing::Key("_sectors_request3"), testing::Key("_sectors_request4")));
  EXPECT_NE(pictures["_sectors"], pictures["_sectors_request2"]) << "other rows of the matrix";
}

TEST(CliCommands, DrawsTheAccesses) {
  test::TempFolder folder;
  const Ran ran = lanescope({"run", "coalescing", "--svg", (folder / "pictures").string()});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr((folder / "pictures").string() + ", of block 0, warp 0: "));
  int sectors = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder / "pictures")) {
    const std::string svg = test::read_file(entry.path());
    EXPECT_THAT(svg, testing::AllOf(HasSubstr("<svg"), HasSubstr("</svg>"))) << entry.path();
    sectors += entry.path().string().find("sectors") != std::string::npos;
  }
  EXPECT_EQ(sectors, 2) << "the load and the store";
}

// Machine code beside its source where there is a disassembler. Without one: its cure, and all other pictures.
TEST(CliCommands, DrawsTheMachineCodeOnRequest) {
  test::TempFolder folder;
  const Ran ran = lanescope({"run", "coalescing", "--svg", folder.path().string(), "--sass"});
  EXPECT_TRUE(fs::exists(folder / "film.svg"));
  if (ran.code == 3) {
    EXPECT_THAT(ran.err, testing::AllOf(HasSubstr("nvdisasm"), HasSubstr("cure: ")));
    EXPECT_FALSE(fs::exists(folder / "sass.svg"));
    GTEST_SKIP() << "no nvdisasm here";
  }
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string svg = test::read_file(folder / "sass.svg");
  EXPECT_THAT(svg,
              testing::AllOf(HasSubstr("SASS beside the source"), HasSubstr(">LDG.E<"), HasSubstr(">STG.E<"),
                             HasSubstr("in[i * stride]"), HasSubstr("registers per thread"), HasSubstr("limited by")));
  EXPECT_EQ(lanescope({"run", "coalescing", "--sass"}).code, 2) << "it goes with --svg";

  // One picture per launch, each of its own kernel.
  const Ran two = lanescope({"run", "shuffle_reduce", "--variant", "end_second", "--set", "n=1024", "--svg",
                             folder.path().string(), "--sass"});
  ASSERT_EQ(two.code, 0) << two.err;
  const std::string first = test::read_file(folder / "sass_launch1.svg"),
                    second = test::read_file(folder / "sass_launch2.svg");
  EXPECT_THAT(first, HasSubstr("SASS beside the source"));
  EXPECT_THAT(second, HasSubstr("SASS beside the source"));
}

TEST(CliCommands, WithoutADisplayTheFirstLessonRunsHeadless) {
  test::TempFolder folder;
  const Ran ran = lanescope({}, {"", "", folder.path().string(), ""});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the first lesson runs here instead"));
  EXPECT_THAT(ran.out, HasSubstr("global load sectors"));
  EXPECT_THAT(ran.out, HasSubstr("lanescope-pictures/coalescing"));
  EXPECT_TRUE(fs::exists(folder / "lanescope-pictures" / "coalescing" / "film.svg"));
}

// `./run` with a finished build and nothing to install: the commands that its messages suggest work as typed.
TEST(CliCommands, MessagesNameTheProgramAsItWasCalled) {
  NEEDS_POSIX();
  test::TempFolder folder;
  const fs::path top = folder / "my lanescope";
  fs::create_directories(top / "third_party");
  fs::copy_file(fs::path(LANESCOPE_SOURCE_DIR) / "run", top / "run");
  test::write_file(top / "third_party" / "setup.sh", "install_and_fetch() { :; }\nbuild_preset() { :; }\nbuild=" +
                                                         fs::path(LANESCOPE_BINARY).parent_path().string() + "\n");
  const auto said = [&](const fs::path& in, const std::string& command) {
    const std::string out = (folder / "said").string(),
                      start = "cd " + test::quoted(in.string()) + " && unset LANESCOPE_CALLED_AS; ",
                      lessons = "export LANESCOPE_ROOT=" + test::quoted(LANESCOPE_SOURCE_DIR) +
                                "; ";  // independent of where this was built
    std::ignore =
        std::system(("(" + start + lessons + command + ") > " + test::quoted(out) + " 2>&1 < /dev/null").c_str());
    return test::read_file(out);
  };
  EXPECT_THAT(said(top, "./run run"), HasSubstr("Run `./run run --help`"));
  EXPECT_THAT(said(top, "bash run run"), HasSubstr("Run `./run run --help`"));
  EXPECT_THAT(said(folder.path(), "'my lanescope/run' run"), HasSubstr("Run `'my lanescope/run' run --help`"));
  EXPECT_THAT(said(top, "./run run --help"), AllOf(HasSubstr("Usage: ./run run "), HasSubstr("`./run list`"),
                                                   HasSubstr("`./run show FILE`"), Not(HasSubstr("{}"))));
  EXPECT_THAT(said(top, "./run run --help --language zh-CN"),
              AllOf(HasSubstr("用法: ./run run "), HasSubstr("`./run list`"), Not(HasSubstr("{}"))));
  EXPECT_THAT(said(top, "./run run shuffle_reduce --variant cub_sum --language zh-CN"),
              HasSubstr("`./run record shuffle_reduce -o FILE`"));
  const fs::path binary = LANESCOPE_BINARY;
  EXPECT_THAT(said(binary.parent_path(), "./" + binary.filename().string() + " run"),
              HasSubstr("`./" + binary.filename().string() + " run --help`"));
}

TEST(CliCommands, MessagesNameTheProgramByThePathThatStartedIt) {
  const std::string path = LANESCOPE_BINARY;
  const Ran ran = lanescope({"run"}, {"LANESCOPE_CALLED_AS=" + test::quoted(path), "", "", ""});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("Run `" + as_typed(path) + " run --help`"));
}

// Each version of CLI11 from 2.1 to 2.7 has another layout and other words.
TEST(CliCommands, HelpHasTheSameLayoutWithEachVersionOfTheParser) {
  const auto between = [](const std::string& text, const std::string& from, const std::string& to) {
    const std::size_t begin = text.find(from), end = text.find(to);
    return begin < end && end != std::string::npos ? text.substr(begin, end - begin) : "not found in: " + text;
  };
  EXPECT_EQ(between(lanescope({"compare", "--help"}).out, " compare [OPTIONS]", "  --launch-a "),
            R"( compare [OPTIONS] lesson variant_a variant_b

Positionals:
  lesson TEXT REQUIRED        the lesson's id or folder
  variant_a TEXT REQUIRED     a variant
  variant_b TEXT REQUIRED     another variant, or the same at another launch

Options:
  -h,--help                   Print this help message and exit
)");
  EXPECT_THAT(lanescope({"record", "--help"}).out, HasSubstr(R"(
  --gpu INT Excludes: --array which GPU, when there are several (default 0)
  --seconds FLOAT [0 - 3600]  maximum sampling time per run, in seconds
  --samples INT [1 - 1000000] maximum number of samples per run
  --sweep-seconds FLOAT [0 - 1000000000] Excludes: --array
                              start no new run)"));
  EXPECT_THAT(lanescope({"record", "--help", "--language", "zh-CN"}).out, HasSubstr(R"(
  --gpu 整数 不能同用: --array
                              )"));
  const std::string all = lanescope({"--help"}).out;
  EXPECT_THAT(all, HasSubstr("window.\nUsage: "));
  EXPECT_THAT(all, HasSubstr(" [OPTIONS] SUBCOMMAND\n\nOptions:\n  -h,--help "));
  EXPECT_THAT(all, HasSubstr("\n\nSubcommands:\n  list                        list lessons and their variants\n"));
}

TEST(CliCommands, WordsThatWereNotExpectedAreNamedAsTyped) {
  EXPECT_THAT(lanescope({"run", "coalescing", "stride", "a", "b"}).err,
              HasSubstr("The following arguments were not expected: a b."));
  EXPECT_THAT(lanescope({"run", "coalescing", "--bogus"}).err,
              HasSubstr("error: The following argument was not expected: --bogus."));
  EXPECT_THAT(lanescope({"run", "coalescing", "--variant", "a", "--variant", "b"}).err,
              HasSubstr("--variant: at most 1 can be given, not 2."));
  EXPECT_THAT(lanescope({"run", "coalescing", "--schedules", "0"}).err,
              HasSubstr("--schedules: Value 0 not in range 1 to 100000."));
}

TEST(CliCommands, AnOptionIsNotTheValueOfTheOneBeforeIt) {
  const Ran set = lanescope({"run", "coalescing", "--set", "--json"});
  EXPECT_EQ(set.code, 2);
  EXPECT_EQ(set.json()["diagnostics"][0]["message"], "`--set` has no value: `--json` behind it is an option.");
  EXPECT_THAT(lanescope({"trace", "kernel.cu", "--kernel", "--grid", "4"}).err,
              HasSubstr("error: `--kernel` has no value: `--grid` behind it is an option."));
  // What is no option of the command is a value, and what stands behind a program is the program's.
  EXPECT_THAT(lanescope({"run", "coalescing", "--variant", "--bogus"}).err, Not(HasSubstr("has no value")));
  EXPECT_THAT(lanescope({"exec", "no_such_program", "--json", "--verbose"}).err, Not(HasSubstr("has no value")));
}

TEST(CliCommands, DoctorNamesEveryPart) {
  const Ran ran = lanescope({"doctor"});
  EXPECT_EQ(ran.code, 0) << ran.out;
  for (const char* part : {"CUDA compiler (NVRTC)", "PTX → SASS compiler", "SASS disassembler", "NVIDIA driver", "GPU",
                           "Lessons", "Processor"})
    EXPECT_THAT(ran.out, HasSubstr(part));
  const auto counters = HasSubstr("Hardware counters"), nvcc = HasSubstr("nvcc, for whole programs");
  EXPECT_EQ(testing::Value(ran.out, counters), can_use_a_gpu());
  EXPECT_EQ(testing::Value(ran.out, nvcc), can_stand_in_for_cuda());
  EXPECT_FALSE(lanescope({"doctor", "--json"}).json()["parts"].empty());
}

TEST(CliCommands, CheckFailsARunWhoseRuleDoesNotHold) {
  // A lesson folder of its own, with a false rule.
  test::TempFolder root;
  const fs::path lessons = fs::path(LANESCOPE_SOURCE_DIR) / "lessons" / "01_coalescing";
  fs::create_directories(root / "lessons");
  fs::copy(lessons, root / "lessons/01_coalescing", fs::copy_options::recursive);
  std::string toml = test::read_file(root / "lessons/01_coalescing/lesson.toml");
  const std::string rule = "elements = \"out[i] == in[i * stride]\"";
  toml.replace(toml.find(rule), rule.size(), "elements = \"out[i] == in[i * stride] + 1\"");
  test::write_file(root / "lessons/01_coalescing/lesson.toml", toml);
  const test::Setting there{"LANESCOPE_ROOT=" + root.path().string(), "", "", ""};
  EXPECT_EQ(lanescope({"run", "coalescing"}, there).code, 0);
  const Ran checked = lanescope({"run", "coalescing", "--check"}, there);
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.out, HasSubstr("FAILS: out[i] == in[i * stride] + 1\n       `out[0]` is 0, expected 1. 16,384 of "
                                     "16,384 elements are wrong."));
  EXPECT_LT(checked.out.find("WRONG RESULT: `out[0]` is 0, expected 1. 16,384 of 16,384 elements are wrong."),
            checked.out.find("FAILS:"))
      << "at the top";
}

}  // namespace
}  // namespace lanescope
