// The CUDA libraries as a program finds them: loaded by name, called through their entry points.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "unit/device/device_texts.h"
#include "unit/device/exec_libraries.h"

namespace lanescope {
namespace {

using device_test::Dim;
using device_test::ExecLibraries;
using device_test::Program;

TEST_F(ExecLibraries, RunAProgramThatNvccBuilt) {
  Program program(device_test::add_text);
  char stub = 0, hits_shadow = 0, step_shadow = 0;
  void** handle = start(program, &stub, "add");
  call<void>("__cudaRegisterVar", handle, &hits_shadow, &hits_shadow, "hits", 0, std::size_t{4}, 0, 0);
  call<void>("__cudaRegisterVar", handle, &step_shadow, &step_shadow, "step", 0, std::size_t{4}, 1, 0);
  unsigned n = 100;
  const unsigned step = 2;
  std::vector<float> a(n, 1.5f), c(n);
  void *da = allocate(400), *dc = allocate(400);
  EXPECT_EQ(call("cudaMemcpy", da, static_cast<const void*>(a.data()), std::size_t{400}, 1), 0);
  EXPECT_EQ(call("cudaMemcpyToSymbol", static_cast<const void*>(&step_shadow), static_cast<const void*>(&step),
                 std::size_t{4}, std::size_t{0}, 1),
            0);
  void* arguments[] = {&da, &da, &dc, &n};
  EXPECT_EQ(launch(&stub, {4}, {32}, arguments), 0);
  EXPECT_EQ(call("cudaDeviceSynchronize"), 0);
  EXPECT_EQ(call("cudaMemcpy", static_cast<void*>(c.data()), static_cast<const void*>(dc), std::size_t{400}, 2), 0);
  EXPECT_EQ(c, std::vector<float>(n, 3.0f));
  unsigned hits = 0;
  EXPECT_EQ(call("cudaMemcpyFromSymbol", static_cast<void*>(&hits), static_cast<const void*>(&hits_shadow),
                 std::size_t{4}, std::size_t{0}, 2),
            0);
  EXPECT_EQ(hits, 200u);
  call<void>("__cudaUnregisterFatBinary", handle);
  EXPECT_EQ(launch(&stub, {4}, {32}, arguments), 400) << "cudaErrorInvalidResourceHandle";
}

// Each answer as CUDA 13.0 on an H200 (driver 580.159.04) gave it.
TEST_F(ExecLibraries, MistakesGetTheAnswersOfAGpu) {
  Program program(device_test::add_text);
  char stub = 0;
  void** handle = start(program, &stub, "add");
  unsigned n = 100;
  void* dc = allocate(400);
  void* arguments[] = {&dc, &dc, &dc, &n};
  EXPECT_EQ(launch(&stub, {1}, {2048}, arguments), 1);
  EXPECT_EQ(launch(&stub, {0}, {32}, arguments), 1);
  EXPECT_EQ(launch(&stub, {1}, {1, 1, 65}, arguments), 1);
  void *stream = nullptr, *graph = nullptr;
  EXPECT_EQ(call("cudaStreamCreate", &stream), 0);
  EXPECT_EQ(call("cudaStreamEndCapture", stream, &graph), 401);
  EXPECT_EQ(call("cudaStreamBeginCapture", stream, 0), 0);
  EXPECT_EQ(call("cudaStreamBeginCapture", stream, 0), 401);
  EXPECT_EQ(call("cudaStreamEndCapture", stream, &graph), 0);
  // A call that may wait for the device breaks a capture, unless the capture is relaxed.
  void* more = nullptr;
  EXPECT_EQ(call("cudaStreamBeginCapture", stream, 0), 0);
  EXPECT_EQ(call("cudaMalloc", &more, std::size_t{16}), 900);
  int capturing = 0;
  EXPECT_EQ(call("cudaStreamIsCapturing", stream, &capturing), 0);
  EXPECT_EQ(capturing, 2);
  EXPECT_EQ(call("cudaStreamEndCapture", stream, &graph), 901);
  EXPECT_EQ(call("cudaStreamBeginCapture", stream, 2), 0);
  EXPECT_EQ(call("cudaMalloc", &more, std::size_t{16}), 0);
  EXPECT_EQ(call("cudaStreamEndCapture", stream, &graph), 0);
  EXPECT_EQ(call("cudaGraphCreate", &graph, 1), 1);
  EXPECT_EQ(call("cudaDestroyTextureObject", std::uint64_t{0}), 0);
  EXPECT_EQ(call("cudaDeviceEnablePeerAccess", 0, 0u), 217);
  int version = 0;
  EXPECT_EQ(call("cudaRuntimeGetVersion", &version), 0);
  EXPECT_EQ(version, 13000);
  call("cudaGetLastError");
  call<void>("__cudaUnregisterFatBinary", handle);
}

// As in "Virtual Memory Management" of the driver API's documentation.
TEST_F(ExecLibraries, AProgramMapsMemoryByItself) {
  constexpr std::size_t piece = std::size_t{2} << 20;
  const std::uint32_t pinned_here[8] = {1, 0, 1, 0};  // CUmemAllocationProp: pinned, of device 0
  const std::uint32_t read_write[3] = {1, 0, 3};      // CUmemAccessDesc
  std::size_t granularity = 0;
  std::uint64_t at = 0, first = 0, second = 0;
  ASSERT_EQ(call("cuInit", 0u), 0);
  EXPECT_EQ(call("cuMemGetAllocationGranularity", &granularity, pinned_here, 0), 0);
  EXPECT_EQ(granularity, piece);
  EXPECT_EQ(call("cuMemAddressReserve", &at, piece / 2, std::size_t{0}, std::uint64_t{0}, 0ull), 1);
  ASSERT_EQ(call("cuMemAddressReserve", &at, 3 * piece, std::size_t{0}, std::uint64_t{0}, 0ull), 0);
  ASSERT_EQ(call("cuMemCreate", &first, piece, pinned_here, 0ull), 0);
  ASSERT_EQ(call("cuMemCreate", &second, piece, pinned_here, 0ull), 0);
  ASSERT_EQ(call("cuMemMap", at, piece, std::size_t{0}, first, 0ull), 0);
  EXPECT_EQ(call("cuMemMap", at, piece, std::size_t{0}, second, 0ull), 1) << "something is there";
  ASSERT_EQ(call("cuMemMap", at + piece, piece, std::size_t{0}, second, 0ull), 0);
  void* context = nullptr;
  ASSERT_EQ(call("cuDevicePrimaryCtxRetain", &context, 0), 0);
  ASSERT_EQ(call("cuCtxSetCurrent", context), 0);
  const std::uint32_t sent[4] = {11, 22, 33, 44};
  std::uint32_t back[4] = {};
  EXPECT_EQ(call("cuMemcpyHtoD_v2", at + piece - 8, sent, sizeof sent), 1) << "no access yet";
  ASSERT_EQ(call("cuMemSetAccess", at, 2 * piece, read_write, std::size_t{1}), 0);
  ASSERT_EQ(call("cuMemcpyHtoD_v2", at + piece - 8, sent, sizeof sent), 0) << "across both";
  ASSERT_EQ(call("cuMemUnmap", at + piece, piece), 0);
  EXPECT_EQ(call("cuMemcpyDtoH_v2", back, at + piece, std::size_t{8}), 1);
  EXPECT_EQ(call("cuMemFree_v2", at), 1) << "it was not allocated";
  ASSERT_EQ(call("cuMemMap", at + 2 * piece, piece, std::size_t{0}, second, 0ull), 0);
  ASSERT_EQ(call("cuMemSetAccess", at + 2 * piece, piece, read_write, std::size_t{1}), 0);
  EXPECT_EQ(call("cuMemcpyDtoH_v2", back, at + piece - 8, std::size_t{8}), 0);
  EXPECT_EQ(call("cuMemcpyDtoH_v2", back + 2, at + 2 * piece, std::size_t{8}), 0) << "it lies elsewhere now";
  for (int i = 0; i < 4; ++i) EXPECT_EQ(back[i], sent[i]) << i;
  EXPECT_EQ(call("cuMemAddressFree", at, 3 * piece), 1) << "something is mapped";
  EXPECT_EQ(call("cuMemUnmap", at, piece), 0);
  EXPECT_EQ(call("cuMemUnmap", at + 2 * piece, piece), 0);
  EXPECT_EQ(call("cuMemRelease", first), 0);
  EXPECT_EQ(call("cuMemRelease", first), 1);
  EXPECT_EQ(call("cuMemRelease", second), 0);
  EXPECT_EQ(call("cuMemAddressFree", at, 3 * piece), 0);
}

TEST_F(ExecLibraries, AFaultIsToldByTheNextCallThatWaitsAndThenByAll) {
  Program program(device_test::add_text);
  char stub = 0;
  void** handle = start(program, &stub, "add");
  unsigned n = 100;
  float host[100] = {};
  void *dc = allocate(400), *wrong = host;
  void* arguments[] = {&wrong, &wrong, &dc, &n};
  EXPECT_EQ(launch(&stub, {4}, {32}, arguments), 0);
  EXPECT_EQ(call("cudaGetLastError"), 0);
  EXPECT_EQ(call("cudaDeviceSynchronize"), 700);
  EXPECT_EQ(call("cudaGetLastError"), 700);
  EXPECT_EQ(call("cudaGetLastError"), 0) << "it was asked for";
  EXPECT_EQ(call("cudaFree", dc), 700);
  EXPECT_EQ(call("cudaPeekAtLastError"), 700);
  int number = -1;
  EXPECT_EQ(call("cudaGetDevice", &number), 0);
  EXPECT_EQ(call("cudaGetLastError"), 700);
  EXPECT_EQ(call("cudaDeviceReset"), 0);
  EXPECT_EQ(call("cudaGetLastError"), 0);
  call<void>("__cudaUnregisterFatBinary", handle);
}

TEST_F(ExecLibraries, AnErrorOfACallIsKeptUntilItIsAskedFor) {
  EXPECT_EQ(call("cudaSetDevice", 1), 101);
  EXPECT_EQ(call("cudaPeekAtLastError"), 101);
  int other = -1;
  std::thread([&] { other = call("cudaGetLastError"); }).join();
  EXPECT_EQ(other, 0) << "it is the thread's own";
  EXPECT_EQ(call("cudaGetLastError"), 101);
  EXPECT_EQ(call("cudaGetLastError"), 0);
  EXPECT_STREQ(call<const char*>("cudaGetErrorName", 101), "cudaErrorInvalidDevice");
  EXPECT_STREQ(call<const char*>("cudaGetErrorString", 101), "invalid device ordinal");
}

TEST_F(ExecLibraries, WhatIsNotThereSaysSo) {
  void* memory = nullptr;
  EXPECT_EQ(call("cudaImportExternalMemory", &memory, static_cast<void*>(nullptr)), 801);
  EXPECT_EQ(call("cudaGetLastError"), 801);
  EXPECT_EQ(call("cuImportExternalMemory", &memory, static_cast<void*>(nullptr)), 801);
}

TEST_F(ExecLibraries, HandlesThatAreNoneAreErrorsAndNotCrashes) {
  void *stream = nullptr, *event = nullptr;
  ASSERT_EQ(call("cudaStreamCreate", &stream), 0);
  ASSERT_EQ(call("cudaEventCreate", &event), 0);
  EXPECT_EQ(call("cudaEventRecord", event, stream), 0);
  float milliseconds = -1;
  EXPECT_EQ(call("cudaEventElapsedTime", &milliseconds, event, event), 0);
  EXPECT_EQ(milliseconds, 0);
  EXPECT_EQ(call("cudaStreamDestroy", stream), 0);
  EXPECT_EQ(call("cudaStreamDestroy", stream), 400);
  EXPECT_EQ(call("cudaStreamSynchronize", stream), 400);
  EXPECT_EQ(call("cudaEventRecord", event, stream), 400);
  EXPECT_EQ(call("cudaEventDestroy", event), 0);
  EXPECT_EQ(call("cudaEventSynchronize", event), 400);
  EXPECT_EQ(call("cudaFree", static_cast<void*>(&stream)), 1);
}

TEST_F(ExecLibraries, TheDriverLoadsPtxAndLaunches) {
  void *context = nullptr, *module = nullptr, *kernel = nullptr;
  ASSERT_EQ(call("cuInit", 0u), 0);
  ASSERT_EQ(call("cuCtxCreate_v2", &context, 0u, 0), 0);
  ASSERT_EQ(call("cuModuleLoadData", &module, static_cast<const void*>(device_test::add_text)), 0);
  EXPECT_EQ(call("cuModuleGetFunction", &kernel, module, "none"), 500);
  ASSERT_EQ(call("cuModuleGetFunction", &kernel, module, "dynamic"), 0);
  std::uint64_t at = 0, back = 0;
  ASSERT_EQ(call("cuMemAlloc_v2", &at, std::size_t{8}), 0);
  void* arguments[] = {&at};
  void *stream = nullptr, **no_extra = nullptr;
  EXPECT_EQ(call("cuLaunchKernel", kernel, 1u, 1u, 1u, 1u, 1u, 1u, 0u, stream, arguments, no_extra), 0);
  EXPECT_EQ(call("cuLaunchKernel", kernel, 1u, 1u, 1u, 2048u, 1u, 1u, 0u, stream, arguments, no_extra), 1);
  EXPECT_EQ(call("cuMemcpyDtoH_v2", static_cast<void*>(&back), at, std::size_t{8}), 0);
  EXPECT_EQ(back, at);
  // The parameters in one buffer: pointer (1), size (2), end (0). A wrong size is refused.
  std::uint64_t other = at + 8;
  std::size_t bytes = 4;
  void* in_one_piece[] = {reinterpret_cast<void*>(1), &other, reinterpret_cast<void*>(2), &bytes, nullptr};
  void** const none = nullptr;
  const auto launch_so = [&] {
    return call("cuLaunchKernel", kernel, 1u, 1u, 1u, 1u, 1u, 1u, 0u, stream, none, static_cast<void**>(in_one_piece));
  };
  EXPECT_EQ(launch_so(), 1);
  bytes = 8;
  other = at;
  EXPECT_EQ(launch_so(), 0);
  EXPECT_EQ(
      call("cuLaunchKernel", kernel, 1u, 1u, 1u, 1u, 1u, 1u, 0u, stream, arguments, static_cast<void**>(in_one_piece)),
      1)
      << "both ways at once";
  // PyCUDA's.
  EXPECT_EQ(call("cuFuncSetBlockShape", kernel, 32, 1, 1), 0);
  EXPECT_EQ(call("cuFuncSetBlockShape", kernel, 32, 0, 1), 1);
  EXPECT_EQ(call("cuModuleUnload", module), 0);
  EXPECT_EQ(call("cuModuleUnload", module), 400);
  EXPECT_EQ(call("cuModuleLoadData", &module, static_cast<const void*>("\177ELF.....")), 209);
  EXPECT_EQ(call("cuCtxDetach", context), 0);
  EXPECT_EQ(call("cuCtxDetach", context), 709) << "it is gone";
}

TEST_F(ExecLibraries, EntryPointsAreFoundByNameAndVersion) {
  const auto find = [&](const char* name, int version) {
    void* found = nullptr;
    int result = -1;
    EXPECT_EQ(call("cuGetProcAddress_v2", name, &found, version, std::uint64_t{0}, &result), 0);
    return std::pair(found, result);
  };
  EXPECT_EQ(find("cuMemAlloc", 13000).second, 0);
  EXPECT_NE(find("cuMemAlloc", 13000).first, find("cuMemAlloc", 2000).first);
  EXPECT_EQ(find("cuGraphAddNode", 5000), std::pair(static_cast<void*>(nullptr), 2)) << "not that early";
  EXPECT_EQ(find("cuNobodyKnows", 13000), std::pair(static_cast<void*>(nullptr), 1));
}

TEST_F(ExecLibraries, ProgramsMayAskForWhatTheDeviceDoesNotHave) {
  int value = -1;
  ASSERT_EQ(call("cuInit", 0u), 0);
  for (const int which : {96, 107, 132}) {  // multi-device launches, compressed memory, multicast
    EXPECT_EQ(call("cuDeviceGetAttribute", &value, which, 0), 0) << which;
    EXPECT_EQ(value, 0) << which;
  }
  EXPECT_EQ(call("cuDeviceGetAttribute", &value, 115, 0), 0);
  EXPECT_EQ(value, 1) << "memory pools";
  EXPECT_EQ(call("cuDeviceGetAttribute", &value, 100'000, 0), 1);
}

TEST_F(ExecLibraries, WhatIsLinkedStaysPtx) {
  void *context = nullptr, *link = nullptr, *module = nullptr, *kernel = nullptr, *image = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(call("cuInit", 0u), 0);
  ASSERT_EQ(call("cuCtxCreate_v2", &context, 0u, 0), 0);
  const std::string header = ".version 8.0\n.target sm_75\n.address_size 64\n";
  std::string caller = header +
                       ".extern .func (.param .b32 r) seven();\n"
                       ".visible .entry call(.param .u64 p)\n{\n .reg .b32 %r<2>; .reg .b64 %rd<2>;\n"
                       " ld.param.u64 %rd1, [p];\n"
                       " { .param .b32 back; call.uni (back), seven, (); ld.param.b32 %r1, [back]; }\n"
                       " st.global.u32 [%rd1], %r1;\n ret;\n}\n";
  std::string callee = header +
                       ".visible .func (.param .b32 r) seven()\n{\n .local .align 16 .b8 depot[16];\n .reg .b32 "
                       "%r<2>;\n mov.u32 %r1, 7;\n"
                       " st.param.b32 [r], %r1;\n ret;\n}\n";
  void* none = nullptr;
  ASSERT_EQ(call("cuLinkCreate_v2", 0u, none, none, &link), 0);
  // What stands for a library of machine code. PyCUDA looks for it in this folder.
  const std::string archive = std::string(LANESCOPE_EXEC_FOLDER) + "/libcudadevrt.a";
  ASSERT_EQ(call("cuLinkAddFile_v2", link, 4, archive.c_str(), 0u, none, none), 0);
  for (std::string* text : {&caller, &callee, &callee})  // a text that was added twice is linked once
    ASSERT_EQ(call("cuLinkAddData_v2", link, 1, static_cast<void*>(text->data()), text->size(), "", 0u, none, none), 0);
  ASSERT_EQ(call("cuLinkComplete", link, &image, &bytes), 0);
  EXPECT_EQ(static_cast<const char*>(image)[bytes - 1], '\0');
  EXPECT_THAT(static_cast<const char*>(image), testing::StartsWith(header));
  EXPECT_THAT(static_cast<const char*>(image), testing::HasSubstr("cudaCGSynchronize")) << "what grid.sync() needs";
  ASSERT_EQ(call("cuModuleLoadData", &module, static_cast<const void*>(image)), 0);
  EXPECT_EQ(call("cuLinkDestroy", link), 0);
  ASSERT_EQ(call("cuModuleGetFunction", &kernel, module, "call"), 0);
  std::uint64_t at = 0;
  ASSERT_EQ(call("cuMemAlloc_v2", &at, std::size_t{4}), 0);
  void* arguments[] = {&at};
  void *stream = nullptr, **no_extra = nullptr;
  EXPECT_EQ(call("cuLaunchKernel", kernel, 1u, 1u, 1u, 1u, 1u, 1u, 0u, stream, arguments, no_extra), 0);
  std::uint32_t back = 0;
  EXPECT_EQ(call("cuMemcpyDtoH_v2", static_cast<void*>(&back), at, std::size_t{4}), 0);
  EXPECT_EQ(back, 7u);
  EXPECT_EQ(call("cuCtxDestroy_v2", context), 0);
}

TEST_F(ExecLibraries, AForkedChildHasNoDevice) {
  allocate(4);
  const pid_t child = fork();
  if (child == 0) {
    void* at = nullptr;
    _exit(call("cudaMalloc", &at, std::size_t{4}));
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3) << "cudaErrorInitializationError";
}

TEST_F(ExecLibraries, ThreadsMayCallAtOnce) {
  Program program(device_test::add_text);
  char stub = 0;
  void** handle = start(program, &stub, "dynamic");
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (std::size_t t = 0; t < wrong.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        void *at = nullptr, *stream = nullptr, *back = nullptr;
        wrong[t] += call("cudaStreamCreate", &stream) + call("cudaMalloc", &at, std::size_t{8});
        void* arguments[] = {&at};
        wrong[t] += call("cudaLaunchKernel", static_cast<const void*>(&stub), Dim{}, Dim{},
                         static_cast<void**>(arguments), std::size_t{0}, stream);
        wrong[t] +=
            call("cudaMemcpyAsync", static_cast<void*>(&back), static_cast<const void*>(at), std::size_t{8}, 2, stream);
        wrong[t] += call("cudaStreamSynchronize", stream) + (back != at);
        wrong[t] += call("cudaStreamDestroy", stream) + call("cudaFree", at);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  call<void>("__cudaUnregisterFatBinary", handle);
}

// cudaLaunchConfig_t and cudaLaunchAttribute.
struct Attribute {
  int id = 4;  // cudaLaunchAttributeClusterDimension
  int pad = 0;
  unsigned cluster[3] = {1, 1, 1};
  char rest[52] = {};
};
struct Config {
  Dim grid, block;
  std::size_t shared = 0;
  void* stream = nullptr;
  Attribute* attributes = nullptr;
  unsigned attribute_count = 1;
};

TEST_F(ExecLibraries, ClustersAreLaunchedByAttribute) {
  Program program(device_test::rotate_text);
  char stub = 0;
  void** handle = start(program, &stub, "rotate");
  const void* const kernel = &stub;
  void* out = allocate(16 * 4);
  void* arguments[] = {&out};
  Attribute attribute;
  Config config{.grid = {16}, .block = {32}, .attributes = &attribute};
  const auto launched_with = [&](unsigned blocks) {
    attribute.cluster[0] = blocks;
    return call("cudaLaunchKernelExC", static_cast<const void*>(&config), kernel, static_cast<void**>(arguments));
  };
  const auto expect_rotated = [&](unsigned blocks) {
    std::vector<unsigned> got(16);
    ASSERT_EQ(call("cudaMemcpy", static_cast<void*>(got.data()), static_cast<const void*>(out), std::size_t{64}, 2), 0);
    for (unsigned i = 0; i < 16; ++i)
      EXPECT_EQ(got[i], (i / blocks * blocks + (i + 1) % blocks) * 100) << "block " << i << " of " << blocks;
  };
  for (const unsigned blocks : {2u, 4u, 8u}) {
    EXPECT_EQ(launched_with(blocks), 0);
    expect_rotated(blocks);
  }
  EXPECT_EQ(launched_with(3), 912) << "cudaErrorInvalidClusterSize";
  EXPECT_EQ(std::string(call<const char*>("cudaGetErrorString", 912)),
            "a kernel launch error has occurred due to cluster misconfiguration");  // as the H100's driver 580 has it
  EXPECT_EQ(launched_with(0), 912);
  call("cudaGetLastError");
  // More than 8 blocks are not portable.
  int most = 0, clusters = 0;
  const void* const shape = &config;
  EXPECT_EQ(launched_with(16), 912);
  EXPECT_EQ(call("cudaOccupancyMaxPotentialClusterSize", &most, kernel, shape), 0);
  EXPECT_EQ(most, 8);
  EXPECT_EQ(call("cudaFuncSetAttribute", kernel, 14, 1), 0);
  EXPECT_EQ(call("cudaOccupancyMaxPotentialClusterSize", &most, kernel, shape), 0);
  EXPECT_EQ(most, 16);
  EXPECT_EQ(launched_with(16), 0);
  expect_rotated(16);
  // 132 multiprocessors, each with 32 blocks of 32 threads.
  attribute.cluster[0] = 2;
  EXPECT_EQ(call("cudaOccupancyMaxActiveClusters", &clusters, kernel, shape), 0);
  EXPECT_EQ(clusters, 132 * 32 / 2);
  attribute.cluster[0] = 17;
  EXPECT_EQ(call("cudaOccupancyMaxActiveClusters", &clusters, kernel, shape), 912);
  int supported = 0;
  EXPECT_EQ(call("cudaDeviceGetAttribute", &supported, 120, 0), 0);
  EXPECT_EQ(supported, 1);
  call("cudaGetLastError");
  call<void>("__cudaUnregisterFatBinary", handle);
}

TEST_F(ExecLibraries, ClustersThatTheKernelDeclaresCannotBeOthersAtTheLaunch) {
  std::string declared = device_test::rotate_text;
  const std::string entry = "(.param .u64 out)";
  declared.insert(declared.find(entry) + entry.size(), " .explicitcluster .reqnctapercluster 2, 1, 1");
  Program program(declared);
  char stub = 0;
  void** handle = start(program, &stub, "rotate");
  void* out = allocate(4 * 4);
  void* arguments[] = {&out};
  Attribute attribute;
  Config config{.grid = {4}, .block = {32}, .attributes = &attribute};
  const auto launched_with = [&](unsigned blocks) {
    attribute.cluster[0] = blocks;
    return call("cudaLaunchKernelExC", static_cast<const void*>(&config), static_cast<const void*>(&stub),
                static_cast<void**>(arguments));
  };
  EXPECT_EQ(launched_with(1), 912) << "as an H100 answers";
  EXPECT_EQ(launched_with(4), 912);
  call("cudaGetLastError");
  EXPECT_EQ(launched_with(2), 0);
  config.attribute_count = 0;
  EXPECT_EQ(launched_with(1), 0) << "no clusters at the launch";
  call<void>("__cudaUnregisterFatBinary", handle);
}

}  // namespace
}  // namespace lanescope
