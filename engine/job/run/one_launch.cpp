#include "job/run/one_launch.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace lanescope::job {
namespace {

// Two executions with the same key can represent each other.
auto kernel_and_shape(const std::string& kernel, const trace::Launch& launch) {
  const auto extents = [](const Dim3& of) { return std::tuple(of.x, of.y, of.z); };
  return std::tuple(kernel, extents(launch.grid), extents(launch.block), launch.dynamic_shared_bytes,
                    launch.cooperative, extents(launch.cluster));
}

// The run up to this execution. Each launch gets its own number, so that no two traces are summed.
Request up_to(const Request& request, std::size_t execution) {
  Request made = request;
  made.launches.resize(execution + 1);
  for (std::size_t i = 0; i <= execution; ++i) made.launches[i].number = static_cast<int>(i) + 1;
  made.races = false;
  return made;
}

const RequestedArgument& text_at(const Request& request, std::size_t place) {
  const std::size_t own = request.arguments.size();
  return place < own ? request.arguments.at(place) : request.buffers.at(place - own);
}

void take_places(OneLaunch& one, const Request& whole, const RequestedLaunch& launch) {
  const std::size_t all = whole.arguments.size() + whole.buffers.size();
  Request& request = one.outcome.request;
  request.arguments.clear(), request.buffers.clear();
  std::vector<bool> taken(all, false);
  for (const RequestedLaunch::Parameter& parameter : whole.parameters_of(launch)) {
    const int place = parameter.buffer;
    one.places.push_back({place, parameter.offset});
    if (place >= 0) taken.at(static_cast<std::size_t>(place)) = true;
    request.arguments.push_back(place < 0 ? parameter.scalar : text_at(whole, static_cast<std::size_t>(place)));
  }
  const auto pointed_at = request.arguments.end() - static_cast<std::ptrdiff_t>(launch.pointed_at);
  request.buffers.assign(pointed_at, request.arguments.end());
  request.arguments.erase(pointed_at, request.arguments.end());
  for (std::size_t place = 0; place < all; ++place) {
    if (taken[place]) continue;
    one.places.push_back({static_cast<int>(place), 0});
    request.buffers.push_back(text_at(whole, place));
  }
}

}  // namespace

std::vector<WhichLaunch> executions(const Outcome& outcome) {
  std::vector<WhichLaunch> list;
  for (const RequestedLaunch& launch : outcome.request.launches) {
    const bool again = !list.empty() && list.back().number == launch.number;
    list.push_back({launch.number, outcome.launch_count(), again ? list.back().repeat + 1 : 1, 1});
  }
  for (std::size_t i = list.size(); i-- > 0;)
    list[i].repeats =
        i + 1 < list.size() && list[i + 1].number == list[i].number ? list[i + 1].repeats : list[i].repeat;
  return list;
}

std::size_t first_execution(const Outcome& outcome, int launch) {
  const auto list = executions(outcome);
  return static_cast<std::size_t>(std::ranges::find(list, launch, &WhichLaunch::number) - list.begin());
}

std::vector<std::size_t> telling_executions(const Outcome& outcome, std::size_t most) {
  const std::vector<RequestedLaunch>& launches = outcome.request.launches;
  const std::size_t count = launches.size();
  std::vector<std::size_t> list{0};
  std::set known{kernel_and_shape(launches[0].kernel, launches[0].shape)};
  for (std::size_t i = 1; i < count; ++i) {
    const bool is_new = known.insert(kernel_and_shape(launches[i].kernel, launches[i].shape)).second,
               last = i + 1 == count;
    if (count <= most || last || (is_new && list.size() + 1 < most)) list.push_back(i);
  }
  return list;
}

Result<OneLaunch> one_launch(const Outcome& whole, std::size_t execution) {
  const std::vector<WhichLaunch> all = executions(whole);
  OneLaunch one{.execution = execution, .which = all.at(execution), .outcome = {}, .places = {}};
  for (std::size_t i = 0; i < execution; ++i)
    one.start_rounds = one.start_rounds || rounds_by_order(*whole.trace_of(all[i].number));
  Request request = up_to(whole.request, execution);
  const bool has_trace = one.which.repeats == 1;  // otherwise the run's trace sums several executions
  if (has_trace) request.record.totals = request.record.events = false;
  Outcome run = job::run(request);
  if (!run.completed) return run.diagnostics;
  const RequestedLaunch& launch = run.request.launches.back();
  Outcome& outcome = one.outcome;
  outcome.request = run.request;
  outcome.request.record = whole.request.record;
  outcome.request.launches.assign(
      1,
      {.kernel = launch.kernel, .shape = launch.shape, .pointed_at = launch.pointed_at, .declared = launch.declared});
  take_places(one, run.request, launch);
  Result<std::vector<sim::Argument>> after = arranged(one, run.arguments);
  if (!after) return after.take_errors();
  outcome.arguments = std::move(*after);
  outcome.completed = true;
  LaunchOutcome& last = run.launches.back();
  outcome.first().trace = has_trace ? *whole.trace_of(one.which.number) : std::move(last.trace);
  outcome.first().ptx = std::move(last.ptx);
  outcome.first().mangled_kernel = std::move(last.mangled_kernel);
  outcome.first().variables = std::move(last.variables);
  outcome.first().stack = last.stack;
  return one;
}

Result<std::vector<sim::Argument>> arranged(const OneLaunch& one, const std::vector<sim::Argument>& memory) {
  std::vector<sim::Argument> list;
  for (std::size_t i = 0; i < one.places.size(); ++i) {
    const OneLaunch::Place& place = one.places[i];
    if (place.of_whole >= 0) {
      const auto first = std::ranges::find(one.places, place.of_whole, &OneLaunch::Place::of_whole);
      const auto known = static_cast<std::size_t>(first - one.places.begin());
      list.push_back(known < i ? sim::same_buffer(known, place.offset - first->offset)
                               : memory.at(static_cast<std::size_t>(place.of_whole)));
      if (known == i) list.back().base_offset += place.offset;
      continue;
    }
    Result<sim::Argument> scalar = make_argument(text_at(one.outcome.request, i));
    if (!scalar) return scalar.take_errors();
    list.push_back(std::move(*scalar));
  }
  return list;
}

bool rounds_by_order(const trace::Trace& trace) {
  return std::any_of(trace.sites.begin(), trace.sites.end(), [](const trace::Site& site) {
    return trace::is_atomic(site.operation) &&
           (site.opcode.find(".f") != std::string::npos || site.opcode.find(".bf16") != std::string::npos);
  });
}

}  // namespace lanescope::job
