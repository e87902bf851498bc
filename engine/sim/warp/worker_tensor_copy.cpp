// Copies and reductions by tensor map (TMA), between a box of a tensor in global memory and shared memory. Like bulk
// copies they happen immediately and are not requests of the warp.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/worded.h"
#include "sim/decode/atomics.h"
#include "sim/memory/address_space.h"
#include "sim/memory/tensor_box.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;
using TensorWay = TensorCopyOp::Way;

// One lane's copy.
struct Worker::TensorCopy {
  const TensorCopyOp& op;
  int lane;
  TensorMap map{};
  BlockState* owner = nullptr;  // the block whose shared memory has the box
  std::uint32_t shared = 0;     // the box's address in it
  std::uint32_t bytes = 0;      // of the whole box, also where it is outside the tensor
  std::uint32_t extent = 0;     // bytes in shared memory, including gaps between rows
  std::uint64_t object = 0;     // mbarrier
  TensorPlace place{};
  std::vector<TensorRow> rows{};
  AtomicFunction reduce = nullptr;
  bool reads_global() const { return op.way == TensorWay::to_shared; }
};

namespace {

constexpr std::uint32_t shared_alignment = 128;  // alignment of a box

// The reduction of the tensor's elements; nullptr if an H100 does not support it. Only types with FTZ in their names
// flush subnormal numbers.
AtomicFunction reduction_of(ptx::AtomicOp operation, TensorType type) {
  using A = ptx::AtomicOp;
  using T = TensorType;
  const bool adds = operation == A::add, counts = operation == A::inc || operation == A::dec;
  const bool compares = operation == A::min || operation == A::max;
  switch (type) {
    case T::u32:
      return select_atomic(operation, ptx::Type::u32, true);
    case T::i32:
      return counts ? nullptr : select_atomic(operation, adds || compares ? ptx::Type::s32 : ptx::Type::b32, true);
    case T::u64:
      return counts ? nullptr : select_atomic(operation, ptx::Type::u64, true);
    case T::i64:
      return compares ? select_atomic(operation, ptx::Type::s64, true) : nullptr;
    case T::f16:
      return adds || compares ? select_atomic(operation, ptx::Type::f16, true) : nullptr;
    case T::bf16:
      return adds || compares ? select_atomic(operation, ptx::Type::bf16, true) : nullptr;
    case T::f32:
    case T::tf32:
      return adds ? select_atomic(operation, ptx::Type::f32, false) : nullptr;
    case T::f32_ftz:
    case T::tf32_ftz:
      return adds ? select_atomic(operation, ptx::Type::f32, true) : nullptr;
    case T::f64:
      return adds ? add_doubles : nullptr;
    default:
      return nullptr;
  }
}

Wording interleaving_name(UnknownInterleaving unknown) {
  return unknown == UnknownInterleaving::pixels_of_images ? "in im2col mode"
                                                          : "with an element stride along the slices";
}

}  // namespace

bool Worker::tensor_copy_fault(const TensorCopy& copy, const char* code, const Wording& what, Wording cure) {
  fail(*context_.program.site_instruction[copy.op.site], code,
       worded("{}: the copy by tensor map {}", who(copy.lane), what), std::move(cure));
  return false;
}

// Reads the map from a parameter, constant memory or global memory.
bool Worker::read_tensor_map(TensorCopy& copy) {
  using namespace address_space;
  const std::uint64_t address = address_in(copy.op.map.slot, copy.op.map.offset, copy.op.map.wide, copy.lane);
  TensorMapBytes bytes;
  const std::byte* from = nullptr;
  if (in_window(address, param_window)) {
    const std::uint64_t at = address - param_window, all = context_.parameters.size();
    if (all >= sizeof bytes && at <= all - sizeof bytes) from = context_.parameters.data() + at;
  } else if (const Region* region = context_.memory.find(address);
             region != nullptr && region->holds(address, address, sizeof bytes)) {
    from = region->data + (address - region->address);
    if (sets_ != nullptr && region->kind != RegionKind::constant)
      sets_->mark(AccessSets::Use::read, *region, address, sizeof bytes);
  }
  if (from == nullptr || address % TensorMap::alignment != 0)
    return tensor_copy_fault(
        copy, "tensor_map.bad_address",
        worded("takes its map from 0x{:x}, where 128 bytes of a parameter, constant or global memory, aligned to 64, "
               "do not lie",
               address),
        "Pass the map as a parameter, `const __grid_constant__ CUtensorMap map`, and use its address.");
  std::memcpy(bytes.data(), from, sizeof bytes);
  const std::optional<TensorMap> map = decode_tensor_map(bytes);
  if (!map)
    return tensor_copy_fault(copy, "tensor_map.not_one",
                             worded("finds no tensor map in the 128 bytes at 0x{:x}", address),
                             "Make the map on the host by cuTensorMapEncodeTiled() or cuTensorMapEncodeIm2col(), and "
                             "check what it returns.");
  copy.map = *map;
  if (const UnknownInterleaving unknown = unknown_in(*map); unknown != UnknownInterleaving::none)
    return tensor_copy_fault(copy, "tensor_map.interleaved",
                             worded("has a map of an interleaved layout {}, which the interpreter does not know",
                                    interleaving_name(unknown)),
                             "Make the map with CU_TENSOR_MAP_INTERLEAVE_NONE.");
  if (map->rank == copy.op.dimensions && map->im2col == copy.op.im2col) return true;
  return tensor_copy_fault(copy, "tensor_map.other_kind",
                           worded("is {}-dimensional{}, but its map is of a {}-dimensional tensor{}",
                                  copy.op.dimensions, copy.op.im2col ? worded(" in im2col mode") : Wording(), map->rank,
                                  map->im2col ? worded(" in im2col mode") : Wording()),
                           "Use the instruction of the map's rank and mode.");
}

// Checks the box in shared memory and the object on which the copy completes.
bool Worker::check_tensor_copy(TensorCopy& copy, std::uint64_t address) {
  const TensorCopyOp& op = copy.op;
  if (address % shared_alignment != 0)
    return tensor_copy_fault(copy, "tensor_map.misaligned",
                             worded("has its box at shared address 0x{:x}, which is not a multiple of 128", address),
                             "Align the shared array: __shared__ alignas(128), and alignas(1024) where the map has a "
                             "swizzle of 128 bytes.");
  const bool writes = op.way == TensorWay::to_shared;
  const auto operation = writes ? trace::Operation::store : trace::Operation::load;
  copy.owner = owner_of(op.site, operation, box_bytes(copy.map), writes, copy.lane, address);
  if (copy.owner == nullptr) return false;
  const std::uint64_t within = address_space::within_block(address);
  const std::uint64_t extent = row_count(copy.map) * row_pitch(copy.map, row_bytes(copy.map));
  const auto fault = [&](const char* code) {
    const bool own = copy.owner == block_;
    access_fault({op.site, operation, extent}, own ? MemorySpace::shared : MemorySpace::distributed, copy.lane,
                 own ? within : address, code);
    return false;
  };
  // With a swizzle, the pieces of the last 128-byte line may be anywhere in that line.
  const std::uint64_t room = copy.map.swizzle == 0 ? extent : address_space::align_up(extent, shared_alignment);
  if (room > context_.shared_bytes || within > context_.shared_bytes - room) return fault("memory.out_of_bounds");
  copy.shared = static_cast<std::uint32_t>(within);
  copy.bytes = static_cast<std::uint32_t>(box_bytes(copy.map));
  copy.extent = static_cast<std::uint32_t>(room);
  if (!writes) return block_->shared_written.any(within, room) || fault("memory.uninitialised");
  return completes_in_same_block(op.site, address, copy.object, copy.lane) &&
         is_mbarrier(op.site, copy.object, copy.lane);
}

bool Worker::find_row(TensorCopy& copy, const TensorRow& row, bool& written) {
  const auto operation = copy.reads_global() ? trace::Operation::load : trace::Operation::store;
  const auto fault = [&](const char* code) {
    access_fault({copy.op.site, operation, row.bytes}, MemorySpace::global, copy.lane, row.address, code);
    return false;
  };
  const Region* region = context_.memory.find(row.address);
  if (region == nullptr || !region->holds(row.address, row.address, row.bytes))
    return fault(row.address < address_space::null_bytes ? "memory.null" : "memory.out_of_bounds");
  if (!copy.reads_global() && region->kind == RegionKind::constant) return fault("memory.write_to_constant");
  const WrittenOverlay& map = written_[region->index];
  written |= map.complete() || map.any(row.address - region->address, row.bytes);
  return true;
}

// A store writes whole pieces of 16 bytes, even if the tensor's last element is in the middle of one. Here it does so
// up to the end of the allocation.
void Worker::round_up(const TensorCopy& copy, TensorRow& row) const {
  const std::uint32_t width = row_bytes(copy.map), rest = row.bytes % tensor_piece;
  if (copy.reads_global() || rest == 0) return;
  const Region& region = *context_.memory.find(row.address);
  const auto room = std::min<std::uint64_t>(region.end() - row.address, width - row.skipped);
  row.bytes = static_cast<std::uint32_t>(std::min<std::uint64_t>(row.bytes - rest + tensor_piece, room));
}

// An H100 reports these as illegal instructions.
bool Worker::check_coordinates(const TensorCopy& copy) {
  const TensorMap& map = copy.map;
  const auto& at = copy.place.at;
  if (at[0] * std::int64_t{innermost_bytes(map)} % tensor_piece != 0)
    return tensor_copy_fault(
        copy, "tensor_map.misaligned_coordinate",
        worded("begins at element {} along the tensor's first dimension, {} bytes from its start: not a multiple of 16",
               at[0], at[0] * std::int64_t{bytes_of(map.type)}),
        "Begin at a multiple of 16 bytes along the first dimension.");
  for (std::size_t d = 0; d < map.rank; ++d) {
    const bool is_pixel = map.im2col && d > 0 && d + 1 < map.rank;
    const std::int64_t low = is_pixel ? map.lower[d - 1] : 0;
    const std::int64_t end = static_cast<std::int64_t>(map.dim[d]) + (is_pixel ? map.upper[d - 1] : 0);
    if (is_pixel && (at[d] < low || at[d] >= end))
      return tensor_copy_fault(
          copy, "tensor_map.outside_of_pixels",
          worded("begins at {} along dimension {}, outside of the pixels' box, which is from {} to {}", at[d], d, low,
                 end - 1),
          "Begin at a pixel of the box between the corners that cuTensorMapEncodeIm2col() was given.");
    if (is_pixel && !copy.reads_global() && (map.lower[d - 1] < 0 || map.upper[d - 1] > 0))
      return tensor_copy_fault(copy, "tensor_map.outside_of_pixels",
                               worded("writes pixels of a box that reaches out of the tensor along dimension {}", d),
                               "Give a map that is written by corners inside of the image: lower ones of 0 or more, "
                               "upper ones of 0 or less.");
    if (!copy.reads_global() && at[d] < 0)
      return tensor_copy_fault(
          copy, "tensor_map.negative_coordinate",
          worded("writes to the tensor from coordinate {} along dimension {} on, which is negative", at[d], d),
          "Begin a store at 0 or more: only behind the end may its box lie outside.");
  }
  return true;
}

// Checks that the part of the box inside the tensor is in memory, and that some of it was written.
bool Worker::find_rows(TensorCopy& copy) {
  const TensorCopyOp& op = copy.op;
  TensorPlace& place = copy.place;
  for (std::size_t d = 0; d < op.dimensions; ++d)
    place.at[d] = static_cast<std::int32_t>(read_slot(registers_ + op.at[d], copy.lane, 4));
  for (std::size_t d = 0; d < op.offset.size(); ++d)
    if (op.offset[d] != 0)
      place.offset[d] = static_cast<std::uint16_t>(read_slot(registers_ + op.offset[d], copy.lane, 2));
  if (!check_coordinates(copy)) return false;
  copy.rows = rows_of(copy.map, place);
  bool written = false;
  const TensorRow* first = nullptr;
  for (TensorRow& row : copy.rows) {
    if (row.bytes == 0) continue;
    if (first == nullptr) first = &row;
    if (!find_row(copy, row, written)) return false;
    round_up(copy, row);
  }
  if (first == nullptr || written || op.way == TensorWay::to_global) return true;
  access_fault({op.site, trace::Operation::load, first->bytes}, MemorySpace::global, copy.lane, first->address,
               "memory.uninitialised");
  return false;
}

// The row's bytes in host memory. Notes that they are used, for the comparison with other workers.
std::byte* Worker::take_row(const TensorCopy& copy, const TensorRow& row) {
  const bool reads = copy.reads_global();
  return take_global(*context_.memory.find(row.address), row.address, row.bytes, reads, !reads);
}

void Worker::load_rows(const TensorCopy& copy) {
  const std::uint32_t width = row_bytes(copy.map);
  const bool rounds = copy.map.type == TensorType::tf32 || copy.map.type == TensorType::tf32_ftz;
  const std::uint16_t filling = filling_of(copy.map);
  std::vector<std::byte> line(width);
  std::uint32_t at = copy.shared;
  for (const TensorRow& row : copy.rows) {
    if (row.bytes != width)
      for (std::uint32_t i = 0; i < width; i += sizeof filling) std::memcpy(line.data() + i, &filling, sizeof filling);
    if (row.bytes != 0) std::memcpy(line.data() + row.skipped, take_row(copy, row), row.bytes);
    for (std::uint32_t i = 0; rounds && i < row.bytes; i += sizeof(float)) {
      std::uint32_t bits;
      std::memcpy(&bits, line.data() + row.skipped + i, sizeof bits);
      bits = to_tf32(bits);
      std::memcpy(line.data() + row.skipped + i, &bits, sizeof bits);
    }
    for (std::uint32_t i = 0; i < width; i += tensor_piece) {
      const std::uint32_t to = swizzled(copy.map, at + i);
      std::memcpy(copy.owner->shared.data() + to, line.data() + i, tensor_piece);
      copy.owner->shared_written.mark(to, tensor_piece);
    }
    at += row_pitch(copy.map, width);
  }
}

void Worker::store_rows(const TensorCopy& copy) {
  const std::uint32_t width = row_bytes(copy.map), element = bytes_of(copy.map.type);
  std::vector<std::byte> line(width);
  std::uint32_t at = copy.shared;
  for (const TensorRow& row : copy.rows) {
    for (std::uint32_t i = 0; i < width; i += tensor_piece)
      std::memcpy(line.data() + i, block_->shared.data() + swizzled(copy.map, at + i), tensor_piece);
    at += row_pitch(copy.map, width);
    if (row.bytes == 0) continue;
    std::byte* to = take_row(copy, row);
    if (copy.reduce == nullptr) {
      std::memcpy(to, line.data() + row.skipped, row.bytes);
      continue;
    }
    for (std::uint32_t i = 0; i + element <= row.bytes; i += element)
      copy.reduce(to + i, read_number(line.data() + row.skipped + i, element), 0);
  }
}

// Reports the whole box. For a swizzled box, reports the 128-byte lines that contain it.
void Worker::watch_tensor_copy(const TensorCopy& copy) {
  RaceDetector::Request request;
  request.block = block_->index;
  request.warp = warp_->index;
  request.site = copy.op.site;
  request.executed = 1u << copy.lane;
  request.asynchronous = request.in_bulk = true;
  request.owner = request.tracker_owner = copy.owner->index;
  request.tracker = copy.reads_global() ? static_cast<std::uint32_t>(address_space::within_block(copy.object))
                                        : RaceDetector::Request::groups;
  const auto element = static_cast<std::uint8_t>(bytes_of(copy.map.type));
  const auto tell = [&](MemorySpace space, std::uint64_t address, std::uint64_t bytes, bool reads) {
    request.space = space;
    request.addresses[static_cast<std::size_t>(copy.lane)] = address;
    request.width = static_cast<std::uint32_t>(bytes);
    request.reads_only = reads;
    request.reduces = reads || copy.reduce == nullptr ? std::uint8_t{0} : element;
    races_->access(request);
    remark_unfenced(copy.op.site, copy.lane);
  };
  tell(MemorySpace::shared, copy.shared, copy.extent, !copy.reads_global());
  std::uint64_t begin = 0, end = 0;
  for (const TensorRow& row : copy.rows) {
    if (row.bytes == 0) continue;
    if (row.address != end) {
      if (end != begin) tell(MemorySpace::global, begin, end - begin, copy.reads_global());
      begin = row.address;
    }
    end = row.address + row.bytes;
  }
  if (end != begin) tell(MemorySpace::global, begin, end - begin, copy.reads_global());
}

// Whether two lanes name the same map, place in shared memory and coordinates.
bool Worker::names_the_same(const TensorCopyOp& op, int a, int b) const {
  const auto same = [&](const BulkCopyOp::Place& place) {
    return address_in(place.slot, place.offset, place.wide, a) == address_in(place.slot, place.offset, place.wide, b);
  };
  const auto same_slot = [&](std::uint32_t slot, std::uint32_t bytes) {
    return slot == 0 || read_slot(registers_ + slot, a, bytes) == read_slot(registers_ + slot, b, bytes);
  };
  for (std::size_t i = 0; i < op.dimensions; ++i)
    if (!same_slot(op.at[i], 4)) return false;
  for (const std::uint32_t slot : op.offset)
    if (!same_slot(slot, 2)) return false;
  return same(op.map) && same(op.shared);
}

bool Worker::copy_tensor(const TensorCopyOp& op, int lane) {
  TensorCopy copy{op, lane};
  if (!read_tensor_map(copy)) return false;
  if (op.way == TensorWay::prefetch) return true;
  if (op.way == TensorWay::reduce) {
    copy.reduce = reduction_of(op.reduction, copy.map.type);
    if (copy.reduce == nullptr)
      return tensor_copy_fault(copy, "tensor_map.no_such_reduction",
                               "reduces in a way that is not defined for the element type of its map",
                               "Use an operation and a type of the table at cp.reduce.async.bulk.tensor in the PTX "
                               "manual.");
  }
  const std::uint64_t address = address_in(op.shared.slot, op.shared.offset, op.shared.wide, lane);
  if (op.way != TensorWay::to_shared) return carry_out(copy, address);
  const std::uint64_t object = address_in(op.mbarrier.slot, op.mbarrier.offset, op.mbarrier.wide, lane);
  copy.object = object;
  if (op.mask == 0) return carry_out(copy, address);
  std::uint32_t ranks = 0;
  if (!find_ranks(op.site, op.mask, lane, ranks)) return false;
  for (std::uint32_t left = ranks; left != 0; left &= left - 1) {
    const std::uint64_t base = static_cast<std::uint64_t>(LaneMask{left}.lowest()) << address_space::rank_shift;
    copy.object = base + address_space::within_block(object);
    if (!carry_out(copy, base + address_space::within_block(address))) return false;
  }
  return true;
}

// Executes the copy, with its box at this shared address.
bool Worker::carry_out(TensorCopy& copy, std::uint64_t address) {
  if (!check_tensor_copy(copy, address) || !find_rows(copy)) return false;
  if (races_ != nullptr) watch_tensor_copy(copy);
  if (copy.op.way != TensorWay::to_shared) {
    store_rows(copy);
    return true;
  }
  load_rows(copy);
  return complete_on(copy.op.site, copy.object, copy.bytes, copy.lane);
}

template <Mode mode>
Worker::Then Worker::tensor_copy(const Operation& operation, std::uint32_t active) {
  const TensorCopyOp& op = frame_->code->tensor_copies[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (schedule_ != nullptr && executed != 0 && preempt()) return Then::preempted;
  if (op.guarded && !guarded_event<mode>(op.site, active, executed)) return Then::stop;
  if (executed == 0) return Then::next;
  // CUTLASS lets a whole warp store one box: its lanes store the same bytes to the same place.
  const int first = LaneMask{executed}.lowest();
  const bool stores = op.way == TensorWay::to_global;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    if (stores && lane != first && names_the_same(op, first, lane)) continue;
    if (!copy_tensor(op, lane)) return Then::stop;
  }
  if (op.way != TensorWay::prefetch && mode != Mode::plain) remark_not_counted(op.site);
  return Then::next;
}

template Worker::Then Worker::tensor_copy<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::tensor_copy<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::tensor_copy<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
