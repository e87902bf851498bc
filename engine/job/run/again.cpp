#include "job/run/again.h"

#include <algorithm>

#include "core/worded.h"
#include "device/kept_launch.h"
#include "job/run/kept.h"
#include "ptx/module.h"

namespace lanescope::job {
namespace {

Diagnostic no_launch(int number) {
  return {Severity::error,
          "value.no_launch",
          {},
          worded("There is no launch {}, or it did not run.", number),
          "Choose a launch of the run."};
}

bool is_there(const Outcome& outcome, int launch) {
  const LaunchOutcome* known = outcome.launch(launch);
  return known != nullptr && known->repeats > 0;
}

using LaunchPlace = std::vector<RequestedLaunch>::const_iterator;

// The place of one of its repeats in the request's launches.
LaunchPlace place_of(const Outcome& outcome, int launch, Repeat which) {
  const auto first = std::ranges::find(outcome.request.launches, launch, &RequestedLaunch::number);
  return which == Repeat::first ? first : first + (outcome.launch(launch)->repeats - 1);
}

// Runs the launches up to `end` again without recording.
Outcome run_until(const Outcome& outcome, LaunchPlace end, sim::Progress* progress, bool last_apart = false) {
  Request before = outcome.request;
  before.launches.assign(outcome.request.launches.begin(), end);
  before.launches.back().number += last_apart ? 1 : 0;
  before.record.totals = before.record.events = false;
  before.races = before.races_if_small = before.results = false;
  return run(before, nullptr, progress);
}

// The argument of the next parameter. If an earlier parameter passes the same buffer, it becomes a second name for it.
sim::Argument lent_argument(const RequestedLaunch& launch, const std::vector<sim::Argument>& before,
                            const std::vector<sim::Argument>& buffers) {
  const RequestedLaunch::Parameter& parameter = launch.parameters[before.size()];
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (launch.parameters[i].buffer != parameter.buffer || !before[i].is_buffer) continue;
    return sim::same_buffer(i, parameter.offset - launch.parameters[i].offset);
  }
  sim::Argument made = buffers.at(static_cast<std::size_t>(parameter.buffer));
  made.base_offset += parameter.offset;
  return made;
}

Result<std::vector<sim::Argument>> arguments_of_first(const Request& request) {
  const auto pointed_at = static_cast<std::ptrdiff_t>(request.first().pointed_at);
  const RequestedArguments further(request.buffers.begin(), request.buffers.begin() + pointed_at);
  return make_arguments({&request.arguments, &further});
}

Result<std::vector<sim::Argument>> arguments_of_later(const Outcome& outcome, LaunchPlace next,
                                                      sim::Progress* progress) {
  const Outcome before = run_until(outcome, next, progress);
  if (!before.completed) return before.diagnostics;
  std::vector<sim::Argument> arguments;
  for (const RequestedLaunch::Parameter& parameter : next->parameters) {
    if (parameter.buffer >= 0) {
      arguments.push_back(lent_argument(*next, arguments, before.arguments));
      continue;
    }
    Result<sim::Argument> scalar = make_argument(parameter.scalar);
    if (!scalar) return scalar.take_errors();
    arguments.push_back(std::move(*scalar));
  }
  return arguments;
}

Result<sim::LaunchRequest> request_again(const Outcome& outcome, int launch, Repeat which, sim::Progress* progress) {
  const Request& request = outcome.request;
  if (request.kept != nullptr) {
    sim::LaunchRequest again = kept_request(request, progress);
    again.threads = 1;
    return again;
  }
  const LaunchPlace place = place_of(outcome, launch, which);
  Result<std::vector<sim::Argument>> arguments =
      launch == 1 ? arguments_of_first(request) : arguments_of_later(outcome, place, progress);
  if (!arguments) return arguments.take_errors();
  sim::LaunchRequest again;
  again.launch = place->shape;
  again.arguments = std::move(*arguments);
  again.variables = outcome.launch(launch)->variables;
  again.heap = outcome.launch(launch)->heap;
  again.max_steps = request.max_steps;
  again.threads = 1;
  again.arch = request.arch;
  again.schedule_seed = request.schedule_seed;
  again.unwritten = request.unwritten;
  again.kernel_source_name = place->kernel;
  again.user_file = request.source.name;
  again.progress = progress;
  return again;
}

}  // namespace

Result<sim::LaunchRequest> launch_again(const Outcome& outcome, int launch, sim::Progress* progress) {
  if (!is_there(outcome, launch)) return no_launch(launch);
  return request_again(outcome, launch, Repeat::first, progress);
}

Result<Again> prepare_again(const Outcome& outcome, int launch, Repeat which, sim::Progress* progress) {
  if (!is_there(outcome, launch)) return no_launch(launch);
  if (outcome.request.kept != nullptr) {
    sim::LaunchRequest request = kept_request(outcome.request, progress);
    request.threads = 1;
    return Again{outcome.request.kept->program, std::move(request)};
  }
  const LaunchOutcome& of = *outcome.launch(launch);
  const Result<ptx::Module> module = ptx::parse(of.ptx, outcome.request.source.name + ".ptx");
  if (!module) return module.errors();
  Result<std::shared_ptr<const sim::Program>> program = sim::prepare(*module, of.mangled_kernel);
  if (!program) return program.take_errors();
  Result<sim::LaunchRequest> request = request_again(outcome, launch, which, progress);
  if (!request) return request.take_errors();
  if (which == Repeat::last && of.repeats > 1) {
    // The outcome only has the contents of variables and heap before the first repeat.
    Outcome ran = run_until(outcome, place_of(outcome, launch, which) + 1, progress, true);
    if (ran.launch_count() <= launch) return ran.diagnostics;
    request->variables = std::move(ran.launches.back().variables);
    request->heap = std::move(ran.launches.back().heap);
  }
  return Again{std::move(*program), std::move(*request)};
}

}  // namespace lanescope::job
