#ifndef HOST_HELPERS_H
#define HOST_HELPERS_H
// What courses put beside their kernels: checks and clocks of the host, and a little for the kernels.
#include <sys/time.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECKED(call) stop_on((call), __FILE__, __LINE__)

static void stop_on(cudaError_t status, const char* file, int line) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(status));
  std::exit(EXIT_FAILURE);
}

#if defined(_WIN32)
#include <windows.h>
typedef HANDLE Worker;
double seconds_now() {
  return GetTickCount() * 1e-3;
}
#else
#include <pthread.h>
typedef pthread_t Worker;
double seconds_now() {
  struct timeval now;
  struct timezone zone;
  gettimeofday(&now, &zone);
  return now.tv_sec + now.tv_usec * 1e-6;
}
#endif
Worker start(void* (*body)(void*));

struct Report {
  std::string title;
  double seconds;
};

__host__ __device__ inline int rounded_up(int n, int step) {
  return (n + step - 1) / step * step;
}
#endif
