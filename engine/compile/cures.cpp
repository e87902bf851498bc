#include "compile/cures.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "compile/host/definitions.h"
#include "compile/host/host_facts.h"
#include "compile/host/library_names.h"
#include "compile/host/nearby_files.h"
#include "compile/host/source_scan.h"
#include "compile/toolchain.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

// The nth quoted part of a message.
std::string quoted(const std::string& message, int nth = 0) {
  std::size_t begin = message.find('"');
  for (; nth > 0 && begin != std::string::npos; --nth) {
    begin = message.find('"', begin + 1);
    if (begin != std::string::npos) begin = message.find('"', begin + 1);
  }
  if (begin == std::string::npos) return "";
  return message.substr(begin + 1, message.find('"', begin + 1) - begin - 1);
}

// The source line from the entry's place on; empty if the entry is in another file.
std::string_view text_at(const LogEntry& entry, const CureContext& context) {
  if (entry.place.file != context.source_name || entry.place.column <= 0) return {};
  std::string_view rest = context.text;
  for (int line = 1; line < entry.place.line; ++line) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) return {};
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  return rest.substr(std::min(static_cast<std::size_t>(entry.place.column) - 1, rest.size()));
}

struct NameCure {
  const char* name;
  const char* cure;
};

constexpr std::array exact_names{
    NameCure{"__shfl", "Write __shfl_sync(0xffffffff, …): since Volta, shuffles need a mask."},
    NameCure{"__shfl_down", "Write __shfl_down_sync(0xffffffff, …): since Volta, shuffles need a mask."},
    NameCure{"__shfl_up", "Write __shfl_up_sync(0xffffffff, …): since Volta, shuffles need a mask."},
    NameCure{"__shfl_xor", "Write __shfl_xor_sync(0xffffffff, …): since Volta, shuffles need a mask."},
    NameCure{"__ballot", "Write __ballot_sync(0xffffffff, …): since Volta, votes need a mask."},
    NameCure{"__any", "Write __any_sync(0xffffffff, …): since Volta, votes need a mask."},
    NameCure{"__all", "Write __all_sync(0xffffffff, …): since Volta, votes need a mask."},
    NameCure{"cg", "Add #include <cooperative_groups.h> and `namespace cg = cooperative_groups;` at the top."},
    NameCure{"cout", "Device code has no streams: use printf(\"…\", …)."},
};

constexpr std::array cuda_names{"threadIdx",
                                "blockIdx",
                                "blockDim",
                                "gridDim",
                                "warpSize",
                                "__syncthreads",
                                "__syncwarp",
                                "__shared__",
                                "__global__",
                                "__device__",
                                "__constant__",
                                "__restrict__",
                                "atomicAdd",
                                "atomicSub",
                                "atomicMax",
                                "atomicMin",
                                "atomicExch",
                                "atomicCAS",
                                "atomicAnd",
                                "atomicOr",
                                "atomicXor",
                                "__shfl_sync",
                                "__shfl_down_sync",
                                "__shfl_up_sync",
                                "__shfl_xor_sync",
                                "__ballot_sync",
                                "__any_sync",
                                "__all_sync",
                                "__activemask",
                                "__popc",
                                "__ffs",
                                "__clz",
                                "__ldg",
                                "sqrtf",
                                "expf",
                                "logf",
                                "sinf",
                                "cosf",
                                "powf",
                                "fabsf",
                                "fmaxf",
                                "fminf",
                                "rsqrtf",
                                "printf",
                                "float2",
                                "float4",
                                "int2",
                                "int4",
                                "double2",
                                "unsigned",
                                "extern",
                                "volatile",
                                "const",
                                "float",
                                "double",
                                "return",
                                "__launch_bounds__",
                                "make_float2",
                                "make_float4",
                                "__threadfence",
                                "make_int2"};

// The line of the source; empty if the entry is elsewhere.
std::string_view line_at(const LogEntry& entry, const CureContext& context) {
  if (entry.place.file != context.source_name || entry.place.line <= 0) return {};
  const std::vector<std::string_view> lines = split(context.text, '\n');
  const auto number = static_cast<std::size_t>(entry.place.line);
  return number <= lines.size() ? lines[number - 1] : std::string_view();
}

bool is_integer_type(const std::string& name) {
  return name.ends_with("_t") && (name.starts_with("int") || name.starts_with("uint"));
}

// The known name, or name in the source, that the user most likely meant.
std::string nearest_name(const std::string& name, const CureContext& context) {
  std::set<std::string> candidates(cuda_names.begin(), cuda_names.end());
  const std::string code = blank_non_code(context.text);
  for (std::size_t i = 0; i < code.size() && code.size() < 200'000;) {
    auto is_name = [&](std::size_t at) { return at < code.size() && is_name_char(code[at]); };
    const std::size_t begin = i;
    while (is_name(i)) ++i;
    if (i - begin >= 2 && std::isdigit(static_cast<unsigned char>(code[begin])) == 0)
      candidates.insert(code.substr(begin, i - begin));
    if (i == begin) ++i;
  }
  candidates.erase(name);
  const std::size_t limit = name.size() <= 3 ? 1 : name.size() <= 7 ? 2 : 3;
  std::string best;
  std::size_t least = limit + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > name.size() + limit || name.size() > candidate.size() + limit) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

// Number of times that the code names it, at most `most`.
int times_named(const std::string& name, const CureContext& context, int most) {
  const std::string code = blank_non_code(context.text);
  int times = 0;
  for (std::size_t at = code.find(name); at != std::string::npos && times < most;
       at = code.find(name, at + name.size())) {
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_name_char(code[at - 1])) && (end == code.size() || !is_name_char(code[end]))) ++times;
  }
  return times;
}

// cuMemAlloc, CUdeviceptr: of the driver API.
bool is_of_driver(std::string_view name) {
  auto letter = [&](std::size_t at) { return at < name.size() ? static_cast<unsigned char>(name[at]) : 0; };
  return (name.starts_with("cu") && std::isupper(letter(2)) != 0) ||
         (name.starts_with("CU") && (std::islower(letter(2)) != 0 || letter(2) == '_'));
}

Wording cure_undefined(const std::string& name, const CureContext& context) {
  for (const std::string& host : context.left_out)
    if (host == name || host.ends_with("::" + name))
      return worded("`{}` is host code, which a kernel cannot use: put __device__ before it.", name);
  for (const NameCure& known : exact_names)
    if (name == known.name) return known.cure;
  if (!context.whole_program && only_in_c_library(name)) return cure_c_library(name);
  if (const std::string_view header = header_declaring(name); !header.empty())
    return worded("Add #include <{}> at the top.", header);
  if (const std::string_view header = header_of_samples(name); !header.empty() && context.whole_program)
    return worded(
        "`{}` is declared in {} of CUDA's samples: include that, and give the samples' folder Common as an "
        "include path.",
        name, header);
  if (is_integer_type(name)) return worded("Add #include <{}> at the top.", "cstdint");
  // CUDA's headers omit these for older GPUs.
  for (const char* reduction : {"add", "min", "max", "and", "or", "xor"})
    if (name == std::string("__reduce_") + reduction + "_sync")
      return worded(
          "`{}` needs compute capability 8.0 (sm_80) or newer: compile for a newer GPU, or use shuffles instead "
          "(__shfl_xor_sync).",
          name);
  const bool of_driver = is_of_driver(name);
  if (of_driver && context.whole_program) return worded("Add #include <{}> at the top.", "cuda.h");
  const bool of_host =
      of_driver || name.starts_with("cuda") || name.starts_with("cublas") || name.starts_with("curand");
  if (of_host && !context.whole_program)
    return worded(
        "`{}` is part of the host API: kernels cannot call it. Only kernels are compiled here; memory and launches "
        "come from "
        "the arguments of the run.",
        name);
  // A name that occurs this often is not a typing mistake: its declaration is missing.
  constexpr int no_slip = 3;
  if (times_named(name, context, no_slip) == no_slip)
    return worded(
        "No included file declares `{}`: include the header that does, or define the macro that enables its "
        "declaration.",
        name);
  const std::string near = name.size() < 2 ? "" : nearest_name(name, context);
  if (!near.empty()) return worded("Did you mean `{}`? Otherwise declare `{}` before it is used.", near, name);
  return worded("Declare `{}` before it is used, or correct its spelling.", name);
}

Wording cure_semicolon(const LogEntry& entry, const CureContext& context) {
  if (entry.place.file != context.source_name || entry.place.line <= 0) return "Add a semicolon before this point.";
  // The compiler reports the first word that does not fit. If that word begins its line, the mistake is on the line
  // before.
  const std::string code = blank_non_code(context.text);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin <= code.size() && static_cast<int>(lines.size()) < entry.place.line;) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    lines.push_back(code.substr(begin, end - begin));
    begin = end + 1;
  }
  if (static_cast<int>(lines.size()) < entry.place.line) return "Add a semicolon before this point.";
  const std::size_t column = static_cast<std::size_t>(std::max(entry.place.column, 1));
  if (lines.back().find_first_not_of(" \t") + 1 < column) return "Add a semicolon before this point.";
  for (int line = entry.place.line - 1; line >= 1; --line)
    if (lines[static_cast<std::size_t>(line) - 1].find_first_not_of(" \t\r") != std::string::npos)
      return worded("Add a semicolon at the end of line {}.", line);
  return "Add a semicolon before this point.";
}

struct MessageCure {
  const char* part;  // a part of the message
  const char* cure;
};
constexpr std::array by_message{
    MessageCure{"device-side kernel launch",
                "The kernel of this run cannot launch others: remove the <<<…>>> line. A whole program with main(), "
                "whose kernels launch kernels, runs with `exec`."},
    MessageCure{"a __global__ function must have a void return type",
                "Declare the kernel void, and write its result through a pointer argument."},
    MessageCure{"cannot be a member function", "Move the kernel out of its class."},
    MessageCure{"dynamic initialization", "Write constexpr in place of const, also at the constants that it uses."},
    MessageCure{"expression must have a constant value",
                "Make the size a constant (constexpr int N = …), or use `extern __shared__ float "
                "s[];` and give the bytes at the launch."},
    MessageCure{"does not support exception handling",
                "Device code has no exceptions: return early, or write an error flag to memory."},
    MessageCure{"calling a __host__ function(\"cudaDeviceSynchronize\")",
                "CUDA 12 removed cudaDeviceSynchronize() from kernels: no kernel can wait for those that it launches. "
                "Launch what follows them into cudaStreamTailLaunch."},
    MessageCure{"calling a __host__ function",
                "Put __device__ (or __host__ __device__) before the function that is called."},
    MessageCure{"host functions are not allowed",
                "Put __device__ before the function if a kernel uses it; otherwise remove the function."},
    MessageCure{
        "host variables are not allowed",
        "Put __device__ or __constant__ before the variable if a kernel uses it, or make it constexpr; otherwise "
        "remove it."},
    MessageCure{"is not allowed in JIT mode", "Put __device__ before it if a kernel uses it; otherwise remove it."},
    MessageCure{"\"restrict\"",
                "Put __restrict__ behind the `*`: NVRTC takes it only there, and nvcc ignores it before the `*`."},
    MessageCure{"expected a \"}\"", "A `{` is not closed: add the `}` that is missing."},
    MessageCure{"expected a \")\"", "A `(` is not closed: add the `)` that is missing."},
    MessageCure{"expected a \"]\"", "A `[` is not closed: add the `]` that is missing."},
    MessageCure{"missing closing quote", "Close the text with a `\"` on the same line."},
    MessageCure{"comment unclosed", "Close the comment with `*/`."},
    MessageCure{"argument list",
                "Change the number or the types of the arguments to match one of the function's declarations."},
    MessageCure{"too many arguments in function call", "Remove the arguments that the function does not take."},
    MessageCure{"too few arguments in function call", "Add the missing arguments."},
    MessageCure{"a parameter is not allowed",
                "A default argument cannot name a parameter of its own function: rename the parameter."},
    MessageCure{"incomplete type", "Include or declare the type before this line."},
    MessageCure{"return value type does not match",
                "A kernel returns nothing: write `return;`, and the result through a pointer argument."},
    MessageCure{"excessive recursion", "End the template recursion with a specialisation or `if constexpr`."},
    MessageCure{
        "expression must be a modifiable lvalue",
        "The target of this assignment is const or not a variable: remove the const, or write to another variable."},
    MessageCure{"must be a namespace name",
                "No included header declares this namespace: correct its spelling, or include the header that does."},
    MessageCure{"must have integral", "Use int or unsigned here: %, indices, & and | do not accept float."},
    MessageCure{"must have class type",
                "Remove the `.` and the name after it, or use a type with members, such as float2."},
    MessageCure{"must have pointer-to-object type",
                "Only pointers and arrays can be indexed: declare this as one, or remove the index."},
    MessageCure{"cannot be assigned to an entity of type",
                "Make the two types match: change one declaration, or convert the value."},
    MessageCure{"cannot be used to initialize an entity",
                "Make the two types match: change one declaration, or convert the value."},
    MessageCure{"is incompatible with parameter of type",
                "Pass a value of the parameter's type. A pointer to const cannot go "
                "where the function writes through the pointer."},
    MessageCure{"expected an identifier", "A name is missing before this point, or a keyword is used as a name."},
    MessageCure{"\"#\" not expected here", "Put the # directive on a line of its own."},
    MessageCure{"(declared implicitly)", "CUDA declares a function of this name itself: choose another name."},
    MessageCure{"has already been declared", "Rename one of the two, or remove one."},
    MessageCure{"expected a declaration", "This statement is outside any function, often because of one `}` too many."},
    MessageCure{"expected an expression", "Something is missing before this point, or something here does not belong."},
};

// Functions from books and courses that newer CUDA headers no longer have, by the compiler's message.
constexpr std::array removed_from_cuda{
    MessageCure{"identifier \"cudaThreadSynchronize\"",
                "CUDA 13 removed cudaThreadSynchronize(): write cudaDeviceSynchronize()."},
    MessageCure{"identifier \"cudaThreadExit\"", "CUDA 13 removed cudaThreadExit(): write cudaDeviceReset()."},
    MessageCure{"identifier \"cudaThreadSetLimit\"",
                "CUDA 13 removed cudaThreadSetLimit(): write cudaDeviceSetLimit()."},
    MessageCure{"identifier \"cudaBindTexture",
                "CUDA 12 removed texture references: make a texture object with cudaCreateTextureObject()."},
    MessageCure{"identifier \"cudaUnbindTexture",
                "CUDA 12 removed texture references: make a texture object with cudaCreateTextureObject()."},
    MessageCure{"member \"deviceOverlap\"",
                "CUDA 13 removed deviceOverlap from cudaDeviceProp: write asyncEngineCount > 0."},
    MessageCure{
        "member \"clockRate\"",
        "CUDA 13 removed clockRate from cudaDeviceProp: ask cudaDeviceGetAttribute() for cudaDevAttrClockRate."},
    MessageCure{"member \"memoryClockRate\"",
                "CUDA 13 removed memoryClockRate from cudaDeviceProp: ask cudaDeviceGetAttribute() for "
                "cudaDevAttrMemoryClockRate."},
    MessageCure{"member \"computeMode\"",
                "CUDA 13 removed computeMode from cudaDeviceProp: ask cudaDeviceGetAttribute() for "
                "cudaDevAttrComputeMode."},
    MessageCure{"\"thrust\" has no member class \"unary_function\"",
                "CUDA 13 removed thrust::unary_function: a function object needs no base class, so remove it."},
    MessageCure{"\"thrust\" has no member class \"binary_function\"",
                "CUDA 13 removed thrust::binary_function: a function object needs no base class, so remove it."},
    MessageCure{"\"cub\" has no member \"Max\"",
                "CUDA 13 removed cub::Max: include <cuda/functional> and write cuda::maximum<>{}."},
    MessageCure{"\"cub\" has no member \"Min\"",
                "CUDA 13 removed cub::Min: include <cuda/functional> and write cuda::minimum<>{}."},
    MessageCure{"\"cub\" has no member \"Sum\"",
                "CUDA 13 removed cub::Sum: include <cuda/std/functional> and write cuda::std::plus<>{}."},
    MessageCure{"\"cub\" has no member \"CountingInputIterator\"",
                "CUDA 13 removed it: include <thrust/iterator/counting_iterator.h> and write "
                "thrust::counting_iterator."},
    MessageCure{"\"cub\" has no member \"TransformInputIterator\"",
                "CUDA 13 removed it: include <thrust/iterator/transform_iterator.h> and write "
                "thrust::make_transform_iterator()."},
    MessageCure{
        "to \"cudaMemLocation\"",
        "Since CUDA 13, cudaMemPrefetchAsync() and cudaMemAdvise() take a place: write "
        "cudaMemLocation{cudaMemLocationTypeDevice, device}. cudaMemPrefetchAsync() also takes flags, 0, before "
        "the stream."},
};

// Whether a "(" follows the name in the line.
bool is_called(std::string_view name, std::string_view line) {
  const std::size_t at = line.find(name);
  const std::size_t after = at == std::string_view::npos ? at : line.find_first_not_of(" \t", at + name.size());
  return after != std::string_view::npos && line[after] == '(';
}

// The cure for a program with host code; empty if the cures for kernels apply. `line`: of the source.
Wording cure_in_program(const std::string& message, std::string_view line) {
  if (contains(message, "\"thrust\" has no member \""))
    return worded("Include the header that declares thrust::{}.", quoted(message, 1));
  const bool in_std = message.starts_with("namespace \"std\" has no member");
  const bool undefined = message.starts_with("identifier \"") && contains(message, "is undefined");
  if (!in_std && !undefined) return "";
  const std::string name = quoted(message, in_std ? 1 : 0);
  if (message.ends_with("is undefined in device code"))
    return is_called(name, line)
               ? worded("`{}` is a function of the host: kernels call __device__ functions only.", name)
               : worded(
                     "`{}` is the host's: pass its value to the kernel, or put __device__, __constant__ or "
                     "__managed__ before it.",
                     name);
  if (const std::string_view header = header_of_std(name); in_std && !header.empty())
    return worded("Add #include <{}> at the top.", header);
  if (name == "cout" || name == "cerr" || name == "endl")
    return worded("Add #include <iostream> at the top, and write std::{}.", name);
  return in_std ? worded("Include the header that declares std::{}.", name) : Wording();
}

// "#if …", "# elif …"
bool is_a_condition(std::string_view line) {
  line = trimmed(line);
  if (!line.starts_with('#')) return false;
  line = trimmed(line.substr(1));
  return line.starts_with("if") || line.starts_with("elif");
}

// `void k(int N)` below `#define N 32`: the compiler reads 32.
Wording cure_macro_as_name(const LogEntry& entry, const CureContext& context) {
  static constexpr std::string_view refusals[] = {"expected a \")\"", "expected an identifier",
                                                  "expected a \",\" or \">\"", "invalid combination of type"};
  if (std::ranges::none_of(refusals, [&](std::string_view one) { return entry.message.starts_with(one); })) return "";
  const auto macro =
      macro_as_name(line_at(entry, context), entry.place.column, define_lines(context.defines) + context.text);
  if (!macro) return "";
  return worded("`{0}` is a macro, `#define {0} {1}`, so its text stands here: choose another name.", macro->first,
                macro->second);
}

// A template outside the source needs the type, which line `line` of the source hands to it: "Point [1]".
Wording cure_incomplete(const std::string& type, int line) {
  if (type.empty())
    return worded("Define the class that line {} uses before that line: a declaration is not enough there.", line);
  return worded("Define `{}` before line {}: a declaration is not enough there.", type.substr(0, type.find(" [")),
                line);
}

}  // namespace

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before = above;
    above = row;
  }
  return above[b.size()];
}

Wording cure_for(const LogEntry& entry, const CureContext& context) {
  const std::string& message = entry.message;
  if (entry.severity != Severity::error) return "";
  if (contains(message, "nvrtc-builtins")) return how_to_mend({"nvidia-cuda-nvrtc"});
  if (message.starts_with("expected a \";\"")) return cure_semicolon(entry, context);
  if (contains(message, "cannot open source file")) {
    const std::string package = package_that_lacks(installation(), quoted(message));
    if (!package.empty()) return how_to_get({package}, "");
    const std::string name = quoted(message), folder = folder_with_header(context.source_name, name);
    if (folder == ".") return worded("`{}` is in the current folder: give that as an include path (-I .).", name);
    if (!folder.empty()) return worded("`{}` is in {}: give that folder as an include path (-I).", name, folder);
    if (context.whole_program)
      return worded("Put `{}` next to the source, or give the folder that has it as an include path.", name);
    return worded("Put `{}` next to the source or in an include path, or remove the line if no kernel needs it.", name);
  }
  for (const MessageCure& known : removed_from_cuda)
    if (contains(message, known.part) && (context.whole_program || contains(known.part, "\"cub\""))) return known.cure;
  if (message.starts_with("calling a __host__ function(\"") || message.ends_with("is undefined in device code"))
    if (Wording cure = cure_host_library(quoted(message)); !cure.empty()) return cure;
  if (context.whole_program)
    if (Wording cure = cure_in_program(message, line_at(entry, context)); !cure.empty()) return cure;
  if (message.starts_with("identifier \"") && contains(message, "is undefined"))
    return cure_undefined(quoted(message), context);
  if (message.starts_with("namespace \"std\" has no member")) {
    const std::string name = quoted(message, 1);
    if (entry.place.file == context.source_name && !is_in_libcu(name) &&
        is_in_a_data_member(context.text, entry.place.line, entry.place.column))
      return worded(
          "NVRTC has no std::{0}: keep it out of the classes that kernels name, such as in a class of the host.", name);
    return cure_std_member(name);
  }
  const bool of_thrust = contains(message, "\"thrust\"") || text_at(entry, context).starts_with("thrust::");
  if (of_thrust && !context.whole_program)
    return "Of Thrust, kernels have only the function objects such as thrust::plus. Use cuda::std for the rest, such "
           "as cuda::std::complex from <cuda/std/complex>.";
  const bool no_scope = message.starts_with("name followed by \"::\"");
  const std::string_view line = line_at(entry, context);
  if (no_scope && contains(line, "cg::experimental::"))
    return "CUDA 13 removed cooperative_groups::experimental: leave `experimental::` out, and write "
           "block_tile_memory<N> with the block's size only.";
  if (no_scope || contains(message, "must be a namespace name") || contains(message, "explicit type is missing"))
    if (Wording cure = cure_namespace(line, context.text); !cure.empty()) return cure;
  if (no_scope)
    return "Include the header that declares the class or namespace before the ::, or correct its spelling.";
  if (Wording cure = cure_macro_as_name(entry, context); !cure.empty()) return cure;
  if (contains(message, "incomplete type"))
    for (int nth = 0; nth < 2; ++nth)  // the second is behind `aka`
      if (const std::string type = quoted(message, nth); type.starts_with("std::"))
        if (const std::string_view header = header_of_std(member_of_std(type)); !header.empty())
          return worded("Add #include <{}> at the top.", header);
  for (const SourcePlace& place : entry.instantiated_at)
    if (contains(message, "incomplete ") && place.file == context.source_name && place.file != entry.place.file)
      return cure_incomplete(quoted(message), place.line);
  if (message.starts_with("no operator \"") && names_vector_type(message))
    return "CUDA defines no operators for its vector types: compute the members one by one, or include a header that "
           "defines them, such as helper_math.h of CUDA's samples.";
  if (contains(message, "must have integral") && is_a_condition(line))
    return "The preprocessor computes with integers only: compare the numbers in the code, for example with "
           "`if constexpr`.";
  for (const MessageCure& known : by_message)
    if (contains(message, known.part)) return known.cure;
  return "";
}

}  // namespace lanescope::compile
