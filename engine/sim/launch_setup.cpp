// Sets up what a launch needs before its first block runs: memory, parameters, constants, sites.

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/worded.h"
#include "sim/launch_check.h"
#include "sim/launch_run.h"
#include "sim/memory/address_space.h"
#include "sim/pointer_tables.h"
#include "sim/unfilled.h"

namespace lanescope::sim {

LaunchRun::LaunchRun(const Program& program, const LaunchRequest& request, LaunchResult& result)
    : program_(program), request_(request), result_(result), context_(program, request) {
  context_.launch = whole_launch(program, request);
  context_.clusters = {request.launch.grid, program.uses_cluster ? context_.launch.cluster : Dim3{}};
  context_.explicit_clusters = context_.launch.cluster.count() > 1 || declared_cluster(*program.kernel).count() != 0;
  context_.shared_bytes = program.static_shared_bytes + request.launch.dynamic_shared_bytes;
  if (program.uses_reserved_shared) context_.reserved_shared = address_space::reserved_shared(context_.shared_bytes);
  context_.max_steps = request.max_steps != 0 ? request.max_steps : default_max_steps;
  blocks_ = static_cast<std::uint32_t>(request.launch.grid.count());
  printed_.most = request.printf_bytes;
  event_budget_ =
      static_cast<std::int64_t>(std::min<std::uint64_t>(request.record.event_budget_bytes, std::uint64_t{1} << 40));
  if (!request.record.blocks.empty()) {
    context_.chosen_blocks.assign(blocks_, false);
    context_.chooses_blocks = true;
    for (std::uint32_t block : request.record.blocks)
      if (block < blocks_) context_.chosen_blocks[block] = true;
  }
  set_up_memory();
  set_up_heap();
  if (request_.textures != nullptr)
    for (const TextureObject& object : *request_.textures) context_.textures[object.handle] = object;
  set_up_constants();
  set_up_sites();
}

std::uint64_t LaunchRun::add_region(Region region, std::uint64_t at) {
  region.address = at;
  const std::uint64_t end = region.end();
  result_.trace.buffers.push_back({region.shown_name(), region.argument, at, region.bytes});
  context_.memory.add(std::move(region));
  return address_space::after(end);
}

// The memory exists already and keeps its addresses.
void LaunchRun::set_up_device_memory() {
  context_.parameters = *request_.parameters;
  for (DeviceAllocation* allocation : request_.device_memory) {
    Region region;
    region.bytes = allocation->bytes;
    region.data = allocation->data;
    region.kind = allocation->constant   ? RegionKind::constant
                  : allocation->variable ? RegionKind::variable
                                         : RegionKind::buffer;
    region.allocation = allocation;
    add_region(std::move(region), allocation->address);
  }
}

void LaunchRun::set_up_memory() {
  if (request_.parameters) {
    set_up_device_memory();
  } else {
    set_up_arguments();
  }
  set_up_workspace();
  // Longer names for messages. The trace keeps the plain ones.
  context_.memory.sort([&](Region& region) {
    if (region.argument < 0) {
      if (region.kind != RegionKind::workspace && region.allocation == nullptr)
        region.name = worded("variable {}", region.name);
      return;
    }
    const Argument& argument = result_.arguments[static_cast<std::size_t>(region.argument)];
    region.name = worded("{} ({}[{}])", region.name, name_of(argument.type), argument.count());
  });
}

// Sets up the arguments and the module's variables.
void LaunchRun::set_up_arguments() {
  context_.parameters.assign(program_.kernel->parameter_bytes, std::byte{0});
  places_ = addresses_of(result_.arguments);
  for (std::size_t i = 0; i < result_.arguments.size(); ++i) {
    Argument& argument = result_.arguments[i];
    if (argument.texture != nullptr) {
      places_[i] = add_argument_texture(i);
    } else if (argument.is_buffer) {
      Region region;
      region.bytes = argument.contents.size();
      region.data = argument.contents.data();
      region.argument = static_cast<std::int32_t>(i);
      region.written = std::min<std::uint64_t>(argument.uninitialised_from, region.bytes);
      region.written_bits = &argument.written;
      region.name = worded("arg {}", i);
      add_region(region, places_[i]);
    }
  }
  put_pointers(result_.arguments, places_);
  set_up_parameters();
  variables_.reserve(program_.variables.size());
  for (const VariablePlace& place : program_.variables) {
    variables_.push_back(initial(place));
    Region region;
    region.bytes = region.written = place.initial.size();
    region.data = variables_.back().data();
    region.kind = place.variable->space == ptx::Space::constant ? RegionKind::constant : RegionKind::variable;
    region.name = place.variable->name;
    add_region(region, place.address);
  }
}

void LaunchRun::set_up_workspace() {
  if (request_.launch.cooperative && program_.uses_grid_workspace) {
    // The workspace's size, then the word with which the blocks count arrivals.
    workspace_.assign(64, std::byte{0});
    workspace_[0] = std::byte{64};
    Region region;
    region.bytes = region.written = workspace_.size();
    region.data = workspace_.data();
    region.kind = RegionKind::workspace;
    region.name = "the workspace of grid.sync()";
    context_.workspace = address_space::workspace;
    add_region(region, address_space::workspace);
  }
}

// Returns the handle that the kernel gets.
std::uint64_t LaunchRun::add_argument_texture(std::size_t number) {
  Argument& argument = result_.arguments[number];
  TextureObject object;
  object.handle = texture_handles + number;
  object.description = *argument.texture;
  object.data = argument.contents.data();
  object.name = worded("arg {}", number);
  const std::uint64_t bytes = argument.contents.size();
  if (argument.uninitialised_from < bytes) {
    WrittenMap& written = texture_written_[number];
    written.reset(bytes, argument.uninitialised_from);
    written.merge(argument.written);
    object.written = &written;
  }
  // Writes to texels are not tracked.
  argument.stored_to |= argument.texture->surface;
  return context_.textures.emplace(object.handle, object).first->first;
}

// Must come after the other memory.
void LaunchRun::set_up_heap() {
  heap_ = request_.heap != nullptr ? *request_.heap : DeviceHeap(request_.heap_bytes);
  heap_.begin_launch(request_.launch.grid.count() * request_.launch.block.count());
  context_.heap = &heap_;
  for (auto& [address, allocation] : heap_.allocations()) {
    Region region;
    region.address = address;
    region.bytes = allocation.bytes();
    region.data = allocation.contents.data();
    region.written_bits = &allocation.written;
    context_.memory.add_heap(std::move(region));
  }
}

void LaunchRun::set_up_parameters() {
  const auto passed = [&](std::size_t i) {
    return places_.at(i) + (result_.arguments[i].texture == nullptr ? result_.arguments[i].base_offset : 0);
  };
  for (std::size_t i = 0; i < program_.kernel->parameters.size(); ++i) {
    const Argument& argument = result_.arguments[i];
    const ptx::Parameter& parameter = program_.kernel->parameters[i];
    std::uint64_t value = argument.is_buffer ? passed(i) : argument.scalar_bits;
    if (!argument.is_buffer && argument.same_as >= 0) value += passed(static_cast<std::size_t>(argument.same_as));
    const std::byte* source = reinterpret_cast<const std::byte*>(&value);
    std::size_t bytes = std::min<std::size_t>(parameter.bytes(), 8);
    if (!argument.raw_parameter.empty()) {
      source = argument.raw_parameter.data();
      bytes = argument.raw_parameter.size();
    }
    if (parameter.offset + bytes > context_.parameters.size()) continue;
    std::memcpy(context_.parameters.data() + parameter.offset, source, bytes);
    if (argument.is_buffer) continue;
    for (const Argument::Pointer& one : argument.pointers) {
      const std::uint64_t pointer = passed(one.argument) + one.offset;
      std::memcpy(context_.parameters.data() + parameter.offset + one.at, &pointer, sizeof pointer);
    }
  }
}

std::vector<std::byte> LaunchRun::initial(const VariablePlace& place) const {
  std::vector<std::byte> contents = place.initial;
  if (const auto given = request_.variables.find(place.variable->name); given != request_.variables.end())
    std::copy_n(given->second.begin(), std::min(given->second.size(), contents.size()), contents.begin());
  return contents;
}

// Takes the final contents of variables, and finds the variables that were never given contents.
void LaunchRun::take_variables() {
  for (const Region& region : context_.memory.regions())
    for (std::size_t i = 0; i < variables_.size(); ++i)
      if (region.data == variables_[i].data() && context_.writes.written(region))
        result_.variables[program_.variables[i].variable->name] = variables_[i];
  if (!request_.record.totals || request_.parameters) return;
  result_.unfilled =
      unfilled_variables(program_, result_.trace, request_.user_file, [&](const ptx::Variable& variable) {
        return request_.variables.contains(variable.name) || result_.variables.contains(variable.name);
      });
}

void LaunchRun::take_heap() {
  if (const DeviceHeap::Refusals& refused = heap_.refusals(); refused.count != 0)
    result_.diagnostics.push_back(
        {Severity::warning, "memory.heap_full", heap_.line(refused.first).place,
         worded("malloc() returned null {} time{}, first for {} bytes: the device heap of {} bytes was full",
                refused.count, refused.count == 1 ? "" : "s", refused.bytes, heap_.capacity()),
         "Free what is no longer needed, or make the heap larger (cudaDeviceSetLimit with cudaLimitMallocHeapSize)."});
  if (!heap_.lines().empty()) result_.heap = std::make_shared<const DeviceHeap>(std::move(heap_));
}

namespace {

// The thread after the one at `at`, in the order of linear indices.
Dim3 next_in(Dim3 at, Dim3 block) {
  if (++at.x < block.x) return at;
  if (++at.y < block.y) return {0, at.y, at.z};
  return {0, 0, at.z + 1};
}

}  // namespace

void LaunchRun::set_up_constants() {
  const trace::Launch& launch = context_.launch;
  context_.thread_indices.resize(launch.warps_per_block());
  Dim3 at{0, 0, 0};
  for (auto& warp : context_.thread_indices)
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      warp.of[0][lane] = at.x;
      warp.of[1][lane] = at.y;
      warp.of[2][lane] = at.z;
      at = next_in(at, launch.block);
    }
  for (const auto& function : program_.functions) {
    std::vector<std::byte> constants = function->constants;
    const auto place = [&](std::uint32_t slot) { return constants.data() + (slot - function->constants_begin); };
    for (const SpecialSlot& slot : function->launch_specials) fill_special(slot, context_, 0, 0, place(slot.slot));
    for (const ParameterSlot& slot : function->parameter_slots) {
      std::uint64_t value = 0;
      if (slot.offset + slot.memory_bytes <= context_.parameters.size())
        std::memcpy(&value, context_.parameters.data() + slot.offset, slot.memory_bytes);
      if (slot.is_signed && slot.memory_bytes < 8) {
        const int unused = 64 - 8 * slot.memory_bytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
      }
      for (std::uint32_t lane = 0; lane < 32; ++lane)
        std::memcpy(place(slot.slot) + lane * slot.register_bytes, &value, slot.register_bytes);
    }
    context_.constants.push_back(std::move(constants));
  }
}

void LaunchRun::set_up_sites() {
  trace::Trace& trace = result_.trace;
  trace.origin = trace::Origin::interpreted;
  trace.kernel = context_.kernel_name();
  trace.arch = request_.arch;
  trace.launch = context_.launch;
  for (const auto& function : program_.functions) trace.functions.push_back(function->source->name);
  trace.sites = program_.sites;
  for (std::size_t i = 0; i < trace.sites.size(); ++i) {
    trace::Site& site = trace.sites[i];
    // A site in the user's file already has its place.
    if (!request_.user_file.empty() && site.file != request_.user_file)
      place_site(site, program_.module, *program_.site_instruction[i], request_.user_file);
    const FunctionCode& code = *program_.functions[static_cast<std::size_t>(site.function)];
    context_.counter_of_site.push_back(code.blocks[static_cast<std::size_t>(site.basic_block)].counter);
  }
}

}  // namespace lanescope::sim
