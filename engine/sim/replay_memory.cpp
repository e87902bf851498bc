// Replays that examine bytes of memory: who reads them next, what they contain, who accessed them.

#include <algorithm>
#include <limits>

#include "sim/memory/address_space.h"
#include "sim/replay_memory.h"
#include "sim/replay_run.h"

namespace lanescope::sim {

namespace {

bool reads_memory(const trace::Site& site, trace::MemorySpace space) {
  using trace::Operation;
  return site.operation == Operation::load || trace::is_atomic(site.operation) ||
         (site.operation == Operation::async_copy && space != trace::MemorySpace::shared);
}

// Receives the reads after a step, and stops the launch when it has enough of them.
class ReadListener final : public Recorder::Listener {
 public:
  ReadListener(const Program& program, const WatchedMemory& wanted, const std::optional<Step>& after, std::size_t most,
               Recorder::Watch& end)
      : program_(program), wanted_(wanted), after_(after), most_(most), end_(end), begun_(!after) {}
  Reads& reads() { return reads_; }
  bool begun() const { return begun_; }

  void hear(const Recorder::Heard& event) override {
    if (!begun_) {
      begun_ = step_of(event) == *after_;
      return;
    }
    const std::optional<std::uint64_t> base = wanted_.base_of(event);
    if (!base || event.pattern == nullptr) return;
    const trace::Site& site = program_.sites[event.site];
    const bool reads = reads_memory(site, event.space), writes = writes_memory(site, event.space);
    std::optional<Reads::Access> last;
    LaneMask{event.executed}.for_each([&](int lane) {
      const std::uint64_t at = address_of(*event.pattern, event.executed, lane) - *base;
      if (at >= wanted_.end() || at + site.width <= wanted_.begin()) return;
      last = Reads::Access{step_of(event), event.site, lane};
      if (!reads) return;
      if (reads_.first.size() < most_)
        reads_.first.push_back(*last);
      else
        reads_.more = true;
    });
    if (last && writes) reads_.overwrite = last;
    end_.reached = reads_.overwrite || reads_.more;
  }

 private:
  const Program& program_;
  const WatchedMemory wanted_;
  const std::optional<Step> after_;
  const std::size_t most_;
  Recorder::Watch& end_;
  bool begun_;
  Reads reads_;
};

class TouchListener final : public Recorder::Listener {
 public:
  TouchListener(const Program& program, const WatchedMemory& wanted, std::uint32_t element)
      : program_(program), wanted_(wanted), element_(element), elements_(wanted.size() / element) {}
  std::vector<MemoryState::Element>& elements() { return elements_; }

  void hear(const Recorder::Heard& event) override {
    const std::optional<std::uint64_t> base = wanted_.base_of(event);
    if (!base || event.pattern == nullptr) return;
    const trace::Site& site = program_.sites[event.site];
    const bool reads = reads_memory(site, event.space), writes = writes_memory(site, event.space);
    LaneMask{event.executed}.for_each([&](int lane) {
      each(address_of(*event.pattern, event.executed, lane) - *base, site.width, [&](MemoryState::Element& one) {
        count(one.reads, reads);
        count(one.writes, writes);
        one.block = event.block, one.warp = event.warp;
      });
    });
  }
  // Notes the step itself.
  void mark(const Recorder::Watch& watch) {
    const Recorder::Heard& event = watch.event;
    if (event.executed == 0) return;
    const std::optional<std::uint64_t> base = wanted_.base_of(event);
    if (!base) return;
    const trace::Site& site = program_.sites[event.site];
    const bool reads = reads_memory(site, event.space), writes = writes_memory(site, event.space);
    LaneMask{event.executed}.for_each([&](int lane) {
      each(watch.addresses[static_cast<std::size_t>(lane)] - *base, site.width, [&](MemoryState::Element& one) {
        if (reads) one.read.bits |= 1u << lane;
        if (writes) one.written.bits |= 1u << lane;
      });
    });
  }

 private:
  template <typename Do>
  void each(std::uint64_t at, std::uint64_t width, const Do& what) {
    const std::uint64_t from = std::max(at, wanted_.begin());
    const std::uint64_t to = std::min(at + width, wanted_.end());
    if (from >= to) return;
    for (std::uint64_t i = (from - wanted_.begin()) / element_; i * element_ < to - wanted_.begin(); ++i)
      what(elements_[i]);
  }
  static void count(std::uint32_t& number, bool one) {
    if (one && number < std::numeric_limits<std::uint32_t>::max()) ++number;
  }

  const Program& program_;
  const WatchedMemory wanted_;
  const std::uint32_t element_;
  std::vector<MemoryState::Element> elements_;
};

}  // namespace

Result<Reads> reads_after(const Program& program, const LaunchRequest& request, const WatchedBytes& bytes,
                          const std::optional<Step>& after, std::size_t most) {
  Replay replay(program, request);
  if (has_error(replay.problems())) return std::move(replay.problems());
  Recorder::Watch end = watch_of(no_step);
  ReadListener listener(program, {bytes, replay.clusters()}, after, most, end);
  if (!replay.run_to(&end, &listener)) return cancelled_diagnostic();
  if (!listener.begun()) return no_such_event(*after);
  return std::move(listener.reads());
}

Result<MemoryState> memory_at(const Program& program, const LaunchRequest& request, const Step& step,
                              const WatchedBytes& bytes, std::uint32_t element) {
  Replay replay(program, request);
  if (has_error(replay.problems())) return std::move(replay.problems());
  WatchedBytes wanted = bytes;
  wanted.block = step.block;
  TouchListener listener(program, {wanted, replay.clusters()}, element);
  Recorder::Watch watch = watch_of(step);
  MemoryState state;
  const auto look = [&](Worker& worker, std::vector<std::byte>& into, bool MemoryState::Element::*has) {
    const std::uint64_t window = wanted.space == trace::MemorySpace::shared        ? worker.shared_memory()
                                 : wanted.space == trace::MemorySpace::distributed ? address_space::shared_window
                                                                                   : 0;
    into.resize(wanted.bytes);
    if (!worker.peek(0, window + wanted.address, wanted.bytes, into.data())) return false;
    std::vector<MemoryState::Element>& elements = listener.elements();
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i].*has = worker.ever_written(0, window + wanted.address + i * element, element);
    return true;
  };
  watch.arrived = [&](Worker& worker) {
    state.known = look(worker, state.before, &MemoryState::Element::has_before);
    state.done = worker.finish_watched(watch.event);
    state.known = look(worker, state.after, &MemoryState::Element::has_after) && state.known;
    listener.mark(watch);
  };
  if (!replay.run_to(&watch, &listener)) return cancelled_diagnostic();
  if (!watch.reached) return no_such_event(step);
  state.elements = std::move(listener.elements());
  return state;
}

}  // namespace lanescope::sim
