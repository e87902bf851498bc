// For answers_*.cu, which ask CUDA with wrong and borderline arguments and print what each call answers. Each group of
// calls has a process of its own. Where a driver crashes, as NVIDIA's may, the group starts again and leaves that call
// out.
#pragma once
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>

struct Progress {
  int begun = 0;      // calls of the group
  bool runs = false;  // the last one
};
inline Progress* progress() {
  static auto* const shared = static_cast<Progress*>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  return shared;
}
inline std::set<int>& left_out() {
  static std::set<int> calls;
  return calls;
}
// Calls before it were printed by an earlier process of the group.
inline int& printed_before() {
  static int number = 0;
  return number;
}

inline const char* name_of(cudaError_t code) {
  return cudaGetErrorName(code);
}
inline const char* name_of(CUresult code) {
  const char* name = nullptr;
  cuGetErrorName(code, &name);
  return name == nullptr ? "?" : name;
}
// What cudaGetLastError() gives after the call, if that is something else.
inline void print_last(cudaError_t code) {
  const cudaError_t last = cudaGetLastError();
  if (last != code) std::printf(" (last: %s)", cudaGetErrorName(last));
}
inline void print_last(CUresult) {}

template <typename Call>
void answer(const char* text, Call call) {
  Progress& at = *progress();
  const int number = at.begun++;
  if (left_out().count(number) != 0) return;
  const bool prints = number >= printed_before();
  if (prints) std::printf("%s -> ", text), std::fflush(stdout);
  at.runs = true;
  const auto code = call();
  at.runs = false;
  if (!prints) {
    cudaGetLastError();
    return;
  }
  std::printf("%d %s", static_cast<int>(code), name_of(code));
  print_last(code);
  std::printf("\n");
  std::fflush(stdout);
}
#define T(...) answer(#__VA_ARGS__, [&] { return __VA_ARGS__; })

// Whether an earlier process of the group has not printed this.
inline bool prints_now() {
  return progress()->begun > printed_before() || printed_before() == 0;
}
// A value that a call gave.
inline void show(const char* text, long long value) {
  if (prints_now()) std::printf("  %s = %lld\n", text, value), std::fflush(stdout);
}
// What follows is about this.
inline void title(const char* text) {
  if (prints_now()) std::printf("  %s\n", text), std::fflush(stdout);
}
#define V(what) show(#what, (long long)(what))

inline void group(const char* name, void (*body)()) {
  std::printf("== %s\n", name);
  std::fflush(stdout);
  left_out().clear();
  printed_before() = 0;
  while (true) {
    *progress() = {};
    const pid_t child = fork();
    if (child == 0) {
      alarm(60);
      body();
      std::fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status)) {
      if (WEXITSTATUS(status) != 0) std::printf("exit code %d\n", WEXITSTATUS(status)), std::fflush(stdout);
      return;
    }
    if (!progress()->runs) {
      std::printf("signal %d between calls\n", WTERMSIG(status)), std::fflush(stdout);
      return;
    }
    std::printf("signal %d\n", WTERMSIG(status));
    std::fflush(stdout);
    left_out().insert(progress()->begun - 1);
    printed_before() = progress()->begun;
  }
}

// For programs of the driver API: a module as PTX, and the primary context.
inline const char* const code =
    ".version 8.0\n.target sm_90\n.address_size 64\n"
    ".visible .global .align 4 .u32 cell;\n.visible .const .align 4 .f32 weight[4];\n"
    ".visible .entry none() { ret; }\n"
    ".visible .entry store(.param .u64 at, .param .u32 value) {\n"
    " .reg .b64 %rd<3>; .reg .b32 %r<2>;\n ld.param.u64 %rd1, [at]; ld.param.u32 %r1, [value];\n"
    " cvta.to.global.u64 %rd2, %rd1; st.global.u32 [%rd2], %r1; ret; }\n";

inline CUcontext enter() {
  CUcontext primary = nullptr;
  cuInit(0);
  cuDevicePrimaryCtxRetain(&primary, 0);
  cuCtxPushCurrent(primary);
  return primary;
}
