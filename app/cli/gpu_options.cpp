#include "cli/gpu_options.h"

#include <string_view>

#include "cli/output/output.h"
#include "gpu/where.h"

namespace lanescope::cli {
namespace {

// Accepts "cpu" or a place of gpu/where.h; returns an error in CLI11's form: without the period, which is added. A
// place that this system does not reach is the command's to refuse, with a cure.
std::string check_device(const std::string& device) {
  if (device == "cpu") return "";
  const Result<gpu::Where> where = gpu::where_from(device);
  if (where || where.errors().front().code != "command.bad_device") return "";
  std::string reason = told(where.errors().front().message);
  for (const std::string_view period : {".", "。"})
    if (reason.ends_with(period)) reason.resize(reason.size() - period.size());
  return reason;
}

}  // namespace

const CLI::Validator& device_check() {
  static const CLI::Validator check(check_device, "");
  return check;
}

void add_device(CLI::App& command, RunnerOptions& runner) {
  add_device(command, runner.device, runner.gpu);
}

void add_device(CLI::App& command, std::string& device, int& gpu) {
  command
      .add_option("--device", device,
                  "where to run: cpu (the interpreter), gpu, or a GPU elsewhere: ssh:HOST, slurm, slurm:PARTITION")
      ->check(device_check());
  command.add_option("--gpu", gpu, "which GPU, when there are several (default 0)");
}

void add_gpu_place(CLI::App& command, std::string& device, int& gpu) {
  command.add_option("--device", device, "where the GPU is: gpu (here), ssh:HOST, slurm, slurm:PARTITION")
      ->check(device_check());
  command.add_option("--gpu", gpu, "which GPU, when there are several (default 0)");
}

void add_l2(CLI::App& command, std::string& l2) {
  command
      .add_option("--l2", l2,
                  "state of L2 before each timed launch: flushed, no data of its own and nothing to write back "
                  "(default); warm, as the last launch left it; overwritten, as in nvbench, filled with fresh "
                  "data whose write-back is timed too")
      ->check(CLI::IsMember({"flushed", "warm", "overwritten"}));
}

}  // namespace lanescope::cli
