#include "gpu/where.h"

#include <algorithm>
#include <cctype>

#include "core/os/abilities.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::gpu {
namespace {

Wording cure_of(const Where& where, const std::string& said) {
  const bool no_command = contains(said, "env:");
  if (where.kind == Where::Kind::slurm && contains(said, "LIMIT"))
    return "Set SLURM_TIMELIMIT to more minutes, or choose another partition.";
  if (where.kind == Where::Kind::slurm && no_command)
    return "Run Lanescope where Slurm's srun is, such as on the cluster's login node.";
  if (where.kind == Where::Kind::slurm) return "Check that srun starts a job there from a terminal.";
  if (no_command) return "Install ssh, OpenSSH's client.";
  if (contains(said, "not found")) return "Install Lanescope there.";
  return worded("Try `ssh {} true` in a terminal: it has to end without asking for anything.", where.name);
}

}  // namespace

std::string Where::text() const {
  if (kind == Kind::here) return "";
  const std::string way = kind == Kind::ssh ? "ssh" : "slurm";
  return name.empty() ? way : way + ":" + name;
}

Result<Where> where_from(std::string_view text) {
  const auto bad = [&] {
    return Diagnostic{
        Severity::error,
        "command.bad_device",
        {},
        worded("There is no device `{}`; there are gpu, ssh:HOST, slurm and slurm:PARTITION.", std::string(text)),
        "Write one of these."};
  };
  if (text == "gpu") return Where{};
  Where where;
  const std::size_t colon = text.find(':');
  const std::string_view way = text.substr(0, colon);
  if (colon != std::string_view::npos) where.name = text.substr(colon + 1);
  // The name becomes a word of a command line: it must not be an option or contain characters that a shell or Slurm
  // interprets.
  const bool is_word = std::ranges::all_of(where.name, [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
           std::string_view("@._-%:[]+,").find(c) != std::string_view::npos;
  });
  if (!is_word || where.name.starts_with("-")) return bad();
  if (way == "ssh" && !where.name.empty()) {
    where.kind = Where::Kind::ssh;
  } else if (way == "slurm" && (colon == std::string_view::npos || !where.name.empty())) {
    where.kind = Where::Kind::slurm;
  } else {
    return bad();
  }
  if (!can_reach_elsewhere())
    return Diagnostic{Severity::error,
                      "gpu.unreachable",
                      {},
                      "GPUs elsewhere are not reached from this operating system.",
                      "Use Lanescope on Linux or in WSL2 for that."};
  return where;
}

Diagnostic unreachable(const Where& where, const std::string& said) {
  return {Severity::error,
          "gpu.unreachable",
          {},
          said.empty() ? worded("No worker answers on {}.", where.text())
                       : worded("No worker answers on {}: {}", where.text(), Wording(said)),
          cure_of(where, said)};
}

Diagnostic other_version(const Where& where, const std::string& version, int its_protocol) {
  return {
      Severity::error,
      "gpu.other_version",
      {},
      worded("Lanescope on {} is version {} with messages of form {}, which this one ({}, form {}) cannot work with.",
             where.text(), version, its_protocol, LANESCOPE_VERSION, protocol),
      "Install the same version there."};
}

Diagnostic connection_lost(const Where& where, const std::string& said) {
  return {Severity::error,
          "gpu.worker_lost",
          {},
          said.empty()
              ? worded("The connection to {} ended in the middle of this run.", where.text())
              : worded("The connection to {} ended in the middle of this run: {}", where.text(), Wording(said)),
          "Run again: a new worker is started there."};
}

}  // namespace lanescope::gpu
