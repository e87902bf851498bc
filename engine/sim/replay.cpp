#include "sim/replay.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/memory/address_space.h"
#include "sim/replay_run.h"

namespace lanescope::sim {

namespace {

std::vector<RegisterValues> register_values(const Frame& frame) {
  std::vector<RegisterValues> values;
  const FunctionCode& code = *frame.code;
  for (std::size_t id = 0; id < code.register_slot.size(); ++id) {
    const std::uint32_t slot = code.register_slot[id];
    if (slot == 0) continue;
    RegisterValues& value = values.emplace_back();
    value.name = code.source->registers[id].name;
    value.type = code.source->registers[id].type;
    const int type_bytes = ptx::bytes_of(value.type);
    const auto bytes = static_cast<std::size_t>(std::min(type_bytes == 1 ? 2 : type_bytes, 8));
    std::uint32_t predicate = 0;
    std::memcpy(&predicate, frame.file + slot, 4);
    for (std::size_t lane = 0; lane < 32; ++lane) {
      if (value.type == ptx::Type::pred)
        value.lanes[lane] = predicate >> lane & 1u;
      else
        std::memcpy(&value.lanes[lane], frame.file + slot + lane * bytes, bytes);
    }
  }
  return values;
}

bool read_memory(Worker& worker, const StepState& state, std::uint64_t width, std::array<StepState::Bytes, 32>& memory,
                 std::array<std::uint32_t, 32>& written) {
  using namespace address_space;
  if (state.space == trace::MemorySpace::none || state.space == trace::MemorySpace::param) return false;
  const std::uint64_t window = state.space == trace::MemorySpace::shared        ? worker.shared_memory()
                               : state.space == trace::MemorySpace::distributed ? shared_window
                               : state.space == trace::MemorySpace::local       ? local_window
                                                                                : 0;
  bool all = width <= sizeof(StepState::Bytes);
  state.executed.for_each([&](int lane) {
    const auto at = static_cast<std::size_t>(lane);
    all = all && worker.peek(lane, window + state.addresses[at], width, memory[at].data());
    for (std::uint64_t byte = 0; all && byte < width; ++byte)
      if (worker.ever_written(lane, window + state.addresses[at] + byte, 1)) written[at] |= 1u << byte;
  });
  return all;
}

// The state of a worker that is just before the watched event. Then executes the event's instruction.
StepState state_of(Worker& worker, const Recorder::Watch& watch, std::uint64_t width) {
  const Recorder::Heard& event = watch.event;
  StepState state;
  state.site = event.site;
  state.active = {event.active};
  state.executed = {event.executed};
  state.space = event.space;
  state.addresses = watch.addresses;
  if (event.space == trace::MemorySpace::local)
    state.executed.for_each([&](int lane) {
      state.addresses[static_cast<std::size_t>(lane)] = worker.watched_offset(lane, event.executed);
    });
  state.before = register_values(*worker.watched_frame());
  state.memory_known = read_memory(worker, state, width, state.memory_before, state.written_before);
  state.done = worker.finish_watched(event);
  state.after = state.done ? register_values(*worker.watched_frame()) : state.before;
  state.memory_known = state.memory_known && read_memory(worker, state, width, state.memory_after, state.written_after);
  return state;
}

// Receives every write to some bytes and remembers the last one.
class WriteListener final : public Recorder::Listener {
 public:
  WriteListener(const Program& program, const WatchedMemory& wanted) : program_(program), wanted_(wanted) {}
  const Writes& writes() const { return writes_; }

  void hear(const Recorder::Heard& event) override {
    const std::optional<std::uint64_t> base = wanted_.base_of(event);
    if (!base || event.pattern == nullptr) return;
    const trace::Site& site = program_.sites[event.site];
    if (!writes_memory(site, event.space)) return;
    LaneMask{event.executed}.for_each([&](int lane) {
      const std::uint64_t at = address_of(*event.pattern, event.executed, lane) - *base;
      if (at >= wanted_.end() || at + site.width <= wanted_.begin()) return;
      const Writes::Last last{step_of(event), event.site, lane};
      writes_.by_one_thread = writes_.by_one_thread && (!writes_.last || same_thread(*writes_.last, last));
      ++writes_.count;
      writes_.last = last;
    });
  }

 private:
  static bool same_thread(const Writes::Last& a, const Writes::Last& b) {
    return a.step.block == b.step.block && a.step.warp == b.step.warp && a.lane == b.lane;
  }

  const Program& program_;
  const WatchedMemory wanted_;
  Writes writes_;
};

class WarpListener final : public Recorder::Listener {
 public:
  WarpListener(const Step& step, const std::function<void(const WarpStep&)>& tell) : step_(step), tell_(tell) {}
  void hear(const Recorder::Heard& event) override {
    if (event.block == step_.block && event.warp == step_.warp)
      tell_({event.sequence, event.site, {event.active}, {event.executed}});
  }

 private:
  const Step step_;
  const std::function<void(const WarpStep&)>& tell_;
};

}  // namespace

Result<std::vector<RegisterValues>> values_at(const Program& program, const LaunchRequest& request, std::uint32_t block,
                                              std::uint32_t warp, std::uint32_t sequence) {
  Result<StepState> state = state_at(program, request, {block, warp, sequence});
  if (!state) return state.take_errors();
  return std::move(state->before);
}

Result<StepState> state_at(const Program& program, const LaunchRequest& request, const Step& step) {
  Replay replay(program, request);
  if (has_error(replay.problems())) return std::move(replay.problems());
  StepState state;
  Recorder::Watch watch = watch_of(step);
  watch.arrived = [&](Worker& worker) { state = state_of(worker, watch, program.sites[watch.event.site].width); };
  if (!replay.run_to(&watch, nullptr)) return cancelled_diagnostic();
  if (!watch.reached) return no_such_event(step);
  return state;
}

Result<Writes> writes_to(const Program& program, const LaunchRequest& request, const WatchedBytes& bytes,
                         const std::optional<Step>& before) {
  Replay replay(program, request);
  if (has_error(replay.problems())) return std::move(replay.problems());
  WriteListener listener(program, {bytes, replay.clusters()});
  Recorder::Watch watch = before ? watch_of(*before) : Recorder::Watch{};
  if (!replay.run_to(before ? &watch : nullptr, &listener)) return cancelled_diagnostic();
  if (before && !watch.reached) return no_such_event(*before);
  return listener.writes();
}

Diagnostics hear_warp(const Program& program, const LaunchRequest& request, const Step& step,
                      const std::function<void(const WarpStep&)>& hear) {
  Replay replay(program, request);
  if (has_error(replay.problems())) return std::move(replay.problems());
  WarpListener listener(step, hear);
  Recorder::Watch watch = watch_of(step);
  if (!replay.run_to(&watch, &listener)) return {cancelled_diagnostic()};
  if (!watch.reached) return {no_such_event(step)};
  listener.hear(watch.event);
  return {};
}

}  // namespace lanescope::sim
