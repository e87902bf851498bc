#include "job/machine.h"

#include "compile/cubin.h"
#include "core/worded.h"

namespace lanescope::job {

namespace {

Result<std::vector<std::uint8_t>> machine_code(const Request& request, const std::string& kernel, const std::string& ptx,
                                               const std::string& mangled) {
  if (request.source.name.ends_with(".ptx")) {
    Result<compile::Sass> sass = compile::to_cubin(ptx, mangled, request.arch);
    if (!sass) return sass.take_errors();
    return std::move(sass->cubin);
  }
  compile::Options options;
  options.arch = request.arch;
  options.name_expressions = {kernel};
  options.machine_code = true;
  Result<compile::Ptx> compiled = compile::compile(request.source, options);
  if (!compiled) return compiled.take_errors();
  return std::move(compiled->cubin);
}

}  // namespace

Result<int> registers_of(const Request& request, const std::string& kernel, const std::string& ptx, const std::string& mangled) {
  const Result<std::vector<std::uint8_t>> code = machine_code(request, kernel, ptx, mangled);
  if (!code) return code.errors();
  const std::optional<compile::CubinKernel> found = compile::find_in_cubin(*code, mangled);
  if (!found || found->registers == 0)
    return Diagnostic{Severity::error, "sass.no_such_kernel", {}, worded("The machine code tells nothing of `{}`.", kernel),
                      "Report this: a kernel that runs must be in its machine code."};
  return found->registers;
}

Result<MachineFacts> machine_facts(const Outcome& outcome, int launch) {
  const trace::Trace* trace = outcome.trace_of(launch);
  if (!trace)
    return Diagnostic{Severity::error, "lesson.unknown_name", {}, worded("There is no launch {}.", launch), ""};
  const LaterLaunch* later = launch > 1 ? &outcome.later[static_cast<std::size_t>(launch) - 2] : nullptr;
  const Result<int> registers = registers_of(outcome.request, trace->kernel, later ? later->ptx : outcome.ptx,
                                             later ? later->mangled_kernel : outcome.mangled_kernel);
  if (!registers) return registers.errors();
  MachineFacts facts;
  facts.registers = *registers;
  const std::uint64_t shared = std::uint64_t{trace->launch.static_shared_bytes} + trace->launch.dynamic_shared_bytes;
  facts.occupancy = metrics::occupancy(outcome.request.arch, facts.registers, shared,
                                       static_cast<std::uint32_t>(trace->launch.block.count()));
  return facts;
}

}  // namespace lanescope::job
