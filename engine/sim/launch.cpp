// The checked ways into a launch: run it, or run it up to an event and read the registers there.

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/worded.h"
#include "sim/launch.h"
#include "sim/launch_check.h"
#include "sim/launch_run.h"

namespace lanescope::sim {

namespace {

// `take` gives the request's arguments to the result, by a copy or by a move.
template <typename Request, typename Take>
LaunchResult checked_run(const Program& program, Request& request, Take&& take) {
  LaunchResult result;
  trace::Launch launch = request.launch;
  launch.static_shared_bytes = program.static_shared_bytes;
  result.diagnostics = check_launch(*program.kernel, request, launch);
  result.arguments = take(request.arguments);
  if (has_error(result.diagnostics)) {
    result.trace.launch = launch;
    return result;
  }
  LaunchRun(program, request, result).run();
  return result;
}

Diagnostic no_such_event(std::uint32_t block, std::uint32_t warp, std::uint32_t sequence) {
  Diagnostic diagnostic;
  diagnostic.code = "run.no_such_event";
  diagnostic.message = worded("block {}, warp {} has no event number {}", block, warp, sequence);
  diagnostic.cure = "Choose an event of the trace.";
  return diagnostic;
}

}  // namespace

Diagnostics check_shape(const Program& program, const LaunchRequest& request) {
  trace::Launch launch = request.launch;
  launch.static_shared_bytes = program.static_shared_bytes;
  return check_shape(*program.kernel, request, launch);
}

LaunchResult run(const Program& program, const LaunchRequest& request) {
  return checked_run(program, request, [](const std::vector<Argument>& arguments) { return arguments; });
}

LaunchResult run(const Program& program, LaunchRequest&& request) {
  return checked_run(program, request, [](std::vector<Argument>& arguments) { return std::move(arguments); });
}

Result<std::vector<RegisterValues>> values_at(const Program& program, const LaunchRequest& request, std::uint32_t block,
                                              std::uint32_t warp, std::uint32_t sequence) {
  LaunchResult result;
  result.arguments = request.arguments;
  trace::Launch launch = request.launch;
  launch.static_shared_bytes = program.static_shared_bytes;
  result.diagnostics = check_launch(*program.kernel, request, launch);
  if (has_error(result.diagnostics)) return std::move(result.diagnostics);
  LaunchRequest replay = request;
  replay.record.totals = true;
  replay.record.events = true;
  replay.progress = nullptr;
  LaunchRun run(program, replay, result);
  Recorder::Watch watch{warp, sequence, false};
  const Frame* frame = run.run_to(block, watch);
  if (frame == nullptr || !watch.reached) return no_such_event(block, warp, sequence);
  std::vector<RegisterValues> values;
  const FunctionCode& code = *frame->code;
  for (std::size_t id = 0; id < code.register_slot.size(); ++id) {
    const std::uint32_t slot = code.register_slot[id];
    if (slot == 0) continue;
    RegisterValues& value = values.emplace_back();
    value.name = code.source->registers[id].name;
    value.type = code.source->registers[id].type;
    const int type_bytes = ptx::bytes_of(value.type);
    const auto bytes = static_cast<std::size_t>(std::min(type_bytes == 1 ? 2 : type_bytes, 8));
    std::uint32_t predicate = 0;
    std::memcpy(&predicate, frame->file + slot, 4);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (value.type == ptx::Type::pred)
        value.lanes[lane] = predicate >> lane & 1u;
      else
        std::memcpy(&value.lanes[lane], frame->file + slot + lane * bytes, bytes);
    }
  }
  return values;
}

}  // namespace lanescope::sim
