#include "device/device.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/worded.h"

namespace lanescope::device {

namespace {

// A launch that takes longer is told, again and again.
constexpr std::chrono::seconds tell_after{10};

// The allocation before this address; nullptr if none is near.
const Allocation* what_is_before(const Memory& memory, std::uint64_t address) {
  constexpr std::uint64_t near = std::uint64_t{1} << 20;
  const Allocation* before = nullptr;
  for (const sim::DeviceAllocation* one : memory.all())
    if (one->end() <= address && address - one->end() < near && (before == nullptr || one->end() > before->end()))
      before = static_cast<const Allocation*>(one);
  return before;
}

}  // namespace

Device::Device(DeviceSettings settings, std::unique_ptr<Observer> observer)
    : settings_(std::move(settings)),
      observer_(std::move(observer)),
      watch_(tell_after, [this](const RunningRow& row) { observer_->running(row); }) {}
Device::~Device() = default;

void Device::say(std::string code, Wording message, Wording cure) {
  observer_->said({Severity::error, std::move(code), {}, std::move(message), std::move(cure)});
}

void Device::note_once(bool& told, const char* code, Wording message) {
  if (!std::exchange(told, true)) observer_->said({Severity::note, code, {}, std::move(message), ""});
}

void Device::note_clusters() {
  note_once(told_of_clusters_, "device.resident_clusters",
            "The number of clusters that fit at a time is told as if all multiprocessors were one pool. A GPU's "
            "clusters each stay within a part of them, so it may hold fewer.");
}

void Device::note_times() {
  note_once(told_of_times_, "device.interpreter_time",
            "The times between events that this program measured are the interpreter's, not a GPU's.");
}

void Device::note_clocks() {
  note_once(told_of_clocks_, "device.interpreter_clock",
            "A kernel reads clock(), clock64() or globaltimer: here they grow with the instructions of the "
            "interpreter. What the program computes from them is no time of a GPU.");
}

void Device::note_children() {
  note_once(told_of_children_, "device.children_counted",
            "Kernels launch kernels here. Among the numbers of a kernel that launches are the instructions and "
            "stores of the functions that stand in for NVIDIA's device runtime, whose own are others.");
}

Module* Device::load(std::string_view ptx, std::string name, Status& status) {
  auto module = Module::load(memory_, ptx, std::move(name));
  if (!module) {
    why_not_loaded_.clear();
    for (const Diagnostic& error : module.errors()) {
      observer_->said(error);
      why_not_loaded_ += format(error) + "\n";
    }
    const bool memory = module.errors().front().code == "device.out_of_memory";
    status = memory ? Status::memory_allocation : Status::invalid_ptx;
    return nullptr;
  }
  status = Status::success;
  return modules_.emplace_back(std::move(*module)).get();
}

void Device::unload(Module* module) {
  std::erase_if(modules_, [&](const auto& one) { return one.get() == module; });
}

Status Device::wait() {
  if (!printed_.empty()) {
    std::fwrite(printed_.data(), 1, printed_.size(), stdout);
    printed_.clear();
  }
  const Status told = std::exchange(pending_, Status::success);
  if (lost_ == Status::success && is_sticky(told)) lost_ = told;
  return lost_ != Status::success ? lost_ : told;
}

Status Limits::get(unsigned which, std::size_t* value) const {
  if (which == sync_depth) return Status::unsupported_limit;
  if (value == nullptr || which >= count) return Status::invalid_value;
  *value = values_[which];
  return Status::success;
}

Status Limits::set(unsigned which, std::size_t value) {
  constexpr std::size_t large = std::size_t{1} << 40, least_printf_buffer = 512 << 10;
  constexpr std::array<std::size_t, count> largest = {512 << 10, large, large, 0, large, 128, 39321600};
  if (which == sync_depth) return Status::unsupported_limit;
  if (which >= count || value > largest[which] || used_[which]) return Status::invalid_value;
  if (which == stack) value = (value + 15) / 16 * 16;
  constexpr std::size_t piece = 64 << 10;
  if (which == heap || which == printf_buffer) value = (value + piece - 1) / piece * piece;
  if (which == printf_buffer) value = std::max(value, least_printf_buffer);
  values_[which] = value;
  return Status::success;
}

void Device::reset() {
  heap_.reset();
  limits_ = {};
  wait();
  modules_.clear();
  textures_.forget_all();
  memory_.release_all();
  pending_ = lost_ = Status::success;
}

Status Device::refuse(const Range& range, const Allocation& allocation, const char* call) {
  const std::uint64_t left = allocation.end() - range.address;
  say("device.copy_too_long",
      worded("{}: {} bytes from byte {} of {} on go {} bytes past its end", std::string(call), range.bytes,
             range.address - allocation.address, allocation.name, range.bytes - left),
      "Check the number of bytes: it is the count of elements times the size of one.");
  return Status::invalid_value;
}

Status Device::find_place(const Range& range, const char* call, Place& place) {
  Allocation* allocation = memory_.find(range.address);
  if (allocation == nullptr) {
    if (const Freed* freed = memory_.find_freed(range.address)) {
      say("device.freed",
          worded("{}: address 0x{:x} lies in {}, which was given back", std::string(call), range.address, freed->name),
          "Free memory after its last use.");
      return Status::invalid_value;
    }
    if (const std::string name = host_variables_(range.address); range.side == Side::device && !name.empty()) {
      say("device.host_variable",
          worded("{}: 0x{:x} is the host's address of {}, which is a variable of the device", std::string(call),
                 range.address, name),
          "Copy with cudaMemcpyToSymbol or cudaMemcpyFromSymbol, or ask cudaGetSymbolAddress for its address.");
      return Status::invalid_value;
    }
    if (range.side == Side::device) {
      const Allocation* const before = what_is_before(memory_, range.address);
      say("device.host_pointer",
          before != nullptr
              ? worded("{}: 0x{:x} is not an address of the device's memory: it lies {} bytes past the end of {}",
                       std::string(call), range.address, range.address - before->end(), before->name)
              : worded("{}: 0x{:x} is not an address of the device's memory", std::string(call), range.address),
          "Pass the pointer that cudaMalloc gave, and check the direction of the copy.");
      return Status::invalid_value;
    }
    place = {reinterpret_cast<std::byte*>(range.address), nullptr};
    return range.address == 0 ? Status::invalid_value : Status::success;
  }
  // CUDA has unified addresses, so the copy is executed anyway, as measured on an H200.
  if (range.side == Side::host && !allocation->on_host() && told_of_sides_.insert(call).second)
    observer_->said({Severity::warning,
                     "device.device_pointer",
                     {},
                     worded("{}: 0x{:x} is in {}, memory of the device, but the call says that it is the host's. It is "
                            "copied as it lies",
                            std::string(call), range.address, allocation->name),
                     "Name the direction in which the copy goes, or cudaMemcpyDefault."});
  if (!allocation->holds(range.address, range.bytes)) return refuse(range, *allocation, call);
  place = {allocation->at(range.address), allocation};
  return Status::success;
}

namespace {

CopyDirection direction_of(bool from_device, bool to_device) {
  if (from_device) return to_device ? CopyDirection::device_to_device : CopyDirection::device_to_host;
  return to_device ? CopyDirection::host_to_device : CopyDirection::host_to_host;
}

}  // namespace

Status Device::copy(Range to, Range from, const char* call) {
  return copy_rows(to, to.bytes, from, from.bytes, 1, call);
}

// `to` and `from` are the ranges of the first row.
Status Device::copy_rows(Range to, std::uint64_t to_pitch, Range from, std::uint64_t from_pitch, std::uint64_t rows,
                         const char* call) {
  if (to.bytes == 0 || rows == 0) return Status::success;
  CopyDirection direction{};
  const Status status = move_rows(to, to_pitch, from, from_pitch, rows, call, direction);
  if (status == Status::success) observer_->copied(direction, to.bytes * rows);
  return status;
}

Status Device::copy_block(const Block& to, const Block& from, std::uint64_t width, std::uint64_t rows,
                          std::uint64_t slices, const char* call) {
  if (width == 0 || rows == 0 || slices == 0) return Status::success;
  CopyDirection direction{};
  for (std::uint64_t slice = 0; slice < slices; ++slice) {
    const Range target{to.address + slice * to.slice, width, to.side};
    const Range source{from.address + slice * from.slice, width, from.side};
    const Status status = move_rows(target, to.pitch, source, from.pitch, rows, call, direction);
    if (status != Status::success) return status;
  }
  observer_->copied(direction, width * rows * slices);
  return Status::success;
}

Status Device::move_rows(Range to, std::uint64_t to_pitch, Range from, std::uint64_t from_pitch, std::uint64_t rows,
                         const char* call, CopyDirection& direction) {
  const std::uint64_t width = to.bytes;
  to.bytes = to_pitch * (rows - 1) + width;
  from.bytes = from_pitch * (rows - 1) + width;
  Place target, source;
  if (const Status status = find_place(to, call, target); status != Status::success) return status;
  if (const Status status = find_place(from, call, source); status != Status::success) return status;
  for (std::uint64_t row = 0; row < rows; ++row) {
    std::memmove(target.data + row * to_pitch, source.data + row * from_pitch, width);
    if (target.allocation == nullptr) continue;
    const std::uint64_t address = to.address + row * to_pitch;
    if (source.allocation == nullptr)
      mark_written(*target.allocation, address, width);
    else
      copy_written(*target.allocation, address, *source.allocation, from.address + row * from_pitch, width);
  }
  direction = direction_of(source.on_device(), target.on_device());
  return Status::success;
}

Status Device::fill(std::uint64_t address, std::uint64_t value, std::uint32_t value_bytes, std::uint64_t count,
                    const char* call) {
  if (count == 0) return Status::success;
  Place target;
  const Range range{address, count * value_bytes, Side::device};
  if (const Status status = find_place(range, call, target); status != Status::success) return status;
  if (value_bytes == 1)
    std::memset(target.data, static_cast<int>(value), count);
  else
    for (std::uint64_t i = 0; i < count; ++i) std::memcpy(target.data + i * value_bytes, &value, value_bytes);
  mark_written(*target.allocation, address, range.bytes);
  return Status::success;
}

Status Device::check(const Range& range, const char* call) {
  Place place;
  return find_place(range, call, place);
}

Status Device::free(std::uint64_t address, bool host, const char* call) {
  Allocation* allocation = memory_.find(address);
  const bool fits = allocation != nullptr && allocation->address == address && !allocation->of_module &&
                    (host ? allocation->kind == MemoryKind::pinned
                          : allocation->kind == MemoryKind::device || allocation->kind == MemoryKind::managed ||
                                allocation->pool != nullptr);
  if (fits) {
    memory_.release(allocation);
    return Status::success;
  }
  const Freed* freed = memory_.find_freed(address);
  Wording what = allocation != nullptr && allocation->address != address
                     ? worded("0x{:x} lies within {}", address, allocation->name)
                 : allocation != nullptr ? worded("0x{:x} is {}", address, allocation->name)
                 : freed != nullptr      ? worded("0x{:x} is {}, which was given back already", address, freed->name)
                                         : worded("0x{:x} was never allocated", address);
  say("device.bad_free", worded("{}: {}", std::string(call), what),
      "Free each allocation once, by the pointer that allocating it gave, with the call that belongs to it.");
  return Status::invalid_value;
}

}  // namespace lanescope::device
