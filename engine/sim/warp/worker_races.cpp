// What a worker reports to the race detector.

#include "core/worded.h"
#include "ptx/opcode_table.h"
#include "sim/memory/address_space.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

using trace::MemorySpace;

void fill_addresses(const AddressPattern& pattern, std::uint32_t executed, std::array<std::uint64_t, 32>& addresses) {
  LaneMask{executed}.for_each(
      [&](int lane) { addresses[static_cast<std::size_t>(lane)] = address_of(pattern, executed, lane); });
}

}  // namespace

// Called before the access is checked. memory_fault() handles addresses outside all memory.
void Worker::watch_access(const MemoryOp& memory, std::uint32_t executed) {
  if (memory.space != ptx::Space::global && memory.space != ptx::Space::shared && memory.space != ptx::Space::generic)
    return;
  find_pattern(memory, executed);
  RaceDetector::Request request;
  request.block = block_->index;
  request.warp = warp_->index;
  request.site = memory.site;
  request.width = memory.width;
  fill_addresses(*pattern_, executed, request.addresses);
  if (memory.operation == trace::Operation::store && memory.elements != 0) request.store = &memory;
  if (memory.operation == trace::Operation::atomic) request.swap = &memory;
  request.registers = registers_;
  std::uint32_t shared = memory.space == ptx::Space::shared ? executed : 0;
  std::uint32_t global = memory.space == ptx::Space::global ? executed : 0;
  if (memory.space == ptx::Space::generic)
    LaneMask{executed}.for_each([&](int lane) {
      using namespace address_space;
      std::uint64_t& address = request.addresses[static_cast<std::size_t>(lane)];
      if (in_window(address, shared_window)) {
        address -= shared_window;
        shared |= 1u << lane;
      } else if (!in_window(address, local_window) && !in_window(address, param_window)) {
        global |= 1u << lane;
      }
    });
  const auto addresses = request.addresses;
  if (shared != 0) watch_shared(request, addresses, shared);
  if (global != 0) {
    request.addresses = addresses;
    request.space = MemorySpace::global;
    request.executed = global;
    const Region* region = context_.memory.find(request.addresses[static_cast<std::size_t>(LaneMask{global}.lowest())]);
    request.memory = region == nullptr ? 0 : region->host();
    races_->access(request);
  }
}

// `addresses` are relative to the shared window. They are reported separately for the memory of each block of the
// cluster.
void Worker::watch_shared(RaceDetector::Request& request, const std::array<std::uint64_t, 32>& addresses,
                          std::uint32_t executed) {
  request.space = MemorySpace::shared;
  for (std::uint32_t left = executed; left != 0;) {
    const std::uint64_t rank = address_space::rank_of(addresses[static_cast<std::size_t>(LaneMask{left}.lowest())]);
    request.executed = 0;
    LaneMask{left}.for_each([&](int lane) {
      const std::uint64_t address = addresses[static_cast<std::size_t>(lane)];
      if (address_space::rank_of(address) != rank) return;
      request.executed |= 1u << lane;
      request.addresses[static_cast<std::size_t>(lane)] = address_space::within_block(address);
    });
    left &= ~request.executed;
    BlockState* owner = rank == block_->rank ? block_ : rank < block_->cluster.size() ? block_->cluster[rank] : nullptr;
    if (owner == nullptr || owner->done()) continue;  // a fault
    request.owner = owner->index;
    request.memory = reinterpret_cast<std::uintptr_t>(owner->shared.data());
    races_->access(request);
  }
}

// Reports both sides of an asynchronous copy.
void Worker::watch_copy(const MemoryOp& memory, std::uint32_t executed, std::uint32_t reading,
                        const std::array<std::uint32_t, 32>& given) {
  RaceDetector::Request request;
  request.block = block_->index;
  request.warp = warp_->index;
  request.site = memory.site;
  request.width = memory.width;
  if (reading != 0) {
    MemoryOp load = memory;
    load.address = memory.source;
    load.offset = memory.source_offset;
    load.address64 = memory.source64;
    find_pattern(load, reading);
    fill_addresses(*pattern_, reading, request.addresses);
    request.space = MemorySpace::global;
    request.executed = reading;
    request.widths = given;
    request.reads_only = true;
    races_->access(request);
  }
  find_pattern(memory, executed);
  std::array<std::uint64_t, 32> addresses{};
  fill_addresses(*pattern_, executed, addresses);
  request.widths = {};
  request.reads_only = false;
  request.asynchronous = true;
  watch_shared(request, addresses, executed);
}

void Worker::remark_unfenced(std::uint32_t site, int lane) {
  const std::optional<std::uint32_t> write = races_->unfenced();
  if (!write || has_remarked("race.proxy_fence")) return;
  const ptx::Instruction& reads = *context_.program.site_instruction[site];
  const ptx::Instruction& wrote = *context_.program.site_instruction[*write];
  remarks_[*write] = {
      block_->index,
      {Severity::warning, "race.proxy_fence", context_.place(reads),
       worded(
           "{}: {} reads shared memory through the asynchronous proxy that line {} wrote, and no thread has executed "
           "fence.proxy.async since: the copy may read what was there before",
           who(lane), ptx::name_of(reads.opcode), context_.place(wrote).line),
       "Let the threads that wrote execute fence.proxy.async (cuda::ptx::fence_proxy_async) before the barrier that "
       "comes "
       "before this line."}};
}

template <Mode mode>
bool Worker::order(const Operation& operation, std::uint32_t active) {
  const OrderOp& op = frame_->code->orders[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (!guarded_event<mode>(op.site, active, executed)) return false;
  if (op.kind == OrderOp::Kind::product_fence) warp_->fenced_product |= executed != 0;
  if (op.kind == OrderOp::Kind::product_commit && executed != 0) close_products();
  if (races_ != nullptr && executed != 0) races_->order(block_->index, warp_->index, executed, op);
  return true;
}

template bool Worker::order<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::order<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::order<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
