#include "cli/commands/peers.h"

#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "cli/input/lessons.h"
#include "core/os/own_path.h"
#include "core/worded.h"

namespace lanescope::cli {

namespace {

namespace fs = std::filesystem;

fs::path executable_folder() {
  return own_path().parent_path();
}

bool in_path(const char* program) {
  const char* path = std::getenv("PATH");
  std::string folders = path ? path : "";
  std::error_code failed;
  for (std::size_t begin = 0; begin < folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    if (fs::exists(fs::path(folders.substr(begin, end - begin)) / program, failed)) return true;
    begin = end + 1;
  }
  return false;
}

std::string quoted(const fs::path& path) {
  std::string out = "'";
  for (const char c : path.string()) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The time that the peer printed; negative if it failed.
double seconds_of(const std::string& command) {
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (!pipe) return -1;
  double seconds = -1;
  const bool read = std::fscanf(pipe, "%lf", &seconds) == 1;
  const int status = ::pclose(pipe);
  return read && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? seconds : -1;
}

}  // namespace

Result<std::vector<PeerTime>> run_oclgrind(const std::vector<std::string>& kernels) {
  const fs::path folder = executable_folder(), peer = folder / "lanescope_opencl_peer";
  const fs::path source = fs::path(data_folder("bench")) / "peers/kernels.cl";
  std::error_code failed;
  if (!in_path("oclgrind"))
    return Diagnostic{Severity::error,
                      "peer.missing",
                      {},
                      "Oclgrind is not on this machine.",
                      "Install the Debian packages oclgrind, ocl-icd-opencl-dev and opencl-headers."};
  if (!fs::exists(source, failed))
    return Diagnostic{Severity::error,
                      "peer.missing",
                      {source.string()},
                      "The OpenCL kernels were not found.",
                      "Set LANESCOPE_ROOT to the folder that holds bench/."};
  if (!fs::exists(peer, failed))
    return Diagnostic{Severity::error,
                      "peer.missing",
                      {peer.string()},
                      "The program that Oclgrind runs is not built.",
                      worded("With the Debian packages ocl-icd-opencl-dev and opencl-headers: "
                             "cmake {} && cmake --build {} --target lanescope_opencl_peer",
                             quoted(folder), quoted(folder))};
  std::vector<PeerTime> times;
  for (const std::string& kernel : kernels) {
    const double seconds =
        seconds_of(fmt::format("oclgrind --num-threads 1 {} {} {}", quoted(peer), quoted(source), kernel));
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
