#include "compile/host/library_names.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <span>
#include <string>

#include "compile/host/source_scan.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

struct Declared {
  std::string_view name;  // a `*` at its end stands for any letters
  std::string_view header;
};

bool is_that(std::string_view pattern, std::string_view name) {
  return pattern.ends_with('*') ? name.starts_with(pattern.substr(0, pattern.size() - 1)) : name == pattern;
}

std::string_view find_in(std::span<const Declared> table, std::string_view name) {
  const auto known = std::ranges::find_if(table, [&](const Declared& one) { return is_that(one.name, name); });
  return known == table.end() ? std::string_view() : known->header;
}

constexpr std::array names{
    Declared{"half", "cuda_fp16.h"},
    Declared{"half2", "cuda_fp16.h"},
    Declared{"__half*", "cuda_fp16.h"},
    Declared{"__float2half*", "cuda_fp16.h"},
    Declared{"__float22half2_rn", "cuda_fp16.h"},
    Declared{"__floats2half2_rn", "cuda_fp16.h"},
    Declared{"__low2half", "cuda_fp16.h"},
    Declared{"__high2half", "cuda_fp16.h"},
    Declared{"__low2float", "cuda_fp16.h"},
    Declared{"__high2float", "cuda_fp16.h"},
    Declared{"__hadd*", "cuda_fp16.h"},
    Declared{"__hsub*", "cuda_fp16.h"},
    Declared{"__hmul*", "cuda_fp16.h"},
    Declared{"__hdiv", "cuda_fp16.h"},
    Declared{"__hfma*", "cuda_fp16.h"},
    Declared{"__hmax*", "cuda_fp16.h"},
    Declared{"__hmin*", "cuda_fp16.h"},
    Declared{"hexp", "cuda_fp16.h"},
    Declared{"hsqrt", "cuda_fp16.h"},
    Declared{"hrsqrt", "cuda_fp16.h"},
    Declared{"make_half2", "cuda_fp16.h"},
    Declared{"__nv_bfloat16*", "cuda_bf16.h"},
    Declared{"nv_bfloat16*", "cuda_bf16.h"},
    Declared{"__float2bfloat16*", "cuda_bf16.h"},
    Declared{"__bfloat16*", "cuda_bf16.h"},
    Declared{"__nv_fp8*", "cuda_fp8.h"},
    Declared{"__nv_fp4*", "cuda_fp4.h"},
    Declared{"curandState*", "curand_kernel.h"},
    Declared{"curand_*", "curand_kernel.h"},
    Declared{"cooperative_groups", "cooperative_groups.h"},
    Declared{"cuComplex", "cuComplex.h"},
    Declared{"cuFloatComplex", "cuComplex.h"},
    Declared{"cuDoubleComplex", "cuComplex.h"},
    Declared{"make_cuFloatComplex", "cuComplex.h"},
    Declared{"make_cuDoubleComplex", "cuComplex.h"},
    Declared{"make_cuComplex", "cuComplex.h"},
    Declared{"cuCadd*", "cuComplex.h"},
    Declared{"cuCsub*", "cuComplex.h"},
    Declared{"cuCmul*", "cuComplex.h"},
    Declared{"cuCdiv*", "cuComplex.h"},
    Declared{"cuCabs*", "cuComplex.h"},
    Declared{"cuCreal*", "cuComplex.h"},
    Declared{"cuCimag*", "cuComplex.h"},
    Declared{"CUtensorMap", "cuda.h"},
    Declared{"FLT_*", "cfloat"},
    Declared{"DBL_*", "cfloat"},
    Declared{"INT_MAX", "climits"},
    Declared{"INT_MIN", "climits"},
    Declared{"UINT_MAX", "climits"},
    Declared{"LLONG_MAX", "climits"},
    Declared{"ULLONG_MAX", "climits"},
    Declared{"CHAR_BIT", "climits"},
    Declared{"M_PI", "cmath"},
    Declared{"INFINITY", "cmath"},
    Declared{"NAN", "cmath"},
    Declared{"INT32_M*", "cstdint"},
    Declared{"UINT32_MAX", "cstdint"},
    Declared{"INT64_M*", "cstdint"},
    Declared{"UINT64_MAX", "cstdint"},
    Declared{"assert", "cassert"},
    Declared{"printf", "cstdio"},
    Declared{"fprintf", "cstdio"},
    Declared{"sprintf", "cstdio"},
    Declared{"snprintf", "cstdio"},
    Declared{"fopen", "cstdio"},
    Declared{"puts", "cstdio"},
    Declared{"FILE", "cstdio"},
    Declared{"stderr", "cstdio"},
    Declared{"stdout", "cstdio"},
    Declared{"rand", "cstdlib"},
    Declared{"srand", "cstdlib"},
    Declared{"RAND_MAX", "cstdlib"},
    Declared{"atoi", "cstdlib"},
    Declared{"atof", "cstdlib"},
    Declared{"exit", "cstdlib"},
    Declared{"EXIT_SUCCESS", "cstdlib"},
    Declared{"EXIT_FAILURE", "cstdlib"},
    Declared{"qsort", "cstdlib"},
    Declared{"strlen", "cstring"},
    Declared{"strcmp", "cstring"},
    Declared{"strncmp", "cstring"},
    Declared{"strcpy", "cstring"},
    Declared{"memcmp", "cstring"},
    Declared{"gettimeofday", "sys/time.h"},
    Declared{"usleep", "unistd.h"},
    Declared{"omp_get_*", "omp.h"},
};

constexpr std::array of_std{
    Declared{"vector", "vector"},
    Declared{"array", "array"},
    Declared{"string", "string"},
    Declared{"to_string", "string"},
    Declared{"map", "map"},
    Declared{"set", "set"},
    Declared{"list", "list"},
    Declared{"unordered_map", "unordered_map"},
    Declared{"unordered_set", "unordered_set"},
    Declared{"deque", "deque"},
    Declared{"queue", "queue"},
    Declared{"priority_queue", "queue"},
    Declared{"stack", "stack"},
    Declared{"bitset", "bitset"},
    Declared{"tuple", "tuple"},
    Declared{"make_tuple", "tuple"},
    Declared{"tie", "tuple"},
    Declared{"pair", "utility"},
    Declared{"make_pair", "utility"},
    Declared{"swap", "utility"},
    Declared{"move", "utility"},
    Declared{"optional", "optional"},
    Declared{"function", "functional"},
    Declared{"unique_ptr", "memory"},
    Declared{"make_unique", "memory"},
    Declared{"shared_ptr", "memory"},
    Declared{"make_shared", "memory"},
    Declared{"cout", "iostream"},
    Declared{"cerr", "iostream"},
    Declared{"endl", "iostream"},
    Declared{"ifstream", "fstream"},
    Declared{"ofstream", "fstream"},
    Declared{"stringstream", "sstream"},
    Declared{"ostringstream", "sstream"},
    Declared{"istringstream", "sstream"},
    Declared{"setw", "iomanip"},
    Declared{"setprecision", "iomanip"},
    Declared{"sort", "algorithm"},
    Declared{"stable_sort", "algorithm"},
    Declared{"shuffle", "algorithm"},
    Declared{"generate", "algorithm"},
    Declared{"transform", "algorithm"},
    Declared{"fill", "algorithm"},
    Declared{"copy", "algorithm"},
    Declared{"max_element", "algorithm"},
    Declared{"min_element", "algorithm"},
    Declared{"accumulate", "numeric"},
    Declared{"iota", "numeric"},
    Declared{"inner_product", "numeric"},
    Declared{"mt19937*", "random"},
    Declared{"random_device", "random"},
    Declared{"default_random_engine", "random"},
    Declared{"uniform_*", "random"},
    Declared{"normal_distribution", "random"},
    Declared{"numeric_limits", "limits"},
    Declared{"complex", "complex"},
    Declared{"runtime_error", "stdexcept"},
    Declared{"invalid_argument", "stdexcept"},
    Declared{"thread", "thread"},
    Declared{"this_thread", "thread"},
    Declared{"mutex", "mutex"},
    Declared{"chrono", "chrono"},
    Declared{"filesystem", "filesystem"},
};

// Members of namespace cuda, libcu++.
constexpr std::array of_cuda{
    Declared{"atomic*", "cuda/atomic"},
    Declared{"thread_scope*", "cuda/atomic"},
    Declared{"memory_order*", "cuda/atomic"},
    Declared{"barrier", "cuda/barrier"},
    Declared{"memcpy_async", "cuda/barrier"},
    Declared{"aligned_size_t", "cuda/barrier"},
    Declared{"device", "cuda/barrier"},
    Declared{"pipeline*", "cuda/pipeline"},
    Declared{"make_pipeline", "cuda/pipeline"},
    Declared{"latch", "cuda/latch"},
    Declared{"counting_semaphore", "cuda/semaphore"},
    Declared{"binary_semaphore", "cuda/semaphore"},
    Declared{"ptx", "cuda/ptx"},
    Declared{"ceil_div", "cuda/cmath"},
    Declared{"maximum", "cuda/functional"},
    Declared{"minimum", "cuda/functional"},
};

constexpr std::array namespaces{
    Declared{"cooperative_groups", "cooperative_groups.h"},
    Declared{"cub", "cub/cub.cuh"},
    Declared{"nvcuda", "mma.h"},
    Declared{"wmma", "mma.h"},
    Declared{"chrono", "chrono"},
    Declared{"filesystem", "filesystem"},
    Declared{"this_thread", "thread"},
};

constexpr std::array of_samples{
    Declared{"checkCudaErrors", "helper_cuda.h"},
    Declared{"getLastCudaError", "helper_cuda.h"},
    Declared{"findCudaDevice", "helper_cuda.h"},
    Declared{"sdk*", "helper_functions.h"},
};

constexpr std::array<std::string_view, 8> random_names{"rand",    "srand",   "rand_r",  "random",
                                                       "drand48", "srand48", "lrand48", "erand48"};
constexpr std::array<std::string_view, 32> c_names{
    "strlen",  "strcmp",   "strncmp", "strcpy", "strncpy", "strcat", "strstr", "strchr", "strtok",  "memcmp", "memmove",
    "sprintf", "snprintf", "fprintf", "puts",   "putchar", "scanf",  "fscanf", "sscanf", "getchar", "fopen",  "fclose",
    "fflush",  "fread",    "fwrite",  "atoi",   "atof",    "exit",   "getenv", "qsort",  "calloc",  "realloc"};

}  // namespace

std::string_view header_declaring(std::string_view name) {
  return find_in(names, name);
}
std::string_view header_of_std(std::string_view member) {
  return find_in(of_std, member);
}
std::string_view header_of_samples(std::string_view name) {
  return find_in(of_samples, name);
}

std::string_view header_of_namespace(std::string_view name, std::string_view member) {
  return name == "cuda" ? find_in(of_cuda, member) : find_in(namespaces, name);
}

bool draws_random_numbers(std::string_view name) {
  return std::ranges::find(random_names, name) != random_names.end();
}

bool is_in_libcu(std::string_view std_member) {
  constexpr std::array host_only{"vector",
                                 "string",
                                 "map",
                                 "set",
                                 "list",
                                 "deque",
                                 "queue",
                                 "stack",
                                 "unordered_map",
                                 "unordered_set",
                                 "cout",
                                 "cerr",
                                 "cin",
                                 "endl",
                                 "unique_ptr",
                                 "shared_ptr",
                                 "make_unique",
                                 "make_shared",
                                 "thread",
                                 "mutex",
                                 "ofstream",
                                 "ifstream",
                                 "stringstream",
                                 "fprintf",
                                 "exit",
                                 "sort",
                                 "to_string",
                                 "ostream",
                                 "istream",
                                 "fstream",
                                 "ostringstream",
                                 "istringstream",
                                 "setw",
                                 "setprecision",
                                 "fixed",
                                 "left",
                                 "right",
                                 "flush",
                                 "getline",
                                 "stoi",
                                 "stof",
                                 "stod",
                                 "generate",
                                 "accumulate",
                                 "iota",
                                 "for_each",
                                 "random_device",
                                 "mt19937",
                                 "chrono",
                                 "rand",
                                 "priority_queue",
                                 "multimap",
                                 "runtime_error",
                                 "exception",
                                 "function",
                                 "uniform_real_distribution",
                                 "uniform_int_distribution",
                                 "normal_distribution"};
  return !std_member.empty() && std::find(host_only.begin(), host_only.end(), std_member) == host_only.end();
}

bool only_in_c_library(std::string_view name) {
  return draws_random_numbers(name) || std::ranges::find(c_names, name) != c_names.end();
}

// Of a template the return type comes first, with two blanks behind it: `void  ::std::sort<int *> (T1, T1)`.
std::string_view member_of_std(std::string_view function) {
  int depth = 0;  // of template arguments, in which the blanks say nothing
  for (std::size_t i = 0; i < function.size() && (depth > 0 || function[i] != '('); ++i) {
    if (function[i] == '<') ++depth;
    if (function[i] == '>') --depth;
    if (depth > 0 || !function.substr(i).starts_with("  ::")) continue;
    function.remove_prefix(i + 4);
    break;
  }
  if (!function.starts_with("std::")) return {};
  function.remove_prefix(5);
  return function.substr(0,
                         static_cast<std::size_t>(std::ranges::find_if_not(function, is_name_char) - function.begin()));
}

Wording cure_std_member(const std::string& member) {
  static const std::set<std::string> containers{"vector",     "string",        "map",   "set",
                                                "list",       "unordered_map", "deque", "unique_ptr",
                                                "shared_ptr", "make_unique",   "queue", "stack"};
  if (member == "__cxx11") return cure_std_member("string");  // std::__cxx11::basic_string<…>
  if (containers.contains(member))
    return worded(
        "std::{} needs the host: give the kernel a pointer and a count, and local or __shared__ arrays of fixed "
        "size.",
        member);
  if (member == "cout" || member == "cerr" || member == "endl" || member == "basic_ostream")
    return "Device code has no streams: use printf(\"…\", …).";
  return worded("Device code has no std::{}: use CUDA's own functions, or cuda::std from <cuda/std/…>.", member);
}

Wording cure_c_library(const std::string& name) {
  if (draws_random_numbers(name))
    return worded(
        "`{}` is the host's. In kernels cuRAND draws random numbers: #include <curand_kernel.h>, "
        "curand_init(), curand_uniform().",
        name);
  return worded(
      "`{}` is a function of the host's C library, which kernels do not have: write a __device__ function in "
      "its place.",
      name);
}

Wording cure_host_library(const std::string& function) {
  if (only_in_c_library(function)) return cure_c_library(function);
  const std::string_view member = member_of_std(function);
  return member.empty() ? Wording() : cure_std_member(std::string(member));
}

Wording cure_namespace(std::string_view source_line, std::string_view text) {
  const std::string line = blank_non_code(source_line);
  for (std::size_t i = 0; i < line.size();) {
    const std::size_t begin = i;
    while (i < line.size() && is_name_char(line[i])) ++i;
    if (i == begin) {
      ++i;
      continue;
    }
    const std::string_view name = std::string_view(line).substr(begin, i - begin);
    const std::size_t after = line.find_first_not_of(" \t", i);
    const bool is_scope = after != std::string::npos && std::string_view(line).substr(after).starts_with("::");
    const bool is_named = after != std::string::npos && line[after] == ';';  // using namespace nvcuda;
    if (!is_scope && !is_named) continue;
    if (is_scope && name == "cg" && !contains(text, "namespace cg"))
      return "Add #include <cooperative_groups.h> and `namespace cg = cooperative_groups;` at the top.";
    const std::size_t member = is_scope ? after + 2 : line.size();
    std::size_t end = member;
    while (end < line.size() && is_name_char(line[end])) ++end;
    const std::string_view header = header_of_namespace(name, std::string_view(line).substr(member, end - member));
    if (!header.empty() && !contains(text, "<" + std::string(header) + ">"))
      return worded("Add #include <{}> at the top.", header);
  }
  return "";
}

bool names_vector_type(const std::string& message) {
  static constexpr std::string_view bases[] = {"char", "uchar", "short", "ushort", "int",      "uint",
                                               "long", "ulong", "float", "double", "longlong", "ulonglong"};
  const std::size_t colon = message.find("operand types are:");
  const std::string types = colon == std::string::npos ? "" : message.substr(colon + 18);
  for (std::size_t i = 0; i < types.size(); ++i) {
    const std::size_t begin = i;
    while (i < types.size() && is_name_char(types[i])) ++i;
    if (i == begin || types[i - 1] < '2' || types[i - 1] > '4') continue;
    const std::string_view base = std::string_view(types).substr(begin, i - 1 - begin);
    if (std::ranges::find(bases, base) != std::end(bases)) return true;
  }
  return false;
}

std::optional<double> value_of_cmath(std::string_view function, double argument) {
  const bool single = function.ends_with('f') && function != "f";
  const std::string_view name = single ? function.substr(0, function.size() - 1) : function;
  const double value = name == "ceil"    ? std::ceil(argument)
                       : name == "floor" ? std::floor(argument)
                       : name == "sqrt"  ? std::sqrt(argument)
                       : name == "log2"  ? std::log2(argument)
                                         : std::numeric_limits<double>::quiet_NaN();
  if (!std::isfinite(value)) return std::nullopt;
  return single ? static_cast<double>(static_cast<float>(value)) : value;
}

std::span<const std::pair<std::string_view, std::int64_t>> properties_of_every_device() {
  static constexpr std::pair<std::string_view, std::int64_t> known[] = {
      {".maxGridSize[0]", 2147483647}, {".maxGridSize[1]", 65535},
      {".maxGridSize[2]", 65535},      {".maxThreadsDim[0]", 1024},
      {".maxThreadsDim[1]", 1024},     {".maxThreadsDim[2]", 64},
      {".maxThreadsPerBlock", 1024},   {".warpSize", 32}};
  return known;
}

}  // namespace lanescope::compile
