#pragma once
// CUDA C++ → PTX through NVRTC, and PTX → SASS through nvJitLink and nvdisasm, all found at run time. No GPU and no
// installed toolkit needed; an installed toolkit is used where the fetched parts are missing.

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compile/source.h"
#include "core/result.h"

namespace lanescope::compile {

// The parts that were found, for `doctor` and the JSON's "compiler".
struct Toolchain {
  std::string nvrtc_path, nvrtc_version;              // "13.0.88"
  std::vector<std::string> include_paths;             // CUDA headers, CCCL
  std::string sass_compiler_path, disassembler_path;  // empty = not found
};
// Looks in LANESCOPE_DEPS, next to the executable and in the source tree it lies in, in its wheel's environment,
// CUDA_HOME, CUDA_PATH, /usr/local/cuda, pip's site-packages and the loader's path, in this order; or, when
// LANESCOPE_CUDA is set, in that folder alone. Diagnostic toolchain.no_nvrtc when there is none, with how to get it.
Result<Toolchain> find_toolchain();

struct Options {
  // sm_75 … ; unknown ones are a diagnostic listing what there is. For sm_90 a source that has wgmma, setmaxnreg or
  // __CUDA_ARCH_FEAT_SM90_ALL in it is compiled for sm_90a, which has those.
  std::string arch = "sm_90";
  std::vector<std::string> name_expressions;  // kernels wanted, source names: "reduce<float,4>"
  std::vector<std::string> defines;           // "NAME" or "NAME=VALUE"
  bool machine_code = false;                  // assemble for `arch` too: Ptx::cubin
  // Set it from another thread to cancel: compile() soon returns compile.cancelled, and the compiler has stopped: it
  // runs in a process of its own (compile/worker.h), which is killed if it does not stop by itself. Not part of the
  // request; may be null.
  const std::atomic<bool>* cancel = nullptr;
  // Limit of wall time for all attempts together; then compile.too_slow. The worst of a public collection of 420 files
  // took a minute.
  double most_seconds = 300;
};
struct Ptx {
  std::string text;
  std::map<std::string, std::string> mangled;  // source name → mangled name, for each name expression
  std::string compiler_version;                // "13.0.88"
  std::vector<std::uint8_t> cubin;             // with Options::machine_code: what nvcc would give for that architecture
  Diagnostics warnings;
};
// With -lineinfo, as C++17, or as C++20 where the source uses it. Thread-safe. Takes some tens of milliseconds for an
// ordinary kernel, and many seconds for a huge one, so call it off the frame.
//
// The compiler's own errors come back as Diagnostics (code compile.error, or compile.missing_include) on their line;
// errors in a header name the header, and a note the line that included it. An unknown kernel name lists the kernels
// there are (compile.no_such_kernel); a name may also be a mangled one (_Z…). Others: compile.unknown_arch,
// compile.too_large, compile.too_nested, compile.too_slow, compile.too_much_memory (4 GiB, or LANESCOPE_COMPILER_GIB),
// compile.crashed (NVRTC did), compile.not_text, compile.cancelled, toolchain.no_nvrtc, toolchain.no_worker,
// toolchain.broken.
//
// Files written for nvcc are welcome: the macros that g++ has are defined where the source names them; common C and C++
// headers have stand-ins with what device code can use; host functions, variables and classes that the compiler refuses
// are left out, in the user's headers too, and where that is not enough, all that no kernel reaches by name. A note
// (compile.host_code) in `warnings` says so. A header that is not there, and that no kernel needs, is a warning
// (compile.missing_include) there; it stays an error where an #if of the source asks for a name that nobody defines.
//
// `.file` names in the PTX: Source::name itself; other files relative to the current folder, CUDA headers as they are
// included. What is not ASCII in them stands as \ooo (ptxas takes nothing else).
//
// A request that was compiled before in this process (same source, included files and options) comes from a cache,
// failures too; so does another kernel of a file when it is no template. What other processes compiled is kept too:
// kept_outcomes.h.
Result<Ptx> compile(const Source& source, const Options& options);

// The kernels of a source, as names for Options::name_expressions: "copy", "ns::scale", and "reduce<T, N>" for a
// template whose arguments remain to be filled in. Found by a scan of the text, and, when it compiles, in its PTX
// (kernels made by macros or in included files). Always a value, as far as it goes.
Result<std::vector<std::string>> kernels_in(const Source& source, const Options& options);

// One SASS instruction.
struct SassInstruction {
  std::uint32_t address = 0;  // bytes from the kernel's start
  std::string text;           // "LDG.E R2, desc[UR4][R2.64]"
  std::string predicate;      // "@!P0" or empty
  std::string file;           // CUDA source: the kernel's own file, however deep the call that was inlined there
  int line = 0;               // in `file`; 0 = unknown
  int ptx_line = 0;           // line of the PTX text it was compiled from; 0 = unknown
  std::string label;          // ".L_x_1" when a label stands before it, else empty
};
struct Sass {
  std::string kernel;                         // mangled
  std::string arch;                           // "sm_90"
  std::vector<SassInstruction> instructions;  // the padding at the end included
  int registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  // static, without the KiB that the system reserves from sm_80 on
  std::uint32_t local_bytes = 0;   // stack frame per thread
  std::uint32_t spill_store_bytes = 0, spill_load_bytes = 0;  // per thread
  std::vector<std::uint8_t> cubin;                            // of the whole module
};
// `arch` is a real architecture: "sm_90". Needs nvJitLink and nvdisasm, no GPU; takes tenths of a second, and no time
// when repeated within this process; thread-safe. Diagnostics: toolchain.no_sass_compiler, toolchain.no_disassembler,
// sass.unknown_arch, sass.no_such_kernel, sass.failed (PTX that ptxas refuses; the place is a line of the PTX),
// sass.crashed (it did), sass.not_disassembled.
Result<Sass> to_sass(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& arch);
// The same for code that is already assembled (Ptx::cubin). This is what a timed or counted kernel should run:
// nvJitLink keeps an atomic whose result is unused as ATOM, where ptxas makes it RED.
Result<Sass> disassemble(std::vector<std::uint8_t> cubin, const std::string& mangled_kernel, const std::string& arch);
// The same without `instructions`: needs no nvdisasm.
Result<Sass> to_cubin(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& arch);

}  // namespace lanescope::compile
