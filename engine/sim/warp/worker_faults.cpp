// Faults of the running warp as Diagnostics.

#include "core/worded.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

#include "cfg/pointer_origins.h"
#include "core/source_name.h"
#include "core/text.h"
#include "sim/memory/address_space.h"
#include "sim/memory/shared_places.h"
#include "sim/warp/device_printf.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

const ptx::Instruction& Worker::current() const {
  const FunctionCode& code = *frame_->code;
  const auto index = static_cast<std::size_t>(operation_ - code.operations.data());
  return code.source->instructions[static_cast<std::size_t>(code.instruction_of[index])];
}

Wording Worker::lanes_text(std::uint32_t mask) const {
  const LaneMask lanes{mask};
  // "0, 2, …, 30" is clearer than sixteen numbers.
  const int first = lanes.lowest(), count = lanes.count();
  for (int step = 2; count >= 4 && step <= 8; ++step) {
    std::uint32_t every = 0;
    for (int i = 0, lane = first; i < count && lane < 32; ++i, lane += step) every |= 1u << lane;
    if (every == mask)
      return worded("lanes {}", fmt::format("{}, {}, …, {}", first, first + step, first + step * (count - 1)));
  }
  const std::string text = lane_ranges(lanes);
  return count == 1 ? worded("lane {}", text) : worded("lanes {}", text);
}

// "kernel k, thread (1, 0, 0) of block (2, 0, 0)"
Wording Worker::who(int lane) const {
  const Dim3 block = context_.launch.grid.at(block_->index);
  const Dim3 thread = context_.launch.block.at(std::uint64_t{warp_->index} * 32 + static_cast<std::uint64_t>(lane));
  return worded("kernel {}, thread ({}, {}, {}) of block ({}, {}, {})", context_.short_kernel_name(), thread.x,
                thread.y, thread.z, block.x, block.y, block.z);
}

void Worker::fail(const ptx::Instruction& instruction, std::string code, Wording message, Wording cure) {
  // The place is the line of the user's own file, so a line of a header is said too.
  const SourcePlace inner = context_.place_inside(instruction);
  if (inner.line != 0) message = worded("{} (in {}, line {})", message, inner.file, inner.line);
  fault_ =
      Diagnostic{Severity::error, std::move(code), context_.place(instruction), std::move(message), std::move(cure)};
  fault_place_ = place_in(*warp_, 0);
}

trace::FaultPlace Worker::place_in(const Warp& warp, std::uint32_t lanes) {
  trace::FaultPlace place{.block = warp.block, .warp = warp.index, .lanes = {lanes}};
  if (warp.sequence != 0) place.sequence = warp.sequence - 1;
  return place;
}

std::optional<trace::FaultPlace> Worker::fault_place() const {
  if (fault_) return fault_place_;
  if (!(out_of_steps_ || cancelled_) || warp_ == nullptr) return {};
  return place_in(*warp_, 0);
}

namespace {

Wording count_bytes(std::uint64_t bytes) {
  return worded("{} byte{}", bytes, bytes == 1 ? "" : "s");
}

// For example "4 bytes past the end of arg 1 (f32[1024])". `begin` and `end` are those of the named memory.
Wording relation(std::uint64_t begin, std::uint64_t end, const Wording& name, std::uint64_t address,
                 std::uint64_t width) {
  // Shared and local memory begin at 0, and an address below is negative, in 64 bits or in 32.
  if (begin == 0 && address >> 31 != 0) {
    const std::uint64_t before = address >> 32 != 0 ? 0 - address : (1ull << 32) - address;
    if (before <= 1ull << 31) return worded("{} before the start of {}", count_bytes(before), name);
  }
  if (address < begin) return worded("{} before the start of {}", count_bytes(begin - address), name);
  if (address >= end) {
    if (address == end) return worded("just past the end of {}", name);
    return worded("{} past the end of {}", count_bytes(address - end), name);
  }
  if (address + width > end)
    return worded("its last {} lie past the end of {}", count_bytes(address + width - end), name);
  return worded("{} into {}", count_bytes(address - begin), name);
}

// "8 bytes into `tile` (4,224 bytes of shared memory)", if a variable of the program lies there.
std::optional<Wording> shared_variable_at(const Program& program, std::uint64_t all_bytes, std::uint64_t address,
                                          std::uint64_t width) {
  for (const SharedPlace& place : shared_places(program)) {
    const std::uint64_t declared = place.variable->bytes();
    const std::uint64_t end = declared == 0 ? all_bytes : place.address + declared;  // 0: dynamic shared memory
    if (address < place.address || address >= end) continue;
    std::string name = demangled(place.variable->name);  // "k(float*)::tile"
    if (name.empty()) name = place.variable->name;
    if (const std::size_t colon = name.rfind("::"); colon != std::string::npos) name.erase(0, colon + 2);
    if (!std::ranges::all_of(name, is_name_char)) return std::nullopt;  // the compiler's own
    return relation(place.address, end, worded("`{}` ({} of shared memory)", name, count_bytes(end - place.address)),
                    address, width);
  }
  return std::nullopt;
}

const char* verb(trace::Operation operation) {
  switch (operation) {
    case trace::Operation::load:
      return "a read";
    case trace::Operation::store:
      return "a write";
    case trace::Operation::async_copy:
      return "an asynchronous copy";
    default:
      return "an atomic";
  }
}

}  // namespace

// The buffer of the parameter that the address was computed from, if there is just one; else the nearest.
const Region* Worker::region_meant(const ptx::Instruction& instruction, std::uint64_t address) const {
  const Region* const nearest = context_.memory.nearest(address);
  const ptx::Function* function = frame_ == nullptr ? nullptr : frame_->code->source;
  if (function == nullptr || !function->is_entry) return nearest;
  const auto& all = function->instructions;
  const auto own = std::ranges::find(all, &instruction, [](const ptx::Instruction& one) { return &one; });
  if (own == all.end()) return nearest;
  const Region* meant = nullptr;
  for (const std::uint64_t offset :
       cfg::parameters_of_address(*function, static_cast<std::size_t>(own - all.begin()))) {
    std::uint64_t pointer = 0;
    if (offset + sizeof pointer > context_.parameters.size()) continue;
    std::memcpy(&pointer, context_.parameters.data() + offset, sizeof pointer);
    const Region* region = context_.memory.find(pointer);
    if (region != nullptr && meant != nullptr && region != meant) return nearest;
    if (region != nullptr) meant = region;
  }
  return meant == nullptr ? nearest : meant;
}

void Worker::memory_fault(const MemoryOp& memory, MemorySpace space, int lane, std::uint64_t address,
                          const char* code) {
  access_fault({memory.site, memory.operation, memory.width}, space, lane, address, code);
}

void Worker::access_fault(const FaultyAccess& faulty, MemorySpace space, int lane, std::uint64_t address,
                          const char* code) {
  const std::string_view kind = code;
  const bool distributed = space == MemorySpace::distributed;
  Wording access = worded("{}: {} of {} at {} address 0x{:x}", who(lane), verb(faulty.operation),
                          count_bytes(faulty.bytes), trace::to_string(space), address);
  if (distributed) {
    const Dim3 owner = context_.launch.grid.at(block_->cluster[address_space::rank_of(address)]->index);
    address = address_space::within_block(address);
    access = worded("{}: {} of {} at shared address 0x{:x} of block ({}, {}, {})", who(lane), verb(faulty.operation),
                    count_bytes(faulty.bytes), address, owner.x, owner.y, owner.z);
  }
  Wording where, cure;
  bool no_buffer = false;  // the address is wrong as a whole
  if (space == MemorySpace::global || space == MemorySpace::constant) {
    if (kind == "memory.out_of_bounds" && use_after_free_fault(faulty, access, address)) return;
    const Region* region = region_meant(*context_.program.site_instruction[faulty.site], address);
    where = region != nullptr
                ? relation(region->address, region->end(), name_in_messages(*region), address, faulty.bytes)
                : "no buffer is mapped at all";
    const bool outside = region == nullptr || address < region->address || address >= region->end();
    if (outside && context_.request.explain_address)
      if (std::optional<Wording> known = context_.request.explain_address(address)) {
        where = std::move(*known);
        no_buffer = true;
      }
  } else {
    std::uint64_t bytes = 0;
    if (space == MemorySpace::shared || distributed) bytes = context_.shared_bytes;
    if (space == MemorySpace::local) bytes = warp_->local.lane_bytes;
    if (space == MemorySpace::param) bytes = context_.parameters.size();
    const Wording all =
        worded("the {} of {} memory", count_bytes(bytes), trace::to_string(distributed ? MemorySpace::shared : space));
    where = relation(0, bytes, all, address, faulty.bytes);
    if (space == MemorySpace::shared || distributed)
      if (auto named = shared_variable_at(context_.program, bytes, address, faulty.bytes)) where = std::move(*named);
  }
  Wording message;
  if (kind == "memory.out_of_bounds") {
    message = worded("{} is out of bounds: {}", access, where);
    cure = no_buffer ? "Check where the pointer comes from: kernels need memory that cudaMalloc or cudaMallocManaged "
                       "gave and that was not freed."
           : space == MemorySpace::shared || distributed
               ? "Check the index against the size of the shared array. An extern array has "
                 "only the bytes that the launch "
                 "passes."
               : "Check the index against the number of elements before the access.";
  } else if (kind == "memory.null") {
    message = worded("{} goes through a null pointer", access);
    cure = "Pass a buffer for this pointer, or check the pointer before using it.";
  } else if (kind == "memory.misaligned") {
    message = worded("{} is misaligned: its address is not a multiple of {} ({})", access, faulty.bytes, where);
    cure = worded(
        "An access of {} bytes needs an address that is a multiple of {}: check the cast "
        "or the offset.",
        faulty.bytes, faulty.bytes);
  } else if (kind == "memory.uninitialised") {
    message = worded("{} reads memory that was never written: {}", access, where);
    cure = distributed ? "Write the element first, and put cluster.sync() between if another block writes it."
           : space == MemorySpace::shared
               ? "Write the element first, and put __syncthreads() between if another thread writes it."
           : space == MemorySpace::local ? "Give the variable a value before it is read."
                                         : "Write the element first, or give the buffer contents.";
  } else {
    message = worded("{} goes to memory that cannot be written: {}", access, where);
    cure = "Write to a buffer or to a __device__ variable instead.";
  }
  const ptx::Instruction& instruction = *context_.program.site_instruction[faulty.site];
  const bool unwritten_local = space == MemorySpace::local && kind == "memory.uninitialised";
  fail(instruction, unwritten_local ? "memory.uninitialised_local" : code, std::move(message), std::move(cure));
  fault_place_->lanes = {1u << lane};
}

bool Worker::unwritten_read(const MemoryOp& memory, MemorySpace space, int lane, std::uint64_t address) {
  const bool goes_on = context_.request.unwritten_is_a_warning;
  if (goes_on && remarks_.contains(memory.site)) return true;
  memory_fault(memory, space, lane, address, "memory.uninitialised");
  if (!goes_on) return false;
  fault_->severity = Severity::warning;
  remarks_[memory.site] = {block_->index, *std::move(fault_)};
  fault_.reset();
  return true;
}

void Worker::trap_fault(std::uint32_t lanes) {
  // Cooperative groups execute a trap if a grid-wide sync has no workspace.
  const bool grid_sync = !context_.launch.cooperative && context_.program.uses_grid_workspace;
  fail(current(), "run.trap",
       worded("{}: the kernel stopped itself with a trap{}", who(LaneMask{lanes}.lowest()),
              grid_sync ? ", as grid.sync() does when the launch is not cooperative" : ""),
       grid_sync ? "Launch it as a cooperative kernel."
                 : "Look at this line for __trap(), a failed check, or a pointer that the compiler knows to be null.");
  fault_place_->lanes = {lanes};
}

constexpr const char* include_every_lane =
    "Include every lane that makes the call in the mask (for example with __ballot_sync before the branch).";

// "The behavior is undefined if the executing thread is not in the membermask" ("PTX ISA", shfl.sync and others). An
// H200 ends bar.warp.sync, and an H100 the others where the warp has diverged, with an illegal instruction.
void Worker::not_a_member_fault(int lane, std::uint32_t members) {
  fail(current(), "warp.not_in_mask",
       worded("{}: lane {} calls this warp-wide operation with the mask 0x{:08x}, which does not include that lane: "
              "undefined "
              "behaviour",
              who(lane), lane, members),
       include_every_lane);
  fault_place_->lanes = {1u << lane};
}

void Worker::remark_not_a_member(std::uint32_t site, int lane, std::uint32_t members) {
  if (remarks_.contains(site)) return;
  remarks_[site] = {
      block_->index,
      {Severity::warning, "warp.not_in_mask", context_.place(*context_.program.site_instruction[site]),
       worded("{}: lane {} calls this warp-wide operation with the mask 0x{:08x}, which does not include that lane: "
              "undefined behaviour (here all lanes that execute it take part)",
              who(lane), lane, members),
       include_every_lane}};
}

// "All non-exited threads named in mask must execute the same intrinsic with the same mask, or the result is undefined"
// ("CUDA C++ Programming Guide").
void Worker::remark_other_masks(std::uint32_t site, const Parties& parties, std::uint32_t executed) {
  if (remarks_.contains(site)) return;
  for (const Party& party : parties) {
    const std::uint32_t elsewhere = party.members & executed & ~party.executed;
    if (elsewhere == 0) continue;
    const int lane = LaneMask{party.executed}.lowest(), other = LaneMask{elsewhere}.lowest();
    const Party& of_other =
        *std::ranges::find_if(parties, [&](const Party& one) { return (one.executed >> other & 1u) != 0; });
    remarks_[site] = {
        block_->index,
        {Severity::warning, "warp.other_mask", context_.place(*context_.program.site_instruction[site]),
         worded("{}: lane {} calls this warp-wide operation with the mask 0x{:08x}, which includes lane {}, but that "
                "lane calls it with 0x{:08x}: undefined behaviour (here lane {} does not take part)",
                who(lane), lane, party.members, other, of_other.members, other),
         "Give all lanes that a mask names the same mask."}};
    return;
  }
}

// In remarks_, of an instruction that is no site.
std::uint32_t Worker::key_of(const ptx::Instruction& instruction) const {
  return 0xc0000000u | static_cast<std::uint32_t>(frame_->code->index) << 20 |
         static_cast<std::uint32_t>(instruction.ptx_line);
}

// "Division by zero yields an unspecified, machine-specific value" ("PTX ISA", div; rem likewise).
void Worker::check_divisor(std::uint32_t slot, std::uint32_t bytes, std::uint32_t executed) {
  std::uint32_t zeros = 0;
  LaneMask{executed}.for_each([&](int lane) {
    if (read_slot(registers_ + slot, lane, bytes) == 0) zeros |= 1u << lane;
  });
  if (zeros == 0) return;
  const ptx::Instruction& instruction = current();
  const std::uint32_t key = key_of(instruction);
  if (remarks_.contains(key)) return;
  remarks_[key] = {block_->index,
                   {Severity::warning, "run.division_by_zero", context_.place(instruction),
                    worded("{}: an integer is divided by zero, in {}: the result is undefined (here all bits are 1)",
                           who(LaneMask{zeros}.lowest()), lanes_text(zeros)),
                    "Check the divisor before the division, or give it a value that is never 0."}};
}

namespace {

Wording cure_of_conversion(std::string_view conversion) {
  if (conversion.find(".*") != std::string_view::npos) return "Write the precision as a number.";
  if (conversion.find("hh") != std::string_view::npos) return "Convert the value to int, and print it by %d, %u or %x.";
  if (conversion.find_first_of("zjt") != std::string_view::npos)
    return "Convert the value to unsigned long long or long long, and print it by %llu or %lld.";
  return "Write h, l, ll or no size, and one of the letters c d i o u x X p e E f g G a A s.";
}

}  // namespace

void Worker::remark_undefined_conversion(const CallOp& call, int lane, std::string_view format) {
  const std::string_view conversion = undefined_conversion(format);
  if (conversion.empty()) return;
  const std::uint32_t key = key_of(*call.instruction);
  if (remarks_.contains(key)) return;
  remarks_[key] = {
      block_->index,
      {Severity::warning, "run.undefined_conversion", context_.place(*call.instruction),
       worded("{}: CUDA's printf has no `{}`: on a GPU the values from there on may be wrong", who(lane), conversion),
       cure_of_conversion(conversion)}};
}

// PTX defines atomics on global and shared memory. An H100 carries out a generic one on local memory too.
void Worker::remark_atomic_on_local(std::uint32_t site, int lane, std::uint64_t offset) {
  if (remarks_.contains(site)) return;
  remarks_[site] = {
      block_->index,
      {Severity::warning, "memory.atomic_on_local", context_.place(*context_.program.site_instruction[site]),
       worded("{}: an atomic at local address 0x{:x}: PTX defines atomics on global and shared memory only", who(lane),
              offset),
       "Use a plain addition: no other thread can see a local variable."}};
}

bool Worker::has_remarked(std::string_view code) const {
  return std::ranges::any_of(remarks_, [&](const auto& one) { return one.second.diagnostic.code == code; });
}

void Worker::remark_absent_source(std::uint32_t site, int lane, int source, std::uint32_t members,
                                  std::uint32_t value) {
  if (remarks_.contains(site)) return;
  const ptx::Instruction& instruction = *context_.program.site_instruction[site];
  Wording why = (members >> source & 1u) == 0           ? worded("which the mask 0x{:08x} does not include", members)
                : (warp_->existing >> source & 1u) == 0 ? worded("which this warp does not have")
                                                        : worded("which has exited");
  remarks_[site] = {
      block_->index,
      {Severity::warning, "warp.absent_source", context_.place(instruction),
       worded("{}: lane {} reads from lane {}, {}: the value it gets is undefined (here 0x{:x})", who(lane), lane,
              source, why, value),
       "Include every lane that is read from in the mask and make all of them execute the call, or do not use "
       "the value read."}};
}

// "__syncthreads() is allowed in conditional code but only if the conditional evaluates identically across the entire
// thread block" ("CUDA C++ Programming Guide"); returning early is allowed.
void Worker::remark_passed_barrier(std::uint32_t site, std::uint32_t lanes) {
  if (remarks_.contains(site)) return;
  const Dim3 at = context_.launch.grid.at(block_->index);
  remarks_[site] = {block_->index,
                    {Severity::warning, "barrier.passed_by", context_.place(*context_.program.site_instruction[site]),
                     worded("kernel {}, block ({}, {}, {}), warp {}: {} took a way to the kernel's end that avoids "
                            "this barrier, at which others of the warp "
                            "wait; it opened without them",
                            context_.short_kernel_name(), at.x, at.y, at.z, warp_->index, lanes_text(lanes)),
                     "Where these threads return before the barrier, nothing is wrong. Where the barrier stands in a "
                     "condition that is false for them, "
                     "this is undefined: move __syncthreads() out of the condition."}};
}

void Worker::exchange_fault(std::uint32_t missing) {
  fail(current(), "warp.mask_not_reached",
       worded("{}: the mask of this warp-wide operation includes {}, which will never reach it",
              who(LaneMask{warp_->stack.back().mask}.lowest()), lanes_text(missing)),
       "Make every lane in the mask reach the call, or put only the lanes that do into the mask (for example with "
       "__ballot_sync before the branch).");
  fault_place_->lanes = {missing};
}

}  // namespace lanescope::sim
