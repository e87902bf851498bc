// Commands that start a worker on another machine.

#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "gpu/where.h"

namespace lanescope::gpu {

std::string shell_quoted(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

namespace {

// The remote user's shell may be any that can run `sh -c '…'`.
std::string for_any_shell(const std::string& script) {
  return "exec sh -c " + shell_quoted(script);
}

// The program on the GPU's machine, if the user names it; else empty.
std::string named_worker() {
  return value_of_variable("LANESCOPE_WORKER").value_or("");
}

std::string worker_script() {
  if (const std::string named = named_worker(); !named.empty()) return "exec " + shell_quoted(named) + " worker";
  const std::string kept = "\"$HOME/" + std::string(remote_folder) + "/lanescope\"";
  return "for one in lanescope \"$HOME/.local/bin/lanescope\" " + kept +
         "; do command -v \"$one\" >/dev/null 2>&1 && exec \"$one\" worker; done; "
         "echo 'lanescope: command not found' >&2; exit 127";
}

// Never asks for a password, and detects a dead connection within seconds.
std::vector<std::string> by_ssh(const Where& where, const std::string& script) {
  return {"/usr/bin/env",
          "ssh",
          "-T",
          "-o",
          "BatchMode=yes",
          "-o",
          "ConnectTimeout=15",
          "-o",
          "ServerAliveInterval=5",
          "-o",
          "ServerAliveCountMax=3",
          "--",
          where.name,
          for_any_shell(script)};
}

}  // namespace

std::vector<std::string> worker_command(const Where& where) {
  if (where.is_here()) return {own_path().generic_string(), "gpu-worker"};
  if (where.kind == Where::Kind::ssh) return by_ssh(where, worker_script());
  std::vector<std::string> command{"/usr/bin/env", "srun",     "--job-name=lanescope",
                                   "--ntasks=1",   "--gpus=1", "--unbuffered"};
  if (!where.name.empty()) command.push_back("--partition=" + where.name);
  const std::string named = named_worker();
  command.push_back(named.empty() ? own_path().generic_string() : named);
  command.push_back("worker");
  return command;
}

std::vector<std::string> install_command(const Where& where) {
  const std::string folder = "\"$HOME/" + std::string(remote_folder) + "\"";
  return by_ssh(
      where, "mkdir -p " + folder + " && cd " + folder + " && cat >new.$$ && chmod 755 new.$$ && mv new.$$ lanescope");
}

}  // namespace lanescope::gpu
