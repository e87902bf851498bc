#pragma once
// A GPU on another machine: how a worker is started there, and the diagnostics if that fails.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace lanescope::gpu {

// Where a worker runs. Only the name of the way is kept here: hosts, users, ports and keys are in ssh's configuration,
// partitions in Slurm's.
struct Where {
  enum class Kind : std::uint8_t { here, ssh, slurm };
  Kind kind = Kind::here;
  std::string name;  // ssh: the host, "me@lab3"; slurm: the partition, or empty
  bool is_here() const { return kind == Kind::here; }
  std::string text() const;  // "ssh:me@lab3", "slurm:gpu", "slurm"; empty if here
};

// "gpu", "ssh:HOST", "slurm", "slurm:PARTITION". Diagnostic: command.bad_device.
Result<Where> where_from(std::string_view text);

// The command that starts a worker there, whose standard input and output become the wire. LANESCOPE_WORKER names the
// program to start. Without it, ssh looks for `lanescope` in the host's PATH, ~/.local/bin and remote_folder; Slurm
// starts this program's own file, which the nodes of a cluster share.
std::vector<std::string> worker_command(const Where& where);

// The command that writes this program's file, given on its standard input, to remote_folder of a host.
std::vector<std::string> install_command(const Where& where);
inline constexpr std::string_view remote_folder = ".cache/lanescope/worker";  // below the home folder

// A word for a POSIX shell, quoted.
std::string shell_quoted(std::string_view word);

// The first line of a remote worker: "lanescope-worker PROTOCOL VERSION". It separates what a login shell prints from
// the wire's messages.
inline constexpr std::string_view greeting = "lanescope-worker";
// Raise this with every change of the wire or its messages.
inline constexpr int protocol = 7;

// The worker did not start; `said` is the output of ssh, srun or the worker. Code: gpu.unreachable.
Diagnostic unreachable(const Where& where, const std::string& said);
// The worker there has this version, and another protocol. Code: gpu.other_version.
Diagnostic other_version(const Where& where, const std::string& version, int its_protocol);
// The connection to a running worker ended. Code: gpu.worker_lost.
Diagnostic connection_lost(const Where& where, const std::string& said);

}  // namespace lanescope::gpu
