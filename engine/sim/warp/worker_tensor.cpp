// Tensor core instructions of the running warp. All 32 lanes must take part; else the behaviour is undefined.

#include <cstring>
#include <utility>

#include "core/worded.h"
#include "ptx/opcode_table.h"
#include "sim/memory/address_space.h"
#include "sim/tensor/sparse.h"
#include "sim/tensor/tensor_tile.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

using trace::MemorySpace;
using Rows = std::array<std::array<std::uint16_t, 8>, 8>;

LaneValues values_of(const std::byte* file, std::uint32_t slot, std::uint32_t bytes) {
  LaneValues values;
  for (int lane = 0; lane < 32; ++lane) values[static_cast<std::size_t>(lane)] = read_slot(file + slot, lane, bytes);
  return values;
}

std::vector<LaneValues> values_of(const std::byte* file, const std::vector<std::uint32_t>& slots,
                                  const Fragment& fragment) {
  std::vector<LaneValues> values;
  for (const std::uint32_t slot : slots)
    values.push_back(values_of(file, slot, static_cast<std::uint32_t>(fragment.register_bytes())));
  return values;
}

// An 8 × 8 matrix in the layout of ldmatrix: each lane holds two adjacent elements of row lane ÷ 4.
Rows descriptor_rows(const LaneValues& values) {
  Rows rows;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    rows[lane / 4][lane % 4 * 2] = static_cast<std::uint16_t>(values[lane]);
    rows[lane / 4][lane % 4 * 2 + 1] = static_cast<std::uint16_t>(values[lane] >> 16);
  }
  return rows;
}

Rows turned(const Rows& rows) {
  Rows result;
  for (std::size_t r = 0; r < 8; ++r)
    for (std::size_t c = 0; c < 8; ++c) result[c][r] = rows[r][c];
  return result;
}

void put_rows(std::byte* file, std::uint32_t slot, const Rows& rows) {
  for (int lane = 0; lane < 32; ++lane)
    std::memcpy(file + slot + lane * 4,
                &rows[static_cast<std::size_t>(lane / 4)][static_cast<std::size_t>(lane % 4 * 2)], 4);
}

}  // namespace

template <Mode mode>
Worker::Then Worker::tensor(const Operation& operation, std::uint32_t active) {
  const TensorOp& op = frame_->code->tensors[frame_->code->exchanges[operation.index].tensor];
  warp_->stack.back().state = Path::State::runnable;
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) {
    if constexpr (mode != Mode::plain)
      if (!op.touches_memory() && !vote_event<mode>(op.site, trace::EventKind::matrix, active, executed, 0))
        return Then::stop;
    return Then::next;
  }
  if (warp_->live != ~0u) {
    incomplete_warp_fault(~warp_->live);
    return Then::stop;
  }
  if (executed == ~0u) return perform_tensor<mode>(op, ~0u) ? Then::next : Then::stop;
  // The lanes that reached it on other paths: those of the same activation of the function, and all of them.
  std::uint32_t here = executed, anywhere = executed;
  for (std::size_t i = 0; i + 1 < warp_->stack.size(); ++i) {
    const Path& path = warp_->stack[i];
    if (!joins(path, operation, *frame_->code, ~0u)) continue;
    anywhere |= path.mask;
    if (path.next == &operation && path.frame == frame_) here |= path.mask;
  }
  if (here == ~0u) {
    if (!perform_tensor<mode>(op, ~0u)) return Then::stop;
    for (std::size_t i = 0; i + 1 < warp_->stack.size(); ++i) {
      Path& path = warp_->stack[i];
      if (!joins(path, operation, *frame_->code, ~0u)) continue;
      path.state = Path::State::runnable;
      ++path.next;
    }
    return Then::next;
  }
  if (anywhere == ~0u) {
    incomplete_warp_fault(~here);
    return Then::stop;
  }
  Parties parties;
  parties.count = 1;
  parties.party[0] = {~0u, executed, anywhere};
  parties.incomplete = executed;
  return wait_for_others(operation, active, parties);
}

// False, with the fault set: the metadata is undefined.
bool Worker::find_columns(const TensorOp& op, SparseColumns& columns) {
  columns = columns_of(op, values_of(registers_, op.metadata, 4));
  if (columns.lane < 0) return true;
  fail(current(), "tensor.bad_metadata",
       worded("{}: the metadata 0x{:x} of {} chooses columns of A by 0b{:04b}, which is undefined", who(columns.lane),
              columns.word, ptx::name_of(current().opcode), columns.choice),
       "Choose two different ones of each four, with .sp::ordered_metadata the first one in the lower 2 bits. For "
       "tf32, write 0b0100 for the first of two columns and 0b1110 for the second.");
  return false;
}

template <Mode mode>
bool Worker::perform_tensor(const TensorOp& op, std::uint32_t active) {
  switch (op.kind) {
    case TensorOp::Kind::load_rows:
    case TensorOp::Kind::store_rows:
      return move_rows<mode>(op, active);
    case TensorOp::Kind::load_fragment:
    case TensorOp::Kind::store_fragment:
      return move_fragment<mode>(op, active);
    case TensorOp::Kind::transpose:
      if (!vote_event<mode>(op.site, trace::EventKind::matrix, active, active, 0)) return false;
      put_rows(registers_, op.slots[0], turned(descriptor_rows(values_of(registers_, op.a_slots[0], 4))));
      return true;
    case TensorOp::Kind::of_warpgroup:
      return multiply_in_warpgroup<mode>(op, active);
    case TensorOp::Kind::multiply:
      break;
  }
  if (!vote_event<mode>(op.site, trace::EventKind::matrix, active, active, 0)) return false;
  if (multiply_quickly(op, registers_, tile_kernels(isa()))) return true;
  SparseColumns columns;
  if (op.sparse && !find_columns(op, columns)) return false;
  const std::vector<LaneValues> result =
      multiply(op, values_of(registers_, op.a_slots, op.a), values_of(registers_, op.b_slots, op.b),
               values_of(registers_, op.c_slots, op.c), columns.column);
  const auto bytes = static_cast<std::uint32_t>(op.d.register_bytes());
  for (std::size_t r = 0; r < result.size(); ++r)
    for (int lane = 0; lane < 32; ++lane)
      write_slot(registers_ + op.slots[r], lane, bytes, result[r][static_cast<std::size_t>(lane)]);
  return true;
}

// ---- memory -----------------------------------------------------------------------------------------

// Counts and checks the lanes' request. Afterwards *pattern_ has their addresses, relative to the space that they are
// in. The caller moves the bytes.
template <Mode mode>
bool Worker::request_of(const TensorOp& op, MemoryOp& memory, std::uint32_t active, std::uint32_t lanes) {
  memory.site = op.site;
  memory.space = op.space;
  memory.operation = op.is_load() ? trace::Operation::load : trace::Operation::store;
  memory.elements = 0;
  memory.element_bytes = memory.width;
  if (races_ != nullptr) [[unlikely]]
    watch_access(memory, lanes);
  return access<mode>(memory, active, lanes);
}

// Whether the access is to shared memory. *pattern_ may have to be found first.
bool Worker::is_shared(const MemoryOp& memory, std::uint32_t lanes) {
  if (memory.space != ptx::Space::generic) return memory.space == ptx::Space::shared;
  find_pattern(memory, lanes);
  return address_space::in_window(pattern_->low, address_space::shared_window) &&
         address_space::in_window(pattern_->high, address_space::shared_window);
}

std::byte* Worker::place_of(std::uint64_t address, bool shared) {
  if (shared) return block_->shared.data() + address;
  return reinterpret_cast<std::byte*>(context_.memory.find(address)->host() + address);
}

template <Mode mode>
bool Worker::move_rows(const TensorOp& op, std::uint32_t active) {
  const std::uint32_t lanes = op.requests.front().lanes;
  MemoryOp memory;
  memory.width = 16;
  memory.address = op.address;
  memory.offset = op.offset;
  memory.address64 = op.address64;
  memory.space = op.space;
  if (!is_shared(memory, lanes)) {
    memory.site = op.site;
    memory.operation = op.is_load() ? trace::Operation::load : trace::Operation::store;
    memory_fault(memory, MemorySpace::shared, LaneMask{lanes}.lowest(), pattern_->first, "memory.out_of_bounds");
    return false;
  }
  if (!request_of<mode>(op, memory, active, lanes)) return false;
  for (std::size_t i = 0; i < op.slots.size(); ++i) {
    Rows rows;
    if (!op.is_load()) {
      rows = descriptor_rows(values_of(registers_, op.slots[i], 4));
      if (op.transposed) rows = turned(rows);
    }
    for (std::size_t r = 0; r < 8; ++r) {
      std::byte* place = place_of(address_of(*pattern_, lanes, static_cast<int>(8 * i + r)), true);
      if (op.is_load())
        std::memcpy(rows[r].data(), place, 16);
      else
        std::memcpy(place, rows[r].data(), 16);
    }
    if (op.is_load()) put_rows(registers_, op.slots[i], op.transposed ? turned(rows) : rows);
  }
  return true;
}

template <Mode mode>
bool Worker::move_fragment(const TensorOp& op, std::uint32_t active) {
  const std::uint32_t address_bytes = op.address64 ? 8 : 4;
  const std::uint64_t base = read_slot(registers_ + op.address, 0, address_bytes) + op.offset;
  const std::uint64_t stride = read_slot(registers_ + op.stride, 0, 4);
  for (int lane = 1; lane < 32; ++lane)
    if (read_slot(registers_ + op.address, lane, address_bytes) + op.offset != base ||
        read_slot(registers_ + op.stride, lane, 4) != stride) {
      fail(current(), "tensor.lanes_differ",
           worded("{}: {} needs the same address and the same stride in all lanes of the warp; lane {} has others",
                  who(lane), ptx::name_of(current().opcode), lane),
           "Work the address out from what is the same for the whole warp, such as threadIdx.x / 32.");
      return false;
    }
  const Fragment& fragment = op.fragment;
  const int bits = bits_of(fragment.element);
  const auto offset_of = [&](Fragment::Place place) {
    const auto row = static_cast<std::uint64_t>(place.row), column = static_cast<std::uint64_t>(place.column);
    return (op.by_column ? column * stride + row : row * stride + column) * static_cast<std::uint64_t>(bits) / 8;
  };
  MemoryOp memory;
  memory.address = op.scratch;
  memory.space = op.space;
  memory.site = op.site;
  const bool generic = op.space == ptx::Space::generic;
  if (generic && (address_space::in_window(base, address_space::local_window) ||
                  address_space::in_window(base, address_space::param_window))) {
    memory_fault(memory, MemorySpace::global, 0, base, "memory.out_of_bounds");
    return false;
  }
  for (const FragmentRequest& request : op.requests) {
    memory.width = static_cast<std::uint8_t>(request.width);
    for (int lane = 0; lane < 32; ++lane)
      write_slot(registers_ + op.scratch, lane, 8, base + offset_of(request.place[static_cast<std::size_t>(lane)]));
    if (!request_of<mode>(op, memory, active, request.lanes)) return false;
  }
  // A generic address may be an address of shared memory.
  const bool shared =
      op.space == ptx::Space::shared || (generic && address_space::in_window(base, address_space::shared_window));
  // It is in the block's own shared memory, because request_of() allows nothing else.
  const std::uint64_t from = shared ? address_space::within_block(base) : base;
  move_elements(op, from, shared, offset_of);
  return true;
}

// Moves the bytes of a fragment whose first element is at `from`. Its requests have been checked.
template <typename OffsetOf>
void Worker::move_elements(const TensorOp& op, std::uint64_t from, bool shared, OffsetOf&& offset_of) {
  const Fragment& fragment = op.fragment;
  const int bits = bits_of(fragment.element);
  const auto bytes = static_cast<std::uint32_t>(fragment.register_bytes());
  const bool together = is_together(fragment, op.by_column);
  const int parts = together ? 1 : fragment.per_register();
  const std::uint32_t part_bytes = together ? bytes : static_cast<std::uint32_t>(bits) / 8;
  // Mostly the whole fragment is in one region.
  const Region* const region = shared ? nullptr : context_.memory.find(from);
  const auto place_at = [&](std::uint64_t address) {
    if (region == nullptr || !region->holds(address, address, part_bytes)) return place_of(address, shared);
    return reinterpret_cast<std::byte*>(region->host() + address);
  };
  for (std::size_t reg = 0; reg < op.slots.size(); ++reg)
    for (int lane = 0; lane < 32; ++lane) {
      std::uint64_t value = op.is_load() ? 0 : read_slot(registers_ + op.slots[reg], lane, bytes);
      const std::size_t first = (reg * 32 + static_cast<std::size_t>(lane)) * static_cast<std::size_t>(parts);
      for (int part = 0; part < parts; ++part) {
        std::byte* const place = place_at(from + offset_of(op.places[first + static_cast<std::size_t>(part)]));
        if (op.is_load()) {
          value |= read_number(place, part_bytes) << (part * bits);
        } else {
          write_number(place, part_bytes, value >> (part * bits));
        }
      }
      if (op.is_load()) write_slot(registers_ + op.slots[reg], lane, bytes, value);
    }
}

// ---- faults -----------------------------------------------------------------------------------------

// "All threads in the warp must execute the same instruction". It is undefined if a thread has exited or never existed.
void Worker::incomplete_warp_fault(std::uint32_t missing) {
  const std::uint32_t exited = missing & warp_->existing & ~warp_->live;
  const std::uint32_t absent = missing & ~warp_->existing;
  const Wording why = absent != 0   ? worded("this warp has no {}", lanes_text(absent))
                      : exited != 0 ? worded("{} exited before", lanes_text(exited))
                                    : worded("{} will never come to it", lanes_text(missing));
  fail(current(), "tensor.incomplete_warp",
       worded("{}: {} is undefined unless all 32 lanes of the warp execute it together; {}",
              who(LaneMask{warp_->stack.back().mask}.lowest()), ptx::name_of(current().opcode), why),
       "Launch whole warps (a number of threads per block that is a multiple of 32), and let no lane leave or branch "
       "away before it.");
}

template Worker::Then Worker::tensor<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::tensor<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::tensor<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
