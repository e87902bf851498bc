#include "cli/commands/peers.h"

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/input/lessons.h"
#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "core/os/subprocess.h"
#include "core/worded.h"

namespace lanescope::cli {

namespace {

namespace fs = std::filesystem;

fs::path executable_folder() {
  return own_path().parent_path();
}

std::string quoted(const fs::path& path) {
  std::string out = "'";
  for (const char c : path.generic_string()) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The time that the peer printed; negative if it failed.
double seconds_of(const std::string& oclgrind, const std::vector<std::string>& arguments) {
  const ProgramOutcome ran = run_program(oclgrind, arguments, {}, std::chrono::hours(1));
  double seconds = -1;
  return ran.exit_status == 0 && std::sscanf(ran.output.c_str(), "%lf", &seconds) == 1 ? seconds : -1;
}

}  // namespace

Result<std::vector<PeerTime>> run_oclgrind(const std::vector<std::string>& kernels) {
  const fs::path folder = executable_folder(), peer = folder / "lanescope_opencl_peer";
  const fs::path source = fs::path(data_folder("bench")) / "peers/kernels.cl";
  std::error_code failed;
  const std::string oclgrind = path_of_program("oclgrind");
  if (oclgrind.empty())
    return Diagnostic{Severity::error,
                      "peer.missing",
                      {},
                      "Oclgrind is not on this machine.",
                      "Install the Debian packages oclgrind, ocl-icd-opencl-dev and opencl-headers."};
  if (!fs::exists(source, failed))
    return Diagnostic{Severity::error,
                      "peer.missing",
                      {source.generic_string()},
                      "The OpenCL kernels were not found.",
                      "Set LANESCOPE_ROOT to the folder that holds bench/."};
  if (!fs::exists(peer, failed))
    return Diagnostic{Severity::error,
                      "peer.missing",
                      {peer.generic_string()},
                      "The program that Oclgrind runs is not built.",
                      worded("With the Debian packages ocl-icd-opencl-dev and opencl-headers: "
                             "cmake {} && cmake --build {} --target lanescope_opencl_peer",
                             quoted(folder), quoted(folder))};
  std::vector<PeerTime> times;
  for (const std::string& kernel : kernels) {
    const double seconds =
        seconds_of(oclgrind, {"--num-threads", "1", peer.generic_string(), source.generic_string(), kernel});
    if (seconds <= 0)
      return Diagnostic{Severity::error,
                        "peer.failed",
                        {},
                        worded("Oclgrind did not run `{}`.", kernel),
                        "See what it printed above."};
    times.push_back({kernel, seconds});
  }
  return times;
}

}  // namespace lanescope::cli
