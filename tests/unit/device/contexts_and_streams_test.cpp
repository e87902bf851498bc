// Which context an allocation belongs to; attributes of streams, which are hints that a program may set and ask for.

#include <gtest/gtest.h>

#include <cstring>

#include "unit/device/exec_libraries.h"

namespace lanescope {
namespace {

using device_test::ExecLibraries;

// cudaAccessPolicyWindow, as driver_types.h has it, in the 64 bytes of a cudaLaunchAttributeValue.
struct Window {
  void* at = nullptr;
  std::size_t bytes = 0;
  float hit_ratio = 0;
  int hit = 0, miss = 0;
  char rest[64 - 2 * 8 - 3 * 4] = {};
};
static_assert(sizeof(Window) == 64);

TEST_F(ExecLibraries, AStreamKeepsTheWindowThatPersistsInL2) {
  constexpr int window_id = 1, priority_id = 8, cooperative_id = 2;
  void *first = nullptr, *second = nullptr;
  ASSERT_EQ(call("cudaStreamCreate", &first), 0);
  ASSERT_EQ(call("cudaStreamCreateWithPriority", &second, 1u, -3), 0);
  Window window, back;
  window.at = allocate(1024);
  window.bytes = 1024;
  window.hit_ratio = 0.5f;
  window.hit = 2;
  EXPECT_EQ(call("cudaStreamGetAttribute", first, window_id, &back), 0);
  EXPECT_EQ(back.bytes, 0u) << "none was set";
  EXPECT_EQ(call("cudaStreamSetAttribute", first, window_id, &window), 0);
  EXPECT_EQ(call("cudaStreamSetAttribute", first, cooperative_id, &window), 1) << "that is a launch's";
  EXPECT_EQ(call("cuStreamCopyAttributes", second, first), 0);
  EXPECT_EQ(call("cuStreamGetAttribute", second, window_id, &back), 0);
  EXPECT_EQ(std::memcmp(&back, &window, sizeof window), 0);
  int priority[16] = {};
  EXPECT_EQ(call("cudaStreamGetAttribute", second, priority_id, &priority[0]), 0);
  EXPECT_EQ(priority[0], -3);
  EXPECT_EQ(call("cudaStreamSetAttribute", static_cast<void*>(nullptr), window_id, &window), 0) << "the legacy stream";
  EXPECT_EQ(call("cudaCtxResetPersistingL2Cache"), 0);
  EXPECT_EQ(call("cuCtxResetPersistingL2Cache"), 0);
  EXPECT_EQ(call("cudaStreamDestroy", first), 0);
  EXPECT_EQ(call("cudaStreamSetAttribute", first, window_id, &window), 400);
  EXPECT_EQ(call("cudaStreamDestroy", second), 0);
}

// CUDA_MEMCPY3D_PEER, as cuda.h has it.
struct PeerEnd {
  std::size_t x = 0, y = 0, z = 0, level = 0;
  unsigned type = 2;  // device memory
  const void* host = nullptr;
  void* at = nullptr;
  void *array = nullptr, *context = nullptr;
  std::size_t pitch = 16, height = 2;
};
struct PeerCopy {
  PeerEnd from, to;
  std::size_t width = 8, height = 2, depth = 1;
};

TEST_F(ExecLibraries, ABlockIsCopiedBetweenContexts) {
  std::uint32_t sent[8] = {1, 2, 3, 4, 5, 6, 7, 8}, back[8];
  for (const bool waits : {true, false}) {
    PeerCopy copy;
    copy.from.at = allocate(32);
    copy.to.at = allocate(32);
    copy.from.x = 4;
    copy.to.x = 8;
    EXPECT_EQ(call("cudaMemset", copy.to.at, 0, std::size_t{32}), 0);
    EXPECT_EQ(call("cudaMemcpy", copy.from.at, static_cast<const void*>(sent), sizeof sent, 1), 0);
    void* const stream = nullptr;
    EXPECT_EQ(waits ? call("cuMemcpy3DPeer", &copy) : call("cuMemcpy3DPeerAsync", &copy, stream), 0);
    EXPECT_EQ(call("cudaMemcpy", static_cast<void*>(back), static_cast<const void*>(copy.to.at), sizeof back, 2), 0);
    const std::uint32_t expected[8] = {0, 0, 2, 3, 0, 0, 6, 7};
    EXPECT_EQ(std::memcmp(back, expected, sizeof back), 0);
  }
}

TEST_F(ExecLibraries, AnAllocationNamesTheContextThatWasCurrent) {
  constexpr int context_id = 1;  // CU_POINTER_ATTRIBUTE_CONTEXT
  void *first = nullptr, *second = nullptr, *primary = nullptr, *told = nullptr;
  std::uint64_t in_first = 0, in_second = 0;
  ASSERT_EQ(call("cuInit", 0u), 0);
  ASSERT_EQ(call("cuCtxCreate_v2", &first, 0u, 0), 0);
  ASSERT_EQ(call("cuMemAlloc_v2", &in_first, std::size_t{16}), 0);
  ASSERT_EQ(call("cuCtxCreate_v2", &second, 0u, 0), 0);
  ASSERT_EQ(call("cuMemAlloc_v2", &in_second, std::size_t{16}), 0);
  ASSERT_EQ(call("cuDevicePrimaryCtxRetain", &primary, 0), 0);
  ASSERT_EQ(call("cuCtxPushCurrent_v2", primary), 0);
  ASSERT_EQ(call("cuPointerGetAttribute", &told, context_id, in_first), 0);
  EXPECT_EQ(told, first);
  ASSERT_EQ(call("cuPointerGetAttribute", &told, context_id, in_second), 0);
  EXPECT_EQ(told, second);
  ASSERT_EQ(call("cuPointerGetAttribute", &told, context_id, reinterpret_cast<std::uint64_t>(allocate(16))), 0);
  EXPECT_EQ(told, primary);
  EXPECT_EQ(call("cuMemFree_v2", in_first), 0);
  EXPECT_EQ(call("cuMemFree_v2", in_second), 0);
  EXPECT_EQ(call("cuCtxDestroy_v2", second), 0);
  EXPECT_EQ(call("cuCtxDestroy_v2", first), 0);
}

TEST_F(ExecLibraries, TheDeviceIsFoundByEachFormOfItsBusAddress) {
  char own[16] = {};
  ASSERT_EQ(call("cuInit", 0u), 0);
  ASSERT_EQ(call("cuDeviceGetPCIBusId", &own[0], 16, 0), 0);
  int number = -1;
  for (const char* form : {const_cast<const char*>(own), "0000:00:00", "00:00.0", "0:0:0", "0:0:0.0"}) {
    EXPECT_EQ(call("cuDeviceGetByPCIBusId", &number, form), 0) << form;
    EXPECT_EQ(call("cudaDeviceGetByPCIBusId", &number, form), 0) << form;
  }
  for (const char* form : {"", "0", "00:00", "::.", "0.0:0", "0000:00:00.0 "}) {
    EXPECT_EQ(call("cuDeviceGetByPCIBusId", &number, form), 1) << form;
    EXPECT_EQ(call("cudaDeviceGetByPCIBusId", &number, form), 1) << form;
  }
  EXPECT_EQ(call("cuDeviceGetByPCIBusId", &number, "0000:01:00.0"), 101) << "another device's";
  EXPECT_EQ(call("cudaDeviceGetByPCIBusId", &number, "0000:01:00.0"), 101);
}

}  // namespace
}  // namespace lanescope
