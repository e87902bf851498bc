// Errors that a program may make, one kind per run: wrong_use KIND. tests/unit/cli/exec_wrong_use_test.cpp has the expected results.
#include <dlfcn.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

__global__ void fill(int* out, int value) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__constant__ int factors[4];
__device__ int counts[4];

__global__ void show(int* out) {
  for (int i = 0; i < 4; ++i) out[i] = factors[i];
}

__global__ void wait_for_host(volatile int* door, int* out) {
  while (*door == 0) {
  }
  *out = *door;
}

__global__ void wait_long(int* out) {
  for (long i = 0; i < 1000000000; ++i) atomicAdd(out, 1);
}

static void print(cudaError_t error) {
  std::printf("%s\n", cudaGetErrorName(error));
}

static int* allocate(size_t count) {
  int* made = nullptr;
  cudaMalloc(&made, count * sizeof(int));
  return made;
}

static int in_threads() {
  std::vector<std::thread> threads;
  std::vector<int> right(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t, &right] {
      cudaStream_t stream;
      cudaStreamCreate(&stream);
      int* memory = allocate(64);
      std::vector<int> back(64);
      for (int i = 0; i < 10; ++i) {
        fill<<<2, 32, 0, stream>>>(memory, 100 * t + i);
        cudaMemcpyAsync(back.data(), memory, 256, cudaMemcpyDefault, stream);
        cudaStreamSynchronize(stream);
        right[t] += back[0] == 100 * t + i && back[63] == 100 * t + i;
      }
      cudaFree(memory);
      cudaStreamDestroy(stream);
    });
  for (std::thread& one : threads) one.join();
  std::printf("%d %d %d %d\n", right[0], right[1], right[2], right[3]);
  return 0;
}

// Another thread launches a long kernel; `end` happens while it runs.
template <typename End>
static int during_a_launch(End&& end) {
  int* memory = allocate(32);
  cudaMemset(memory, 0, 128);
  fill<<<1, 32>>>(memory, 1);
  cudaDeviceSynchronize();
  std::thread([memory] {
    wait_long<<<1, 32>>>(memory);
    cudaDeviceSynchronize();
  }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  end();
  return 0;
}

// Children that are forked before the first call of CUDA, one of them a child's child, as a daemon is.
int in_children() {
  for (int i = 0; i < 3; ++i) {
    if (fork() == 0) {
      if (i == 2 && fork() != 0) _exit(wait(nullptr) < 0);
      int* memory = allocate(64);
      fill<<<2, 32>>>(memory, i);
      print(cudaDeviceSynchronize());
      std::fflush(stdout);
      _exit(0);
    }
    wait(nullptr);
  }
  return 0;
}

// Children that are forked while another thread copies, which is reported at each copy.
int beside_copies(int* memory) {
  std::atomic<bool> end{false};
  std::thread copies([memory, &end] {
    for (int value = 0; !end;) cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice);
  });
  int refused = 0;
  for (int i = 0; i < 100; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(cudaMalloc(&memory, 16));
    int status = 0;
    waitpid(child, &status, 0);
    refused += WIFEXITED(status) && WEXITSTATUS(status) == cudaErrorInitializationError;
  }
  end = true;
  copies.join();
  std::printf("%d\n", refused);
  return 0;
}

int main(int argc, char** argv) {
  const char* kind = argc > 1 ? argv[1] : "";
  const auto is = [kind](const char* name) { return std::strcmp(kind, name) == 0; };
  if (is("before_init")) {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    const auto allocate_in_driver = reinterpret_cast<int (*)(unsigned long long*, size_t)>(dlsym(driver, "cuMemAlloc_v2"));
    unsigned long long at = 0;
    for (int i = 0; i < 2; ++i) std::printf("%d\n", allocate_in_driver(&at, 16));
    return 0;
  }
  if (is("driver_leak")) {
    cudaFree(nullptr);  // makes the context
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    const auto allocate_on_host = reinterpret_cast<int (*)(void**, size_t)>(dlsym(driver, "cuMemAllocHost_v2"));
    void* at = nullptr;
    std::printf("%d\n", allocate_on_host(&at, 16));
    return 0;
  }
  if (is("threads")) return in_threads();
  if (is("fork_first")) return in_children();
  if (is("exit_in_a_launch")) return during_a_launch([] { std::exit(3); });
  if (is("killed_in_a_launch")) return during_a_launch([] { raise(SIGKILL); });
  if (is("endless")) return during_a_launch([] { cudaDeviceSynchronize(); });
  int* memory = allocate(64);
  if (is("fork_beside_copies")) return beside_copies(memory);
  if (is("loads_text")) {
    cudaLibrary_t library = nullptr;
    print(cudaLibraryLoadData(&library, "no code", nullptr, nullptr, 0, nullptr, nullptr, 0));
  } else if (is("double_free")) {
    print(cudaFree(memory));
    print(cudaFree(memory));
  } else if (is("waits_for_host")) {
    volatile int* door = nullptr;
    cudaMallocHost(const_cast<int**>(&door), sizeof(int));
    *door = 0;
    wait_for_host<<<1, 1>>>(door, memory);
    *door = 41;
    print(cudaDeviceSynchronize());
  } else if (is("leak")) {
    allocate(256);
  } else if (is("no_leak")) {
    allocate(256);
    cudaDeviceReset();
  } else if (is("host_pointer")) {
    std::vector<int> on_host(64);
    fill<<<1, 64>>>(on_host.data(), 1);
    print(cudaDeviceSynchronize());
  } else if (is("argument_missing")) {
    void* arguments[] = {&memory, nullptr};
    print(cudaLaunchKernel(reinterpret_cast<const void*>(fill), dim3(1), dim3(32), arguments, 0, nullptr));
  } else if (is("device_pointer")) {
    fill<<<2, 32>>>(memory, 1);
    std::printf("%d\n", memory[3]);
  } else if (is("copy_too_long")) {
    std::vector<int> on_host(100);
    print(cudaMemcpy(memory, on_host.data(), 100 * sizeof(int), cudaMemcpyHostToDevice));
  } else if (is("copy_past_array")) {
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array = nullptr;
    cudaMallocArray(&array, &format, 8, 8);
    std::vector<float> on_host(100);
    print(cudaMemcpy2DToArray(array, 0, 0, on_host.data(), 36, 36, 8, cudaMemcpyHostToDevice));
    print(cudaMemcpy2DFromArray(on_host.data(), 16, array, 16, 5, 16, 4, cudaMemcpyDeviceToHost));
    cudaMemcpy3DParms box{};
    box.srcPtr = make_cudaPitchedPtr(on_host.data(), 32, 8, 9);
    box.dstArray = array;
    box.extent = make_cudaExtent(8, 9, 1);
    print(cudaMemcpy3D(&box));
  } else if (is("copy_behind")) {  // 64 elements further, but the pointer counts elements and not bytes
    print(cudaMemset(memory + 256, 0, 16));
  } else if (is("wrong_direction")) {
    std::vector<int> on_host(64);
    print(cudaMemcpy(on_host.data(), memory, 256, cudaMemcpyHostToDevice));
  } else if (is("variable_as_pointer")) {  // their names are other addresses on the host
    print(cudaMemset(&counts[1], 0, sizeof(int)));
    fill<<<1, 4>>>(counts, 1);
    print(cudaDeviceSynchronize());
  } else if (is("symbol_from_device")) {
    fill<<<1, 4>>>(memory, 7);
    print(cudaMemcpyToSymbol(factors, memory, sizeof factors, 0, cudaMemcpyDeviceToHost));
    print(cudaMemcpyToSymbol(factors, memory, sizeof factors));  // its default: from the host
    show<<<1, 1>>>(memory + 4);
    int seen[4];
    cudaMemcpy(seen, memory + 4, sizeof seen, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d %d\n", seen[0], seen[1], seen[2], seen[3]);
  } else if (is("closes_descriptors")) {  // as a daemon does; its own files then get the same numbers
    fill<<<2, 32>>>(memory, 1);
    for (int number = 3; number < 256; ++number) close(number);
    FILE* own[] = {std::tmpfile(), std::tmpfile(), std::tmpfile()};
    fill<<<2, 32>>>(memory, 2);
    print(cudaDeviceSynchronize());
    for (FILE* file : own) {
      std::fseek(file, 0, SEEK_END);
      std::printf("%ld\n", std::ftell(file));
    }
  } else if (is("fork")) {
    const pid_t child = fork();
    if (child == 0) {
      for (int i = 0; i < 2; ++i) print(cudaMalloc(&memory, 16));
      std::fflush(stdout);
      _exit(0);
    }
    waitpid(child, nullptr, 0);
    fill<<<2, 32>>>(memory, 1);
    print(cudaDeviceSynchronize());
  }
  return 0;
}
