// What lanes of one warp tell one another: shuffles, votes, matches, reductions, and bar.warp.sync.
// Source: "PTX ISA", shfl.sync, vote.sync, match.sync, redux.sync, elect.sync, activemask, bar.warp.sync.

#include <bit>
#include <cmath>
#include <cstring>

#include "sim/worker.h"

namespace lanescope::sim {

namespace {

using Values32 = std::array<std::uint32_t, 32>;

void write32(std::byte* file, std::uint32_t slot, const Values32& values, std::uint32_t lanes) {
  LaneMask{lanes}.for_each([&](int lane) {
    std::memcpy(file + slot + static_cast<std::uint32_t>(lane) * 4,
                &values[static_cast<std::size_t>(lane)], 4);
  });
}
std::uint32_t read_predicate(const std::byte* file, std::uint32_t slot) {
  std::uint32_t mask;
  std::memcpy(&mask, file + slot, 4);
  return mask;
}
void write_predicate(std::byte* file, std::uint32_t slot, std::uint32_t value,
                     std::uint32_t lanes) {
  if (slot == 0) return;
  const std::uint32_t mask = (read_predicate(file, slot) & ~lanes) | (value & lanes);
  std::memcpy(file + slot, &mask, 4);
}
std::uint32_t lane_value(const std::byte* file, std::uint32_t slot, int lane) {
  std::uint32_t value;
  std::memcpy(&value, file + slot + static_cast<std::uint32_t>(lane) * 4, 4);
  return value;
}

// The lanes of a path waiting at an exchange that execute it: those whose guard is true.
std::uint32_t lanes_waiting(const Path& path, std::uint32_t live) {
  const std::uint32_t lanes = path.mask & live;
  if (path.next->guard == 0) return lanes;
  const std::uint32_t guard = read_predicate(path.frame->file, path.next->guard);
  return lanes & (path.next->guard_negated ? ~guard : guard);
}

// The lane that `lane` reads, or −1 when that is out of range and it keeps its own value.
int source_lane(ptx::ShuffleMode mode, int lane, std::uint32_t b, std::uint32_t c) {
  const int shift = static_cast<int>(b & 31u);
  const int clamp = static_cast<int>(c & 31u);
  const int segment = static_cast<int>(c >> 8 & 31u);
  const int lowest = lane & segment;
  const int limit = lowest | (clamp & ~segment);
  int source = lane;
  bool in_range = false;
  switch (mode) {
    case ptx::ShuffleMode::up: source = lane - shift; in_range = source >= limit; break;
    case ptx::ShuffleMode::down: source = lane + shift; in_range = source <= limit; break;
    case ptx::ShuffleMode::bfly: source = lane ^ shift; in_range = source <= limit; break;
    case ptx::ShuffleMode::idx: source = lowest | (shift & ~segment); in_range = source <= limit; break;
    case ptx::ShuffleMode::none: break;
  }
  return in_range ? source : -1;
}

float reduce_float(ptx::AtomicOp op, bool nan, float a, float b) {
  if (std::isnan(a) || std::isnan(b)) {
    if (nan) return std::bit_cast<float>(0x7fffffffu);
    return std::isnan(a) ? b : a;
  }
  if (a == b) return (op == ptx::AtomicOp::min) == std::signbit(a) ? a : b;
  return (op == ptx::AtomicOp::min) == (a < b) ? a : b;
}

std::uint32_t reduce_pair(const ExchangeOp& exchange, std::uint32_t a, std::uint32_t b) {
  using Op = ptx::AtomicOp;
  const bool is_signed = exchange.type == ptx::Type::s32;
  const bool less = is_signed ? static_cast<std::int32_t>(a) < static_cast<std::int32_t>(b) : a < b;
  if (exchange.type == ptx::Type::f32)
    return std::bit_cast<std::uint32_t>(reduce_float(
        exchange.reduce, exchange.nan, std::bit_cast<float>(a), std::bit_cast<float>(b)));
  switch (exchange.reduce) {
    case Op::add: return a + b;
    case Op::min: return less ? a : b;
    case Op::max: return less ? b : a;
    case Op::and_: return a & b;
    case Op::or_: return a | b;
    case Op::xor_: return a ^ b;
    default: return a;
  }
}

}  // namespace

template <Mode mode>
Worker::Exchange Worker::exchange(const Operation& operation, std::uint32_t active) {
  const ExchangeOp& op = frame_->code->exchanges[operation.index];
  const Code code = static_cast<Code>(operation.code);
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return Exchange::done;
  std::uint32_t present = executed;
  const std::uint32_t members =
      op.members == 0 ? executed : lane_value(registers_, op.members, LaneMask{executed}.lowest());
  const std::uint32_t wanted = members & warp_->live;
  // Lanes of other paths that stand at an exchange of the same kind for the same members.
  const auto joins_in = [&](const Path& path) {
    if (path.state != Path::State::at_exchange) return false;
    const Operation& other = *path.next;
    if (other.code != operation.code) return false;
    const ExchangeOp& theirs = path.frame->code->exchanges[other.index];
    const std::uint32_t lanes = lanes_waiting(path, warp_->live);
    return lanes != 0 && lane_value(path.frame->file, theirs.members, LaneMask{lanes}.lowest()) == members;
  };
  if ((wanted & ~executed) != 0) {
    std::vector<Path>& stack = warp_->stack;
    for (const Path& path : stack)
      if (joins_in(path)) present |= lanes_waiting(path, warp_->live);
    if ((wanted & ~present) != 0) {
      stack.back().state = Path::State::at_exchange;
      if (warp_->switch_path() || warp_->switch_path()) return Exchange::resume;
      // Paths that wait for lanes which have exited since need wait no longer.
      for (std::size_t i = 0; i + 1 < stack.size(); ++i) {
        if (stack[i].state != Path::State::at_exchange || !warp_->is_leaf(i)) continue;
        const Operation& theirs = *stack[i].next;
        const std::uint32_t asked =
            lane_value(stack[i].frame->file, stack[i].frame->code->exchanges[theirs.index].members,
                       LaneMask{stack[i].mask}.lowest());
        if ((asked & warp_->live & ~stack[i].mask) != 0) continue;
        stack[i].state = Path::State::runnable;
        warp_->bring_to_top(i);
        return Exchange::resume;
      }
      for (const Path& path : stack)
        if (path.state == Path::State::at_barrier) return Exchange::wait;
      exchange_fault(wanted & ~present);
      return Exchange::stop;
    }
  }

  if (races_ != nullptr && code == Code::warp_barrier)
    races_->sync_lanes(block_->index, warp_->index, present);
  const auto width = code == Code::match && ptx::bytes_of(op.type) == 8 ? 8u : 4u;
  SourceValues values;
  const auto collect = [&](const std::byte* file, const ExchangeOp& from, std::uint32_t lanes) {
    if (code == Code::vote) {
      const std::uint32_t mask = read_predicate(file, from.a);
      values.predicate |= (from.negated ? ~mask : mask) & lanes;
    } else if (from.a != 0) {
      LaneMask{lanes}.for_each([&](int lane) {
        std::memcpy(&values.lane[static_cast<std::size_t>(lane)],
                    file + from.a + static_cast<std::uint32_t>(lane) * width, width);
      });
    }
  };
  collect(registers_, op, executed);
  if (present != executed)
    for (const Path& path : warp_->stack)
      if (joins_in(path))
        collect(path.frame->file, path.frame->code->exchanges[path.next->index],
                lanes_waiting(path, warp_->live));
  if (!perform<mode>(op, code, *frame_, active, executed, present, members, values))
    return Exchange::stop;
  if (present != executed) {
    // The others were waiting for this path.
    for (Path& path : warp_->stack) {
      if (!joins_in(path)) continue;
      if (!perform<mode>(path.frame->code->exchanges[path.next->index], code, *path.frame, path.mask & warp_->live,
                         lanes_waiting(path, warp_->live), present, members, values))
        return Exchange::stop;
      path.state = Path::State::runnable;
      ++path.next;
    }
  }
  return Exchange::done;
}

// Writes the results of the executed lanes; `present` are all that take part.
template <Mode mode>
bool Worker::perform(const ExchangeOp& op, Code code, const Frame& frame, std::uint32_t active,
                     std::uint32_t executed, std::uint32_t present, std::uint32_t members,
                     const SourceValues& values) {
  std::byte* const file = frame.file;
  const LaneMask lanes{executed};
  auto kind = trace::EventKind::vote;
  std::uint64_t number = 0;
  Values32 result{};
  std::uint32_t predicate = 0;
  bool writes = true;
  std::array<std::uint8_t, 32> sources{};
  switch (code) {
    case Code::warp_barrier:
      kind = trace::EventKind::barrier;
      number = members;
      writes = false;
      break;
    case Code::shuffle:
      kind = trace::EventKind::shuffle;
      lanes.for_each([&](int lane) {
        const auto l = static_cast<std::size_t>(lane);
        const int source = source_lane(op.shuffle, lane, lane_value(file, op.b, lane),
                                       lane_value(file, op.c, lane));
        sources[l] = source < 0 ? 0xff : static_cast<std::uint8_t>(source);
        predicate |= static_cast<std::uint32_t>(source >= 0) << lane;
        const int from = source < 0 ? lane : source;
        // What a lane that takes no part would give is undefined on a GPU; here it is 0.
        result[l] = present >> from & 1u
                        ? static_cast<std::uint32_t>(values.lane[static_cast<std::size_t>(from)])
                        : 0;
      });
      break;
    case Code::vote: {
      const std::uint32_t votes = values.predicate & present;
      bool holds = false;
      switch (op.vote) {
        case ptx::VoteMode::all: holds = votes == present; break;
        case ptx::VoteMode::any: holds = votes != 0; break;
        case ptx::VoteMode::uni: holds = votes == present || votes == 0; break;
        default: break;
      }
      if (op.vote == ptx::VoteMode::ballot) {
        result.fill(votes);
        number = votes;
        break;
      }
      number = holds ? executed : 0;
      writes = false;
      if (!vote_event<mode>(op.site, kind, active, executed, number)) return false;
      write_predicate(file, op.dst, holds ? ~0u : 0, executed);
      return true;
    }
    case Code::match:
      lanes.for_each([&](int lane) {
        const auto l = static_cast<std::size_t>(lane);
        std::uint32_t equal = 0;
        LaneMask{present}.for_each([&](int other) {
          if (values.lane[static_cast<std::size_t>(other)] == values.lane[l]) equal |= 1u << other;
        });
        const bool all_equal = equal == present;
        result[l] = op.all && !all_equal ? 0 : equal;
        predicate |= static_cast<std::uint32_t>(all_equal) << lane;
      });
      number = result[static_cast<std::size_t>(lanes.lowest())];
      break;
    case Code::redux: {
      const auto value = [&](int lane) {
        const auto bits = static_cast<std::uint32_t>(values.lane[static_cast<std::size_t>(lane)]);
        return op.absolute ? bits & 0x7fffffffu : bits;
      };
      const LaneMask all{present};
      std::uint32_t reduced = value(all.lowest());
      LaneMask{present & (present - 1)}.for_each(
          [&](int lane) { reduced = reduce_pair(op, reduced, value(lane)); });
      result.fill(reduced);
      number = reduced;
      break;
    }
    case Code::activemask:
      result.fill(executed);
      number = executed;
      break;
    case Code::elect: {
      const std::uint32_t candidates = members & present;
      const int leader = LaneMask{candidates == 0 ? present : candidates}.lowest();
      result.fill(static_cast<std::uint32_t>(leader));
      predicate = 1u << leader;
      number = predicate;
      break;
    }
    default: return true;
  }
  if (code == Code::shuffle) {
    if constexpr (mode != Mode::plain)
      recorder_.occurred(op.site, static_cast<std::uint32_t>(lanes.count()));
    if constexpr (mode == Mode::events) {
      recorder_.shuffle_event(*warp_, op.site, active, executed, sources.data());
      if (recorder_.watch_reached()) {
        watched_ = &frame;
        return false;
      }
    }
  } else if (!vote_event<mode>(op.site, kind, active, executed, number)) {
    return false;
  }
  if (writes) write32(file, op.dst, result, executed);
  write_predicate(file, op.dst2, predicate, executed);
  return true;
}

template <Mode mode>
bool Worker::vote_event(std::uint32_t site, trace::EventKind kind, std::uint32_t active,
                        std::uint32_t executed, std::uint64_t number) {
  if constexpr (mode != Mode::plain)
    recorder_.occurred(site, static_cast<std::uint32_t>(LaneMask{executed}.count()));
  if constexpr (mode == Mode::events) {
    recorder_.event(*warp_, kind, site, active, executed, number);
    if (recorder_.watch_reached()) return false;
  }
  return true;
}

template <Mode mode>
bool Worker::clock(const Operation& operation, std::uint32_t active) {
  const ClockOp& op = frame_->code->clocks[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (!guarded_event<mode>(op.site, active, executed)) return false;
  // Time is the number of warp instructions that the block has issued; steps() counts a whole basic block
  // as it is entered.
  const BlockCode& block = frame_->code->blocks[static_cast<std::size_t>(warp_->stack.back().block)];
  const std::int32_t position =
      frame_->code->instruction_of[static_cast<std::size_t>(&operation - frame_->code->operations.data())] -
      block.first_instruction;
  const std::uint64_t now =
      steps() - clock_start_ - block.instructions + static_cast<std::uint64_t>(position);
  using S = ptx::SpecialRegister;
  std::uint64_t value = now;
  if (op.special == S::clock_hi || op.special == S::globaltimer_hi) value = now >> 32;
  if (op.special == S::pm || op.special == S::pm_64) value = 0;
  LaneMask{executed}.for_each([&](int lane) {
    std::memcpy(registers_ + op.dst + static_cast<std::uint32_t>(lane) * op.register_bytes, &value,
                op.register_bytes);
  });
  return true;
}

template bool Worker::vote_event<Mode::plain>(std::uint32_t, trace::EventKind, std::uint32_t,
                                              std::uint32_t, std::uint64_t);
template bool Worker::vote_event<Mode::totals>(std::uint32_t, trace::EventKind, std::uint32_t,
                                               std::uint32_t, std::uint64_t);
template bool Worker::vote_event<Mode::events>(std::uint32_t, trace::EventKind, std::uint32_t,
                                               std::uint32_t, std::uint64_t);
template Worker::Exchange Worker::exchange<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Exchange Worker::exchange<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Exchange Worker::exchange<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::clock<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::clock<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::clock<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
