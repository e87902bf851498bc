// How lanes of a warp exchange values: shuffles, votes, matches, reductions, and bar.warp.sync. Source: "PTX ISA",
// shfl.sync, vote.sync, match.sync, redux.sync, elect.sync, activemask, bar.warp.sync.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "sim/alu/lane_exchange.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

// Lanes grouped by a value, in the order of the groups' lowest lanes. Each lane may have its own value, so they are
// found in a table of 64 places, not by comparing each with each.
class LaneGroups {
 public:
  struct Group {
    std::uint64_t value;
    std::uint32_t lanes;
  };

  template <typename Value>
  LaneGroups(std::uint32_t lanes, Value&& value) {
    std::uint64_t taken = 0;
    LaneMask{lanes}.for_each([&](int lane) {
      const std::uint64_t mine = value(lane);
      std::uint64_t at = mine * 0x9e3779b97f4a7c15u >> 58;
      while ((taken >> at & 1) != 0 && groups_[place_[at]].value != mine) at = (at + 1) % 64;
      if ((taken >> at & 1) == 0) {
        taken |= std::uint64_t{1} << at;
        place_[at] = static_cast<std::uint8_t>(count_);
        groups_[count_++] = {mine, 0};
      }
      groups_[place_[at]].lanes |= 1u << lane;
    });
  }
  const Group* begin() const { return groups_.data(); }
  const Group* end() const { return groups_.data() + count_; }

 private:
  std::size_t count_ = 0;
  std::array<Group, 32> groups_;
  std::array<std::uint8_t, 64> place_;
};

// "The same qualifiers". Operands may differ between lanes.
bool same_qualifiers(const ExchangeOp& a, const ExchangeOp& b) {
  return a.shuffle == b.shuffle && a.vote == b.vote && a.reduce == b.reduce && a.type == b.type && a.all == b.all &&
         a.absolute == b.absolute && a.nan == b.nan && a.tensor == b.tensor;
}

}  // namespace

// ---- who takes part ---------------------------------------------------------------------------------

// Lanes that name the same members form a party. A party is complete when all its members that have not exited have
// reached an instruction with the same qualifiers and the same members, at any place in the kernel. Only then its lanes
// continue. Lanes of an incomplete party wait on a path of their own, so all lanes of a waiting path name the same
// members.

bool Worker::joins(const Path& path, const Operation& operation, const FunctionCode& code,
                   std::uint32_t members) const {
  if (path.state != Path::State::at_exchange || path.next->code != operation.code) return false;
  const ExchangeOp& theirs = path.frame->code->exchanges[path.next->index];
  const std::uint32_t lanes = path.mask & warp_->live;
  return lanes != 0 && same_qualifiers(theirs, code.exchanges[operation.index]) &&
         lane_value(path.frame->file, theirs.members, LaneMask{lanes}.lowest()) == members;
}

// The lanes of all paths that wait for the same party as this one.
std::uint32_t Worker::present_at(const Path& at) const {
  const ExchangeOp& op = at.frame->code->exchanges[at.next->index];
  const std::uint32_t members = lane_value(at.frame->file, op.members, LaneMask{at.mask & warp_->live}.lowest());
  std::uint32_t present = 0;
  for (const Path& path : warp_->stack)
    if (joins(path, *at.next, *at.frame->code, members)) present |= path.mask & warp_->live;
  return (members & warp_->live & ~present) == 0 ? present : 0;
}

void Worker::find_parties(const Operation& operation, std::uint32_t executed, Parties& parties) const {
  const ExchangeOp& op = frame_->code->exchanges[operation.index];
  const auto add = [&](std::uint32_t members, std::uint32_t same) {
    Party& party = parties.party[parties.count++];
    party = {members, same, same};
    const std::uint32_t wanted = members & warp_->live;
    if ((wanted & ~same) == 0) return;
    for (std::size_t i = 0; i + 1 < warp_->stack.size(); ++i)
      if (joins(warp_->stack[i], operation, *frame_->code, members))
        party.present |= warp_->stack[i].mask & warp_->live;
    if ((wanted & ~party.present) != 0) parties.incomplete |= same;
  };
  if (op.members == 0) return add(executed, executed);
  const auto members_of = [&](int lane) { return lane_value(registers_, op.members, lane); };
  // nvcc often keeps a constant mask in a register.
  const std::uint32_t first = members_of(LaneMask{executed}.lowest());
  if (op.same_members || is_in_all(registers_, op.members, executed, first)) return add(first, executed);
  for (const LaneGroups::Group& group : LaneGroups(executed, members_of))
    add(static_cast<std::uint32_t>(group.value), group.lanes);
}

// Where all lanes of a warp execute it, an H100's SHFL, VOTE, MATCH and REDUX have no mask: the lanes that the mask
// leaves out take part. Where the warp has diverged, WARPSYNC stops those lanes with an illegal instruction.
bool Worker::ignores_members(Code code, const Parties& parties, std::uint32_t executed) const {
  return parties.count == 1 && executed == warp_->live && code != Code::warp_barrier && code != Code::elect;
}

template <Mode mode>
Worker::Then Worker::exchange(const Operation& operation, std::uint32_t active) {
  const ExchangeOp& op = frame_->code->exchanges[operation.index];
  const auto code = static_cast<Code>(operation.code);
  const bool announced = std::exchange(warp_->stack.back().state, Path::State::runnable) == Path::State::at_exchange;
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return Then::next;
  Parties parties;
  find_parties(operation, executed, parties);
  for (const Party& party : parties)
    if (const std::uint32_t strangers = party.executed & ~party.members; strangers != 0) {
      if (ignores_members(code, parties, executed)) {
        remark_not_a_member(op.site, LaneMask{strangers}.lowest(), party.members);
        break;
      }
      not_a_member_fault(LaneMask{strangers}.lowest(), party.members);
      return Then::stop;
    }
  if (parties.count > 1) remark_other_masks(op.site, parties, executed);
  if (!announced && !exchange_event<mode>(op, code, active, executed)) return Then::stop;
  if (parties.incomplete != executed) complete(operation, parties);
  return parties.incomplete == 0 ? Then::next : wait_for_others(operation, active, parties);
}

// Moves lanes from the topmost path to a new path next to it.
Path& Worker::part_off(std::uint32_t lanes) {
  std::vector<Path>& stack = warp_->stack;
  Path other = stack.back();
  other.mask = lanes;
  stack.back().mask &= ~lanes;
  ++other.frame->users;
  return *stack.insert(stack.end() - 1, other);
}

// The lanes of incomplete parties wait; the other lanes of the path have executed the instruction.
Worker::Then Worker::wait_for_others(const Operation& operation, std::uint32_t active, const Parties& parties) {
  std::uint32_t left = active;
  std::uint32_t missing = 0;
  for (const Party& party : parties) {
    if ((party.executed & parties.incomplete) == 0) continue;
    missing = party.members & warp_->live & ~party.present;
    left &= ~party.executed;
    Path& path = left != 0 ? part_off(party.executed) : warp_->stack.back();
    path.state = Path::State::at_exchange;
    path.next = &operation;
  }
  if (left != 0) {
    warp_->stack.back().next = &operation + 1;
    return Then::resume;
  }
  if (find_path()) return Then::resume;
  for (const Path& path : warp_->stack)
    if (path.state == Path::State::at_barrier) return Then::blocked;
  if (static_cast<Code>(operation.code) == Code::tensor)
    incomplete_warp_fault(missing);
  else
    exchange_fault(missing);
  return Then::stop;
}

bool Worker::switch_path() {
  const bool switched = warp_->switch_path();
  const auto [site, lanes] = std::exchange(warp_->passed_barrier, {});
  if (site != no_site) remark_passed_barrier(site, lanes);
  return switched;
}

// Makes another path that can run the topmost one. False if there is none.
bool Worker::find_path() {
  // The first call may only have cleared the marks of paths that spun.
  if (switch_path() || switch_path()) return true;
  // The lanes that a path waited for may have exited in the meantime.
  const std::vector<Path>& stack = warp_->stack;
  for (std::size_t i = 0; i < stack.size(); ++i) {
    if (stack[i].state != Path::State::at_exchange || (stack[i].mask & warp_->live) == 0) continue;
    if (present_at(stack[i]) == 0) continue;
    warp_->bring_to_top(i);
    return true;
  }
  return false;
}

// ---- what they get ----------------------------------------------------------------------------------

// Performs the exchange of the complete parties. Paths that waited for it continue.
void Worker::complete(const Operation& operation, const Parties& parties) {
  const ExchangeOp& op = frame_->code->exchanges[operation.index];
  const auto code = static_cast<Code>(operation.code);
  const Party& only = parties.party.front();
  if (races_ != nullptr && op.orders)
    for (const Party& party : parties)
      if ((party.executed & parties.incomplete) == 0) races_->sync_lanes(block_->index, warp_->index, party.present);
  if (code == Code::shuffle && parties.count == 1 && only.present == only.executed &&
      shuffle_among(op.shuffle, {op.dst, op.dst2, op.a, op.b, op.c}, registers_, only.executed))
    return;
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
  for (const Party& party : parties) collect(registers_, op, party.executed);
  for (const Party& party : parties) {
    if ((party.executed & parties.incomplete) != 0) continue;
    if (party.present == party.executed) {
      perform(op, code, registers_, party.executed, party, values);
      continue;
    }
    const auto each_other = [&](auto&& visit) {
      for (std::size_t i = 0; i + 1 < warp_->stack.size(); ++i) {
        Path& path = warp_->stack[i];
        if (joins(path, operation, *frame_->code, party.members))
          visit(path, path.frame->code->exchanges[path.next->index]);
      }
    };
    each_other(
        [&](Path& path, const ExchangeOp& theirs) { collect(path.frame->file, theirs, path.mask & warp_->live); });
    perform(op, code, registers_, party.executed, party, values);
    each_other([&](Path& path, const ExchangeOp& theirs) {
      perform(theirs, code, path.frame->file, path.mask & warp_->live, party, values);
      path.state = Path::State::runnable;
      ++path.next;
    });
  }
}

// Writes the results for the lanes `executed` of the party.
void Worker::perform(const ExchangeOp& op, Code code, std::byte* file, std::uint32_t executed, const Party& party,
                     const SourceValues& values) {
  const LaneMask lanes{executed};
  const std::uint32_t present = party.present;
  Values32 result{};
  std::uint32_t predicate = 0;
  switch (code) {
    case Code::warp_barrier:
      return;
    case Code::shuffle:
      lanes.for_each([&](int lane) {
        const auto l = static_cast<std::size_t>(lane);
        const int source = source_lane(op.shuffle, lane, lane_value(file, op.b, lane), lane_value(file, op.c, lane));
        predicate |= static_cast<std::uint32_t>(source >= 0) << lane;
        const int from = source < 0 ? lane : source;
        // The value of a lane that does not take part is undefined. As on an H200, whose SHFL has no mask, the result
        // is that lane's value if it is at the same instruction, else 0.
        result[l] = static_cast<std::uint32_t>(values.lane[static_cast<std::size_t>(from)]);
        if ((present >> from & 1u) == 0) remark_absent_source(op.site, lane, from, party.members, result[l]);
      });
      break;
    case Code::vote: {
      const std::uint32_t votes = values.predicate & present;
      if (op.vote == ptx::VoteMode::ballot) {
        result.fill(votes);
        break;
      }
      const bool holds = op.vote == ptx::VoteMode::all   ? votes == present
                         : op.vote == ptx::VoteMode::any ? votes != 0
                                                         : votes == present || votes == 0;
      return write_predicate(file, op.dst, holds ? ~0u : 0, executed);
    }
    case Code::match:
      for (const LaneGroups::Group& group :
           LaneGroups(present, [&](int lane) { return values.lane[static_cast<std::size_t>(lane)]; })) {
        const bool all_equal = group.lanes == present;
        if (all_equal) predicate |= executed;
        LaneMask{executed & group.lanes}.for_each(
            [&](int lane) { result[static_cast<std::size_t>(lane)] = op.all && !all_equal ? 0 : group.lanes; });
      }
      break;
    case Code::redux: {
      const auto value = [&](int lane) {
        const auto bits = static_cast<std::uint32_t>(values.lane[static_cast<std::size_t>(lane)]);
        return op.absolute ? bits & 0x7fffffffu : bits;
      };
      std::uint32_t reduced = value(LaneMask{present}.lowest());
      LaneMask{present & (present - 1)}.for_each(
          [&](int lane) { reduced = reduce_pair(op.reduce, op.type, op.nan, reduced, value(lane)); });
      result.fill(reduced);
      break;
    }
    case Code::activemask:
      result.fill(executed);
      break;
    case Code::elect: {
      const int leader = LaneMask{present}.lowest();
      result.fill(static_cast<std::uint32_t>(leader));
      predicate = 1u << leader;
      break;
    }
    default:
      return;
  }
  write32(file, op.dst, result, executed);
  write_predicate(file, op.dst2, predicate, executed);
}

// ---- what is recorded -------------------------------------------------------------------------------

// One event when the path reaches the instruction, no matter what its lanes wait for and how many parties they form.
template <Mode mode>
bool Worker::exchange_event(const ExchangeOp& op, Code code, std::uint32_t active, std::uint32_t executed) {
  if (code == Code::warp_barrier) {
    const int lowest = LaneMask{executed}.lowest();
    return vote_event<mode>(op.site, trace::EventKind::barrier, active, executed,
                            lane_value(registers_, op.members, lowest));
  }
  if (code != Code::shuffle) return vote_event<mode>(op.site, trace::EventKind::vote, active, executed, 0);
  if constexpr (mode != Mode::plain)
    recorder_.occurred(op.site, static_cast<std::uint32_t>(LaneMask{executed}.count()));
  if constexpr (mode == Mode::events) {
    std::array<std::uint8_t, 32> sources{};
    LaneMask{executed}.for_each([&](int lane) {
      const int source =
          source_lane(op.shuffle, lane, lane_value(registers_, op.b, lane), lane_value(registers_, op.c, lane));
      sources[static_cast<std::size_t>(lane)] = source < 0 ? 0xff : static_cast<std::uint8_t>(source);
    });
    recorder_.shuffle_event(*warp_, op.site, active, executed, sources.data());
    if (recorder_.watch_reached()) return false;
  }
  return true;
}

template <Mode mode>
bool Worker::vote_event(std::uint32_t site, trace::EventKind kind, std::uint32_t active, std::uint32_t executed,
                        std::uint64_t number) {
  if constexpr (mode != Mode::plain) recorder_.occurred(site, static_cast<std::uint32_t>(LaneMask{executed}.count()));
  if constexpr (mode == Mode::events) {
    recorder_.event(*warp_, kind, site, active, executed, number);
    if (recorder_.watch_reached()) return false;
  }
  return true;
}

// How far the clock jumps ahead. A warp that reads the clock again and again waits for time to pass. One second is
// about 2·10⁹ cycles on a GPU, too many to interpret one by one. So after the first few hundred readings time passes
// faster, and ever faster while the warp waits.
std::uint64_t Worker::clock_jump(const Operation& operation, std::uint64_t issued) {
  constexpr std::uint64_t between = 16;  // instructions of a loop that only waits
  constexpr std::uint32_t patience = 256;
  constexpr std::uint64_t furthest = 1u << 20;
  constexpr std::uint64_t longest_limit = std::uint64_t{1} << 35;  // of the limits in kernels: about 17 s on a GPU
  ClockWait& wait = warp_->clock_wait;
  const bool other_warps_between = std::exchange(clock_reader_, warp_) != warp_;
  const bool polls = warp_->poll.repeats != 0;
  if (wait.at != &operation)
    wait.repeats = 0;
  else if (issued - wait.asked <= between || polls)
    ++wait.repeats;
  else if (!other_warps_between)
    wait.repeats = 0;
  if (wait.repeats == 0) wait.began = clock_last_;
  wait.at = &operation;
  wait.asked = issued;
  // A wait with a time limit polls between two readings. It will end, so its block is not stuck. libcu++'s barriers
  // read the clock too, only to sleep longer and longer, and never give up.
  if (polls && clock_last_ - wait.began < longest_limit) progressed_ = true;
  return wait.repeats < patience ? 0 : std::min(clock_ahead_ / 16 + 16, furthest);
}

template <Mode mode>
bool Worker::clock(const Operation& operation, std::uint32_t active) {
  const ClockOp& op = frame_->code->clocks[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (!guarded_event<mode>(op.site, active, executed)) return false;
  // Time is the number of warp instructions that the block has issued, plus the jumps. steps() counts a whole basic
  // block when it is entered.
  const BlockCode& block = frame_->code->blocks[static_cast<std::size_t>(warp_->stack.back().block)];
  const std::int32_t position =
      frame_->code->instruction_of[static_cast<std::size_t>(&operation - frame_->code->operations.data())] -
      block.first_instruction;
  const std::uint64_t issued = steps() - clock_start_ - block.instructions + static_cast<std::uint64_t>(position);
  // Another warp's reading may already have counted all of this warp's basic block. Readings must increase anyway.
  clock_ahead_ += clock_jump(operation, issued);
  const std::uint64_t now = clock_last_ = std::max(issued + clock_ahead_, clock_last_ + 1);
  using S = ptx::SpecialRegister;
  std::uint64_t value = now;
  if (op.special == S::clock_hi || op.special == S::globaltimer_hi) value = now >> 32;
  if (op.special == S::pm || op.special == S::pm_64) value = 0;
  LaneMask{executed}.for_each([&](int lane) { write_slot(registers_ + op.dst, lane, op.register_bytes, value); });
  return true;
}

template bool Worker::vote_event<Mode::plain>(std::uint32_t, trace::EventKind, std::uint32_t, std::uint32_t,
                                              std::uint64_t);
template bool Worker::vote_event<Mode::totals>(std::uint32_t, trace::EventKind, std::uint32_t, std::uint32_t,
                                               std::uint64_t);
template bool Worker::vote_event<Mode::events>(std::uint32_t, trace::EventKind, std::uint32_t, std::uint32_t,
                                               std::uint64_t);
template Worker::Then Worker::exchange<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::exchange<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::exchange<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::clock<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::clock<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::clock<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
