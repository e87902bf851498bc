#include "device/machine_code.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/machine_code/cubin.h"
#include "core/os/subprocess.h"
#include "core/text.h"
#include "core/worded.h"
#include "device/device.h"
#include "device/module.h"
#include "ptx/lexer.h"

namespace lanescope::device {

namespace {

constexpr std::chrono::seconds most_time_of_ptxas{120};
// ptxas takes seconds for each MiB. Of a larger module, such as the 22 MiB of CuPy's copy of CUB, each kernel that is
// asked for is assembled alone; the numbers are the same.
constexpr std::size_t most_bytes_assembled_whole = std::size_t{512} << 10;

using Cubin = std::vector<std::uint8_t>;

void say_why_not(Device& device, const Module& module, Wording reason, Wording cure) {
  device.observer().said(
      {Severity::warning,
       "device.no_machine_code",
       {module.text().name, 0, 0},
       worded("the program asks how many registers a kernel takes, which only ptxas knows: {}. It is told 0", reason),
       std::move(cure)});
}

std::string first_line(const std::string& text) {
  return text.substr(0, std::min(text.find('\n'), text.size()));
}

// The PTX without the bodies of other kernels than this one, where they begin a line as compilers write them.
std::string without_other_kernels(std::string_view text, std::string_view kernel) {
  std::string kept;
  std::size_t done = 0;
  for (std::size_t at = text.find(".entry "); at != std::string_view::npos; at = text.find(".entry ", at + 1)) {
    const std::size_t line = text.rfind('\n', at) + 1, name = at + std::strlen(".entry ");
    if (at < done || text[line] != '.') continue;
    if (text.substr(name, text.find_first_of("( \n", name) - name) == kernel) continue;
    kept += text.substr(done, line - done);
    done = at + ptx::end_of_function(text.substr(at));
  }
  return kept.append(text.substr(done));
}

constexpr const char* by_hand = "Start ptxas by hand to see all that it says of the PTX.";

Wording reason_of_end(const ProgramOutcome& outcome, const std::string& ptxas) {
  if (!outcome.started) return worded("{} does not start", ptxas);
  if (outcome.timed_out) return worded("ptxas was still running after {} seconds", most_time_of_ptxas.count());
  if (outcome.exit_status < 0) return "a signal ended ptxas";
  return worded("ptxas refuses its PTX: {}", first_line(outcome.errors + outcome.output));
}

void say_why_it_failed(Device& device, const Module& module, const ProgramOutcome& outcome) {
  const bool newer = contains(outcome.errors + outcome.output, "Unsupported .version");
  say_why_not(device, module, reason_of_end(outcome, device.settings().ptxas),
              newer ? Wording("The program's compiler is newer than this ptxas: install a CUDA Toolkit as new, and set "
                              "CUDA_HOME to it.")
                    : Wording(by_hand));
}

// Empty if there is none. `only`: the kernel that is assembled; empty for all.
Cubin assembled(Device& device, const Module& module, const std::string& only) {
  const std::string& ptxas = device.settings().ptxas;
  if (ptxas.empty()) {
    say_why_not(device, module, "ptxas was not found",
                "Get ptxas: `third_party/fetch nvcc`, or install the CUDA Toolkit.");
    return {};
  }
  // PTX for a single architecture, such as sm_90a, must be assembled for exactly that one.
  const std::string& target = module.text().target;
  const std::string& arch = target.starts_with(device.settings().arch) ? target : device.settings().arch;
  std::vector<std::string> options{"--gpu-name", arch, "{input}", "-o", "{output}"};
  if (module.ptx().starts_with(most_registers_line))
    options.push_back("--maxrregcount=" + first_line(module.ptx()).substr(std::strlen(most_registers_line)));
  const std::string text = only.empty() ? module.ptx() : without_other_kernels(module.ptx(), only);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
  const ProgramOutcome outcome = run_program(ptxas, std::move(options), bytes, most_time_of_ptxas);
  if (outcome.exit_status != 0) {
    say_why_it_failed(device, module, outcome);
    return {};
  }
  if (outcome.output.empty()) say_why_not(device, module, "ptxas wrote nothing", by_hand);
  return {outcome.output.begin(), outcome.output.end()};
}

}  // namespace

std::optional<MachineCode> machine_code_of(Device& device, const Kernel& kernel) {
  // The key is the module's serial number, which is unique, and the kernel where it is assembled alone.
  static auto* const known = new std::map<std::pair<std::uint64_t, std::string>, Cubin>;
  const bool whole = kernel.module->ptx().size() <= most_bytes_assembled_whole;
  const std::string only = whole ? "" : kernel.function->name;
  const auto [cubin, is_new] = known->try_emplace({kernel.module->serial(), only});
  if (is_new) cubin->second = assembled(device, *kernel.module, only);
  const auto found = compile::find_in_cubin(cubin->second, kernel.function->name);
  if (!found || found->registers == 0) {
    if (!cubin->second.empty())
      say_why_not(device, *kernel.module, worded("what ptxas wrote has no kernel `{}`", kernel.function->name),
                  by_hand);
    return std::nullopt;
  }
  return MachineCode{found->registers, static_cast<int>(found->stack_bytes), static_cast<int>(found->constant_bytes),
                     found->barriers};
}

}  // namespace lanescope::device
