// Calls of device functions that were not inlined, and of the few functions that the system provides.

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "core/worded.h"
#include "sim/memory/address_space.h"
#include "sim/warp/device_printf.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

// With 16 bytes per call, this is the largest stack of an H200: 512 KiB per thread.
constexpr std::uint32_t max_depth = 32768;

// Copies the executed lanes' bytes from one frame area to another. Both are interleaved by words.
void copy_area(std::byte* to, const std::byte* from, std::uint32_t bytes, std::uint32_t lanes) {
  for (std::uint32_t word = 0; word < (bytes + 3) / 4; ++word)
    LaneMask{lanes}.for_each([&](int lane) {
      const std::uint32_t at = (word * 32 + static_cast<std::uint32_t>(lane)) * 4;
      std::memcpy(to + at, from + at, 4);
    });
}

// A lane's bytes of a register, a number or the beginning of an area.
using LaneBytes = std::array<std::byte, 16>;

// Calls move(place of the bytes in `file`, number of the first of them, how many) for a lane's bytes of a value that is
// not a predicate.
template <typename File, typename Move>
void for_each_part(File* file, const CallOp::Value& value, int lane, Move&& move) {
  const auto l = static_cast<std::uint32_t>(lane);
  if (value.slot == 0) {
    const std::uint32_t bytes = std::min<std::uint32_t>(value.area.bytes, 16);
    for (std::uint32_t byte = 0; byte < bytes; byte += 4)
      move(file + value.area.area + (byte / 4 * 32 + l) * 4, byte, std::min(bytes - byte, 4u));
  } else if (value.register_bytes == 16) {  // two halves (sim/alu/operation.h)
    for (std::uint32_t half = 0; half < 2; ++half) move(file + value.slot + half * 256 + l * 8, half * 8, 8u);
  } else {
    move(file + value.slot + l * value.register_bytes, 0u, std::uint32_t{value.register_bytes});
  }
}

bool is_predicate(const CallOp::Value& value) {
  return value.slot != 0 && value.register_bytes == 0;
}

LaneBytes lane_bytes(const std::byte* file, const CallOp::Value& value, int lane) {
  LaneBytes bytes{};
  if (is_predicate(value)) {
    std::uint32_t mask;
    std::memcpy(&mask, file + value.slot, 4);
    bytes[0] = static_cast<std::byte>(mask >> lane & 1);
  } else {
    for_each_part(file, value, lane, [&](const std::byte* at, std::uint32_t first, std::uint32_t count) {
      std::memcpy(bytes.data() + first, at, count);
    });
  }
  return bytes;
}

void set_lane_bytes(std::byte* file, const CallOp::Value& value, int lane, const LaneBytes& bytes) {
  if (is_predicate(value)) {
    std::uint32_t mask;
    std::memcpy(&mask, file + value.slot, 4);
    mask = (mask & ~(1u << lane)) | static_cast<std::uint32_t>(bytes[0] != std::byte{0}) << lane;
    std::memcpy(file + value.slot, &mask, 4);
  } else {
    for_each_part(file, value, lane, [&](std::byte* at, std::uint32_t first, std::uint32_t count) {
      std::memcpy(at, bytes.data() + first, count);
    });
  }
}

// Passes a parameter or a result between the frames of a call.
void pass(std::byte* to_file, const CallOp::Value& to, const std::byte* from_file, const CallOp::Value& from,
          std::uint32_t lanes) {
  if (to.slot == 0 && from.slot == 0)
    copy_area(to_file + to.area.area, from_file + from.area.area, std::min(to.area.bytes, from.area.bytes), lanes);
  else
    LaneMask{lanes}.for_each([&](int lane) { set_lane_bytes(to_file, to, lane, lane_bytes(from_file, from, lane)); });
}

}  // namespace

void Worker::give_result(const CallOp& call, int lane, std::uint64_t value) {
  if (call.results.empty()) return;
  LaneBytes bytes{};
  std::memcpy(bytes.data(), &value, sizeof value);
  set_lane_bytes(registers_, call.results[0], lane, bytes);
}

void Worker::enter_function(const FunctionCode& callee, const CallOp& call, std::uint32_t lanes) {
  Frame* frame = acquire(callee, frame_, &call);
  note_stack(*frame);
  const std::size_t count = std::min(call.arguments.size(), callee.parameters.size());
  for (std::size_t i = 0; i < count; ++i) pass(frame->file, callee.parameters[i], registers_, call.arguments[i], lanes);
  if (callee.local_bytes != 0) {
    LocalMemory& local = warp_->local;
    local.reserve(frame->local_base + callee.local_bytes);
    LaneMask{lanes}.for_each([&](int lane) { local.renew(frame->local_base, callee.local_bytes, lane); });
    copy_to_local(*frame, lanes);
  }
  Path path;
  path.frame = frame;
  ++frame->users;
  path.mask = lanes;
  path.level = warp_->stack.back().level + 1;
  path.entering = true;
  warp_->stack.push_back(path);
}

// The parameters whose address the function takes.
void Worker::copy_to_local(const Frame& frame, std::uint32_t lanes) {
  LocalMemory& local = warp_->local;
  for (const LocalCopy& copy : frame.code->local_copies) {
    const CallOp::Area& from = frame.code->parameters[copy.parameter].area;
    const std::uint64_t word = (frame.local_base + copy.offset) / 4;
    copy_area(local.bytes.data() + word * 32 * 4, frame.file + from.area, from.bytes, lanes);
    LaneMask{lanes}.for_each([&](int lane) {
      for (std::uint64_t byte = 0; byte < from.bytes; byte += 4)
        local.written.mark(((word + byte / 4) * 32 + static_cast<std::uint64_t>(lane)) * 4,
                           std::min<std::uint64_t>(from.bytes - byte, 4));
    });
  }
}

void Worker::note_stack(const Frame& frame) {
  const StackUse use{.bytes = frame.local_end(), .depth = frame.depth};
  if (use.bytes <= stack_.bytes && use.depth <= stack_.depth) return;
  const auto is_recursive = [&] {
    for (const Frame* outer = frame.caller; outer != nullptr; outer = outer->caller)
      if (outer->code == frame.code) return true;
    return false;
  };
  stack_.join(
      {use.bytes, use.depth, frame.call->callee < 0 || is_recursive(), context_.place(*frame.call->instruction)});
}

void Worker::copy_results(const Frame& frame, std::uint32_t lanes) {
  const std::size_t count = std::min(frame.call->results.size(), frame.code->results.size());
  for (std::size_t i = 0; i < count; ++i)
    pass(frame.caller->file, frame.call->results[i], frame.file, frame.code->results[i], lanes);
}

template <Mode mode>
Worker::Then Worker::call(const Operation& operation, std::uint32_t active) {
  const CallOp& op = frame_->code->calls[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (!guarded_event<mode>(op.site, active, executed)) return Then::stop;
  if (executed == 0) return Then::next;
  if (op.device_function == DeviceFunction::vprintf) return print(op, executed) ? Then::next : Then::stop;
  if (op.device_function == DeviceFunction::assertfail) {
    assertion_failed(op, executed);
    return Then::stop;
  }
  if (op.device_function == DeviceFunction::malloc) {
    allocate_on_heap(op, executed);
    return Then::next;
  }
  if (op.device_function == DeviceFunction::free) return free_on_heap(op, executed) ? Then::next : Then::stop;
  const std::uint64_t local = frame_->local_end();
  if (frame_->depth >= max_depth || local > max_local_bytes) {
    fail(current(), "run.stack_overflow",
         worded("{}: calls are nested {} deep and use {} bytes of local memory per thread",
                who(LaneMask{executed}.lowest()), frame_->depth, local),
         "Check that the recursion ends.");
    return Then::stop;
  }
  if (op.callee >= 0) {
    enter_function(*context_.program.functions[static_cast<std::size_t>(op.callee)], op, executed);
    return Then::resume;
  }
  // Lanes may call different functions. Each function gets its own path; the lowest lane's runs first.
  std::vector<std::pair<const FunctionCode*, std::uint32_t>> callees;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    std::uint64_t pointer;
    std::memcpy(&pointer, registers_ + op.pointer + static_cast<std::uint32_t>(lane) * 8, 8);
    const FunctionCode* callee = context_.program.function_at(pointer);
    if (callee == nullptr || callee->index == 0) {
      fail(current(), pointer == 0 ? "memory.null" : "run.bad_function_pointer",
           worded("{}: a call goes through a pointer that holds 0x{:x}, which is not a function", who(lane), pointer),
           "Initialise the function pointer on the device before calling through it.");
      return Then::stop;
    }
    auto known = std::find_if(callees.begin(), callees.end(), [&](const auto& entry) { return entry.first == callee; });
    if (known == callees.end())
      callees.emplace_back(callee, 1u << lane);
    else
      known->second |= 1u << lane;
  }
  const std::size_t caller = warp_->stack.size() - 1;
  for (std::size_t i = callees.size(); i-- > 0;) {
    enter_function(*callees[i].first, op, callees[i].second);
    warp_->stack.back().level = warp_->stack[caller].level + 1;
  }
  return Then::resume;
}

// ---- printf and assert ------------------------------------------------------------------------------

bool Worker::peek(int lane, std::uint64_t address, std::uint64_t bytes, std::byte* to) {
  using namespace address_space;
  for (std::uint64_t i = 0; i < bytes; ++i, ++address) {
    if (in_window(address, local_window)) {
      const std::uint64_t offset = address - local_window;
      if (offset >= warp_->local.lane_bytes) return false;
      to[i] = warp_->local.bytes[(offset / 4 * 32 + static_cast<std::uint64_t>(lane)) * 4 + offset % 4];
    } else if (in_window(address, shared_window)) {
      const std::uint64_t rank = rank_of(address - shared_window), offset = within_block(address - shared_window);
      if (rank != block_->rank && rank >= block_->cluster.size()) return false;
      const BlockState& owner = rank == block_->rank ? *block_ : *block_->cluster[rank];
      if (offset >= owner.shared.size()) return false;
      to[i] = owner.shared[offset];
    } else {
      const Region* region = context_.memory.find(address);
      if (region == nullptr) return false;
      to[i] = region->data[address - region->address];
      if (sets_ != nullptr && region->kind != RegionKind::constant) {
        AddressPattern one;
        one.first = one.low = one.high = address;
        one.affine = true;
        sets_->mark(AccessSets::Use::read, *region, one, 1u << lane, 1);
      }
    }
  }
  return true;
}

bool Worker::ever_written(int lane, std::uint64_t address, std::uint64_t bytes) const {
  using namespace address_space;
  for (std::uint64_t i = 0; i < bytes; ++i, ++address) {
    if (in_window(address, local_window)) {
      const std::uint64_t offset = address - local_window;
      if (offset < warp_->local.lane_bytes &&
          warp_->local.written.any((offset / 4 * 32 + static_cast<std::uint64_t>(lane)) * 4 + offset % 4, 1))
        return true;
    } else if (in_window(address, shared_window)) {
      const std::uint64_t rank = rank_of(address - shared_window), offset = within_block(address - shared_window);
      if (rank != block_->rank && rank >= block_->cluster.size()) return false;
      const BlockState& owner = rank == block_->rank ? *block_ : *block_->cluster[rank];
      if (offset < owner.shared.size() && (owner.shared_written.complete() || owner.shared_written.any(offset, 1)))
        return true;
    } else {
      const Region* region = context_.memory.find(address);
      if (region == nullptr) return false;
      const WrittenOverlay& map = written_[region->index];
      if (map.complete() || map.any(address - region->address, 1)) return true;
    }
  }
  return false;
}

bool Worker::peek_text(int lane, std::uint64_t address, std::string& text) {
  constexpr std::size_t longest = 1 << 16;
  for (std::byte letter; text.size() < longest; ++address) {
    if (!peek(lane, address, 1, &letter)) return false;
    if (letter == std::byte{0}) return true;
    text.push_back(static_cast<char>(letter));
  }
  return true;
}

// Argument `number` of a call, as the lane passed it.
std::uint64_t Worker::argument(const CallOp& call, std::size_t number, int lane) const {
  std::uint64_t value = 0;
  if (number >= call.arguments.size()) return 0;
  const CallOp::Value& argument = call.arguments[number];
  const auto l = static_cast<std::uint32_t>(lane);
  if (argument.slot != 0) {
    std::memcpy(&value, registers_ + argument.slot + l * argument.register_bytes, argument.register_bytes);
    return value;
  }
  for (std::uint32_t byte = 0; byte < std::min(argument.area.bytes, 8u); byte += 4)
    std::memcpy(reinterpret_cast<std::byte*>(&value) + byte, registers_ + argument.area.area + (byte / 4 * 32 + l) * 4,
                4);
  return value;
}

bool Worker::print(const CallOp& call, std::uint32_t lanes) {
  std::string format;
  std::optional<std::uint64_t> format_address;
  for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    bool readable = true;
    // Read once for all lanes that pass the same address. In local memory it means another place for each lane.
    const std::uint64_t address = argument(call, 0, lane);
    if (address != format_address || address_space::in_window(address, address_space::local_window)) {
      format.clear();
      readable = peek_text(lane, address, format);
      format_address = address;
      remark_undefined_conversion(call, lane, format);
    }
    const std::uint64_t list = argument(call, 1, lane);
    thread_local std::string text_of_call;
    text_of_call.clear();
    int printed = 0;
    if (readable)
      printed = format_device_text(
          format, text_of_call,
          [&](std::uint64_t offset, std::uint64_t bytes) {
            std::uint64_t value = 0;
            readable &= peek(lane, list + offset, bytes, reinterpret_cast<std::byte*>(&value));
            return value;
          },
          [&](std::uint64_t address) {
            std::string text;
            if (address == 0) return std::string("(null)");
            readable &= peek_text(lane, address, text);
            return text;
          });
    if (!readable) {
      fail(current(), "memory.out_of_bounds",
           worded("{}: printf reads its format or an argument from an address outside all memory", who(lane)),
           "Check the pointers that are passed to printf.");
      return false;
    }
    // Once a text does not fit, later ones are dropped too, so that the buffer always has the beginning of the output.
    block_->print_is_full |= text_of_call.size() > printf_buffer_bytes ||
                             block_->printed.size() + text_of_call.size() > context_.request.printf_bytes;
    if (!block_->print_is_full) block_->printed += text_of_call;
    give_result(call, lane, static_cast<std::uint32_t>(printed));
  }
  return true;
}

void Worker::assertion_failed(const CallOp& call, std::uint32_t lanes) {
  const int lane = LaneMask{lanes}.lowest();
  std::string expression, file, function;
  peek_text(lane, argument(call, 0, lane), expression);
  peek_text(lane, argument(call, 1, lane), file);
  peek_text(lane, argument(call, 3, lane), function);
  const auto line = static_cast<int>(argument(call, 2, lane));
  fail(*call.instruction, "run.assertion_failed",
       worded("{}: the assertion \"{}\" failed ({}:{}, {}) for {} of the warp", who(lane), expression, file, line,
              function, lanes_text(lanes)),
       "Look at this thread's values just before the assertion to find the wrong one.");
  fault_place_->lanes = {lanes};
}

template Worker::Then Worker::call<Mode::plain>(const Operation&, std::uint32_t);
template Worker::Then Worker::call<Mode::totals>(const Operation&, std::uint32_t);
template Worker::Then Worker::call<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
