// PTX to SASS without a GPU: resources, instructions, and the mapping back to lines.

#include <gmock/gmock.h>

#include <filesystem>

#include "compile/compiler.h"
#include "compile/fixture.h"
#include "compile/machine_code/cubin.h"
#include "compile/machine_code/disassembly.h"
#include "compile/toolchain.h"
#include "core/os/subprocess.h"
#include "golden.h"
#include "ptx_text.h"

namespace lanescope::compile {
namespace {

using testing::HasSubstr;

const char* stores =
    "__device__ float twice(float x) {\n"                // 1
    "  return x + x;\n"                                  // 2
    "}\n"                                                // 3
    "__device__ void put(float* to, float x) {\n"        // 4
    "  *to = x;\n"                                       // 5
    "}\n"                                                // 6
    "__global__ void k(float* a, double* b, int n) {\n"  // 7
    "  __shared__ float s[96];\n"                        // 8
    "  const int i = threadIdx.x;\n"                     // 9
    "  s[i] = a[i];\n"                                   // 10
    "  __syncthreads();\n"                               // 11
    "  if (i < n)\n"                                     // 12
    "    a[i + 96] = twice(s[95 - i]);\n"                // 13
    "  put(a + 1000, 3.0f);\n"                           // 14
    "  b[i] = 2.0;\n"                                    // 15
    "}\n";                                               // 16

Result<Sass> sass_of(const std::string& text, const std::string& kernel, const std::string& arch = "sm_90") {
  Options options;
  options.arch = arch;
  options.name_expressions = {kernel};
  auto ptx = compile({"stores.cu", text, {}}, options);
  if (!ptx) return ptx.take_errors();
  return to_sass(ptx->text, ptx->mangled[kernel], arch);
}

std::vector<int> lines_of(const Sass& sass, const std::string& opcode) {
  std::vector<int> lines;
  for (const SassInstruction& instruction : sass.instructions)
    if (instruction.text.starts_with(opcode)) lines.push_back(instruction.line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

// nvJitLink would ignore it: only code of a whole program may take registers from other warps.
TEST(Sass, PtxIsAssembledAsNvccDoes) {
  NEEDS_SASS();
  if (locate_program(SearchPlaces::of_this_process(), "ptxas").empty()) GTEST_SKIP() << "no ptxas";
  const std::string text =
      ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k() .maxntid 384 .minnctapersm 1\n{\n"
      "setmaxnreg.inc.sync.aligned.u32 160;\nret;\n}\n";
  auto assembled = to_cubin_as_nvcc(text, "k", "sm_90");
  ASSERT_TRUE(assembled.ok()) << format(assembled.errors().front());
  EXPECT_EQ(assembled->registers_per_thread, 160);
  const auto sass = disassemble(std::move(assembled->cubin), "k", assembled->arch);
  ASSERT_TRUE(sass.ok()) << format(sass.errors().front());
  const auto found = std::ranges::find_if(
      sass->instructions, [](const SassInstruction& one) { return one.text.starts_with("USETMAXREG"); });
  ASSERT_TRUE(found != sass->instructions.end());
  EXPECT_EQ(found->ptx_line, 6);
}

// verify explains accesses to local memory by them.
TEST(Sass, PtxasTellsWhatItSpills) {
  NEEDS_SASS();
  if (locate_program(SearchPlaces::of_this_process(), "ptxas").empty()) GTEST_SKIP() << "no ptxas";
  const auto ptx = compile({"many.cu",
                            "__global__ void __launch_bounds__(1024, 2) many(float* a) {\n  float v[64];\n"
                            "#pragma unroll\n  for (int i = 0; i < 64; ++i) v[i] = a[i * 1024 + threadIdx.x];\n"
                            "  __syncthreads();\n#pragma unroll\n  for (int i = 0; i < 64; ++i)\n"
                            "    a[(63 - i) * 1024 + threadIdx.x] = v[i] * v[(i * 7 + 3) % 64];\n}\n",
                            {}},
                           {.arch = "sm_90", .name_expressions = {"many"}});
  ASSERT_TRUE(ptx.ok()) << format(ptx.errors().front());
  auto assembled = to_cubin_as_nvcc(ptx->text, ptx->mangled.at("many"), "sm_90");
  ASSERT_TRUE(assembled.ok()) << format(assembled.errors().front());
  const std::uint32_t spilled = assembled->spill_store_bytes;
  EXPECT_GT(spilled, 0u);
  const auto listed = disassemble(std::move(*assembled));
  ASSERT_TRUE(listed.ok()) << format(listed.errors().front());
  EXPECT_EQ(listed->spill_store_bytes, spilled);
}

TEST(Sass, EveryStoreIsOnItsLine) {
  NEEDS_SASS();
  const auto sass = sass_of(stores, "k");
  ASSERT_TRUE(sass.ok()) << format(sass.errors().front());
  EXPECT_THAT(lines_of(*sass, "STG"), testing::ElementsAre(5, 13, 15))
      << "the inlined function's own line, in the same file";
  EXPECT_THAT(lines_of(*sass, "STS"), testing::ElementsAre(10));
  EXPECT_THAT(lines_of(*sass, "LDG"), testing::ElementsAre(10));
  EXPECT_THAT(lines_of(*sass, "BAR"), testing::ElementsAre(11));
  EXPECT_EQ(sass->shared_bytes, 96u * 4);
  EXPECT_EQ(sass->local_bytes, 0u);
  EXPECT_EQ(sass->spill_store_bytes, 0u);
  EXPECT_GT(sass->registers_per_thread, 0);
  EXPECT_LE(sass->registers_per_thread, 255);
  EXPECT_FALSE(sass->cubin.empty());
  std::uint32_t address = 0;
  for (const SassInstruction& instruction : sass->instructions) {
    EXPECT_EQ(instruction.address, address) << instruction.text;
    address += 16;
    EXPECT_EQ(instruction.file, "stores.cu");
  }
  EXPECT_EQ(find_in_cubin(sass->cubin, sass->kernel)->code_bytes, address);
}

TEST(Sass, EveryStoreComesFromAStoreOfThePtx) {
  NEEDS_SASS();
  Options options;
  options.name_expressions = {"k"};
  const auto ptx = compile({"stores.cu", stores, {}}, options);
  ASSERT_TRUE(ptx.ok());
  const auto sass = to_sass(ptx->text, ptx->mangled.at("k"), "sm_90");
  ASSERT_TRUE(sass.ok()) << format(sass.errors().front());
  std::vector<std::string> ptx_lines;
  for (std::size_t begin = 0; begin < ptx->text.size();) {
    const std::size_t end = std::min(ptx->text.find('\n', begin), ptx->text.size());
    ptx_lines.push_back(ptx->text.substr(begin, end - begin));
    begin = end + 1;
  }
  int seen = 0;
  for (const SassInstruction& instruction : sass->instructions) {
    if (!instruction.text.starts_with("STG") && !instruction.text.starts_with("STS")) continue;
    ASSERT_GT(instruction.ptx_line, 0);
    ASSERT_LE(static_cast<std::size_t>(instruction.ptx_line), ptx_lines.size());
    EXPECT_THAT(ptx_lines[static_cast<std::size_t>(instruction.ptx_line) - 1],
                HasSubstr(instruction.text.starts_with("STG") ? "st.global" : "st.shared"));
    ++seen;
  }
  EXPECT_EQ(seen, 4);
}

TEST(Sass, ReportsSpillsAndLocalMemory) {
  NEEDS_SASS();
  std::string text = "__global__ void __launch_bounds__(1024, 2) many(float* a) {\n  float v[64];\n";
  text += "#pragma unroll\n  for (int i = 0; i < 64; ++i) v[i] = a[i * 1024 + threadIdx.x];\n  __syncthreads();\n";
  text +=
      "#pragma unroll\n  for (int i = 0; i < 64; ++i) a[(63 - i) * 1024 + threadIdx.x] = v[i] * v[(i * 7 + 3) % "
      "64];\n}\n";
  text +=
      "__global__ void indexed(int* a) {\n  int v[50];\n  for (int i = 0; i < 50; ++i) v[i] = a[i];\n  a[0] = "
      "v[a[60]];\n}\n";
  const auto many = sass_of(text, "many");
  ASSERT_TRUE(many.ok()) << format(many.errors().front());
  EXPECT_LE(many->registers_per_thread, 32) << "two blocks of 1024 leave 32 registers per thread";
  EXPECT_GT(many->spill_store_bytes, 0u);
  EXPECT_GT(many->spill_load_bytes, 0u);
  EXPECT_GE(many->local_bytes, many->spill_store_bytes / 4);
  const auto indexed = sass_of(text, "indexed");
  ASSERT_TRUE(indexed.ok()) << format(indexed.errors().front());
  EXPECT_GE(indexed->local_bytes, 200u) << "fifty ints that are indexed at run time";
  EXPECT_EQ(indexed->spill_store_bytes, 0u);
}

TEST(Sass, EveryArchitectureOfTheCompiler) {
  NEEDS_SASS();
  for (const char* arch : {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120"}) {
    const auto sass = sass_of(stores, "k", arch);
    ASSERT_TRUE(sass.ok()) << arch << ": " << format(sass.errors().front());
    EXPECT_THAT(lines_of(*sass, "STG"), testing::ElementsAre(5, 13, 15)) << arch;
    EXPECT_EQ(sass->shared_bytes, 96u * 4) << arch;
    EXPECT_GT(sass->registers_per_thread, 0) << arch;
  }
}

TEST(Sass, CodeFromAHeaderIsOnTheLineThatCallsIt) {
  NEEDS_SASS();
  const auto sass = sass_of(
      "#include <cooperative_groups.h>\n"
      "namespace cg = cooperative_groups;\n"
      "__global__ void k(int* a) {\n"
      "  auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
      "  a[threadIdx.x] = tile.shfl_xor(a[threadIdx.x + 1], 1);\n"
      "}\n",
      "k");
  ASSERT_TRUE(sass.ok()) << format(sass.errors().front());
  EXPECT_THAT(lines_of(*sass, "SHFL"), testing::ElementsAre(5));
  for (const SassInstruction& instruction : sass->instructions) EXPECT_EQ(instruction.file, "stores.cu");
}

TEST(Sass, RefusalsSayWhy) {
  NEEDS_SASS();
  Options options;
  options.name_expressions = {"k"};
  const auto ptx = compile({"stores.cu", stores, {}}, options);
  ASSERT_TRUE(ptx.ok());
  const std::string kernel = ptx->mangled.at("k");
  const auto code = [](const Result<Sass>& result) {
    return result.ok() ? "it compiled" : result.errors().front().code;
  };
  EXPECT_EQ(code(to_sass(ptx->text, "missing", "sm_90")), "sass.no_such_kernel");
  EXPECT_THAT(to_sass(ptx->text, "missing", "sm_90").errors().front().cure, HasSubstr(kernel));
  EXPECT_EQ(code(to_sass(ptx->text, kernel, "sm_40")), "sass.unknown_arch");
  EXPECT_EQ(code(to_sass(ptx->text, kernel, "-O0")), "sass.unknown_arch");
  EXPECT_EQ(code(to_sass(ptx->text, kernel, "sm_80")), "sass.failed") << "PTX for sm_90 does not run on sm_80";
  EXPECT_EQ(code(to_sass("", kernel, "sm_90")), "sass.failed");
  EXPECT_EQ(code(to_sass("no PTX at all", kernel, "sm_90")), "sass.failed");
  const auto bad = to_sass(test::ptx_module(".visible .entry k()\n{\n\tbogus.op;\n}\n", "sm_80"), "k", "sm_90");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.errors().front().place.line, 6) << format(bad.errors().front());
}

TEST(Sass, WithoutADisassemblerThereAreStillResources) {
  if (!on_posix) GTEST_SKIP() << "the folder that it links together has the names of Linux's libraries";
  NEEDS_SASS();
  const test::TempFolder folder;
  const Toolchain real = *find_toolchain();
  std::filesystem::create_directories(folder / "lib");
  for (const std::string& library : {real.nvrtc_path, real.sass_compiler_path})
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(library).parent_path())) {
      const std::string name = entry.path().filename().string();
      std::error_code exists_already;
      if (name.starts_with("libnv"))
        std::filesystem::create_symlink(entry.path(), folder / "lib" / name, exists_already);
    }
  const ScopedVariable only("LANESCOPE_CUDA", folder.path().string());
  Options options;
  options.name_expressions = {"k"};
  const auto ptx = compile({"stores.cu", stores, {}}, options);
  ASSERT_TRUE(ptx.ok()) << format(ptx.errors().front());
  const auto sass = to_sass(ptx->text, ptx->mangled.at("k"), "sm_90");
  ASSERT_FALSE(sass.ok());
  EXPECT_EQ(sass.errors().front().code, "toolchain.no_disassembler");
  const auto cubin = to_cubin(ptx->text, ptx->mangled.at("k"), "sm_90");
  ASSERT_TRUE(cubin.ok()) << format(cubin.errors().front());
  EXPECT_GT(cubin->registers_per_thread, 0);
}

// As many as `ptxas -v` says of these kernels: "used 0, 1, 5, 16 barriers".
TEST(Sass, TheCubinTellsHowManyBarriersABlockUses) {
  NEEDS_SASS();
  const auto barriers = [](const std::string& statement) {
    const auto sass = sass_of("__global__ void k(int* a, int n) { a[threadIdx.x] = n; " + statement +
                                  " a[64 + threadIdx.x] = a[63 - threadIdx.x]; }",
                              "k");
    return sass.ok() ? sass->barriers : -1;
  };
  EXPECT_EQ(barriers(""), 0);
  EXPECT_EQ(barriers("__syncthreads();"), 1);
  EXPECT_EQ(barriers(R"(asm volatile("bar.sync 4, 64;" ::: "memory");)"), 5);
  EXPECT_EQ(barriers(R"(asm volatile("bar.sync %0, 64;" ::"r"(n) : "memory");)"), 16) << "its number is in a register";
}

TEST(Sass, ADamagedCubinGivesNothing) {
  NEEDS_SASS();
  const auto sass = sass_of(stores, "k");
  ASSERT_TRUE(sass.ok());
  ASSERT_TRUE(find_in_cubin(sass->cubin, sass->kernel).has_value());
  EXPECT_FALSE(find_in_cubin({}, sass->kernel).has_value());
  for (std::size_t size = 0; size < sass->cubin.size(); size += 97)
    find_in_cubin(std::span(sass->cubin).first(size), sass->kernel);
  std::uint32_t random = 1;
  for (int round = 0; round < 2000; ++round) {
    auto damaged = sass->cubin;
    for (int i = 0; i < 8; ++i) {
      random = random * 1664525u + 1013904223u;
      damaged[(random >> 8) % damaged.size()] = static_cast<std::uint8_t>(random);
    }
    find_in_cubin(damaged, sass->kernel);
  }
}

TEST(Disassembly, ReadsPredicatesLabelsAndNotes) {
  const auto found = parse_disassembly(
      "\t.target\tsm_90\n"
      "//--------------------- .text.other --------------------------\n"
      ".text.other:\n"
      "        /*0000*/                   EXIT ;\n"
      "//--------------------- .text._Z1kPf --------------------------\n"
      "\t.section\t.text._Z1kPf,\"ax\",@progbits\n"
      "_Z1kPf:\n"
      ".text._Z1kPf:\n"
      "\t//## File \"lib.h\", line 97 inlined at \"lib.h\", line 50\n"
      "\t//## File \"lib.h\", line 50 inlined at \"my k.cu\", line 9\n"
      "\t//## File \"my k.cu\", line 9 inlined at \"my k.cu\", line 12\n"
      "\t//## File \"my k.cu\", line 12\n"
      "\t//## File \".nv_debug_ptx_txt.123\", line 33\n"
      "        /*0000*/              @!P0 LDG.E R2, desc[UR4][R2.64] ;  /* 0x0000000402027981 */\n"
      "                                                                 /* 0x001fe2000c1e1900 */\n"
      ".L_x_1:\n"
      "\t//## File \".nv_debug_ptx_txt.123\", line 34\n"
      "        /*0010*/                   NOP;\n"
      "\t//## File \"gr\\303\\266\\303\\237e.cu\", line 13\n"
      "        /*0a20*/              @UP1 UMOV UR4, 0x400 ;\n"
      ".L_x_2:\n",
      "_Z1kPf");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].predicate, "@!P0");
  EXPECT_EQ(found[0].text, "LDG.E R2, desc[UR4][R2.64]");
  EXPECT_EQ(found[0].file, "my k.cu");
  EXPECT_EQ(found[0].line, 9) << "the innermost place in the kernel's own file";
  EXPECT_EQ(found[0].ptx_line, 33);
  EXPECT_EQ(found[0].label, "");
  EXPECT_EQ(found[1].text, "NOP");
  EXPECT_EQ(found[1].line, 9) << "a note stays in force";
  EXPECT_EQ(found[1].ptx_line, 34);
  EXPECT_EQ(found[1].label, ".L_x_1");
  EXPECT_EQ(found[2].address, 0xa20u);
  EXPECT_EQ(found[2].predicate, "@UP1");
  EXPECT_EQ(found[2].file, "größe.cu");
  EXPECT_EQ(found[2].line, 13);
}

TEST(Disassembly, SurvivesAnyText) {
  for (const char* text :
       {"", "\n\n", "k:", "k:\n/*", "k:\n/**/", "k:\n/*zz*/ EXIT ;", "k:\n/*0000*/ EXIT", "k:\n/*0000*/ ;",
        "k:\n/*0000*/ @P0 ;", "k:\n//## File \"", "k:\n//## File \"a\", line ", "k:\n/*ffffffffff*/ NOP ;"})
    EXPECT_TRUE(parse_disassembly(text, "k").empty()) << text;
}

TEST(Subprocess, GivesOutputErrorsAndStatus) {
  if (!on_posix) GTEST_SKIP() << "the programs that it starts are those of a POSIX system";
  const std::string input = "some bytes";
  const std::vector<std::uint8_t> bytes(input.begin(), input.end());
  const auto cat = run_program("/bin/cat", {"{input}"}, bytes, std::chrono::seconds(10));
  EXPECT_TRUE(cat.started);
  EXPECT_EQ(cat.exit_status, 0);
  EXPECT_EQ(cat.output, input);
  EXPECT_EQ(run_program("/bin/cp", {"{input}", "{output}"}, bytes, std::chrono::seconds(10)).output, cat.output);
  const auto failing = run_program("/bin/ls", {"/no such folder; echo injected"}, {}, std::chrono::seconds(10));
  EXPECT_NE(failing.exit_status, 0);
  EXPECT_THAT(failing.errors, HasSubstr("no such folder"));
  EXPECT_EQ(failing.output, "");
  EXPECT_FALSE(run_program("/no/such/program", {}, {}, std::chrono::seconds(10)).started);
  const auto slow = run_program("/bin/sleep", {"60"}, {}, std::chrono::seconds(1));
  EXPECT_TRUE(slow.timed_out);
  const auto stopped =
      run_program("/bin/sh", {"-c", "sleep 61 & wait"}, {}, std::chrono::seconds(50), [] { return true; });
  EXPECT_TRUE(stopped.stopped);
  EXPECT_FALSE(stopped.timed_out);
  const std::vector<std::uint8_t> large(3'000'000, 'x');
  EXPECT_EQ(run_program("/bin/cat", {"{input}"}, large, std::chrono::seconds(20)).output.size(), large.size());
}

}  // namespace
}  // namespace lanescope::compile
