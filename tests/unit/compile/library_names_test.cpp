// What a compiler does not find is of a library: its header, or that kernels cannot have it. The messages are nvcc's
// and NVRTC's own.

#include "compile/host/library_names.h"

#include <gmock/gmock.h>

#include "compile/cures.h"

namespace lanescope::compile {
namespace {

std::string cure(const std::string& message, const std::string& line, bool whole_program) {
  LogEntry entry;
  entry.place = {"k.cu", 1, 1};
  entry.message = message;
  CureContext context;
  context.text = line + "\n";
  context.source_name = "k.cu";
  context.whole_program = whole_program;
  return std::string(cure_for(entry, context));
}
std::string in_program(const std::string& message, const std::string& line) {
  return cure(message, line, true);
}
std::string in_kernels(const std::string& message, const std::string& line) {
  return cure(message, line, false);
}
std::string undefined(const std::string& name) {
  return "identifier \"" + name + "\" is undefined";
}

TEST(LibraryNames, TheHeaderThatDeclaresANameIsTheCure) {
  for (const auto& [name, header] : {std::pair{"assert", "cassert"},
                                     {"printf", "cstdio"},
                                     {"__nv_fp8_e4m3", "cuda_fp8.h"},
                                     {"half", "cuda_fp16.h"},
                                     {"cuFloatComplex", "cuComplex.h"},
                                     {"curandState", "curand_kernel.h"},
                                     {"rand", "cstdlib"},
                                     {"CUdeviceptr", "cuda.h"},
                                     {"cuMemAlloc", "cuda.h"},
                                     {"uint32_t", "cstdint"}})
    EXPECT_EQ(in_program(undefined(name), name), "Add #include <" + std::string(header) + "> at the top.") << name;
  EXPECT_EQ(in_kernels(undefined("curandState"), ""), "Add #include <curand_kernel.h> at the top.");
  EXPECT_EQ(in_kernels(undefined("CUtensorMap"), ""), "Add #include <cuda.h> at the top.");
  EXPECT_THAT(in_kernels(undefined("cuMemAlloc"), ""), testing::HasSubstr("is part of the host API"));
  EXPECT_THAT(in_kernels(undefined("curandCreateGenerator"), ""), testing::HasSubstr("is part of the host API"));
  EXPECT_THAT(in_program(undefined("checkCudaErrors"), ""), testing::HasSubstr("declared in helper_cuda.h"));
  EXPECT_EQ(in_program("incomplete type \"d3\" (aka \"std::tuple<double, double, double>\") is not allowed", ""),
            "Add #include <tuple> at the top.");
}

TEST(LibraryNames, TheHeaderThatDeclaresANamespaceIsTheCure) {
  const std::string no_scope = "name followed by \"::\" must be a class or namespace name";
  for (const auto& [line, header] : {std::pair{"cooperative_groups::this_grid().sync();", "cooperative_groups.h"},
                                     {"__shared__ cuda::barrier<cuda::thread_scope_block> b;", "cuda/barrier"},
                                     {"cuda::atomic_ref<int> a(*p);", "cuda/atomic"},
                                     {"typedef cub::BlockReduce<int, 128> B;", "cub/cub.cuh"},
                                     {"wmma::fragment<wmma::matrix_a, 16, 16, 16, half> a;", "mma.h"},
                                     {"auto s = std::chrono::steady_clock::now();", "chrono"}}) {
    EXPECT_EQ(in_program(no_scope, line), "Add #include <" + std::string(header) + "> at the top.") << line;
    EXPECT_EQ(in_kernels(no_scope, line), "Add #include <" + std::string(header) + "> at the top.") << line;
  }
  EXPECT_EQ(in_kernels("name must be a namespace name", "namespace cg = cooperative_groups;"),
            "Add #include <cooperative_groups.h> at the top.");
  EXPECT_EQ(in_kernels("name must be a namespace name", "using namespace nvcuda;"), "Add #include <mma.h> at the top.");
  EXPECT_THAT(in_kernels(no_scope, "cg::this_grid().sync();"), testing::HasSubstr("`namespace cg ="));
  EXPECT_THAT(in_kernels(no_scope, "mine::f();"), testing::HasSubstr("or correct its spelling"));
  EXPECT_THAT(in_kernels(no_scope, "#include <cub/cub.cuh>\ncub::Nothing::f();"),
              testing::HasSubstr("or correct its spelling"));
}

// A cure that asks for __device__ before std::sort cannot be followed.
TEST(LibraryNames, WhatOnlyTheHostHasGetsNoDevice) {
  const std::string ends = "\") from a __global__ function(\"k\") is not allowed";
  EXPECT_EQ(in_program("calling a __host__ function(\"void  ::std::sort<int *> (T1, T1)" + ends, ""),
            "Device code has no std::sort: use CUDA's own functions, or cuda::std from <cuda/std/…>.");
  EXPECT_EQ(in_program(undefined("std::sort<int *> ") + " in device code", "std::sort(p, p + 4);"),
            "Device code has no std::sort: use CUDA's own functions, or cuda::std from <cuda/std/…>.");
  EXPECT_THAT(
      in_program("calling a __host__ function(\"std::vector<int, ::std::allocator<int> > ::push_back(int &&)" + ends,
                 ""),
      testing::StartsWith("std::vector needs the host"));
  EXPECT_THAT(in_program("calling a __host__ function(\"std::basic_ostream<char, std::char_traits<char> "
                         ">::operator <<(int)" +
                             ends,
                         ""),
              testing::HasSubstr("use printf"));
  EXPECT_THAT(in_program("calling a __host__ function(\"rand" + ends, ""), testing::HasSubstr("curand_init()"));
  EXPECT_THAT(in_kernels(undefined("strlen"), ""), testing::HasSubstr("host's C library"));
  EXPECT_THAT(in_program("calling a __host__ function(\"mine(std::vector<int, std::allocator<int> > &)" + ends, ""),
              testing::StartsWith("Put __device__"));
  EXPECT_EQ(member_of_std("std::enable_if<std::__and_<    ::std::__not_<T1> > ::value, void> ::type  "
                          "::std::swap<int> (T1 &, T1 &)"),
            "swap");
}

TEST(LibraryNames, VectorTypesHaveNoOperators) {
  const std::string message = "no operator \"+\" matches these operands; operand types are: ";
  EXPECT_THAT(in_kernels(message + "float3 + float3", ""), testing::HasSubstr("helper_math.h"));
  EXPECT_THAT(in_kernels(message + "double * uint4", ""), testing::HasSubstr("helper_math.h"));
  EXPECT_EQ(in_kernels(message + "Mine3 + Mine3", ""), "");
}

}  // namespace
}  // namespace lanescope::compile
