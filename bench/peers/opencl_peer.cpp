// Runs one kernel of kernels.cl on the first OpenCL device, checks its result, and prints the seconds that the kernel
// alone took:   oclgrind --num-threads 1 lanescope_opencl_peer kernels.cl copy2
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include <CL/cl.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

void check(cl_int code, const char* call) {
  if (code == CL_SUCCESS) return;
  std::fprintf(stderr, "%s failed with %d\n", call, code);
  std::exit(1);
}

// One device, one program, one kernel.
class Peer {
 public:
  Peer(const std::string& source, const char* kernel) {
    cl_platform_id platform = nullptr;
    check(clGetPlatformIDs(1, &platform, nullptr), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device_, nullptr), "clGetDeviceIDs");
    cl_int code = CL_SUCCESS;
    context_ = clCreateContext(nullptr, 1, &device_, nullptr, nullptr, &code);
    check(code, "clCreateContext");
    queue_ = clCreateCommandQueue(context_, device_, 0, &code);
    check(code, "clCreateCommandQueue");
    const char* text = source.c_str();
    program_ = clCreateProgramWithSource(context_, 1, &text, nullptr, &code);
    check(code, "clCreateProgramWithSource");
    check(clBuildProgram(program_, 1, &device_, "", nullptr, nullptr), "clBuildProgram");
    kernel_ = clCreateKernel(program_, kernel, &code);
    check(code, "clCreateKernel");
  }

  template <typename T>
  cl_mem buffer(std::vector<T>& contents) {
    cl_int code = CL_SUCCESS;
    const cl_mem made = clCreateBuffer(context_, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, contents.size() * sizeof(T),
                                       contents.data(), &code);
    check(code, "clCreateBuffer");
    return made;
  }

  template <typename T>
  void argument(const T& value) {
    check(clSetKernelArg(kernel_, next_argument_++, sizeof value, &value), "clSetKernelArg");
  }

  template <typename T>
  std::vector<T> read(cl_mem from, std::size_t count) {
    std::vector<T> contents(count);
    check(clEnqueueReadBuffer(queue_, from, CL_TRUE, 0, count * sizeof(T), contents.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    return contents;
  }

  // Seconds from the launch to its end.
  double run(unsigned dimensions, const std::size_t* global, const std::size_t* local) {
    check(clFinish(queue_), "clFinish");
    const auto start = std::chrono::steady_clock::now();
    check(clEnqueueNDRangeKernel(queue_, kernel_, dimensions, nullptr, global, local, 0, nullptr, nullptr),
          "clEnqueueNDRangeKernel");
    check(clFinish(queue_), "clFinish");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

 private:
  cl_device_id device_ = nullptr;
  cl_context context_ = nullptr;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  cl_kernel kernel_ = nullptr;
  cl_uint next_argument_ = 0;
};

struct Timed {
  double seconds = 0;
  bool correct = false;
};

Timed copy2(Peer& peer) {
  constexpr std::size_t n = 1048576, global = n / 2, local = 256;
  std::vector<double> in(n), out(n, -1);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<double>(i);
  const cl_mem from = peer.buffer(in), to = peer.buffer(out);
  peer.argument(from);
  peer.argument(to);
  Timed timed{peer.run(1, &global, &local)};
  timed.correct = peer.read<double>(to, n) == in;
  return timed;
}

Timed reduce0(Peer& peer) {
  constexpr std::size_t n = 1048576, local = 256;
  std::vector<float> in(n), sums(n / local, -1);
  for (std::size_t i = 0; i < n; ++i) in[i] = static_cast<float>(i % 16);
  const cl_mem from = peer.buffer(in), to = peer.buffer(sums);
  peer.argument(from);
  peer.argument(to);
  Timed timed{peer.run(1, &n, &local)};
  timed.correct = peer.read<float>(to, n / local) == std::vector<float>(n / local, 16 * 120);
  return timed;
}

Timed saxpy(Peer& peer) {
  constexpr std::size_t n = 4194304, local = 256;
  std::vector<float> x(n), y(n, 1), expected(n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = static_cast<float>(i % 1024);
    expected[i] = 2 * x[i] + 1;
  }
  const cl_mem from = peer.buffer(x), to = peer.buffer(y);
  peer.argument(from);
  peer.argument(to);
  peer.argument(2.0f);
  peer.argument(static_cast<cl_int>(n));
  Timed timed{peer.run(1, &n, &local)};
  timed.correct = peer.read<float>(to, n) == expected;
  return timed;
}

Timed matmul(Peer& peer) {
  constexpr int n = 128;
  constexpr std::size_t global[] = {n, n}, local[] = {16, 16};
  std::vector<float> a(n * n), b(n * n), c(n * n, -1), expected(n * n, 0);
  for (int i = 0; i < n * n; ++i) {
    a[static_cast<std::size_t>(i)] = static_cast<float>(i % 7);
    b[static_cast<std::size_t>(i)] = static_cast<float>(i % 5);
  }
  for (std::size_t row = 0; row < n; ++row)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t column = 0; column < n; ++column)
        expected[row * n + column] += a[row * n + k] * b[k * n + column];
  const cl_mem left = peer.buffer(a), right = peer.buffer(b), to = peer.buffer(c);
  peer.argument(left);
  peer.argument(right);
  peer.argument(to);
  peer.argument(static_cast<cl_int>(n));
  Timed timed{peer.run(2, global, local)};
  timed.correct = peer.read<float>(to, n * n) == expected;  // small integers: exact in any order
  return timed;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: %s kernels.cl copy2|reduce0|saxpy|matmul\n", argv[0]);
    return 2;
  }
  std::ostringstream source;
  source << std::ifstream(argv[1]).rdbuf();
  const std::string name = argv[2];
  Peer peer(source.str(), argv[2]);
  const Timed timed = name == "copy2"     ? copy2(peer)
                      : name == "reduce0" ? reduce0(peer)
                      : name == "saxpy"   ? saxpy(peer)
                                          : matmul(peer);
  if (!timed.correct) {
    std::fprintf(stderr, "%s: the result is wrong\n", name.c_str());
    return 1;
  }
  std::printf("%.6f\n", timed.seconds);
  return 0;
}
