#include "compile/host/host_headers.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/source_types.h"

namespace lanescope::compile {
namespace {

// The same token sequences as in libcu++ for NVRTC, so that a source may include both.
constexpr const char* stdint = R"(#pragma once
#include <limits.h>
using int8_t = signed char;
using int16_t = signed short;
using int32_t = signed int;
using int64_t = signed long long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long long;
using int_fast8_t = int8_t;
using int_fast16_t = int16_t;
using int_fast32_t = int32_t;
using int_fast64_t = int64_t;
using uint_fast8_t = uint8_t;
using uint_fast16_t = uint16_t;
using uint_fast32_t = uint32_t;
using uint_fast64_t = uint64_t;
using int_least8_t = int8_t;
using int_least16_t = int16_t;
using int_least32_t = int32_t;
using int_least64_t = int64_t;
using uint_least8_t = uint8_t;
using uint_least16_t = uint16_t;
using uint_least32_t = uint32_t;
using uint_least64_t = uint64_t;
using intptr_t = int64_t;
using uintptr_t = uint64_t;
using intmax_t = int64_t;
using uintmax_t = uint64_t;
#ifndef INT8_MAX
#define INT8_MIN SCHAR_MIN
#define INT16_MIN SHRT_MIN
#define INT32_MIN INT_MIN
#define INT64_MIN LLONG_MIN
#define INT8_MAX SCHAR_MAX
#define INT16_MAX SHRT_MAX
#define INT32_MAX INT_MAX
#define INT64_MAX LLONG_MAX
#define UINT8_MAX UCHAR_MAX
#define UINT16_MAX USHRT_MAX
#define UINT32_MAX UINT_MAX
#define UINT64_MAX ULLONG_MAX
#define SIZE_MAX UINT64_MAX
#endif
namespace std {
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
using ::intptr_t; using ::uintptr_t; using ::intmax_t; using ::uintmax_t;
}
)";

constexpr const char* limits_before_long = R"(#pragma once
#ifndef INT_MAX
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN SCHAR_MIN
#define CHAR_MAX SCHAR_MAX
#define SHRT_MIN (-SHRT_MAX - 1)
#define SHRT_MAX 0x7fff
#define USHRT_MAX 0xffff
#define INT_MIN (-INT_MAX - 1)
#define INT_MAX 0x7fffffff
#define UINT_MAX 0xffffffff
)";
constexpr const char* limits_of_long = bytes_of_long == 8 ? R"(#define LONG_MAX LLONG_MAX
#define ULONG_MAX ULLONG_MAX
)"
                                                          : R"(#define LONG_MAX INT_MAX
#define ULONG_MAX UINT_MAX
)";
constexpr const char* limits_after_long = R"(#define LONG_MIN (-LONG_MAX - 1)
#define LLONG_MIN (-LLONG_MAX - 1)
#define LLONG_MAX 0x7fffffffffffffffLL
#define ULLONG_MAX 0xffffffffffffffffUL
#endif
)";

constexpr const char* float_h = R"(#pragma once
#ifndef FLT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MIN 1.17549435082228750796873653722224568e-38F
#define FLT_MAX 3.40282346638528859811704183484516925e+38F
#define FLT_EPSILON 1.19209289550781250000000000000000000e-7F
#define FLT_MIN_EXP (-125)
#define FLT_MAX_EXP 128
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MIN 2.22507385850720138309023271733240406e-308
#define DBL_MAX 1.79769313486231570814527423731704357e+308
#define DBL_EPSILON 2.22044604925031308084726333618164062e-16
#define DBL_MIN_EXP (-1021)
#define DBL_MAX_EXP 1024
#endif
)";

constexpr const char* math_h = R"(#pragma once
#ifndef M_PI
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef INFINITY
#define INFINITY (__builtin_bit_cast(float, 0x7f800000))
#define NAN (__builtin_bit_cast(float, 0x7fc00000))
#define HUGE_VALF (__builtin_bit_cast(float, 0x7f800000))
#define HUGE_VAL (__builtin_bit_cast(double, 0x7ff0000000000000LL))
#endif
namespace std {
using ::abs; using ::fabs; using ::sqrt; using ::cbrt; using ::hypot; using ::pow; using ::exp; using ::exp2;
using ::expm1; using ::log; using ::log2; using ::log10; using ::log1p; using ::sin; using ::cos; using ::tan;
using ::asin; using ::acos; using ::atan; using ::atan2; using ::sinh; using ::cosh; using ::tanh; using ::asinh;
using ::acosh; using ::atanh; using ::floor; using ::ceil; using ::trunc; using ::round; using ::lround;
using ::llround; using ::rint; using ::lrint; using ::llrint; using ::nearbyint; using ::fmod; using ::remainder;
using ::fma; using ::fmin; using ::fmax; using ::fdim; using ::erf; using ::erfc; using ::tgamma; using ::lgamma;
using ::ldexp; using ::frexp; using ::modf; using ::ilogb; using ::logb; using ::scalbn; using ::copysign;
using ::nextafter; using ::nan; using ::isnan; using ::isinf; using ::isfinite; using ::signbit;
}
)";

constexpr const char* stdio_h = "#pragma once\nnamespace std { using ::printf; }\n";
constexpr const char* stdlib_h = R"(#pragma once
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
using uint = unsigned int;
using ushort = unsigned short;
using ulong = unsigned long;
namespace std { using ::size_t; using ::malloc; using ::free; using ::abs; using ::labs; using ::llabs; }
)";
constexpr const char* string_h = "#pragma once\nnamespace std { using ::size_t; using ::memcpy; using ::memset; }\n";
constexpr const char* stddef_h = R"(#pragma once
#ifndef offsetof
#define offsetof(type, member) ((size_t)__INTADDR__(&(((type*)0)->member)))
#endif
using nullptr_t = decltype(nullptr);
namespace std { using ::size_t; using ::ptrdiff_t; using ::nullptr_t; }
)";
constexpr const char* time_h = "#pragma once\nnamespace std { using ::clock_t; using ::clock; }\n";
constexpr const char* algorithm = R"(#pragma once
namespace std {
template <class T> constexpr __host__ __device__ const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr __host__ __device__ const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __host__ __device__ void swap(T& a, T& b) { T kept = a; a = b; b = kept; }
}
)";

// CUB's parts for blocks and warps. CUB's own header also includes the device-wide parts, which only the host calls.
constexpr const char* cub = R"(#pragma once
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>
#include <cub/block/block_exchange.cuh>
#include <cub/block/block_histogram.cuh>
#include <cub/block/block_load.cuh>
#include <cub/block/block_merge_sort.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_run_length_decode.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/block/block_shuffle.cuh>
#include <cub/block/block_store.cuh>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_store.cuh>
)";
// The types that kernels use for cuFFT's data.
constexpr const char* cufft = R"(#pragma once
#include <cuComplex.h>
using cufftReal = float;
using cufftDoubleReal = double;
using cufftComplex = cuComplex;
using cufftDoubleComplex = cuDoubleComplex;
)";

// Macros that headers test for a POSIX system.
constexpr const char* unistd_h = R"(#pragma once
#define _POSIX_VERSION 200809L
#define _POSIX_TIMERS 200809L
#define _POSIX_MONOTONIC_CLOCK 0
)";

// The driver's types in kernel parameters.
constexpr const char* cuda_h = R"(#pragma once
using CUdeviceptr = unsigned long long;
using CUtexObject = unsigned long long;
using CUsurfObject = unsigned long long;
typedef struct alignas(64) CUtensorMap_st { unsigned long long opaque[16]; } CUtensorMap;
// In templates that choose a tensor map's type by the element's.
typedef enum CUtensorMapDataType_enum {
  CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16, CU_TENSOR_MAP_DATA_TYPE_UINT32,
  CU_TENSOR_MAP_DATA_TYPE_INT32, CU_TENSOR_MAP_DATA_TYPE_UINT64, CU_TENSOR_MAP_DATA_TYPE_INT64,
  CU_TENSOR_MAP_DATA_TYPE_FLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
  CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
  CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ, CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B,
  CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B, CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
} CUtensorMapDataType;
typedef enum CUtensorMapSwizzle_enum {
  CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_SWIZZLE_32B, CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_SWIZZLE_128B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
  CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
} CUtensorMapSwizzle;
#define CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
)";

constexpr const char* typedefs_h = "#pragma once\n#include <cuda.h>\n";

constexpr const char* inttypes = R"(#pragma once
#include <stdint.h>
#define PRId8 "d"
#define PRId16 "d"
#define PRId32 "d"
#define PRId64 "lld"
#define PRIi8 "i"
#define PRIi16 "i"
#define PRIi32 "i"
#define PRIi64 "lli"
#define PRIo8 "o"
#define PRIo16 "o"
#define PRIo32 "o"
#define PRIo64 "llo"
#define PRIu8 "u"
#define PRIu16 "u"
#define PRIu32 "u"
#define PRIu64 "llu"
#define PRIx8 "x"
#define PRIx16 "x"
#define PRIx32 "x"
#define PRIx64 "llx"
#define PRIX8 "X"
#define PRIX16 "X"
#define PRIX32 "X"
#define PRIX64 "llX"
#define PRIdPTR "lld"
#define PRIdMAX "lld"
#define PRIuPTR "llu"
#define PRIuMAX "llu"
#define PRIxPTR "llx"
#define PRIxMAX "llx"
)";

constexpr std::array shared{
    HostHeader{"stdint.h", stdint},
    HostHeader{"cstdint", stdint},
    HostHeader{"inttypes.h", inttypes},
    HostHeader{"cinttypes", inttypes},
    HostHeader{"float.h", float_h},
    HostHeader{"cfloat", float_h},
    HostHeader{"math.h", math_h},
    HostHeader{"cmath", math_h},
    HostHeader{"stdio.h", stdio_h},
    HostHeader{"cstdio", stdio_h},
    HostHeader{"stdlib.h", stdlib_h},
    HostHeader{"cstdlib", stdlib_h},
    HostHeader{"string.h", string_h},
    HostHeader{"cstring", string_h},
    HostHeader{"stddef.h", stddef_h},
    HostHeader{"cstddef", stddef_h},
    HostHeader{"time.h", time_h},
    HostHeader{"ctime", time_h},
    HostHeader{"algorithm", algorithm},
    HostHeader{"cub/cub.cuh", cub},
    HostHeader{"cufftXt.h", cufft},
    HostHeader{"cuda.h", cuda_h},
    HostHeader{"cufft.h", cufft},
    HostHeader{"sys/types.h", stdlib_h},
    HostHeader{"unistd.h", unistd_h},
    HostHeader{"memory.h", string_h},
    HostHeader{"malloc.h", stdlib_h},
    HostHeader{"alloca.h", stdlib_h},
    HostHeader{"cudaTypedefs.h", typedefs_h},
};

// Headers without anything for device code. assert and NULL are built into NVRTC.
constexpr std::array empty{
    "assert.h",
    "cassert",
    "stdbool.h",
    "stdarg.h",
    "cstdarg",
    "errno.h",
    "cerrno",
    "signal.h",
    "csignal",
    "ctype.h",
    "cctype",
    "wchar.h",
    "cwchar",
    "locale.h",
    "clocale",
    "setjmp.h",
    "csetjmp",
    "fenv.h",
    "cfenv",
    "any",
    "atomic",
    "bitset",
    "charconv",
    "chrono",
    "codecvt",
    "condition_variable",
    "deque",
    "exception",
    "filesystem",
    "format",
    "forward_list",
    "fstream",
    "future",
    "iomanip",
    "ios",
    "iosfwd",
    "iostream",
    "istream",
    "iterator",
    "list",
    "locale",
    "map",
    "memory",
    "memory_resource",
    "mutex",
    "new",
    "numbers",
    "ostream",
    "queue",
    "random",
    "ranges",
    "regex",
    "set",
    "shared_mutex",
    "sstream",
    "stack",
    "stdexcept",
    "streambuf",
    "string",
    "string_view",
    "system_error",
    "thread",
    "typeindex",
    "typeinfo",
    "unordered_map",
    "unordered_set",
    "valarray",
    "vector",
    "source_location",
    "initializer_list",
    "execution",
    "barrier",
    "latch",
    "semaphore",
    "getopt.h",
    "pthread.h",
    "fcntl.h",
    "dirent.h",
    "dlfcn.h",
    "sys/time.h",
    "sys/stat.h",
    "sys/mman.h",
    "sched.h",
    "strings.h",
    "arpa/inet.h",
    "netinet/in.h",
    "netdb.h",
    "poll.h",
    "semaphore.h",
    "termios.h",
    "glob.h",
    "regex.h",
    "pwd.h",
    "syslog.h",
    "spawn.h",
    "execinfo.h",
    "libgen.h",
    "endian.h",
    "byteswap.h",
    "features.h",
    "compare",
    "coroutine",
    "stop_token",
    "syncstream",
    "version",
};

#define FORWARD(name)                                                                                  \
  HostHeader {                                                                                         \
    name, "#pragma once\n#include <cuda/std/" name ">\nnamespace std { using namespace cuda::std; }\n" \
  }
// What libcu++ has of these headers works on the device as well.
constexpr std::array forwarded{
    FORWARD("array"),  FORWARD("bit"),     FORWARD("complex"),  FORWARD("concepts"),    FORWARD("functional"),
    FORWARD("limits"), FORWARD("numeric"), FORWARD("optional"), FORWARD("ratio"),       FORWARD("span"),
    FORWARD("tuple"),  FORWARD("utility"), FORWARD("variant"),  FORWARD("type_traits"),
};
#undef FORWARD

std::vector<HostHeader> make(HostLibrary library) {
  static const std::string limits = std::string(limits_before_long) + limits_of_long + limits_after_long;
  std::vector<HostHeader> headers(shared.begin(), shared.end());
  for (const char* name : {"limits.h", "climits"}) headers.push_back({name, limits.c_str()});
  for (const char* name : empty) headers.push_back({name, "#pragma once\n"});
  for (const HostHeader& header : forwarded)
    headers.push_back({header.name, library == HostLibrary::full ? header.text : "#pragma once\n"});
  return headers;
}

}  // namespace

const std::vector<HostHeader>& host_headers(HostLibrary library) {
  static const std::vector<HostHeader> light = make(HostLibrary::light);
  static const std::vector<HostHeader> full = make(HostLibrary::full);
  return library == HostLibrary::light ? light : full;
}

// <thrust/functional.h> of CCCL 3 takes the same names from libcu++.
std::string_view thrust_functors() {
  return R"(#pragma once
#include <cuda/functional>
#include <cuda/std/functional>
namespace thrust {
using ::cuda::std::plus; using ::cuda::std::minus; using ::cuda::std::multiplies; using ::cuda::std::divides;
using ::cuda::std::modulus; using ::cuda::std::negate; using ::cuda::std::equal_to; using ::cuda::std::not_equal_to;
using ::cuda::std::less; using ::cuda::std::less_equal; using ::cuda::std::greater;
using ::cuda::std::greater_equal; using ::cuda::std::logical_and; using ::cuda::std::logical_or;
using ::cuda::std::logical_not; using ::cuda::std::bit_and; using ::cuda::std::bit_or; using ::cuda::std::bit_xor;
using ::cuda::maximum; using ::cuda::minimum;
}
)";
}

bool is_thrust_functor(std::string_view name) {
  return !name.empty() && thrust_functors().find("::" + std::string(name) + ";") != std::string_view::npos;
}

bool is_host_only_header(std::string_view name) {
  constexpr std::array prefixes{
      "helper_",    "cublas",    "cusparse",      "cusolver",  "cufft",      "curand.h",     "cudnn",     "nccl",
      "nvToolsExt", "nvtx",      "cuda_profiler", "cupti",     "nvml",       "omp.h",        "mpi.h",     "boost/",
      "opencv",     "Eigen/",    "gtest/",        "gmock/",    "benchmark/", "GL/",          "GLFW/",     "SDL",
      "sys/",       "linux/",    "x86intrin",     "immintrin", "emmintrin",  "xmmintrin",    "pmmintrin", "tmmintrin",
      "smmintrin",  "nmmintrin", "arm_neon",      "cpuid.h",   "cutil.h",    "cutil_inline", "windows.h", "fmt/",
      "spdlog/",    "nlohmann/", "CLI/",          "torch/",    "ATen/",      "vulkan/",      "EGL/",      "CL/",
      "GLES",       "glad/",     "X11/",          "DirectX",   "D3D",        "d3d",          "dxgi",      "netinet/",
      "arpa/",      "net/",      "cutensor.h",    "FreeImage", "rdma/",      "c10/",         "pybind11/", "Python.h",
      "getopt",     "thrust/",   "exception.h",   "timer.h",   "argparse"};
  return std::any_of(prefixes.begin(), prefixes.end(), [&](const char* prefix) { return name.starts_with(prefix); });
}

}  // namespace lanescope::compile
