#include "job/run/kept.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include <fmt/format.h>

#include "core/worded.h"
#include "job/run/parameters.h"
#include "job/run/small_races.h"
#include "job/values/element_numbers.h"
#include "ptx/module.h"

namespace lanescope::job {
namespace {

using device::KeptLaunch;

// A parameter that points into one of the allocations.
struct Pointer {
  std::size_t parameter = 0, allocation = 0;  // indices in the two lists
  std::uint64_t offset = 0;                   // bytes from the start of the allocation
  std::optional<sim::ElementType> type;       // element type, if known
};

std::uint64_t word_at(const KeptLaunch& launch, const ptx::Parameter& parameter) {
  std::uint64_t word = 0;
  const std::uint64_t bytes = std::min<std::uint64_t>(sizeof word, parameter.bytes());
  if (parameter.offset + bytes <= launch.parameters.size())
    std::memcpy(&word, launch.parameters.data() + parameter.offset, bytes);
  return word;
}

std::vector<Pointer> pointers_of(const KeptLaunch& launch) {
  const ptx::Function& kernel = sim::kernel_of(*launch.program);
  std::vector<std::string> types = parameter_types(kernel.name);
  types.resize(kernel.parameters.size());
  std::vector<Pointer> found;
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const ptx::Parameter& parameter = kernel.parameters[i];
    // A pointer that is `__grid_constant__` is an array of bytes in PTX, as a struct is.
    const bool unknown = types[i].empty() && !parameter.is_array;
    if (parameter.bytes() != 8 || (!unknown && !types[i].ends_with('*'))) continue;
    const std::uint64_t address = word_at(launch, parameter);
    const auto after = std::ranges::upper_bound(launch.memory, address, {}, &sim::DeviceAllocation::address);
    if (after == launch.memory.begin() || address >= (*(after - 1))->end()) continue;
    const auto place = static_cast<std::size_t>(after - launch.memory.begin()) - 1;
    found.push_back({i, place, address - launch.memory[place]->address, type_named(element_behind(types[i]))});
  }
  return found;
}

// The first pointer into an allocation gives it its name.
const Pointer& first_into(const std::vector<Pointer>& pointers, std::size_t allocation) {
  return *std::ranges::find(pointers, allocation, &Pointer::allocation);
}

std::string bytes_text(const KeptLaunch& launch, const ptx::Parameter& parameter) {
  std::string text = "bytes=";
  for (std::uint64_t i = 0; i < parameter.bytes(); ++i) {
    const std::uint64_t at = parameter.offset + i;
    text += fmt::format("{:02x}", at < launch.parameters.size() ? static_cast<unsigned>(launch.parameters[at]) : 0u);
  }
  return text;
}

std::string number_text(const KeptLaunch& launch, const ptx::Parameter& parameter, const std::string& source_type) {
  const auto bytes = static_cast<unsigned>(parameter.bytes());
  if (parameter.is_array || (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8))
    return bytes_text(launch, parameter);
  const std::uint64_t word = word_at(launch, parameter);
  const bool floating = parameter.type == ptx::Type::f32 || parameter.type == ptx::Type::f64;
  if (floating) return fmt::format("f{}=0x{:x}", 8 * bytes, word);
  if (source_type.find("unsigned") != std::string::npos || source_type.empty() || bytes == 8)
    return fmt::format("u{}={}", 8 * bytes, word);
  const int unused = 64 - static_cast<int>(8 * bytes);
  return fmt::format("i{}={}", 8 * bytes, static_cast<std::int64_t>(word << unused) >> unused);
}

std::string pointer_text(const KeptLaunch& launch, const std::vector<Pointer>& all, const Pointer& pointer) {
  const Pointer& first = first_into(all, pointer.allocation);
  if (&first != &pointer && first.type && pointer.offset >= first.offset)
    return fmt::format("same:{}+{}", first.parameter, pointer.offset - first.offset);
  const std::uint64_t bytes = launch.memory[pointer.allocation]->bytes;
  const std::string elements = fmt::format("{}[{}]", sim::name_of(*pointer.type),
                                           bytes / static_cast<std::uint64_t>(sim::bytes_of(*pointer.type)));
  return pointer.offset == 0 ? elements : fmt::format("{}+{}", elements, pointer.offset);
}

// The argument for each parameter, with its contents after the run if `memory` is given.
std::vector<sim::Argument> kept_arguments(const Request& request, std::span<sim::DeviceAllocation* const> memory) {
  const KeptLaunch& launch = *request.kept;
  const std::vector<Pointer> pointers = pointers_of(launch);
  std::vector<sim::Argument> arguments(request.arguments.size());
  for (const Pointer& pointer : pointers) {
    sim::Argument& made = arguments[pointer.parameter];
    const sim::DeviceAllocation& allocation = *memory[pointer.allocation];
    if (!pointer.type || &first_into(pointers, pointer.allocation) != &pointer) continue;
    made.type = *pointer.type;
    made.is_buffer = true;
    made.base_offset = pointer.offset;
    made.contents.assign(allocation.data, allocation.data + allocation.bytes);
  }
  return arguments;
}

}  // namespace

Request request_of(std::shared_ptr<const KeptLaunch> launch) {
  const KeptLaunch& of = *launch;
  const ptx::Function& kernel = sim::kernel_of(*of.program);
  const bool has_source = !of.about.source_file.empty() && !of.source.empty();
  Request made;
  made.source.name = !of.about.source_file.empty() ? of.about.source_file : of.module_name;
  made.source.text = has_source ? of.source : std::string();
  made.arch = of.about.arch;
  made.max_steps = of.max_steps;
  if (of.event_budget != 0) made.record.event_budget_bytes = of.event_budget;
  made.first().kernel = of.about.kernel;
  made.first().shape = of.about.launch;
  made.first().shape.static_shared_bytes = sim::static_shared_bytes(*of.program);
  std::vector<std::string> types = parameter_types(kernel.name);
  types.resize(kernel.parameters.size());
  const std::vector<Pointer> pointers = pointers_of(of);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto pointer = std::ranges::find(pointers, i, &Pointer::parameter);
    const bool typed = pointer != pointers.end() && pointer->type;
    made.arguments.emplace_back(
        typed ? pointer_text(of, pointers, *pointer) : number_text(of, kernel.parameters[i], types[i]), "");
  }
  made.kept = std::move(launch);
  return made;
}

sim::LaunchRequest kept_request(const Request& request, sim::Progress* progress) {
  sim::LaunchRequest made = request.kept->request();
  if (request.max_steps != 0) made.max_steps = request.max_steps;
  made.threads = request.threads;
  made.schedule_seed = request.schedule_seed;
  made.progress = progress;
  return made;
}

Outcome run_kept(const Request& request, sim::Progress* progress) {
  const KeptLaunch& kept = *request.kept;
  Outcome outcome;
  outcome.request = request;
  LaunchOutcome& done = outcome.first();
  done.ptx = kept.ptx;
  done.mangled_kernel = kept.about.mangled;
  const auto memory = std::make_shared<sim::DeviceMemoryCopy>(kept.memory, kept.textures.get());
  const sim::DeviceMemoryCopy& copy = *memory;
  sim::LaunchRequest launch = kept_request(request, progress);
  launch.device_memory = copy.memory();
  launch.textures = copy.textures();
  launch.record = request.record;
  std::erase_if(launch.record.blocks, [&](std::uint32_t block) { return block >= launch.launch.grid.count(); });
  watch_first_blocks(request, launch);
  sim::LaunchResult result = sim::run(*kept.program, std::move(launch));
  const std::vector<Pointer> pointers = pointers_of(kept);
  for (trace::Buffer& buffer : result.trace.buffers)
    for (const Pointer& pointer : pointers)
      if (buffer.argument < 0 && kept.memory[pointer.allocation]->address == buffer.address)
        buffer.argument = static_cast<std::int32_t>(pointer.parameter);
  done.trace = std::move(result.trace);
  done.trace.kernel = kept.about.kernel;
  done.trace.arch = request.arch;
  done.trace.compiler_name = "none";
  done.races = std::move(result.races);
  done.fault = result.fault;
  done.stack = result.stack;
  done.run_seconds = outcome.run_seconds = result.seconds;
  outcome.request.first().shape = done.trace.launch;
  outcome.printf_output = std::move(result.printf_output);
  outcome.diagnostics = std::move(result.diagnostics);
  outcome.completed = result.completed;
  if (!request.results) return outcome;
  outcome.memory_after = memory;
  outcome.arguments = kept_arguments(outcome.request, copy.memory());
  outcome.buffers = summaries(outcome.request, outcome.arguments);
  return outcome;
}

}  // namespace lanescope::job
