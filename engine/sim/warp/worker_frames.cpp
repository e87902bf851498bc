// Frames: the registers and local memory of one activation of a function by a warp.

#include <algorithm>
#include <cstring>

#include "sim/memory/address_space.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

// ---- frames -----------------------------------------------------------------------------------------

Frame* Worker::acquire(const FunctionCode& code, Frame* caller, const CallOp* call) {
  auto& spare = free_frames_[static_cast<std::size_t>(code.index)];
  Frame* frame = nullptr;
  if (!spare.empty()) {
    frame = spare.back();
    spare.pop_back();
  } else {
    frames_.push_back(std::make_unique<Frame>());
    frame = frames_.back().get();
    frame->code = &code;
    frame->file = files_.take(code.file_bytes + 64);  // so that files start at different offsets in a page
    std::memset(frame->file, 0, code.constants_begin);
    const auto& constants = context_.constants[static_cast<std::size_t>(code.index)];
    if (!constants.empty()) std::memcpy(frame->file + code.constants_begin, constants.data(), constants.size());
  }
  frame->caller = caller;
  frame->call = call;
  frame->users = 0;
  frame->depth = caller == nullptr ? 0 : caller->depth + 1;
  frame->local_base = caller == nullptr ? 0 : address_space::align_up(caller->local_end(), code.local_alignment);
  frame->allocated.reset();
  if (caller != nullptr) ++caller->users;
  fill_frame(*frame, *warp_);
  return frame;
}

// The frame for the running warp, which starts. The frame of earlier warps with the same number is reused, because most
// of its content stays the same. It can still be in use only if several blocks are resident.
Frame* Worker::kernel_frame() {
  Frame*& own = own_frames_[warp_->index];
  if (own == nullptr) {
    own = acquire(*context_.program.functions[0], nullptr, nullptr);
    own->own = true;
  } else if (own->users == 0) {
    fill_of_block(*own);
  } else {
    return acquire(*context_.program.functions[0], nullptr, nullptr);
  }
  return own;
}

void Worker::release(Frame* frame) {
  while (frame != nullptr && --frame->users == 0) {
    if (frame->own) return;
    free_frames_[static_cast<std::size_t>(frame->code->index)].push_back(frame);
    frame = frame->caller;
  }
}

void Worker::fill_frame(Frame& frame, const Warp& warp) {
  for (const SpecialSlot& slot : frame.code->warp_specials)
    fill_special(slot, context_, warp.block, warp.index, frame.file + slot.slot);
  for (const LocalSlot& slot : frame.code->local_slots) {
    const std::uint64_t address = frame.local_base + slot.offset;
    for (std::uint32_t lane = 0; lane < 32; ++lane)
      std::memcpy(frame.file + slot.slot + lane * slot.bytes, &address, slot.bytes);
  }
  fill_shared(frame, warp);
}

std::uint64_t Frame::local_end() const {
  const std::uint64_t end = local_base + code->local_bytes;
  return allocated == nullptr ? end : address_space::align_up(end + *std::ranges::max_element(*allocated), 16);
}

// Fills in what differs between blocks, in the kernel's own frame of the running warp.
void Worker::fill_of_block(Frame& frame) {
  frame.allocated.reset();
  const bool is_new = of_block_number_ != warp_->block;
  of_block_number_ = warp_->block;
  for (OfBlock& one : of_block_) {
    auto* const lanes = reinterpret_cast<std::byte*>(one.lanes.data());
    if (is_new) fill_special(*one.slot, context_, warp_->block, warp_->index, lanes);
    std::byte* const to = frame.file + one.slot->slot;
    // A copy of a constant size is a few vectors; else it is a call.
    if (one.slot->bytes == 4)
      std::memcpy(to, lanes, 128);
    else
      std::memcpy(to, lanes, std::size_t{32} * one.slot->bytes);
  }
  fill_shared(frame, *warp_);
}

// Fills in addresses of shared memory, and clears the registers that must be cleared.
void Worker::fill_shared(Frame& frame, const Warp& warp) {
  if (context_.clusters.blocks() > 1) {
    const std::uint64_t base = std::uint64_t{context_.clusters.rank(warp.block)} << address_space::rank_shift;
    for (const SharedSlot& slot : frame.code->shared_slots) {
      const std::uint64_t address = slot.address + base;
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        std::memcpy(frame.file + slot.slot + lane * slot.bytes, &address, slot.bytes);
    }
  }
  for (const auto& [slot, bytes] : frame.code->cleared) {
    if (bytes == 4)
      std::memset(frame.file + slot, 0, 4);
    else
      std::memset(frame.file + slot, 0, bytes);
  }
}

}  // namespace lanescope::sim
