// __device__ pointers and structs: `--symbol` gives them buffers, and what a launch stores in them the next launch
// finds.

#include <cstring>

#include <gmock/gmock.h>

#include "golden.h"
#include "job/request/launch_options.h"
#include "job/run/one_launch.h"

namespace lanescope::job {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* pointing_kernels = R"(
__device__ int* table;
__device__ int* tables[2];
__device__ int count;
__global__ void counted(int* out) { out[threadIdx.x] = count; }
__global__ void set(int* p) { table = p + 1; }
__global__ void set_both(int* a, int* b) { tables[0] = a; tables[1] = b; }
__global__ void read(int* out) { out[threadIdx.x] = table[threadIdx.x]; }
__global__ void write(int* out) { table[threadIdx.x] = 10 * out[threadIdx.x]; }
__global__ void read_both(int* out) { out[threadIdx.x] = tables[0][threadIdx.x] + 100 * tables[1][threadIdx.x]; }
)";

Result<Request> pointing_launch(const std::string& kernel, const std::vector<std::string>& arguments,
                                const std::vector<std::string>& symbols, const std::vector<std::string>& then = {}) {
  LaunchOptions options;
  options.kernel = kernel;
  options.grid = "1";
  options.block = kernel.starts_with("set") ? "1" : "3";
  options.arguments = arguments;
  options.symbols = symbols;
  options.then = then;
  Diagnostics notes;
  return request_from(source_of_file("tables.cu", pointing_kernels), options, notes);
}

Outcome pointing_run(const Result<Request>& request) {
  EXPECT_TRUE(request.ok()) << format(request.errors().front());
  Outcome outcome = request ? run(*request) : Outcome();
  for (const Diagnostic& one : outcome.diagnostics) EXPECT_NE(one.severity, Severity::error) << format(one);
  EXPECT_TRUE(outcome.completed);
  return outcome;
}

std::vector<int> ints_in(const Outcome& outcome, std::size_t buffer) {
  const std::vector<std::byte>& bytes = outcome.arguments.at(buffer).contents;
  std::vector<int> made(bytes.size() / sizeof(int));
  std::memcpy(made.data(), bytes.data(), bytes.size());
  return made;
}

// Launch 2 has another buffer where launch 1 had the one that `table` points to.
TEST(VariablePointers, StillPointToTheirBufferInTheNextLaunch) {
  const Outcome one = pointing_run(pointing_launch("set", {"i32[8]=iota"}, {}, {"read<<<1, 3>>>(i32[3]=-1)"}));
  EXPECT_THAT(ints_in(one, 1), ElementsAre(1, 2, 3));
  const Outcome written = pointing_run(
      pointing_launch("set", {"i32[5]=iota"}, {}, {"write<<<1, 3>>>(i32[3]=7)", "read<<<1, 3>>>(i32[3]=-1)"}));
  EXPECT_THAT(ints_in(written, 0), ElementsAre(0, 70, 70, 70, 4));
  EXPECT_THAT(ints_in(written, 2), ElementsAre(70, 70, 70));
  const Outcome both =
      pointing_run(pointing_launch("set_both", {"i32[3]=iota", "i32[3]=5"}, {}, {"read_both<<<1, 3>>>(i32[3]=-1)"}));
  EXPECT_THAT(ints_in(both, 2), ElementsAre(500, 501, 502));
}

// Addresses that a kernel stored in a buffer stay right too, as on a GPU, whichever argument the buffer is then.
TEST(VariablePointers, ALinkedListIsWalkedByALaterLaunch) {
  constexpr const char* lists =
      "struct Node { long long value; Node* next; };\n"
      "__global__ void set_links(Node* a, Node* b) {\n"
      "  for (int i = 0; i < 3; ++i) a[i] = {i + 1, b + i}, b[i] = {10 * (i + 1), i < 2 ? a + i + 1 : nullptr};\n"
      "}\n"
      "__global__ void walk(long long* sum, const Node* first) {\n"
      "  for (*sum = 0; first != nullptr; first = first->next) *sum = 3 * *sum + first->value;\n"
      "}\n";
  LaunchOptions options;
  options.kernel = "set_links", options.grid = options.block = "1";
  options.arguments = {"u64[6]=0", "u8[48]=0"};
  options.then = {"walk<<<1, 1>>>(i64[100]=7, same:0)"};
  Diagnostics notes;
  const Outcome outcome = pointing_run(request_from(source_of_file("lists.cu", lists), options, notes));
  long long sum = 0, expected = 0;
  std::memcpy(&sum, outcome.arguments.at(2).contents.data(), sizeof sum);
  for (const int value : {1, 10, 2, 20, 3, 30}) expected = 3 * expected + value;
  EXPECT_EQ(sum, expected);
}

// Data that looks like an address is left alone: 32576 is 0x7f40.
TEST(VariablePointers, NumbersAreNotTakenForPointers) {
  constexpr const char* pairs =
      "__device__ int held[4];\n"
      "__global__ void set_pairs(int* x) { for (int i = 0; i < 4; ++i) held[i] = x[i] = i % 2 == 0 ? 4 : 32576; }\n"
      "__global__ void give(int* out) { out[threadIdx.x] = held[threadIdx.x]; }\n";
  LaunchOptions options;
  options.kernel = "set_pairs", options.grid = options.block = "1";
  options.arguments = {"i32[4]=0"};
  options.then = {"give<<<1, 4>>>(i32[4]=0)"};
  Diagnostics notes;
  const Outcome outcome = pointing_run(request_from(source_of_file("pairs.cu", pairs), options, notes));
  for (const std::size_t buffer : {0u, 1u}) EXPECT_THAT(ints_in(outcome, buffer), ElementsAre(4, 32576, 4, 32576));
}

// What is shown of a later launch is that launch run again.
TEST(VariablePointers, ALaterLaunchRunAgainFindsThemToo) {
  const Outcome whole = pointing_run(pointing_launch("set", {"i32[8]=iota"}, {}, {"read<<<1, 3>>>(i32[3]=-1)"}));
  const Result<OneLaunch> again = one_launch(whole, 1);
  ASSERT_TRUE(again.ok()) << format(again.errors().front());
  EXPECT_EQ(again->outcome.first().trace.totals.warp_instructions, whole.launches[1].trace.totals.warp_instructions);
  EXPECT_THAT(ints_in(pointing_run(whole.request), 1), ElementsAre(1, 2, 3)) << "the same request once more";
}

TEST(VariablePointers, AreGivenABufferOfTheirOwnOrAnArguments) {
  const Outcome own = pointing_run(pointing_launch("read", {"i32[3]"}, {"table=i32[8]=iota"}));
  EXPECT_THAT(ints_in(own, 0), ElementsAre(0, 1, 2));
  ASSERT_EQ(own.buffers.size(), 2u);
  EXPECT_EQ(own.buffers[1].name, "table");
  const Outcome moved = pointing_run(pointing_launch("read", {"i32[3]"}, {"table=i32[8]+8=iota"}));
  EXPECT_THAT(ints_in(moved, 0), ElementsAre(2, 3, 4));
  const Outcome same = pointing_run(pointing_launch("write", {"i32[3]=iota"}, {"table=same:0"}));
  EXPECT_THAT(ints_in(same, 0), ElementsAre(0, 10, 20));
  const Outcome later =
      pointing_run(pointing_launch("read", {"i32[3]"}, {"table=i32[3]=4"}, {"read<<<1, 3>>>(i32[3]=-1)"}));
  EXPECT_THAT(ints_in(later, 2), ElementsAre(4, 4, 4));
}

// cudaMemcpyToSymbol() with a struct that holds pointers, or with a table of them.
TEST(VariablePointers, AreMembersOfAStructOrElementsOfATable) {
  constexpr const char* kernels =
      "struct Fields { const int* in; float4 scale; int n; int* out; };\n"
      "__constant__ Fields fields;\n"
      "__device__ int* rows[3];\n"
      "struct Node { int* value; float2 at; };\n"
      "__device__ Node nodes[2];\n"
      "__global__ void use(int* other) {\n"
      "  const int i = threadIdx.x;\n"
      "  if (i < fields.n) fields.out[i] = fields.in[i] * (int)fields.scale.w + (int)fields.scale.x;\n"
      "  other[i] = rows[i][1] + nodes[i % 2].value[0] + (int)nodes[i % 2].at.y;\n"
      "}\n";
  LaunchOptions options;
  options.kernel = "use", options.grid = "1", options.block = "3";
  options.arguments = {"i32[3]"};
  options.symbols = {"fields={i32[3]=iota,f32=5,f32=6,f32=7,f32=10,i32=3,i32[3]=-1}",
                     "rows={i32[2]=iota,i32[2]=20,i32[4]+4=iota}",
                     "nodes=&{{i32[1]=1000,f32=1,f32=2},{i32[1]=2000,f32=3,f32=4}}"};
  options.then = {"use<<<1, 2>>>(i32[3]=0)"};
  Diagnostics notes;
  const Outcome outcome = pointing_run(request_from(source_of_file("fields.cu", kernels), options, notes));
  EXPECT_THAT(ints_in(outcome, 0), ElementsAre(1 + 1000 + 2, 20 + 2000 + 4, 2 + 1000 + 2));
  ASSERT_GE(outcome.buffers.size(), 3u);
  std::vector<std::string> names;
  for (const BufferSummary& one : outcome.buffers) names.push_back(one.name);
  EXPECT_THAT(names, testing::IsSupersetOf({"fields.in", "fields.out", "rows[0]", "rows[2]", "nodes[1].value"}));
  const auto out = static_cast<std::size_t>(std::ranges::find(names, "fields.out") - names.begin());
  EXPECT_THAT(ints_in(outcome, out), ElementsAre(5, 15, 25));
  EXPECT_THAT(ints_in(outcome, outcome.arguments.size() - 1), ElementsAre(1003, 2024, 0)) << "a later launch";
}

// `{…}` lists numbers; the declaration says where they lie.
TEST(StructArguments, HaveTheLayoutOfTheDeclaration) {
  constexpr const char* kernels =
      "struct Sphere { float4 centre; int kind; };\n"
      "struct Pair { int a; float2 b; double c; short d[3]; char e; float3 f; };\n"
      "__global__ void use(float* out, Sphere s, Pair p, const Sphere* all) {\n"
      "  const float v[] = {s.centre.w, (float)s.kind, (float)p.a, p.b.x, p.b.y, (float)p.c, (float)p.d[2], "
      "(float)p.e,\n"
      "                     p.f.z, all[1].centre.y, (float)all[1].kind};\n"
      "  for (int i = 0; i < 11; ++i) out[i] = v[i];\n"
      "}\n";
  LaunchOptions options;
  options.kernel = "use", options.grid = "1", options.block = "1";
  options.arguments = {"f32[11]", "{f32=1,f32=2,f32=3,f32=4,i32=5}",
                       "{i32=6,f32=7,f32=8,f64=9,i16=10,i16=11,i16=12,i8=13,f32=14,f32=15,f32=16}",
                       "&{{f32=0,f32=0,f32=0,f32=0,i32=0},{f32=17,f32=18,f32=19,f32=20,i32=21}}"};
  options.then = {"use<<<1, 1>>>(f32[11], " + options.arguments[1] + ", " + options.arguments[2] + ", " +
                  options.arguments[3] + ")"};
  Diagnostics notes;
  const Outcome outcome = pointing_run(request_from(source_of_file("structs.cu", kernels), options, notes));
  const std::size_t later = outcome.arguments.size() - 2;  // the last one is its array
  for (const std::size_t out : {std::size_t{0}, later}) {
    std::vector<float> made(11);
    std::memcpy(made.data(), outcome.arguments.at(out).contents.data(), 44);
    EXPECT_THAT(made, ElementsAre(4, 5, 6, 7, 8, 9, 12, 13, 16, 18, 21)) << out;
  }
}

TEST(StructArguments, MayBeDeclaredInAHeader) {
  const test::TempFolder folder;
  test::write_file(
      folder / "state.cuh",
      "#pragma once\n#define REAL float\nnamespace md {\ntypedef struct { REAL a; double2 b; int* c; } State;\n"
      "__device__ __constant__ State state;\n}\n");
  const std::string path = (folder / "use.cu").string();
  const std::string text =
      "#include \"state.cuh\"\n"
      "__global__ void use(double* out, const md::State s) {\n"
      "  out[0] = s.a, out[1] = s.b.y, out[2] = s.c[1], out[3] = md::state.a, out[4] = md::state.b.x, out[5] = "
      "md::state.c[2];\n"
      "}\n";
  LaunchOptions options;
  options.kernel = "use", options.grid = "1", options.block = "1";
  options.arguments = {"f64[6]", "{f32=1,f64=2,f64=3,i32[4]=iota}"};
  options.symbols = {"md::state={f32=4,f64=5,f64=6,i32[4]=iota}"};
  Diagnostics notes;
  const Outcome outcome = pointing_run(request_from({path, text, {}}, options, notes));
  std::vector<double> made(6);
  std::memcpy(made.data(), outcome.arguments.at(0).contents.data(), 48);
  EXPECT_THAT(made, ElementsAre(1, 3, 1, 4, 5, 2));
}

TEST(VariablePointers, ContentsThatNoLaunchUsesAreNoted) {
  const auto said = [](const std::vector<std::string>& then) {
    const Outcome outcome =
        pointing_run(pointing_launch("read", {"i32[3]"}, {"table=i32[8]=iota", "count=i32=4"}, then));
    std::string all;
    for (const Diagnostic& one : outcome.diagnostics) all += format(one);
    return all;
  };
  EXPECT_THAT(said({}), HasSubstr("No launch uses the variable `count`"));
  EXPECT_THAT(said({}), testing::Not(HasSubstr("`table`")));
  EXPECT_EQ(said({"counted<<<1, 3>>>(same:0)"}), "");
}

TEST(VariablePointers, WhatIsNoPointerOrNoBufferIsRefused) {
  const auto message = [](const std::string& symbol) {
    const Result<Request> request = pointing_launch("counted", {"i32[3]=0"}, {symbol});
    EXPECT_TRUE(request.ok());
    const Outcome outcome = run(*request);
    return outcome.diagnostics.empty() ? std::string() : format(outcome.diagnostics.front());
  };
  EXPECT_THAT(message("count=same:0"), HasSubstr("`count` has 4 bytes, but was given `same:0`."));
  EXPECT_THAT(message("count=i32[2]=0"), HasSubstr("Give contents of at most 4 bytes."));
  EXPECT_THAT(message("tables={i32[4]=0}"), HasSubstr("`tables` has 16 bytes, but `{i32[4]=0}` has 8."));
  const Result<Request> no_argument = pointing_launch("counted", {"i32[3]=0"}, {"tables={i32[4]=0,same:5}"});
  ASSERT_FALSE(no_argument.ok());
  EXPECT_THAT(format(no_argument.errors().front()), HasSubstr("there is no argument 5."));
  const Result<Request> beyond = pointing_launch("read", {"i32[3]=0"}, {"table=same:1"});
  EXPECT_THAT(format(run(*beyond).diagnostics.front()), HasSubstr("`same:1`: argument 1 is not a buffer."));
}

}  // namespace
}  // namespace lanescope::job
