// What packages for Python compile at run time: they ask for machine code and get PTX, which the interpreter runs.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "cli/program.h"
#include "compile/nvcc/nvcc.h"
#include "compile/toolchain.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;

#define NEEDS_NVCC() \
  if (const auto found = compile::locate_nvcc(); !found) GTEST_SKIP() << "no nvcc: " << format(found.errors().front())

TEST(ExecPackages, NvrtcReturnsPtxForARealArchitecture) {
  NEEDS_NVCC();
  const auto found = compile::locate_toolchain();
  if (!found) GTEST_SKIP() << "no NVRTC: " << format(found.errors().front());
  // NVRTC looks there for its second library.
  const std::string folder = std::filesystem::path(found->nvrtc->path).parent_path().string();
  const Ran ran = lanescope(
      {"exec", "--nvcc=-lcuda", LANESCOPE_SOURCE_DIR "/tests/exec/compiled_by_nvrtc.cu", "--", found->nvrtc->path},
      {.environment = "LD_LIBRARY_PATH=" + folder});
  EXPECT_EQ(ran.out, "0 0 0: 0 3 6 9\n") << ran.err;
  // NVRTC asks for a table, and does without it.
  EXPECT_THAT(ran.err, testing::ContainsRegex("cuGetExportTable .libnvrtc.so.1[0-9.]+.: not there; 1 call"));
}

// The options that Triton passes. Its results for a GPU are kept under another version.
TEST(ExecPackages, TritonsPtxasKeepsThePtx) {
  const test::TempFolder folder;
  std::ofstream(folder / "kernel.ptx") << ".version 8.0\n";
  const std::string script = "cd " + folder.path().string() +
                             " && \"$TRITON_PTXAS_PATH\" -lineinfo -v --regAllocOptLevel=2 --gpu-name=sm_90a "
                             "kernel.ptx -o kernel.ptx.o && cmp kernel.ptx kernel.ptx.o && "
                             "test \"$TRITON_PTXAS_PATH\" = \"$TRITON_PTXAS_BLACKWELL_PATH\" && "
                             "\"$TRITON_PTXAS_PATH\" --version | grep -E 'release [0-9]+\\.[0-9]+|PTX' | tail -n 1 && "
                             "\"$TRITON_PTXAS_PATH\" --version | grep -c -E 'release [0-9]+\\.[0-9]+'";
  EXPECT_EQ(lanescope({"exec", "/bin/sh", "-c", script}).out, "PTX in place of machine code: lanescope exec\n1\n");
  const Ran own = lanescope({"exec", "/bin/sh", "-c", "echo \"$TRITON_PTXAS_PATH\""},
                            {.environment = "TRITON_PTXAS_PATH=/mine/ptxas"});
  EXPECT_EQ(own.out, "/mine/ptxas\n");
}

// The file that a macro names is not found by reading the source, so only ptxas tells that it has a wgmma.
TEST(ExecPackages, InstructionsOfOneArchitectureAloneMayBeInAFileThatAMacroNames) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  std::ofstream(folder / "fence.h") << "__device__ void fence() { asm volatile(\"wgmma.fence.sync.aligned;\"); }\n";
  std::ofstream(folder / "named.cu") << "#include <cstdio>\n#define NAME \"fence.h\"\n#include NAME\n"
                                        "__global__ void k() { fence(); }\nint main() {\n  k<<<1, 128>>>();\n"
                                        "  puts(cudaGetErrorString(cudaDeviceSynchronize()));\n}\n";
  const Ran ran = lanescope({"exec", (folder / "named.cu").string()});
  EXPECT_EQ(ran.out, "no error\n") << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("Built for sm_90a: the code has instructions of this architecture alone."));
}

// nvcc's options for a program whose runtime is ours. The current folder gets the name that the linker looks for. The
// fetched nvcc has no library for kernels that launch kernels.
std::string shared_runtime() {
  const std::string folder = LANESCOPE_EXEC_FOLDER;
  return "ln -s " + folder +
         "/libcudart.so.13 libcudart.so && nvcc -cudart shared -cudadevrt none -L. -Xlinker -rpath-link=" + folder +
         " ";
}

// The rpath's library has none of the runtime's functions.
TEST(ExecPackages, AFolderThatAFileNamesComesAfterTheImitatedDevice) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  std::ofstream(folder / "other.c") << "int other;\n";
  const std::string script =
      "cd " + folder.path().string() + " && mkdir other && cc -shared -o other/libcudart.so.13 other.c && " +
      shared_runtime() +
      "-arch=compute_90 -code=compute_90 -Xlinker --disable-new-dtags -Xlinker -rpath=" + (folder / "other").string() +
      " -o saxpy " LANESCOPE_SOURCE_DIR "/tests/exec/saxpy.cu && ./saxpy 1000";
  const Ran ran = lanescope({"exec", "/bin/sh", "-c", script});
  EXPECT_EQ(ran.out, "right, cudaSuccess\n") << ran.err;
}

TEST(ExecPackages, MachineCodeAloneNamesItsFileAndTheKernel) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string program = (folder / "saxpy").string();
  const std::string script = "cd " + folder.path().string() + " && " + shared_runtime() +
                             "-gencode arch=compute_90,code=sm_90 -o saxpy " LANESCOPE_SOURCE_DIR
                             "/tests/exec/saxpy.cu && " +
                             program + " 1000";
  const Ran ran = lanescope({"exec", "/bin/sh", "-c", script});
  EXPECT_THAT(ran.err,
              HasSubstr(program + ": error: The program has machine code for GPUs, but no PTX, which is what is "
                                  "executed here; kernel saxpy is wanted from it"));
  EXPECT_THAT(ran.err, HasSubstr("-gencode arch=compute_90,code=compute_90"));
}

}  // namespace
}  // namespace lanescope
