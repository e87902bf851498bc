#include "cli/commands/own_parts.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "compile/toolchain.h"
#include "core/os/environment.h"
#include "core/os/machine.h"
#include "core/os/program_name.h"
#include "core/worded.h"

namespace lanescope::cli {

namespace fs = std::filesystem;

namespace {

Wording cure_for(const Installation& installation, std::string_view package) {
  return how_to_install(installation, std::span(&package, 1));
}

// The first program of this name in PATH if it is another file.
fs::path called_instead_of(const fs::path& program) {
  for (const std::string& folder : folders_of_programs()) {
    const fs::path file = fs::path(folder) / program.filename();
    if (!is_program(file.generic_string())) continue;
    std::error_code failed;
    return fs::equivalent(file, program, failed) ? fs::path() : file;
  }
  return {};
}

void add_program(std::vector<Finding>& findings, const Installation& installation) {
  const std::string version = LANESCOPE_VERSION;
  if (installation.version_there != version)
    findings.push_back({"Lanescope", false,
                        worded("This program is version {}, but {} says {}: another version was installed over it.",
                               version, installation.site_packages.generic_string(), installation.version_there),
                        cure_for(installation, "lanescope"), "differs"});
  else if (const std::vector<std::string> missing = missing_data(installation); !missing.empty())
    findings.push_back(
        {"Lanescope", false,
         worded("{} {} lacks files: {} of them, such as {}.", "Lanescope", version, missing.size(), missing.front()),
         cure_for(installation, "lanescope"), "damaged"});
  else
    findings.push_back({"Lanescope", true, worded("{} at {}", version, installation.program.generic_string()), ""});
  if (const fs::path other = called_instead_of(installation.program); !other.empty())
    findings.push_back(
        {"Another Lanescope", true, other.generic_string(),
         worded("`{}` starts that one. This one is `{}`.", installation.program.filename().generic_string(),
                as_typed(installation.program.generic_string()))});
}

// One row for all complete packages, and one for each of the others.
void add_packages(std::vector<Finding>& findings, const Installation& installation) {
  std::vector<std::string> whole;
  for (const PackageState& state : packages_of(installation, "cuda")) {
    if (state.whole()) {
      whole.push_back(state.name + " " + state.found);
      continue;
    }
    const Wording what = state.found.empty()           ? worded("{} is not installed.", state.name)
                         : state.found != state.wanted ? worded("{} is version {}; this program was made for {}.",
                                                                state.name, state.found, state.wanted)
                                                       : worded("{} {} lacks files: {} of them, such as {}.",
                                                                state.name, state.found, state.missing, state.example);
    const char* const word = state.found.empty() ? "" : state.found != state.wanted ? "differs" : "damaged";
    findings.push_back({"Package of NVIDIA", false, what, cure_for(installation, state.name), word});
  }
  if (!whole.empty()) findings.push_back({"Packages of NVIDIA", true, fmt::format("{}", fmt::join(whole, ", ")), ""});
  // Only needed if there is a GPU whose counters can be read.
  const std::vector<PackageState> counting = packages_of(installation, "gpu");
  if (!counters_are_restricted() || std::ranges::all_of(counting, &PackageState::whole)) return;
  findings.push_back({"CUPTI (hardware)", false, "Not installed, or not whole. Only hardware counters need it.",
                      cure_for(installation, counting.front().name)});
}

}  // namespace

void add_own_parts(std::vector<Finding>& findings, const Installation& installation) {
  if (!installation.is_wheel()) return;
  add_program(findings, installation);
  add_packages(findings, installation);
}

std::string version_text() {
  const Installation& here = installation();
  std::string text = "lanescope " LANESCOPE_VERSION "\n";
  const auto line = [&](const char* what, const std::string& where) {
    text += fmt::format("{:<9} {}\n", what, where.empty() ? told("Not found.") : where);
  };
  line("program", here.program.generic_string());
  line("lessons", lessons_folder());
  line("docs", data_folder("docs"));
  if (here.is_wheel()) line("packages", here.site_packages.generic_string());
  const auto toolchain = compile::locate_toolchain();
  line("compiler", toolchain ? toolchain->parts.nvrtc_path : "");
  if (toolchain) {
    line("headers", fmt::format("{}", fmt::join(toolchain->parts.include_paths, ", ")));
    line("nvJitLink", toolchain->parts.sass_compiler_path);
    line("nvdisasm", toolchain->parts.disassembler_path);
  }
  text.pop_back();
  return text;
}

}  // namespace lanescope::cli
