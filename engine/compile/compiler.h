#pragma once
// CUDA C++ → PTX through NVRTC, and PTX → SASS through nvJitLink and nvdisasm. All of them are found at run time. Needs
// no GPU and no installed toolkit; an installed toolkit replaces fetched parts that are missing.

#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "compile/source.h"
#include "core/result.h"

namespace lanescope::compile {

// The parts that were found; shown by `doctor` and in the JSON's "compiler".
struct Toolchain {
  std::string nvrtc_path, nvrtc_version;              // "13.0.88"
  std::vector<std::string> include_paths;             // CUDA headers, CCCL
  std::string sass_compiler_path, disassembler_path;  // empty = not found
};
// Searches, in this order: LANESCOPE_DEPS, the folders beside the executable and its source tree, its wheel's
// environment, CUDA_HOME, CUDA_PATH, /usr/local/cuda, pip's site-packages and the loader's path. If LANESCOPE_CUDA is
// set, searches only that folder. Diagnostic: toolchain.no_nvrtc, whose cure says how to get it.
Result<Toolchain> find_toolchain();

struct Options {
  // sm_75 …; an unknown one is a diagnostic that lists the known ones. A source for sm_90 that uses wgmma, setmaxnreg
  // or __CUDA_ARCH_FEAT_SM90_ALL is compiled for sm_90a, which has them.
  std::string arch = "sm_90";
  std::vector<std::string> name_expressions;  // names of the wanted kernels in the source: "reduce<float,4>"
  bool machine_code = false;                  // also assemble for `arch`: Ptx::cubin
  // Set it from another thread to cancel. compile() then soon returns compile.cancelled, and the compiler has stopped:
  // it runs in its own process (compile/worker.h), which is killed if it does not stop by itself. Not part of the
  // request; may be null.
  const std::atomic<bool>* cancel = nullptr;
  // Limit of wall time in seconds for all attempts together; after it: compile.too_slow. The slowest of a public
  // collection of 420 files took a minute.
  double most_seconds = 300;
};
struct Ptx {
  std::string text;
  std::map<std::string, std::string> mangled;  // source name → mangled name, for each name expression
  std::string compiler_name = "nvrtc";         // or "nvcc": nvcc/nvcc_kernels.h
  std::string compiler_version;                // "13.0.88"
  std::vector<std::uint8_t> cubin;  // with Options::machine_code: the same as nvcc gives for that architecture
  Diagnostics warnings;
};
// Compiles with -lineinfo, as C++17, or as C++20 if the source uses it. Thread-safe. Takes tens of milliseconds for an
// ordinary kernel and many seconds for a huge one, so do not call it while a frame is drawn.
//
// The compiler's errors become Diagnostics (compile.error, compile.missing_include) at their line. An error in a header
// names the header, and a note names the line that included it. An unknown kernel name lists the existing kernels
// (compile.no_such_kernel); a name may also be mangled (_Z…). Other codes: compile.unknown_arch, compile.too_large,
// compile.too_nested, compile.bad_define, compile.too_slow, compile.too_much_memory (4 GiB, or LANESCOPE_COMPILER_GIB),
// compile.crashed (NVRTC crashed), compile.not_text, compile.cancelled, toolchain.no_nvrtc, toolchain.no_worker,
// toolchain.broken.
//
// Files written for nvcc are supported. g++'s macros are defined if the source names them. Common C and C++ headers
// have stand-ins with what device code can use. Host functions, variables and classes that the compiler refuses are
// left out, also in the user's headers; if that is not enough, everything is left out that no kernel reaches by name. A
// note in `warnings` says so (compile.host_code). A missing header that no kernel needs is a warning there
// (compile.missing_include); it stays an error if an #if of the source tests a name that nothing defines.
//
// `.file` names in the PTX: Source::name unchanged; other files relative to the current folder; CUDA headers as they
// are included. Characters outside ASCII are written as \ooo, because ptxas accepts nothing else.
//
// A request that this process compiled before (same source, included files and options) is answered from a cache, and
// so are failures and other non-template kernels of the same file. Results of other processes are cached too:
// kept_outcomes.h.
Result<Ptx> compile(const Source& source, const Options& options);

// The kernels of a source, as names for Options::name_expressions: "copy", "ns::scale", and "reduce<T, N>" for a
// template without its arguments. Found by a scan of the text and, if it compiles, in its PTX (kernels made by macros
// or in included files). Always returns a value, as complete as possible.
Result<std::vector<std::string>> kernels_in(const Source& source, const Options& options);

// One SASS instruction.
struct SassInstruction {
  std::uint32_t address = 0;  // bytes from the kernel's start
  std::string text;           // "LDG.E R2, desc[UR4][R2.64]"
  std::string predicate;      // "@!P0" or empty
  std::string file;           // CUDA source: the kernel's own file, even for inlined calls
  int line = 0;               // in `file`; 0 = unknown
  int ptx_line = 0;           // line of the PTX text it was compiled from; 0 = unknown
  std::string label;          // ".L_x_1" if a label stands before it, else empty
};
struct Sass {
  std::string kernel;                         // mangled
  std::string arch;                           // "sm_90"
  std::vector<SassInstruction> instructions;  // including the padding at the end
  int registers_per_thread = 0;
  int barriers = 0;                // the highest number of a barrier (`bar.sync`) that a block uses, plus 1
  std::uint32_t shared_bytes = 0;  // static; without the KiB that the system reserves from sm_80 on
  std::uint32_t local_bytes = 0;   // stack frame per thread
  std::uint32_t spill_store_bytes = 0, spill_load_bytes = 0;  // per thread
  std::vector<std::uint8_t> cubin;                            // of the whole module
};
// `arch` is a real architecture: "sm_90". Needs nvJitLink and nvdisasm, but no GPU. Takes tenths of a second, and no
// time if repeated within this process. Thread-safe. Diagnostics: toolchain.no_sass_compiler,
// toolchain.no_disassembler, sass.unknown_arch, sass.no_such_kernel, sass.failed (ptxas refuses the PTX; the place is a
// line of the PTX), sass.crashed (ptxas crashed), sass.not_disassembled.
Result<Sass> to_sass(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& arch);
// The same for assembled code (Ptx::cubin). Timed and counted kernels should use this: nvJitLink keeps an atomic with
// an unused result as ATOM, whereas ptxas turns it into RED.
Result<Sass> disassemble(std::vector<std::uint8_t> cubin, const std::string& mangled_kernel, const std::string& arch);
// The same for what to_cubin() and to_cubin_as_nvcc() return: fills in `instructions`.
Result<Sass> disassemble(Sass sass);
// Without `instructions`; needs no nvdisasm. By nvJitLink.
Result<Sass> to_cubin(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& arch);
// The same by ptxas, if there is one that takes this PTX: the code that nvcc's programs have. nvJitLink assembles for
// linking: it ignores setmaxnreg, begins dynamic shared memory at a multiple of 16 bytes whatever its declared
// alignment is, and keeps ATOM as above.
Result<Sass> to_cubin_as_nvcc(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& arch);

}  // namespace lanescope::compile
