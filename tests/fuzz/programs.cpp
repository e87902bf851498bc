// PTX, and what its kernel does within a budget of steps.

#include "cfg/control_flow_graph.h"
#include "fuzz/targets.h"
#include "instrument/instrument.h"
#include "metrics/report.h"
#include "metrics/steps.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::fuzz {
namespace {

constexpr std::uint32_t most_parameter_bytes = 4096;

// Buffers for possible pointers, small numbers for the rest; nothing if a parameter is too large for any launch.
std::optional<std::vector<sim::Argument>> arguments_for(const ptx::Function& kernel) {
  std::vector<sim::Argument> arguments;
  for (const auto& parameter : kernel.parameters) {
    const auto bytes = parameter.bytes();
    if (bytes > most_parameter_bytes) return std::nullopt;
    sim::Argument made;
    if (parameter.is_array || parameter.elements > 1) {
      made.raw_parameter.resize(bytes);
    } else if (bytes == 8) {
      made.is_buffer = true;
      made.type = sim::ElementType::i32;
      made.contents.resize(4096);
      for (std::size_t k = 0; k < made.contents.size(); k += 4) made.contents[k] = static_cast<std::byte>(k / 4);
    } else {
      made.type = bytes == 1 ? sim::ElementType::u8 : bytes == 2 ? sim::ElementType::u16 : sim::ElementType::u32;
      made.scalar_bits = 37;
    }
    arguments.push_back(std::move(made));
  }
  return arguments;
}

std::string all_of(const sim::LaunchResult& result) {
  std::string said = result.printf_output + "\n" + std::to_string(result.trace.events.size()) + "\n";
  for (const Diagnostic& one : result.diagnostics) said += format(one) + "\n";
  for (const sim::Argument& one : result.arguments)
    said.append(reinterpret_cast<const char*>(one.contents.data()), one.contents.size());
  return said;
}

sim::LaunchResult launched(const sim::Program& program, std::vector<sim::Argument> arguments, int threads, bool races) {
  sim::LaunchRequest request;
  request.launch.grid = {2, 1, 1};
  request.launch.block = {40, 1, 1};
  request.arguments = std::move(arguments);
  request.max_steps = 2000;
  request.threads = threads;
  request.races = races;
  request.record.events = true;
  request.record.event_budget_bytes = 1 << 20;
  sim::LaunchResult result = sim::run(program, std::move(request));
  must(result.completed || !result.diagnostics.empty(), "a launch that fails says why");
  return result;
}

}  // namespace

void ptx(Input input) {
  const Result<ptx::Module> module = ptx::parse(text_of(input), "input.ptx");
  if (!module) return;
  for (const ptx::Function& function : module->functions) cfg::build(function);
  const std::string printed = ptx::print(*module);
  const Result<ptx::Module> again = ptx::parse(printed, "printed.ptx");
  must(again.ok(), "printed PTX parses");
  must(ptx::print(*again) == printed, "printed PTX prints the same");
}

void ptx_run(Input input) {
  const Result<ptx::Module> module = ptx::parse(text_of(input), "input.ptx");
  if (!module) return;
  int kernels = 0;
  for (const ptx::Function& kernel : module->functions) {
    if (!kernel.is_entry || kernel.is_declaration || ++kernels > 2) continue;
    for (const instrument::Pass pass :
         {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations})
      if (const auto made = instrument::instrument(*module, kernel.name, pass); made.ok())
        must(ptx::parse(made->ptx, "instrumented.ptx").ok(), "instrumented PTX parses");
    const auto program = sim::prepare(*module, kernel.name);
    const auto arguments = arguments_for(kernel);
    if (!program.ok() || !arguments) continue;
    const sim::LaunchResult one = launched(**program, *arguments, 1, false);
    // A budget may end a launch of several blocks at different steps. A launch that completes is the same on any number
    // of threads.
    if (one.completed)
      must(all_of(one) == all_of(launched(**program, *arguments, 2, false)), "one thread and two agree");
    metrics::report(one.trace);
    metrics::steps(one.trace, 0, 0);
    launched(**program, *arguments, 1, true);
  }
}

}  // namespace lanescope::fuzz
