#include "gpu/job_array.h"

#include <chrono>

#include <fmt/format.h>

#include "core/os/subprocess.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::gpu {
namespace {

// Runs one of Slurm's programs and returns its output.
Result<std::string> told_by_slurm(const Where& where, std::vector<std::string> command) {
  const std::string program = command.front();
  constexpr std::chrono::seconds patience{120};  // Slurm's own programs retry for a while if its controller is busy
  const ProgramOutcome outcome = run_program("/usr/bin/env", std::move(command), {}, patience);
  if (outcome.exit_status == 0) return std::string(trimmed(outcome.output));
  std::string_view said = trimmed(outcome.errors);
  if (const std::size_t line = said.rfind('\n'); line != std::string_view::npos) said = said.substr(line + 1);
  return Diagnostic{Severity::error,
                    "gpu.unreachable",
                    {},
                    worded("{} on {} failed: {}", program, where.text(), Wording(std::string(said))),
                    contains(said, "env:") ? "Run Lanescope where Slurm's srun is, such as on the cluster's login node."
                                           : "Check in a terminal that Slurm's sbatch, squeue and scancel work there."};
}

}  // namespace

Result<std::string> submit_array(const Where& where, const JobArray& array) {
  std::string script = "exec";
  for (const std::string& word : array.command) script += " " + shell_quoted(word);
  std::vector<std::string> command{
      "sbatch",     "--parsable", "--job-name=" + array.name, fmt::format("--array=0-{}", array.tasks - 1),
      "--ntasks=1", "--gpus=1",   "--open-mode=append",       "--output=" + array.output};
  if (!where.name.empty()) command.push_back("--partition=" + where.name);
  command.push_back("--wrap=" + script);
  Result<std::string> job = told_by_slurm(where, std::move(command));
  if (!job) return job;
  return job->substr(0, job->find(';'));  // "42;cluster"
}

Result<ArrayState> state_of_array(const Where& where, const std::string& name) {
  const Result<std::string> list =
      told_by_slurm(where, {"squeue", "--noheader", "--array", "--name=" + name, "--format=%t %r"});
  if (!list) return list.errors();
  ArrayState state;
  for (const std::string_view line : split(*list, '\n')) {
    const std::string_view task = trimmed(line);
    if (task.empty()) continue;
    if (!task.starts_with("PD")) {
      ++state.running;
      continue;
    }
    ++state.waiting;
    const std::string_view reason = trimmed(task.substr(2));
    if (reason != "None") state.reason = reason;
  }
  return state;
}

Result<std::monostate> cancel_array(const Where& where, const std::string& name) {
  const Result<std::string> told = told_by_slurm(where, {"scancel", "--name=" + name});
  if (!told) return told.errors();
  return std::monostate{};
}

}  // namespace lanescope::gpu
