// mbarrier objects: arrivals, transaction bytes, and waits for a phase. Source: "PTX ISA", mbarrier.

#include <cstring>
#include <utility>

#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/mbarrier.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using ObjectUse = MbarrierOp::Kind;

// The object that a lane names.
struct Worker::MbarrierPlace {
  std::uint32_t site = no_site;
  std::uint32_t address = 0;  // in the owner's shared memory
  BlockState* owner = nullptr;
  int lane = 0;
  MbarrierState state;
};

namespace {

// After this many turns a try_wait returns false.
constexpr std::uint32_t turns_of_a_wait = 64;

bool is_wait(ObjectUse kind) {
  return kind == ObjectUse::test_wait || kind == ObjectUse::try_wait;
}

void write_lanes(std::byte* predicate, std::uint32_t value, std::uint32_t lanes) {
  std::uint32_t mask;
  std::memcpy(&mask, predicate, 4);
  mask = (mask & ~lanes) | (value & lanes);
  std::memcpy(predicate, &mask, 4);
}

}  // namespace

std::uint64_t Worker::address_in(std::uint32_t slot, std::uint64_t offset, bool wide, int lane) const {
  const std::uint64_t address = read_slot(registers_ + slot, lane, wide ? 8 : 4) + offset;
  return wide ? address : address & 0xffffffffu;
}

void Worker::mbarrier_fault(const MbarrierPlace& place, const char* code, const Wording& what, Wording cure) {
  fail(*context_.program.site_instruction[place.site], code,
       worded("{}: the mbarrier at shared address 0x{:x} {}", who(place.lane), place.address, what), std::move(cure));
}

// Checks that the address is that of 8 aligned bytes of shared memory, in the running block or in any block of its
// cluster.
bool Worker::find_mbarrier(std::uint32_t site, std::uint64_t address, bool generic, bool whole_cluster, int lane,
                           MbarrierPlace& place) {
  place.site = site;
  place.lane = lane;
  if (generic) {
    if (!address_space::in_window(address, address_space::shared_window)) {
      fail(*context_.program.site_instruction[site], "mbarrier.not_in_shared_memory",
           worded("{}: the address 0x{:x} of an mbarrier is not in shared memory", who(lane), address),
           "Declare the barrier object __shared__.");
      return false;
    }
    address -= address_space::shared_window;
  }
  constexpr std::uint64_t bytes = MbarrierState::bytes;
  place.owner = owner_of(site, trace::Operation::atomic, bytes, whole_cluster, lane, address);
  if (place.owner == nullptr) return false;
  address = address_space::within_block(address);
  const bool inside = context_.shared_bytes >= bytes && address <= context_.shared_bytes - bytes;
  if (!inside || address % bytes != 0) {
    access_fault({site, trace::Operation::atomic, bytes}, trace::MemorySpace::shared, lane, address,
                 inside ? "memory.misaligned" : "memory.out_of_bounds");
    return false;
  }
  place.address = static_cast<std::uint32_t>(address);
  return true;
}

// Loads the object's state. The object must have been initialised and not been overwritten.
bool Worker::load_mbarrier(MbarrierPlace& place) {
  const auto known = place.owner->mbarriers.find(place.address);
  if (known == place.owner->mbarriers.end()) {
    mbarrier_fault(place, "mbarrier.not_initialised", "is used, but it was never initialised, or it has ended",
                   "Initialise it in one thread (mbarrier.init, or init() of cuda::barrier), and put __syncthreads() "
                   "behind that.");
    return false;
  }
  std::uint64_t word;
  std::memcpy(&word, place.owner->shared.data() + place.address, sizeof word);
  if (word != known->second) {
    mbarrier_fault(place, "mbarrier.overwritten", "is used, but other instructions have written to its 8 bytes",
                   "Keep data out of these bytes until the barrier has ended (mbarrier.inval); check the index of "
                   "the store.");
    return false;
  }
  place.state = MbarrierState::of(word);
  return true;
}

void Worker::store_mbarrier(const MbarrierPlace& place) {
  const std::uint64_t word = place.state.word();
  std::memcpy(place.owner->shared.data() + place.address, &word, sizeof word);
  place.owner->mbarriers[place.address] = word;
}

bool Worker::add_transaction(MbarrierPlace& place, std::int64_t bytes) {
  std::int64_t& pending = place.state.transaction;
  pending += bytes;
  if (pending >= -MbarrierState::most_transaction && pending <= MbarrierState::most_transaction) return true;
  mbarrier_fault(place, "mbarrier.too_many_bytes",
                 worded("would have {} transaction bytes pending; the limit is {} either way", pending,
                        MbarrierState::most_transaction),
                 "Expect as many bytes as the copies of this phase bring, and split larger copies.");
  return false;
}

bool Worker::count_arrivals(const MbarrierOp& op, MbarrierPlace& place, std::uint32_t count) {
  MbarrierState& state = place.state;
  if (count == 0 || count > MbarrierState::most) {
    mbarrier_fault(place, "mbarrier.bad_count",
                   worded("gets {} arrivals; a count is from 1 to {}", count, MbarrierState::most),
                   "Pass a count in this range.");
    return false;
  }
  if (count > state.pending || (op.kind == ObjectUse::arrive_drop && count > state.expected)) {
    mbarrier_fault(
        place, "mbarrier.too_many_arrivals",
        worded("gets {} more arrival{}, but this phase lacks only {}", count, count == 1 ? "" : "s", missing_of(state)),
        "Initialise it with the number of all arrivals of a phase, and let each thread wait for the phase "
        "before it arrives for the next one.");
    return false;
  }
  if (op.no_complete && count == state.pending && state.transaction == 0) {
    mbarrier_fault(place, "mbarrier.completed_by_no_complete",
                   "would end its phase with an arrival that is marked .noComplete: undefined behaviour",
                   "Use .noComplete only where other arrivals are still to come.");
    return false;
  }
  state.pending -= count;
  if (op.kind == ObjectUse::arrive_drop) state.expected -= count;
  return true;
}

// Executes one operation other than init, inval and waits. It may complete the phase.
bool Worker::change_mbarrier(const MbarrierOp& op, MbarrierPlace& place, std::uint32_t value) {
  switch (op.kind) {
    case ObjectUse::expect_tx:
      if (!add_transaction(place, value)) return false;
      break;
    case ObjectUse::complete_tx:
      if (!add_transaction(place, -std::int64_t{value})) return false;
      break;
    case ObjectUse::copies_arrive:
      // The interpreter copies immediately, so this arrival also happens immediately. It is either an additional
      // arrival or one of the expected ones.
      if (races_ != nullptr)
        races_->copies_arrive(block_->index, warp_->index, static_cast<std::uint32_t>(place.lane), place.address);
      if (!op.increments && !count_arrivals(op, place, 1)) return false;
      break;
    default:
      if (races_ != nullptr)
        races_->arrive_at_object(block_->index, warp_->index, static_cast<std::uint32_t>(place.lane),
                                 place.owner->index, place.address, op.ordered);
      if (op.expects && !add_transaction(place, value)) return false;
      if (!count_arrivals(op, place, op.expects || op.value == 0 ? 1 : value)) return false;
  }
  if (place.state.next_phase()) {
    progressed_ = true;
    if (races_ != nullptr) races_->next_phase(place.owner->index, place.address);
  }
  return true;
}

void Worker::remark_initialised_again(const MbarrierPlace& place) {
  if (remarks_.contains(place.site)) return;
  remarks_[place.site] = {
      block_->index,
      {Severity::warning, "mbarrier.initialised_again", context_.place(*context_.program.site_instruction[place.site]),
       worded("{}: the mbarrier at shared address 0x{:x} is initialised again before it has ended: undefined behaviour",
              who(place.lane), place.address),
       "Initialise it once per block and go on with its phases, or end it with mbarrier.inval first."}};
}

// It changes nothing on a GPU. The destructors of libcu++'s pipeline and of its shared state do it.
void Worker::remark_ended_again(const MbarrierPlace& place) {
  if (remarks_.contains(place.site)) return;
  remarks_[place.site] = {
      block_->index,
      {Severity::warning, "mbarrier.ended_again", context_.place(*context_.program.site_instruction[place.site]),
       worded(
           "{}: the mbarrier at shared address 0x{:x} is ended, but it was never initialised, or it has ended already: "
           "undefined behaviour",
           who(place.lane), place.address),
       "End it once, with mbarrier.inval or the destructor of its object."}};
}

bool Worker::update_mbarrier(const MbarrierOp& op, int lane) {
  MbarrierPlace place;
  const std::uint64_t address = address_in(op.address, op.offset, op.wide, lane);
  if (!find_mbarrier(op.site, address, op.generic, op.reaches_cluster(), lane, place)) return false;
  const auto value = op.value == 0 ? 1u : static_cast<std::uint32_t>(read_slot(registers_ + op.value, lane, 4));
  if (op.kind == ObjectUse::init) {
    if (value == 0 || value > MbarrierState::most) {
      mbarrier_fault(place, "mbarrier.bad_count",
                     worded("is initialised for {} arrivals; a count is from 1 to {}", value, MbarrierState::most),
                     "Pass the number of arrivals that end a phase.");
      return false;
    }
    std::uint64_t word;
    std::memcpy(&word, block_->shared.data() + place.address, sizeof word);
    const auto known = block_->mbarriers.find(place.address);
    if (known != block_->mbarriers.end() && known->second == word) remark_initialised_again(place);
    if (races_ != nullptr) races_->begin_object(block_->index, place.address);
    place.state.pending = place.state.expected = value;
    store_mbarrier(place);
    block_->shared_written.mark(place.address, MbarrierState::bytes);
    return true;
  }
  if (op.kind == ObjectUse::inval && !block_->mbarriers.contains(place.address)) {
    remark_ended_again(place);
    return true;
  }
  if (!load_mbarrier(place)) return false;
  if (op.kind == ObjectUse::inval) {
    block_->mbarriers.erase(place.address);
    std::memset(block_->shared.data() + place.address, 0, MbarrierState::bytes);
    return true;
  }
  const std::uint64_t token = place.state.word();
  if (!change_mbarrier(op, place, value)) return false;
  store_mbarrier(place);
  if (op.dst != 0) std::memcpy(registers_ + op.dst + static_cast<std::uint32_t>(lane) * 8, &token, sizeof token);
  return true;
}

bool Worker::is_mbarrier(std::uint32_t site, std::uint64_t address, int lane) {
  MbarrierPlace place;
  return find_mbarrier(site, address, false, true, lane, place) && load_mbarrier(place);
}

// A copy by this lane has delivered its bytes. (is_mbarrier() must be true.)
bool Worker::complete_on(std::uint32_t site, std::uint64_t address, std::uint32_t bytes, int lane) {
  MbarrierPlace place;
  if (!find_mbarrier(site, address, false, true, lane, place) || !load_mbarrier(place)) return false;
  MbarrierOp op;
  op.kind = ObjectUse::complete_tx;
  op.site = site;
  if (races_ != nullptr)
    races_->arrive_at_object(block_->index, warp_->index, static_cast<std::uint32_t>(lane), place.owner->index,
                             place.address, true);
  if (!change_mbarrier(op, place, bytes)) return false;
  store_mbarrier(place);
  return true;
}

// If a wait names an invalid phase, sets the fault and returns true.
bool Worker::token_fault(const MbarrierOp& op, const MbarrierPlace& place, std::uint64_t given) {
  if (op.parity) {
    if (given <= 1) return false;
    mbarrier_fault(place, "mbarrier.bad_phase", worded("is asked for parity {}; a parity is 0 or 1", given),
                   "Pass the number of the phase modulo 2.");
    return true;
  }
  const MbarrierState asked = MbarrierState::of(given);
  if ((given & MbarrierState::mark) != 0 && ((place.state.phase - asked.phase) & 3u) <= 1) return false;
  mbarrier_fault(place, "mbarrier.bad_phase",
                 "is asked for a phase by a token that is of neither this phase nor the one before",
                 "Wait with the token of this barrier's last arrival, once per phase.");
  return true;
}

void Worker::note_wait(std::uint32_t site, std::uint32_t object, std::uint64_t seen) {
  Poll& poll = warp_->poll;
  const bool same = poll.mbarrier == object && poll.seen == seen;
  poll.saw(same);
  poll.site = site;
  poll.seen = seen;
  poll.mbarrier = object;
  if (!same) warp_->waited_turns = 0;
}

// test_wait returns at once. try_wait lets other warps run until the phases of all its lanes are complete, but only for
// a time.
Worker::Then Worker::wait_for_phase(const MbarrierOp& op, std::uint32_t executed) {
  std::uint32_t over = 0, object = 0;
  std::uint64_t seen = executed;
  std::array<std::uint32_t, 32> objects;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    MbarrierPlace place;
    const std::uint64_t address = address_in(op.address, op.offset, op.wide, lane);
    if (!find_mbarrier(op.site, address, op.generic, false, lane, place) || !load_mbarrier(place)) return Then::stop;
    const std::uint64_t given = read_slot(registers_ + op.value, lane, op.parity ? 4 : 8);
    if (token_fault(op, place, given)) return Then::stop;
    const bool is_over =
        op.parity ? (place.state.phase & 1u) != given : place.state.phase != MbarrierState::of(given).phase;
    over |= static_cast<std::uint32_t>(is_over) << lane;
    objects[static_cast<std::size_t>(lane)] = place.address;
    seen = (seen ^ place.address ^ place.state.word()) * 0xff51afd7ed558ccdull;
    seen ^= seen >> 29;
    if (!is_over) object = place.address;
  }
  if (over != executed) {
    note_wait(op.site, object, seen);
    if (op.kind == ObjectUse::try_wait && ++warp_->waited_turns % turns_of_a_wait != 0) return Then::again;
  }
  if (races_ != nullptr)
    LaneMask{over}.for_each([&](int lane) {
      races_->phase_awaited(block_->index, warp_->index, static_cast<std::uint32_t>(lane), block_->index,
                            objects[static_cast<std::size_t>(lane)], op.ordered);
    });
  write_lanes(registers_ + op.dst, over, executed);
  return Then::next;
}

template <Mode mode>
Worker::Then Worker::mbarrier(const Operation& operation, std::uint32_t active) {
  const MbarrierOp& op = frame_->code->mbarriers[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  const bool first = !std::exchange(warp_->stack.back().waiting, false);
  if (first) {
    if (schedule_ != nullptr && executed != 0 && preempt()) return Then::preempted;
    if (op.guarded && !guarded_event<mode>(op.site, active, executed)) return Then::stop;
    if (races_ != nullptr && executed != 0) watch_mbarrier(op, executed);
  }
  if (executed == 0) return Then::next;
  if (is_wait(op.kind)) return wait_for_phase(op, executed);
  for (std::uint32_t left = executed; left != 0; left &= left - 1)
    if (!update_mbarrier(op, LaneMask{left}.lowest())) return Then::stop;
  return Then::next;
}

// Reports accesses to the object's 8 bytes: init writes them, all other operations are atomic.
void Worker::watch_mbarrier(const MbarrierOp& op, std::uint32_t executed) {
  RaceDetector::Request request;
  request.block = block_->index;
  request.warp = warp_->index;
  request.site = op.site;
  request.width = MbarrierState::bytes;
  request.is_object = true;
  std::array<std::uint64_t, 32> addresses{};
  LaneMask{executed}.for_each([&](int lane) {
    addresses[static_cast<std::size_t>(lane)] =
        address_in(op.address, op.offset, op.wide, lane) - (op.generic ? address_space::shared_window : 0);
  });
  watch_shared(request, addresses, executed);
}

template Worker::Then Worker::mbarrier<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::mbarrier<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::mbarrier<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
