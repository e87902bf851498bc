#include "job/run/machine.h"

#include <filesystem>

#include "compile/nvcc/nvcc_kernels.h"
#include "core/architecture.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/run/prepared.h"

namespace lanescope::job {

namespace {

Result<std::vector<std::uint8_t>> cubin_of(const Request& request, const std::string& kernel, const std::string& ptx,
                                           const std::string& mangled) {
  if (request.kept != nullptr || request.source.name.ends_with(".ptx")) {
    Result<compile::Sass> sass = compile::to_cubin_as_nvcc(ptx, mangled, request.arch);
    if (!sass) return sass.take_errors();
    return std::move(sass->cubin);
  }
  compile::Options options;
  options.arch = request.arch;
  options.name_expressions = {kernel};
  options.machine_code = true;
  Result<compile::Ptx> compiled = compile::compile_with_either(request.source, options);
  if (!compiled) return compiled.take_errors();
  return std::move(compiled->cubin);
}

}  // namespace

Result<compile::CubinKernel> resources_of(const Request& request, const std::string& kernel, const std::string& ptx,
                                          const std::string& mangled) {
  const Result<std::vector<std::uint8_t>> code = cubin_of(request, kernel, ptx, mangled);
  if (!code) return code.errors();
  const std::optional<compile::CubinKernel> found = compile::find_in_cubin(*code, mangled);
  if (!found || found->registers == 0)
    return Diagnostic{Severity::error,
                      "sass.no_such_kernel",
                      {},
                      worded("The machine code has no information about `{}`.", kernel),
                      "Report this: a kernel that runs must be in its machine code."};
  return *found;
}

Result<compile::Sass> machine_code(const Request& request, const std::string& kernel, const std::string& ptx,
                                   const std::string& mangled) {
  Result<std::vector<std::uint8_t>> code = cubin_of(request, kernel, ptx, mangled);
  if (!code) return code.take_errors();
  Result<compile::Sass> sass = compile::disassemble(std::move(*code), mangled, request.arch);
  if (!sass) return sass;
  // NVRTC makes file names absolute. Restores the learner's name.
  std::error_code failed;
  const std::filesystem::path own = std::filesystem::absolute(request.source.name, failed).lexically_normal();
  for (compile::SassInstruction& in : sass->instructions)
    if (std::filesystem::path(in.file).lexically_normal() == own) in.file = request.source.name;
  return sass;
}

diagram::MachineCode picture_of(const compile::Sass& sass, const compile::Source& source, const trace::Launch& launch) {
  diagram::MachineCode code;
  for (const compile::SassInstruction& in : sass.instructions)
    code.instructions.push_back(
        {in.address, in.text, in.predicate, in.label, in.file == source.name ? in.line : 0, in.ptx_line});
  for (const std::string_view line : split(source.text, '\n')) code.source.emplace_back(line);
  code.arch = sass.arch;
  code.registers = sass.registers_per_thread;
  code.shared_bytes = std::uint64_t{launch.static_shared_bytes} + launch.dynamic_shared_bytes;
  code.local_bytes = sass.local_bytes;
  code.threads = static_cast<std::uint32_t>(launch.block.count());
  code.barriers = sass.barriers;
  return code;
}

Result<MachineFacts> machine_facts(const Outcome& outcome, int launch) {
  const LaunchOutcome* of = outcome.launch(launch);
  if (!of) return Diagnostic{Severity::error, "lesson.unknown_name", {}, worded("There is no launch {}.", launch), ""};
  const trace::Trace& trace = of->trace;
  const auto takes = resources_of(outcome.request, trace.kernel, of->ptx, of->mangled_kernel);
  if (!takes) return takes.errors();
  MachineFacts facts;
  facts.registers = takes->registers;
  const std::uint64_t shared = std::uint64_t{trace.launch.static_shared_bytes} + trace.launch.dynamic_shared_bytes;
  facts.occupancy = metrics::occupancy(
      outcome.request.arch,
      {facts.registers, shared, static_cast<std::uint32_t>(trace.launch.block.count()), takes->barriers});
  return facts;
}

Diagnostics check_residency(const Request& request, const Prepared& prepared, const RequestedLaunch& requested) {
  const trace::Launch& launch = requested.shape;
  if (!launch.cooperative) return {};
  const std::uint64_t shared = std::uint64_t{launch.static_shared_bytes} + launch.dynamic_shared_bytes;
  const auto threads = static_cast<std::uint32_t>(launch.block.count());
  const auto fitting = [&](int registers, int barriers) {
    return threads > 0 && threads <= 1024 ? metrics::occupancy(request.arch, {registers, shared, threads, barriers})
                                          : std::nullopt;
  };
  constexpr std::uint32_t multiprocessors = imitated_gpu::multiprocessors;
  // Compiling machine code takes as long as compiling the PTX. It is skipped if the launch fits with any number of
  // registers and barriers.
  const auto at_worst = fitting(metrics::most_registers_per_thread, metrics::most_barriers_per_block);
  if (at_worst && launch.grid.count() <= static_cast<std::uint64_t>(at_worst->blocks) * multiprocessors) return {};
  if (prepared.registers.load() < 0) {
    const auto found = resources_of(request, requested.kernel, prepared.ptx, prepared.mangled);
    prepared.barriers = found ? found->barriers : 0;
    prepared.registers = found ? found->registers : 0;
  }
  const int registers = prepared.registers, barriers = prepared.barriers;
  const auto fit = registers > 0 ? fitting(registers, barriers) : std::nullopt;
  using Limit = metrics::Occupancy::Limit;
  // sim::run() reports other limits.
  if (!fit || (fit->limit != Limit::registers && fit->limit != Limit::barriers)) return {};
  const std::uint64_t most = static_cast<std::uint64_t>(fit->blocks) * multiprocessors;
  if (launch.grid.count() <= most) return {};
  if (fit->limit == Limit::barriers)
    return {{Severity::error,
             "launch.cooperative_too_large",
             {},
             worded("a cooperative launch needs all its blocks resident at once, but of {} blocks only {} fit: {} "
                    "multiprocessors with {} block{} of {} threads each, because each block uses {} of the {} barriers "
                    "of a multiprocessor",
                    launch.grid.count(), most, multiprocessors, fit->blocks, fit->blocks == 1 ? "" : "s", threads,
                    barriers, multiprocessor_limits(request.arch)->barriers),
             worded("Launch at most {} blocks, and let each do more of the work in a loop, or use barriers with lower "
                    "numbers: a barrier whose number is in a register counts as all 16.",
                    most)}};
  return {
      {Severity::error,
       "launch.cooperative_too_large",
       {},
       worded("a cooperative launch needs all its blocks resident at once, but of {} blocks only {} fit: {} "
              "multiprocessors with {} block{} of {} threads each, because each thread uses {} registers",
              launch.grid.count(), most, multiprocessors, fit->blocks, fit->blocks == 1 ? "" : "s", threads, registers),
       most > 0 ? worded("Launch at most {} blocks, and let each do more of the work in a loop, or limit the registers "
                         "with __launch_bounds__({}, {}).",
                         most, threads, (launch.grid.count() + multiprocessors - 1) / multiprocessors)
                : "Use fewer threads per block."}};
}

}  // namespace lanescope::job
