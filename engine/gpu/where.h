#pragma once
// A GPU that is elsewhere: how a worker is started there, and what is said when that fails.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace lanescope::gpu {

// Where a worker runs. Of another machine only the way to it is known here: hosts, users, ports and keys are the
// business of ssh's configuration, partitions of Slurm's.
struct Where {
  enum class Kind : std::uint8_t { here, ssh, slurm };
  Kind kind = Kind::here;
  std::string name;  // ssh: the host, "me@lab3"; slurm: the partition, or empty
  bool is_here() const { return kind == Kind::here; }
  std::string text() const;  // "ssh:me@lab3", "slurm:gpu", "slurm"; empty here
};

// "gpu", "ssh:HOST", "slurm", "slurm:PARTITION". Diagnostic: command.bad_device.
Result<Where> where_from(std::string_view text);

// What starts a worker there. Its standard input and output become the wire. LANESCOPE_WORKER names the program to
// start; without it ssh looks for `lanescope` in the host's PATH, ~/.local/bin and remote_folder, and Slurm starts this
// program's own file, which a cluster's nodes share.
std::vector<std::string> worker_command(const Where& where);

// What puts this program's file, given on its standard input, into remote_folder of a host.
std::vector<std::string> install_command(const Where& where);
inline constexpr std::string_view remote_folder = ".cache/lanescope/worker";  // below the home folder

// The first line of a worker elsewhere, before anything of the wire: what a login prints comes before it.
// "lanescope-worker PROTOCOL VERSION".
inline constexpr std::string_view greeting = "lanescope-worker";
// Raised with every change of the wire or its messages.
inline constexpr int protocol = 2;

// No worker came: `said` is what ssh, srun or the worker printed. Code: gpu.unreachable.
Diagnostic unreachable(const Where& where, const std::string& said);
// The worker there is of another version. Code: gpu.other_version.
Diagnostic other_version(const Where& where, const std::string& version);
// It was there, and is gone. Code: gpu.worker_lost.
Diagnostic connection_lost(const Where& where, const std::string& said);

}  // namespace lanescope::gpu
