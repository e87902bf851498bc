// to_sass(): PTX through nvJitLink, then its cubin through nvdisasm.

#include "compile/memo.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "compile/compiler.h"
#include "compile/compiler_process.h"
#include "compile/machine_code/cubin.h"
#include "compile/machine_code/disassembly.h"
#include "compile/ptx_text.h"
#include "compile/toolchain.h"
#include "core/os/program_name.h"
#include "core/os/subprocess.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

Diagnostic error(const char* code, Wording message, Wording cure) {
  return {Severity::error, code, {}, std::move(message), std::move(cure)};
}

// Parses ptxas's lines `ptxas KERNEL.ptx, line 12; error   : Unknown symbol 'x'`.
Diagnostics ptx_errors(const std::string& log) {
  Diagnostics found;
  for (std::size_t begin = 0; begin < log.size();) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    const std::string line = log.substr(begin, end - begin);
    begin = end + 1;
    const std::size_t place = line.find(", line "), mark = line.find("; ", place);
    const std::size_t colon = line.find(": ", mark == std::string::npos ? 0 : mark);
    if (colon == std::string::npos || line.find("aborted") != std::string::npos ||
        line.find("JIT the PTX") != std::string::npos)
      continue;
    const bool is_warning = line.find("warning", mark == std::string::npos ? 0 : mark) < colon;
    if (is_warning) continue;
    Diagnostic diagnostic = error("sass.failed", line.substr(colon + 2), "");
    if (line.find("SM version specified by .target") != std::string::npos)
      diagnostic.cure = "Compile the source for this architecture, or an older one, first.";
    if (place != std::string::npos) {
      diagnostic.place.file = "PTX";
      diagnostic.place.line = std::atoi(line.c_str() + place + 7);
    }
    found.push_back(std::move(diagnostic));
  }
  if (found.empty()) found.push_back(error("sass.failed", "the PTX could not be compiled for the GPU", ""));
  return found;
}

// The diagnostics for a link that gave no code.
Diagnostics link_errors(const LinkOutcome& outcome, const std::string& arch) {
  switch (outcome.end) {
    case LinkOutcome::End::linked:
      return {error("sass.failed", "nvJitLink returned no code", "")};
    case LinkOutcome::End::refused:
      return ptx_errors(outcome.errors);
    case LinkOutcome::End::unknown_arch:
      return {error("sass.unknown_arch", worded("nvJitLink does not know the architecture `{}`", arch),
                    worded("Choose one that `{} doctor` lists, such as sm_90.", program_name()))};
    case LinkOutcome::End::not_created:
      return {error("toolchain.broken", worded("nvJitLink could not be started (code {})", outcome.code),
                    how_to_mend({"nvidia-nvjitlink"}))};
    case LinkOutcome::End::not_loaded:
      return {error("toolchain.no_sass_compiler", worded("PTX cannot be compiled to SASS here: {}", outcome.reason),
                    how_to_get({"nvidia-nvjitlink"},
                               "Run third_party/fetch cuda (it needs no GPU), or install the CUDA Toolkit."))};
    case LinkOutcome::End::not_started:
      return {worker_not_started(outcome.reason)};
    case LinkOutcome::End::too_slow:
      return {error("sass.failed", worded("nvJitLink did not finish within {} seconds", most_link_seconds),
                    "Unrolled loops and inlined calls multiply the code: use fewer of them in the kernel.")};
    case LinkOutcome::End::too_much_memory:
      return {error("sass.failed", worded("nvJitLink took more than {} of memory", outcome.reason),
                    "Unrolled loops and inlined calls multiply the code: use fewer of them in the kernel.")};
    case LinkOutcome::End::crashed:
      return {error("sass.crashed", worded("nvJitLink crashed ({}) on this PTX", outcome.reason),
                    "Only the SASS view and runs on a GPU need it. Another architecture or toolkit version may accept "
                    "this PTX.")};
  }
  return {};
}

// The number directly before `word` in `line`; 0 if there is none.
std::uint32_t number_before(std::string_view line, std::string_view word) {
  const std::size_t at = line.find(word);
  if (at == std::string_view::npos) return 0;
  const std::size_t end = line.find_last_of("0123456789", at);
  if (end == std::string_view::npos) return 0;
  const std::size_t before = line.find_last_not_of("0123456789", end);
  const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
  std::uint32_t value = 0;
  std::from_chars(line.data() + begin, line.data() + end + 1, value);
  return value;
}

// Reads ptxas's report on this kernel: from its "Compiling entry function" to the next one.
void read_report(std::string_view info, Sass& sass) {
  const std::size_t head = info.find("Compiling entry function '" + sass.kernel + "'");
  if (head == std::string_view::npos) return;
  std::string_view rest = info.substr(head);
  rest = rest.substr(0, rest.find("Compile time"));
  for (std::size_t begin = 0; begin < rest.size();) {
    const std::size_t end = std::min(rest.find('\n', begin), rest.size());
    const std::string_view line = rest.substr(begin, end - begin);
    begin = end + 1;
    if (line.find("bytes stack frame") != std::string_view::npos && sass.local_bytes == 0) {
      sass.local_bytes = number_before(line, " bytes stack frame");
      sass.spill_store_bytes = number_before(line, " bytes spill stores");
      sass.spill_load_bytes = number_before(line, " bytes spill loads");
    }
    if (line.find("Used ") != std::string_view::npos) {
      sass.registers_per_thread = static_cast<int>(number_before(line, " registers"));
      sass.shared_bytes = number_before(line, " bytes smem");
    }
  }
}

// What the cubin and ptxas's report tell of a kernel; nullopt if the cubin lacks it.
std::optional<Sass> kernel_of(std::vector<std::uint8_t> cubin, const std::string& mangled_kernel,
                              const std::string& arch, std::string_view report) {
  const auto kernel = find_in_cubin(cubin, mangled_kernel);
  if (!kernel) return std::nullopt;
  Sass sass{.kernel = mangled_kernel, .arch = arch};
  sass.cubin = std::move(cubin);
  read_report(report, sass);
  if (kernel->registers > 0) sass.registers_per_thread = kernel->registers;
  sass.barriers = kernel->barriers;
  if (kernel->stack_bytes > 0) sass.local_bytes = kernel->stack_bytes;
  return sass;
}

// Disassembles a kernel of a cubin with the disassembler at `program`.
Result<std::vector<SassInstruction>> instructions_of(const std::vector<std::uint8_t>& cubin,
                                                     const std::string& mangled_kernel, const std::string& program) {
  if (program.empty())
    return error("toolchain.no_disassembler", "nvdisasm, which prints a GPU's own instructions, was not found",
                 how_to_get({"nvidia-cuda-nvdisasm"},
                            "Run third_party/fetch cuda (it needs no GPU), or install the CUDA Toolkit's nvdisasm."));
  const auto kernel = find_in_cubin(cubin, mangled_kernel);
  if (!kernel) return error("sass.failed", "the cubin does not contain the kernel", "");
  const ProgramOutcome outcome =
      run_program(program, {"-c", "-ndf", "-gi", "-gp", "-fun", std::to_string(kernel->symbol), "{input}"}, cubin,
                  std::chrono::seconds(60));
  std::vector<SassInstruction> instructions;
  if (outcome.exit_status == 0) instructions = parse_disassembly(outcome.output, mangled_kernel);
  if (instructions.empty()) {
    const Wording reason = !outcome.started         ? "it could not be started"
                           : outcome.timed_out      ? Wording("it took longer than a minute")
                           : outcome.errors.empty() ? worded("it ended with status {}", outcome.exit_status)
                                                    : Wording(outcome.errors.substr(0, outcome.errors.find('\n')));
    const bool forgotten =
        // Nvdisasm 13.2 prints this for architectures below sm_75.
        outcome.errors.find("deprecated") != std::string::npos;
    return error("sass.not_disassembled", worded("{} returned no instructions: {}", program, reason),
                 forgotten ? Wording("Install the CUDA Toolkit 12.9: its nvdisasm still reads this GPU's machine code. "
                                     "Only the SASS view and "
                                     "the explanations of verify need it.")
                           : how_to_get({"nvidia-cuda-nvdisasm"},
                                        "Run third_party/fetch cuda to get an nvdisasm as new as the compiler."));
  }
  return instructions;
}

constexpr std::size_t kept_results = 64;  // enough for the window: a lesson's kernels, plain and recording

}  // namespace

Result<Sass> disassemble(Sass sass) {
  static Memo<std::vector<SassInstruction>> known(kept_results);
  const auto toolchain = locate_toolchain_for(sass.arch);
  if (!toolchain) return toolchain.errors();
  const std::string& program = toolchain->parts.disassembler_path;
  const std::string key = program + '\n' + sass.kernel + '\n' + std::string(sass.cubin.begin(), sass.cubin.end());
  auto instructions = known.get(key, [&] { return instructions_of(sass.cubin, sass.kernel, program); });
  if (!instructions) return instructions.take_errors();
  sass.instructions = std::move(*instructions);
  return sass;
}

Result<Sass> to_sass(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& arch) {
  auto compiled = to_cubin(ptx_text, mangled_kernel, arch);
  if (!compiled) return compiled;
  return disassemble(std::move(*compiled));
}

Result<Sass> disassemble(std::vector<std::uint8_t> cubin, const std::string& mangled_kernel, const std::string& arch) {
  std::optional<Sass> sass = kernel_of(std::move(cubin), mangled_kernel, arch, "");
  if (!sass) return error("sass.no_such_kernel", worded("the machine code has no kernel `{}`", mangled_kernel), "");
  return disassemble(*std::move(sass));
}

namespace {

// PTX that targets sm_90a only is assembled for sm_90a.
std::string with_features_of(const std::string& ptx_text, const std::string& arch) {
  if (arch != "sm_90") return arch;
  const std::size_t at = ptx_text.find(".target");
  const bool alone = at != std::string::npos && ptx_text.compare(std::min(at + 8, ptx_text.size()), 6, "sm_90a") == 0;
  return alone ? "sm_90a" : arch;
}

Result<Sass> assembled(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& asked,
                       const std::string& path) {
  const std::string arch = with_features_of(ptx_text, asked);
  if (path.empty())
    return error(
        "toolchain.no_sass_compiler",
        worded("PTX cannot be compiled to SASS here: {}",
               Wording("there is no libnvJitLink next to NVRTC or in a toolkit of the same version")),
        how_to_get({"nvidia-nvjitlink"}, "Run third_party/fetch cuda (it needs no GPU), or install the CUDA Toolkit."));
  LinkOutcome linked = link_ptx({path, arch, ptx_text});
  if (linked.end != LinkOutcome::End::linked || linked.cubin.empty()) return link_errors(linked, arch);
  std::optional<Sass> sass = kernel_of(std::move(linked.cubin), mangled_kernel, arch, linked.info);
  if (!sass)
    return error("sass.no_such_kernel", worded("the PTX has no kernel `{}`", mangled_kernel),
                 worded("It has: {}.", fmt::join(kernels_in_ptx(ptx_text), ", ")));
  return *std::move(sass);
}

}  // namespace

Result<Sass> to_cubin(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& arch) {
  static Memo<Sass> known(kept_results);
  const auto toolchain = locate_toolchain_for(arch);
  if (!toolchain) return toolchain.errors();
  const std::string& path = toolchain->parts.sass_compiler_path;
  const std::string key = path + '\n' + mangled_kernel + '\n' + arch + '\n' + ptx_text;
  return known.get(key, [&] { return assembled(ptx_text, mangled_kernel, arch, path); });
}

namespace {

// By ptxas; nullopt if it refuses the PTX, which may be newer than this ptxas.
std::optional<Sass> by_ptxas(const std::string& ptxas, const std::string& ptx_text, const std::string& mangled_kernel,
                             const std::string& arch) {
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(ptx_text.data()), ptx_text.size());
  const ProgramOutcome outcome =
      run_program(ptxas, {"--gpu-name", arch, "-lineinfo", "--verbose", "{input}", "-o", "{output}"}, bytes,
                  std::chrono::seconds(most_link_seconds));
  if (outcome.exit_status != 0 || outcome.timed_out) return std::nullopt;
  return kernel_of({outcome.output.begin(), outcome.output.end()}, mangled_kernel, arch, outcome.errors);
}

}  // namespace

Result<Sass> to_cubin_as_nvcc(const std::string& ptx_text, const std::string& mangled_kernel, const std::string& arch) {
  static Memo<Sass> known(kept_results);
  static const std::string ptxas = locate_program(SearchPlaces::of_this_process(), "ptxas");
  if (ptxas.empty()) return to_cubin(ptx_text, mangled_kernel, arch);
  return known.get(mangled_kernel + '\n' + arch + '\n' + ptx_text, [&]() -> Result<Sass> {
    std::optional<Sass> sass = by_ptxas(ptxas, ptx_text, mangled_kernel, with_features_of(ptx_text, arch));
    return sass ? *std::move(sass) : to_cubin(ptx_text, mangled_kernel, arch);
  });
}

}  // namespace lanescope::compile
