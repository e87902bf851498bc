// lanescope doctor: what was found on this machine, what is missing, and how to get it.

#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/gpu_session.h"
#include "cli/commands/own_parts.h"
#include "cli/input/lessons.h"
#include "cli/output/cures.h"
#include "cli/output/output.h"
#include "compile/nvcc/nvcc.h"
#include "compile/toolchain.h"
#include "core/os/abilities.h"
#include "core/os/cores.h"
#include "core/os/environment.h"
#include "core/os/machine.h"
#include "core/worded.h"
#include "gpu/gpu.h"
#include "gpu/worker.h"
#include "job/report/json.h"
#if LANESCOPE_HAS_GUI
#include "gui/window.h"
#endif

namespace lanescope::cli {

namespace {

Finding missing(Wording part, Wording what, Wording cure) {
  return {std::move(part), false, std::move(what), std::move(cure)};
}

Wording described(const gpu::Device& device) {
  return worded("{}: {}, {}, {} multiprocessors, {} GiB", device.index, device.name_and_place(), device.arch(),
                device.multiprocessors, device.memory_bytes >> 30);
}

void add_gpu(std::vector<Finding>& findings) {
  const Result<std::vector<gpu::Device>> devices = gpu::devices();
  if (!devices) {
    const Diagnostic& error = devices.errors().front();
    const bool driver_missing = error.code == "gpu.no_driver";
    findings.push_back(missing("NVIDIA driver", error.message, error.cure));
    findings.back().found = !driver_missing && error.code == "gpu.no_device";
    findings.push_back(
        missing("GPU", "No GPU to run on: kernels run in the interpreter.", driver_missing ? Wording() : error.cure));
    return;
  }
  const gpu::Device& first = devices->front();
  findings.push_back(
      {"NVIDIA driver", true, worded("{} (CUDA {})", first.kernel_driver_version, first.driver_version), ""});
  for (const gpu::Device& device : *devices) findings.push_back({"GPU", true, described(device), ""});
}

// Only administrators may read counters unless the driver's module was loaded with the right option, which /proc shows.
void add_counters(std::vector<Finding>& findings) {
  const std::optional<bool> restricted = counters_are_restricted();
  if (!restricted) {
    findings.push_back(missing("Hardware counters", "No NVIDIA driver to ask for permission.", ""));
    return;
  }
  if (!*restricted || is_administrator())
    findings.push_back({"Hardware counters", true, "This user may read them.", ""});
  else
    findings.push_back(
        missing("Hardware counters", "The driver lets only administrators read them.",
                "Load the module with NVreg_RestrictProfilingToAdminUsers=0 "
                "(a line `options nvidia NVreg_RestrictProfilingToAdminUsers=0` in /etc/modprobe.d), or run as root."));
}

Wording header_cure() {
  return compile::how_to_get({"nvidia-cuda-runtime", "nvidia-cuda-crt", "nvidia-cuda-cccl"}, "Run third_party/fetch.");
}

void add_compiler(std::vector<Finding>& findings) {
  const Result<compile::Toolchain> toolchain = compile::find_toolchain();
  if (!toolchain) {
    const Diagnostic& error = toolchain.errors().front();
    findings.push_back(missing("CUDA compiler (NVRTC)", error.message, error.cure));
    return;
  }
  findings.push_back(
      {"CUDA compiler (NVRTC)", true, worded("{} at {}", toolchain->nvrtc_version, toolchain->nvrtc_path), ""});
  findings.push_back({"CUDA headers", !toolchain->include_paths.empty(),
                      fmt::format("{}", fmt::join(toolchain->include_paths, ", ")),
                      toolchain->include_paths.empty() ? header_cure() : ""});
  const auto optional = [&](const char* part, const std::string& path, std::string_view package) {
    findings.push_back(
        path.empty() ? missing(part, "Not found: SASS cannot be shown.",
                               compile::how_to_get({package}, "Run third_party/fetch, or install the CUDA toolkit."))
                     : Finding{part, true, path, ""});
  };
  optional("PTX → SASS compiler", toolchain->sass_compiler_path, "nvidia-nvjitlink");
  optional("SASS disassembler", toolchain->disassembler_path, "nvidia-cuda-nvdisasm");
}

void add_nvcc(std::vector<Finding>& findings) {
  const Result<compile::LocatedNvcc> nvcc = compile::locate_nvcc();
  if (nvcc)
    findings.push_back(
        {"nvcc, for whole programs", true, worded("{}.{} at {}", nvcc->major, nvcc->minor, nvcc->path), ""});
  else
    findings.push_back(missing("nvcc, for whole programs", nvcc.errors().front().message, nvcc.errors().front().cure));
}

#if LANESCOPE_HAS_GUI
void add_fonts(std::vector<Finding>& findings) {
  const gui::Fonts fonts = gui::fonts_here();
  const Wording cure =
      compile::how_to_get({"lanescope"},
                          "Install Inter, JetBrains Mono and Noto Sans CJK. Debian and Ubuntu call them `fonts-inter`, "
                          "`fonts-jetbrains-mono` and `fonts-noto-cjk`.");
  if (fonts.as_designed && fonts.chinese)
    findings.push_back({"Fonts", true, worded("{}, and one for Chinese", fonts.names), ""});
  else if (fonts.names.empty())
    findings.push_back(missing("Fonts", "The window draws its text with a plain font of its own.", cure));
  else if (!fonts.chinese)
    findings.push_back(missing("Fonts", worded("{}, none for Chinese", fonts.names), cure));
  else
    findings.push_back({"Fonts", true, worded("{} in place of Inter and JetBrains Mono", fonts.names), ""});
}
#endif

void add_display(std::vector<Finding>& findings) {
#if LANESCOPE_HAS_GUI
  if (gui::display_available()) {
    findings.push_back({"Display", true, display_name(), ""});
  } else {
    findings.push_back(missing("Display", "None: lessons run in the terminal.", how_to_get_a_display()));
  }
  add_fonts(findings);
#else
  findings.push_back(missing("Window", "This binary was built without it.", "Build with the preset `release`."));
#endif
}

void add_machine(std::vector<Finding>& findings) {
  const std::string folder = lessons_folder();
  findings.push_back(
      folder.empty()
          ? missing("Lessons", "Not found.",
                    compile::how_to_get({"lanescope"}, "Set LANESCOPE_ROOT to the folder that holds lessons/."))
          : Finding{"Lessons", true, folder, ""});
  const int cores = usable_cores();
  findings.push_back({"Processor", true, cores == 1 ? worded("1 core") : worded("{} cores", cores), ""});
}

const char* state_of(const Finding& finding) {
  return *finding.state != '\0' ? finding.state : finding.found ? "found" : "missing";
}

std::string as_text(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    out += fmt::format("{:<8} {:<24} {}\n", told(state_of(finding)), told(finding.part), told(finding.what));
    if (!finding.cure.empty()) out += fmt::format("{:<8} {:<24} cure: {}\n", "", "", told(finding.cure));
  }
  return out;
}

std::string as_json(const std::vector<Finding>& findings) {
  nlohmann::ordered_json json = job::document_head();
  json["parts"] = nlohmann::ordered_json::array();
  for (const Finding& finding : findings)
    json["parts"].push_back({{"part", std::string(finding.part)},
                             {"found", finding.found},
                             {"state", state_of(finding)},
                             {"what", std::string(finding.what)},
                             {"cure", std::string(finding.cure)}});
  return job::dumped(json, true) + "\n";
}

// Checks the machine behind ssh or Slurm.
int doctor_elsewhere(const DoctorOptions& options) {
  std::vector<Finding> findings;
  Diagnostics problems;
  const Result<gpu::Where> where = gpu::where_from(options.device);
  if (!where) {
    problems = where.errors();
  } else if (options.install) {
    if (const auto copied = gpu::install_elsewhere(*where); !copied) problems = copied.errors();
  }
  if (problems.empty()) {
    const Result<std::vector<gpu::Device>> devices = devices_at(options.device);
    if (devices)
      for (const gpu::Device& device : *devices) findings.push_back({"GPU", true, described(device), ""});
    else
      problems = devices.errors();
  }
  for (const Diagnostic& problem : with_options(problems))
    findings.push_back({"GPU", false, problem.message, problem.cure});
  if (!print(options.json ? as_json(findings) : as_text(findings))) return 1;
  return problems.empty() ? 0 : 3;
}

}  // namespace

int doctor(const DoctorOptions& options) {
  if (options.device != "gpu" && options.device != "cpu") return doctor_elsewhere(options);
  std::vector<Finding> findings;
  add_compiler(findings);
  add_own_parts(findings, installation());
  const bool compiler_missing = !findings.front().found;
  if (can_stand_in_for_cuda()) add_nvcc(findings);
  add_gpu(findings);
  if (can_use_a_gpu()) add_counters(findings);
  add_display(findings);
  add_machine(findings);
  if (!print(options.json ? as_json(findings) : as_text(findings))) return 1;
  return compiler_missing ? 3 : 0;
}

}  // namespace lanescope::cli
