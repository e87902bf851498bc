// nvcc's output for small mistakes (13.0.88, g++ 12.2), as diagnostics.

#include "compile/nvcc/nvcc.h"
#include "compile/host/nearby_files.h"
#include "compile/nvcc/cuda_12_names.h"
#include "compile/nvcc/nvcc_options.h"
#include "compile/nvcc/nvcc_run.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "golden.h"

namespace lanescope::compile {
namespace {

Diagnostics told(const std::string& log, const std::string& text = "") {
  return diagnose_nvcc(log, {.file = "a.cu", .runtime_folder = ""}, text);
}

TEST(NvccLog, ErrorsOfItsOwnCompilerAreAtTheirLines) {
  const Diagnostics said = told(
      "a.cu(2): error: identifier \"b\" is undefined\n"
      "  __attribute__((global)) void k(float* a) { a[0] = b; }\n"
      "                                                    ^\n\n"
      "1 error detected in the compilation of \"a.cu\".\n");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].code, "compile.error");
  EXPECT_EQ(said[0].place, (SourcePlace{"a.cu", 2, 0}));
  EXPECT_EQ(said[0].message, "identifier \"b\" is undefined");
}

TEST(NvccLog, AWarningThatIsGivenTwiceIsToldOnce) {
  const std::string warning =
      "a.cu(3): warning #177-D: variable \"u\" was declared but never referenced\n"
      "  void f() { int u; }\n                 ^\n\n"
      "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n";
  const Diagnostics said = told(warning + warning);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].severity, Severity::warning);
}

// nvcc gives two errors for one call of a host function; an undefined name alone stays.
TEST(NvccLog, ACallOfAHostFunctionIsToldOnce) {
  const Diagnostics said = told(
      "a.cu(4): error: calling a __host__ function(\"cudaDeviceSynchronize\") from a __global__ function(\"k\") is not "
      "allowed\n\na.cu(4): error: identifier \"cudaDeviceSynchronize\" is undefined in device code\n\n"
      "a.cu(4): error: identifier \"count\" is undefined in device code\n\n"
      "a.cu(5): error: calling a __host__ function(\"T1  ::mine<int> (T1)\") from a __global__ function(\"k\") is not "
      "allowed\n\na.cu(5): error: identifier \"mine<int> \" is undefined in device code\n\n"
      "5 errors detected in the compilation of \"a.cu\".\n");
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(std::string(said[0].message).substr(0, 26), "calling a __host__ functio");
  EXPECT_EQ(said[1].message, "identifier \"count\" is undefined in device code");
  EXPECT_EQ(said[2].place.line, 5);
}

TEST(NvccLog, TheHostCompilersWordsAreReadToo) {
  const Diagnostics missing = told(
      "a.cu:2:10: fatal error: missing_thing.h: No such file or directory\n"
      "    2 | #include \"missing_thing.h\"\n      |          ^~~~~~~~~~~~~~~~~\ncompilation terminated.\n");
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing[0].code, "compile.missing_include");
  EXPECT_EQ(missing[0].place.line, 2);
  const Diagnostics error = told("dir:with/a.cu:7:3: error: 'x' was not declared in this scope\n");
  ASSERT_EQ(error.size(), 1u);
  EXPECT_EQ(error[0].place.file, "dir:with/a.cu");
  EXPECT_EQ(error[0].place.line, 7);
}

// A whole program contains its host code, so "kernels cannot call it" would mislead.
TEST(NvccLog, AFileWithoutMainIsNoProgram) {
  const Diagnostics said =
      told("/usr/bin/ld: /usr/lib/Scrt1.o: in function `_start':\n(.text+0x17): undefined reference to `main'\n");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].code, "compile.no_main");
  EXPECT_EQ(said[0].place.file, "a.cu");
}

// Of a course that keeps its headers in a folder beside.
TEST(NearbyHeader, IsFoundBelowTheFoldersAboveUpToTheRepository) {
  const test::TempFolder top;
  std::filesystem::create_directories(top / "course/.git");
  for (const char* name : {"course/lessons/a.cu", "course/include/own.h", "course/parts/in/deep/far.h", "outside.h"}) {
    std::filesystem::create_directories((top / name).parent_path());
    test::write_file(top / name, "");
  }
  const std::string source = (top / "course/lessons/a.cu").generic_string();
  EXPECT_EQ(folder_with_header(source, "own.h"), (top / "course/include").generic_string());
  EXPECT_EQ(folder_with_header(source, "include/own.h"), (top / "course").generic_string());
  EXPECT_EQ(folder_with_header(source, "far.h"), "") << "three levels below";
  EXPECT_EQ(folder_with_header(source, "outside.h"), "") << "above the repository";
  EXPECT_EQ(folder_with_header((top / "nobody.cu").generic_string(), "own.h"), "");
  const Diagnostics said = diagnose_nvcc("x.cu(1): error: cannot open source file \"own.h\"\n  #include\n  ^\n\n",
                                         {.file = source, .runtime_folder = ""}, "#include \"own.h\"\n");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0].cure, "`own.h` is in " + (top / "course/include").generic_string() +
                              ": give that folder as an include path (-I).");
}

TEST(NvccLog, CuresAreForWholePrograms) {
  const auto cure = [](const std::string& message) {
    const Diagnostics said = told("a.cu(2): error: " + message + "\n  f();\n  ^\n\n", "int main() {\n  f();\n}\n");
    return said.empty() ? std::string() : std::string(said.front().cure);
  };
  EXPECT_EQ(cure("identifier \"cudaThreadSynchronize\" is undefined"),
            "CUDA 13 removed cudaThreadSynchronize(): write cudaDeviceSynchronize().");
  EXPECT_EQ(cure("no suitable constructor exists to convert from \"int\" to \"cudaMemLocation\"").substr(0, 14),
            "Since CUDA 13,");
  EXPECT_EQ(cure("namespace \"thrust\" has no member class \"identity\""), "");
  EXPECT_EQ(cure("namespace \"thrust\" has no member class \"binary_function\"").substr(0, 15), "CUDA 13 removed");
  EXPECT_EQ(
      cure("identifier \"N\" is undefined in device code"),
      "`N` is the host's: pass its value to the kernel, or put __device__, __constant__ or __managed__ before it.");
  EXPECT_EQ(cure("identifier \"f\" is undefined in device code"),
            "`f` is a function of the host: kernels call __device__ functions only.");
  EXPECT_EQ(cure("calling a __host__ function(\"cudaDeviceSynchronize\") from a __global__ function(\"k\") is not "
                 "allowed")
                .substr(0, 15),
            "CUDA 12 removed");
  EXPECT_EQ(cure("cannot open source file \"own.h\""),
            "Put `own.h` next to the source, or give the folder that has it as an include path.");
  EXPECT_EQ(cure("namespace \"cub\" has no member \"Max\""),
            "CUDA 13 removed cub::Max: include <cuda/functional> and write cuda::maximum<>{}.");
  EXPECT_EQ(cure("namespace \"std\" has no member \"unique_ptr\""), "Add #include <memory> at the top.");
  EXPECT_EQ(cure("namespace \"thrust\" has no member \"lower_bound\""),
            "Include the header that declares thrust::lower_bound.");
  EXPECT_EQ(cure("kernel launch from __device__ or __global__ functions requires separate compilation mode"),
            "Give nvcc the option for that: `--nvcc=-rdc=true`.");
  EXPECT_EQ(cure("__host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag"),
            "Give nvcc the option for that: `--nvcc=--extended-lambda`.");
  EXPECT_EQ(cure("namespace \"std\" has no member \"sin_of\""), "Include the header that declares std::sin_of.");
  EXPECT_EQ(cure("identifier \"cout\" is undefined"), "Add #include <iostream> at the top, and write std::cout.");
  EXPECT_EQ(cure("identifier \"cudaMalloced\" is undefined").find("kernels cannot"), std::string::npos);
}

TEST(NvccLog, PartsOfDifferentVersionsAreNamed) {
  const std::string log = "ptxas a.ptx, line 9; fatal   : Unsupported .version 9.5; current version is '9.0'\n";
  EXPECT_NE(std::string(cure_of_nvcc(log)).find("nvidia-nvvm have different versions"), std::string::npos);
  EXPECT_NE(
      std::string(cure_of_nvcc("ptxas a.ptx, line 88; error   : Instruction 'vote' without '.sync' is not supported on "
                               ".target sm_70 and higher\n"))
          .find("__ballot_sync"),
      std::string::npos);
  EXPECT_NE(std::string(cure_of_nvcc("ptxas a.ptx, line 106; error   : Instruction 'tcgen05.alloc' not supported on "
                                     ".target 'sm_90'\n"))
                .find("--arch sm_100a"),
            std::string::npos);
  EXPECT_EQ(std::string(cure_of_nvcc("nvcc fatal   : Stopped\n")), "Look at what it says above.");
}

TEST(NvccLog, InstructionsOfOneArchitectureAloneAreBuiltForIt) {
  const auto refused = [](const std::string& instruction, const std::string& target) {
    return "ptxas a.ptx, line 392; error   : Instruction '" + instruction + "' not supported on .target '" + target +
           "'\n";
  };
  EXPECT_EQ(architecture_of_own(refused("wgmma.commit_group", "sm_90")), "sm_90a");
  EXPECT_EQ(architecture_of_own(refused("tcgen05.alloc", "sm_100")), "sm_100a");
  EXPECT_EQ(architecture_of_own(refused("tcgen05.alloc", "sm_90a")), "");            // tried already
  EXPECT_EQ(architecture_of_own(refused("cp.async.bulk", "sm_80")), "");             // older ones have no such features
  EXPECT_EQ(architecture_of_own("ptxas fatal   : not supported on .target '"), "");  // cut off
}

TEST(NvccLog, TheLinkerAndNvccItselfAreReadToo) {
  EXPECT_EQ(told("x.cpp:(.text+0x98): undefined reference to `f()'\ncollect2: error: ld returned 1 exit status\n")
                .front()
                .code,
            "compile.link_error");
  EXPECT_EQ(told("x.cpp:(.text+0x98): undefined reference to `f()'\nx.cpp:(.text+0x9f): undefined reference to `f()'\n"
                 "x.cpp:(.text+0xa4): undefined reference to `g()'\n")
                .size(),
            2u)
      << "a function that is called twice is told of once";
  const auto cure = [](const std::string& name) {
    const Diagnostics said = told("x.cpp:(.text+0x98): undefined reference to `" + name + "'\n");
    return said.empty() ? std::string() : std::string(said.front().cure);
  };
  EXPECT_EQ(cure("cuInit"), "It is of the driver API: link that with `--nvcc=-lcuda`.");
  EXPECT_EQ(cure("cublasCreate_v2"),
            "It is of cuBLAS, a library whose kernels are machine code for a GPU. Without one, write a kernel of your "
            "own in its place.");
  EXPECT_EQ(cure("__device_builtin_variable_warpSize"),
            "Only kernels have `warpSize`. In host code write its value, or take it from cudaGetDeviceProperties().");
  const Diagnostics fatal = told("nvcc fatal   : Unknown option '--nonsense'\n");
  ASSERT_EQ(fatal.size(), 1u);
  EXPECT_EQ(fatal[0].code, "compile.nvcc");
  EXPECT_EQ(fatal[0].message, "Unknown option '--nonsense'");
  EXPECT_TRUE(told("").empty());
}

// The names are as GNU ld 2.40 writes them.
TEST(NvccLog, TheFileThatDefinesWhatTheLinkerMissesIsNamed) {
  const test::TempFolder folder;
  test::write_file(folder / "main.cu", "int main() {}\n");
  test::write_file(
      folder / "kernels.cu",
      "__global__ void scale(float* x) { x[0] *= 2; }\n"
      "namespace tools {\ntemplate <class T> void fill(T* p) { *p = {}; }\ntemplate void fill(int*);\n}\n");
  test::write_file(folder / "draw.cpp",
                   "struct Canvas { void draw(int); void other(); };\nvoid Canvas::draw(int) {}\n");
  const std::string file = (folder / "main.cu").generic_string();
  const auto cure = [&](const std::string& name, const std::vector<std::string>& further = {}) {
    const Diagnostics said = diagnose_nvcc("x.cpp:(.text+0x98): undefined reference to `" + name + "'\n",
                                           {.file = file, .further = further, .runtime_folder = ""}, "");
    return said.empty() ? std::string() : std::string(said.front().cure);
  };
  const auto names = [&](const std::string& other) {
    const std::string path = (folder / other).generic_string();
    return "`" + path + "` defines it: build that file too, with `--nvcc=" + path + "`.";
  };
  const std::string no_file = "Define it, or give the file or library that does as a further option for nvcc.";
  EXPECT_EQ(cure("scale(float*)"), names("kernels.cu"));
  EXPECT_EQ(cure("void tools::fill<int>(int*)"), names("kernels.cu"));
  EXPECT_EQ(cure("Canvas::draw(int)"), names("draw.cpp"));
  EXPECT_EQ(cure("Canvas::other()"), no_file) << "declared only";
  EXPECT_EQ(cure("Sheet::draw(int)"), no_file) << "another class";
  EXPECT_EQ(cure("scale(float*)", {"kernels.cu"}), no_file) << "a file that was built and does not define it so";
}

// As nvcc 13.0.88 and ld say it.
TEST(NvccOptions, ThoseThatTheCodeNeedsFollowFromTheLog) {
  const auto help = [](const std::string& log) { return options_that_help(log, {}); };
  using Options = std::vector<std::string>;
  EXPECT_EQ(help("a.cu(3): error: __host__ or __device__ annotation on lambda requires --extended-lambda nvcc flag\n"),
            Options{"--extended-lambda"});
  EXPECT_EQ(help("a.cu(4): error: calling a constexpr __host__ function(\"max\") from a __global__ function(\"k\") is "
                 "not allowed. The experimental flag '--expt-relaxed-constexpr' can be used to allow this.\n"),
            Options{"--expt-relaxed-constexpr"});
  EXPECT_EQ(help("a.cu(3): error: kernel launch from __device__ or __global__ functions requires separate compilation "
                 "mode\n"),
            Options{"-rdc=true"});
  EXPECT_EQ(help("a.cu(8): error: identifier \"cudaThreadSynchronize\" is undefined\n"),
            Options{"-DcudaThreadSynchronize=cudaDeviceSynchronize"});
  EXPECT_EQ(help("a.cpp:(.text+0x98): undefined reference to `cuInit'\n"
                 "a.cpp:(.text+0xa4): undefined reference to `omp_get_wtime'\n"),
            (Options{"-lcuda", "-Xcompiler=-fopenmp"}));
  EXPECT_EQ(help("a.cpp:(.text+0x98): undefined reference to `cublasCreate_v2'\n"), Options{});
  EXPECT_EQ(options_that_help("undefined reference to `cuNone'\n", {"-lcuda"}), Options{})
      << "what was given and did not help";
}

TEST(NvccOptions, NamesThatCuda13RemovedAreKnownByTheirErrors) {
  for (const char* line :
       {"a.cu(6): error: class \"cudaDeviceProp\" has no member \"clockRate\"\n",
        "a.cu(6): error: class \"cudaDeviceProp\" has no member \"deviceOverlap\"\n",
        "a.cu(6): error: no suitable constructor exists to convert from \"int\" to \"cudaMemLocation\"\n",
        "a.cu(6): error: namespace \"thrust\" has no member class \"unary_function\"\n",
        "a.cu(6): error: namespace \"cub\" has no member \"Sum\"\n"})
    EXPECT_TRUE(lacks_names_of_cuda_12(line)) << line;
  EXPECT_FALSE(lacks_names_of_cuda_12("a.cu(6): error: class \"cudaDeviceProp\" has no member \"clockrate\"\n"));
}

TEST(Nvcc, AWrongDefinitionIsRefusedBeforeItIsStarted) {
  const auto refused = build_program({.file = __FILE__, .defines = {"N=4", "2N"}, .runtime_folder = ""});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.errors().front().code, "compile.bad_define");
}

TEST(Nvcc, AMachineWithoutItIsToldHowToGetIt) {
  const auto none = locate_nvcc({.roots = {"/nonexistent"}, .loader_path = false});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.errors().front().code, "toolchain.no_nvcc");
  EXPECT_FALSE(none.errors().front().cure.empty());
}

TEST(Nvcc, AScratchFolderIsRemovedWithAllThatIsInIt) {
  std::filesystem::path path;
  {
    const ScratchFolder folder;
    path = folder.path();
    ASSERT_TRUE(std::filesystem::is_directory(path));
    std::filesystem::create_directory(path / "inner");
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace lanescope::compile
