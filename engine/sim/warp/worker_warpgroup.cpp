// wgmma.mma_async: each warp multiplies its 16 rows when it reaches the instruction, and wgmma.wait_group waits until
// the other warps have reached theirs. The tensor cores read matrices in shared memory themselves; these reads are not
// requests of the warp.

#include <algorithm>
#include <cstring>

#include "core/worded.h"
#include "sim/tensor/sparse.h"
#include "sim/tensor/warpgroup.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

namespace {

bool is_same(const std::byte* values) {
  for (int lane = 1; lane < 32; ++lane)
    if (std::memcmp(values, values + lane * 8, 8) != 0) return false;
  return true;
}

// The lines of A.
void take_registers(const WarpgroupOp& op, const std::byte* registers, std::byte* lines) {
  for (int reg = 0; reg < 4; ++reg)
    for (int lane = 0; lane < 32; ++lane)
      std::memcpy(lines + (lane / 4 + reg % 2 * 8) * WarpgroupOp::line_bytes + reg / 2 * 16 + lane % 4 * 4,
                  registers + op.a_slots[static_cast<std::size_t>(reg)] + lane * 4, 4);
}

}  // namespace

Worker::~Worker() = default;

template <Mode mode>
bool Worker::multiply_in_warpgroup(const TensorOp& tensor, std::uint32_t active) {
  const WarpgroupOp& op = *tensor.warpgroup;
  if (!vote_event<mode>(tensor.site, trace::EventKind::matrix, active, active, 0)) return false;
  std::uint32_t adds = op.always_adds ? ~0u : 0;
  if (op.adds != 0) {
    std::memcpy(&adds, registers_ + op.adds, 4);
    if (op.adds_negated) adds = ~adds;
  }
  const bool same_descriptors =
      (op.a_in_registers || is_same(registers_ + op.a_descriptor)) && is_same(registers_ + op.b_descriptor);
  if (!same_descriptors || (adds != 0 && adds != ~0u)) {
    fail(current(), "tensor.lanes_differ",
         worded("{}: wgmma needs the same matrix descriptors and the same scale-d in all lanes of the warpgroup",
                who(0)),
         "Work them out from what is the same for the whole warpgroup, such as threadIdx.x / 128.");
    return false;
  }
  const std::uint64_t a = op.a_in_registers ? 0 : read_slot(registers_ + op.a_descriptor, 0, 8);
  const std::uint64_t b = read_slot(registers_ + op.b_descriptor, 0, 8);
  if (!join_warpgroup(tensor, {a, b, adds & 1})) return false;
  if (!warp_->fenced_product && !remarks_.contains(tensor.site))
    remarks_[tensor.site] = {
        block_->index,
        {Severity::warning, "tensor.not_fenced", context_.place(current()),
         worded("{}: wgmma without a wgmma.fence before it: the registers that it reads need not hold what was "
                "written to them",
                who(0)),
         "Execute wgmma.fence.sync.aligned before the first wgmma, and wherever other instructions have written to "
         "the registers of A or D."}};
  if (product_input_ == nullptr) product_input_ = std::make_unique<WarpgroupInput>();
  WarpgroupInput& input = *product_input_;
  if (op.a_in_registers)
    take_registers(op, registers_, input.a.data());
  else if (!take_operand(tensor, true, a, input.a.data()))
    return false;
  if (!take_operand(tensor, false, b, input.b.data())) return false;
  if (races_ != nullptr)
    races_->arrive_at_object(block_->index, warp_->index, 0, block_->index, RaceDetector::product_object(warp_->index),
                             true);
  SparseColumns columns;
  if (op.sparse && !find_columns(op.sparse_form(), columns)) return false;
  multiply(op, input, adds != 0, registers_, tile_kernels(isa()), columns.column);
  if (mode != Mode::plain && !remarks_.contains(tensor.site) && !has_remarked("count.wgmma"))
    remarks_[tensor.site] = {
        block_->index,
        {Severity::note, "count.wgmma", context_.place(current()),
         "what wgmma reads from shared memory is not among the requests and bytes: no warp requests "
         "it, and the counters of an H200 leave it out too",
         ""}};
  return true;
}

// Whether the warps of the group have executed the same products so far.
bool Worker::join_warpgroup(const TensorOp& tensor, const std::array<std::uint64_t, 3>& operands) {
  const std::uint32_t group = warp_->index / warps_of_warpgroup, own = warp_->index % warps_of_warpgroup;
  block_->products_begun = true;
  if (group * warps_of_warpgroup + warps_of_warpgroup > block_->warps.size()) {
    fail(current(), "tensor.incomplete_warpgroup",
         worded("{}: wgmma is undefined unless four whole warps execute it together; the block ends within this "
                "warpgroup",
                who(0)),
         "Launch a multiple of 128 threads per block.");
    return false;
  }
  Warpgroup& together = block_->warpgroups[group];
  const std::uint64_t number = together.done[own]++;
  if (number == together.first + together.products.size()) {
    if (together.ended != 0) {
      parted_warpgroup_fault(current(), static_cast<std::uint32_t>(LaneMask{together.ended}.lowest()), "has exited");
      return false;
    }
    together.products.push_back({tensor.site, operands});
  } else {
    const Warpgroup::Product& others = together.products[static_cast<std::size_t>(number - together.first)];
    if (others.site != tensor.site || others.operands != operands) {
      const std::uint32_t other = own == 0 ? 1 : 0;
      parted_warpgroup_fault(current(), other,
                             others.site != tensor.site
                                 ? worded("executes another one in its place")
                                 : worded("executes it with other matrix descriptors or another scale-d"));
      return false;
    }
  }
  // Drops the products that all warps have executed.
  std::uint64_t least = together.done[0];
  for (const std::uint64_t done : together.done) least = std::min(least, done);
  if (least > together.first) {
    together.products.erase(together.products.begin(),
                            together.products.begin() + static_cast<std::ptrdiff_t>(least - together.first));
    together.first = least;
  }
  return true;
}

// wgmma.commit_group.
void Worker::close_products() {
  if (!block_->products_begun) return;
  Warpgroup& together = block_->warpgroups[warp_->index / warps_of_warpgroup];
  const std::uint32_t own = warp_->index % warps_of_warpgroup;
  together.groups[own].push_back(together.done[own]);
}

// A product is one operation of four warps: when it is complete, all of them have read its matrices.
template <Mode mode>
Worker::Then Worker::wait_for_products(const Operation& operation, std::uint32_t active) {
  const OrderOp& op = frame_->code->orders[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  const bool first = !std::exchange(warp_->stack.back().waiting, false);
  if (first && !guarded_event<mode>(op.site, active, executed)) return Then::stop;
  if (executed == 0 || !block_->products_begun) return Then::next;
  const std::uint32_t number = warp_->index / warps_of_warpgroup;
  Warpgroup& together = block_->warpgroups[number];
  std::vector<std::uint64_t>& groups = together.groups[warp_->index % warps_of_warpgroup];
  if (groups.size() > op.groups) {
    const auto last = groups.end() - static_cast<std::ptrdiff_t>(op.groups) - 1;
    const std::uint64_t least = *std::min_element(together.done.begin(), together.done.end());
    if (least < *last) {
      note_wait(together.site_of(least), RaceDetector::product_object(warp_->index), least);
      return Then::again;
    }
    groups.erase(groups.begin(), last + 1);
  }
  if (races_ != nullptr) races_->products_awaited(block_->index, warp_->index, executed, op.groups);
  return Then::next;
}

// Called when the running warp has exited.
bool Worker::leave_warpgroup() {
  Warpgroup& together = block_->warpgroups[warp_->index / warps_of_warpgroup];
  const std::uint32_t own = warp_->index % warps_of_warpgroup;
  together.ended |= 1u << own;
  const std::uint64_t number = together.done[own];
  if (number == together.first + together.products.size()) return true;
  const std::uint32_t site = together.site_of(number);
  const ptx::Instruction& missed = *context_.program.site_instruction[site];
  fail(missed, "tensor.incomplete_warpgroup",
       worded("block {}: wgmma is undefined unless the four warps of a warpgroup execute it together; warp {} exits "
              "without it",
              block_->index, warp_->index),
       "Let all 128 threads of the warpgroup take the same way to each wgmma.");
  return false;
}

void Worker::parted_warpgroup_fault(const ptx::Instruction& instruction, std::uint32_t other, const Wording& what) {
  const std::uint32_t first = warp_->index / warps_of_warpgroup * warps_of_warpgroup;
  fail(instruction, "tensor.incomplete_warpgroup",
       worded("{}: wgmma is undefined unless the four warps of a warpgroup execute it together; warp {} {}", who(0),
              first + other, what),
       "Let all 128 threads of the warpgroup take the same way to each wgmma.");
}

// Loads the lines of a matrix: 16 rows of A, or all columns of B.
bool Worker::take_operand(const TensorOp& tensor, bool of_a, std::uint64_t descriptor, std::byte* lines) {
  const WarpgroupOp& op = *tensor.warpgroup;
  const SharedMatrix matrix = SharedMatrix::of(descriptor);
  const char* const name = of_a ? "A" : "B";
  if (!matrix.is_valid) {
    fail(current(), "tensor.bad_descriptor",
         worded("{}: the matrix descriptor of {} (0x{:x}) has bits set that must be zero", who(0), name, descriptor),
         "Write the address and the two offsets in units of 16 bytes, in 14 bits each.");
    return false;
  }
  // TMA swizzles by address bits as wgmma does, so matrices that it has written are right at any place: only a note.
  if (!matrix.is_aligned() && !remarks_.contains(tensor.site) && !has_remarked("tensor.descriptor_alignment"))
    remarks_[tensor.site] = {
        block_->index,
        {Severity::note, "tensor.descriptor_alignment", context_.place(current()),
         worded("{}: the matrix descriptor of {} (0x{:x}) names a place that is not where the pattern of its swizzle "
                "starts: 0x{:x}",
                who(0), name, descriptor, matrix.start),
         "Align the matrix to 1024 bytes for the swizzle of 128 bytes, to 512 for 64 and to 256 for 32, or give the "
         "descriptor the base offset."}};
  const int first = of_a ? static_cast<int>(warp_->index % warps_of_warpgroup) * WarpgroupOp::rows : 0;
  const int count = of_a ? WarpgroupOp::rows : op.n;
  const int line_bytes = of_a ? WarpgroupOp::line_bytes : op.b_line_bytes();
  if (!(of_a ? op.a_by_line : op.b_by_line)) {
    for (int line = 0; line < count; ++line)
      for (int chunk = 0; chunk < line_bytes / 16; ++chunk)
        if (!take_chunk(tensor, descriptor, of_a, matrix.along_k(first + line, chunk),
                        lines + line * line_bytes + chunk * 16))
          return false;
    return true;
  }
  for (int line = 0; line < count; line += 8)
    for (int k = 0; k < (of_a ? op.k : op.depth()); ++k) {
      std::byte eight[16];
      if (!take_chunk(tensor, descriptor, of_a, matrix.along_lines(first + line, k), eight)) return false;
      for (int i = 0; i < 8; ++i) std::memcpy(lines + (line + i) * line_bytes + k * 2, eight + i * 2, 2);
    }
  return true;
}

bool Worker::take_chunk(const TensorOp& tensor, std::uint64_t descriptor, bool of_a, std::uint32_t address,
                        std::byte* to) {
  constexpr std::uint32_t bytes = 16;
  const bool inside = context_.shared_bytes >= bytes && address <= context_.shared_bytes - bytes;
  if (!inside) {
    fail(current(), "memory.out_of_bounds",
         worded("{}: wgmma reads matrix {} at shared address 0x{:x}, but the block has {} bytes; its descriptor is "
                "0x{:x}",
                who(0), of_a ? "A" : "B", address, context_.shared_bytes, descriptor),
         "Check the descriptor's address and its leading and stride byte offsets, each in units of 16 bytes.");
    return false;
  }
  if (!block_->shared_written.any(address, bytes)) {
    access_fault({tensor.site, trace::Operation::load, bytes}, MemorySpace::shared, 0, address, "memory.uninitialised");
    return false;
  }
  std::memcpy(to, block_->shared.data() + address, bytes);
  if (races_ != nullptr) {
    RaceDetector::Request request;
    request.block = block_->index;
    request.warp = warp_->index;
    request.site = tensor.site;
    request.width = bytes;
    request.space = MemorySpace::shared;
    request.executed = 1;
    request.addresses[0] = address;
    request.reads_only = request.asynchronous = request.of_product = true;
    races_->access(request);
    remark_unfenced(tensor.site, 0);
  }
  return true;
}

template bool Worker::multiply_in_warpgroup<Mode::plain>(const TensorOp&, std::uint32_t);
template bool Worker::multiply_in_warpgroup<Mode::totals>(const TensorOp&, std::uint32_t);
template bool Worker::multiply_in_warpgroup<Mode::events>(const TensorOp&, std::uint32_t);
template Worker::Then Worker::wait_for_products<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::wait_for_products<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::wait_for_products<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
