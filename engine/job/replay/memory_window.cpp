#include "job/replay/memory_window.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "core/worded.h"
#include "job/replay/names.h"
#include "job/run/again.h"
#include "ptx/module.h"

namespace lanescope::job {
namespace {

using ptx::Type;
using trace::MemorySpace;

Type element_type(sim::ElementType type) {
  std::string name = sim::name_of(type);
  if (name[0] == 'i') name[0] = 's';  // i32 is s32 in PTX
  return ptx::type_named(name);
}

// The element type that the accesses to a space use. If they disagree, and for halves: bits of that width.
Type accessed_type(const trace::Trace& trace, MemorySpace space) {
  Type said = Type::none;
  for (const trace::Site& site : trace.sites) {
    if (site.kind != trace::EventKind::memory || site.space != space) continue;
    Type type = Type::none;
    for (std::size_t dot = site.opcode.find('.'); dot != std::string::npos; dot = site.opcode.find('.', dot + 1)) {
      const std::string word = site.opcode.substr(dot + 1, site.opcode.find('.', dot + 1) - dot - 1);
      if (const Type named = ptx::type_named(word); ptx::bytes_of(named) > 0) type = named;
    }
    if (type == Type::none || ptx::bytes_of(type) > 8) continue;
    if (ptx::bytes_of(type) == 2) type = Type::b16;
    if (said == Type::none) said = type;
    if (said != type)
      return ptx::bytes_of(said) == ptx::bytes_of(type) ? ptx::type_named(fmt::format("b{}", 8 * ptx::bytes_of(type)))
                                                        : Type::b32;
  }
  return said == Type::none ? Type::b32 : said;
}

// The last factor of a count such as "n * n".
std::uint64_t row_of(const lesson::Variant& variant, const Request& request, std::size_t argument) {
  const std::size_t own = variant.arguments.size();
  if (argument >= own + variant.buffers.size()) return 0;
  const lesson::ArgumentSpec& spec = argument < own ? variant.arguments[argument] : variant.buffers[argument - own];
  const std::size_t times = spec.count.text.rfind('*');
  if (times == std::string::npos || spec.count.text.find_first_of("+-/%()") != std::string::npos) return 0;
  lesson::Expression last = spec.count;
  last.text = last.text.substr(last.text.find_first_not_of(' ', times + 1));
  const Result<std::int64_t> made = lesson::evaluate(last, request.controls);
  return made && *made > 1 ? static_cast<std::uint64_t>(*made) : 0;
}

NamedMemory buffer_of(const Outcome& outcome, int launch, const trace::Buffer& buffer, const lesson::Variant* variant) {
  NamedMemory made;
  made.space = MemorySpace::global;
  made.address = buffer.address;
  made.name = buffer.name;
  made.type = Type::b32;
  if (buffer.argument >= 0) {
    made.argument = argument_of_parameter(outcome.request, launch, static_cast<std::size_t>(buffer.argument));
    const auto argument = static_cast<std::size_t>(made.argument);
    if (made.argument >= 0) made.name = argument_name(outcome.request, argument);
    if (made.argument >= 0 && argument < outcome.arguments.size() && outcome.arguments[argument].is_buffer) {
      const sim::Argument& of = outcome.arguments[argument];
      made.type = element_type(of.type);
      made.pointer = static_cast<std::int64_t>(of.base_offset / made.bytes());
      if (variant != nullptr) made.row = row_of(*variant, outcome.request, argument);
    }
  }
  made.count = buffer.bytes / made.bytes();
  return made;
}

std::size_t shown_of(const std::vector<NamedMemory>& memories, const WantedWindow& wanted, const trace::Trace& trace,
                     const sim::Step& step) {
  const auto named = [&](const std::string& name) {
    return static_cast<std::size_t>(std::ranges::find(memories, name, &NamedMemory::name) - memories.begin());
  };
  if (const std::size_t one = named(wanted.name); one < memories.size()) return one;
  const auto events = trace.warp(step.block, step.warp);
  const auto at = std::ranges::find(events, step.sequence, &trace::WarpEvent::sequence);
  std::size_t last = named(wanted.otherwise);
  const bool known = last < memories.size();
  if (!known) last = 0;
  for (std::size_t i = 0; i < memories.size(); ++i) {
    const NamedMemory& one = memories[i];
    if (one.argument >= 0 && !known) last = i;
    if (at == events.end() || at->kind != trace::EventKind::memory || at->space != one.space) continue;
    const std::uint64_t address = trace.address(*at, at->executed.lowest());
    if (address >= one.address && address < one.address + one.count * one.bytes()) return i;
  }
  return last;
}

}  // namespace

std::string NamedMemory::element(std::int64_t index) const {
  if (argument >= 0) return fmt::format("{}[{}]", name, index - pointer);
  const std::uint64_t at = static_cast<std::uint64_t>(index) * bytes();
  const SharedArray* array = array_at(arrays, address + at);
  return array != nullptr ? array->text(address + at) : fmt::format("{} + {} B", name, at);
}

std::vector<std::int64_t> NamedMemory::row_lengths() const {
  std::vector<std::int64_t> made;
  for (const SharedArray& array : arrays)
    if (array.dimensions.size() > 1 && array.element % bytes() == 0)
      made.push_back(static_cast<std::int64_t>(array.dimensions.back() * (array.element / bytes())));
  return made;
}

std::optional<std::int64_t> NamedMemory::find(std::string_view text) const {
  const std::size_t end = std::min(text.find_first_of("[."), text.size());
  const std::string_view of = text.substr(0, end);
  for (const SharedArray& array : arrays)
    if (array.name == of)
      if (const auto at = array.find(text.substr(end))) return static_cast<std::int64_t>((*at - address) / bytes());
  std::string_view number = text;
  if (end < text.size()) {
    const bool own = of.empty() || (of == name && arrays.empty());  // an element of an array was found above
    if (!own || text[end] != '[') return std::nullopt;
    number.remove_prefix(end + 1);
    if (number.ends_with(']')) number.remove_suffix(1);
  }
  std::int64_t index = -1;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), index);
  if (parsed.ec != std::errc{} || parsed.ptr != number.data() + number.size()) return std::nullopt;
  if (argument >= 0) index += pointer;
  return index >= 0 && static_cast<std::uint64_t>(index) < count ? std::optional(index) : std::nullopt;
}

std::vector<NamedMemory> memories_of(const Outcome& outcome, int launch, const lesson::Variant* variant) {
  const trace::Trace& trace = *outcome.trace_of(launch);
  std::vector<NamedMemory> made, variables;
  for (const trace::Buffer& buffer : trace.buffers)
    if (NamedMemory one = buffer_of(outcome, launch, buffer, variant); one.count > 0)
      (buffer.argument >= 0 ? made : variables).push_back(std::move(one));
  const std::uint64_t shared = std::uint64_t{trace.launch.static_shared_bytes} + trace.launch.dynamic_shared_bytes;
  if (shared > 0) {
    NamedMemory& one = made.emplace_back();
    one.space = MemorySpace::shared;
    one.name = trace::to_string(MemorySpace::shared);
    one.type = accessed_type(trace, MemorySpace::shared);
    one.count = shared / one.bytes();
    one.row = MemoryModel::lanes * 4 / one.bytes();  // one row is what the banks serve at once
  }
  made.insert(made.end(), std::make_move_iterator(variables.begin()), std::make_move_iterator(variables.end()));
  return made;
}

std::uint64_t MemoryWindow::bits(std::int64_t index, bool after) const {
  std::uint64_t value = 0;
  const std::size_t bytes = memory().bytes();
  const std::vector<std::byte>& from = after ? state.after : state.before;
  std::memcpy(&value, from.data() + static_cast<std::size_t>(index - first) * bytes, bytes);
  return value;
}

sim::WatchedBytes MemoryWindow::bytes_of(std::int64_t index) const {
  return {memory().space, step.block, memory().address + static_cast<std::uint64_t>(index) * memory().bytes(),
          memory().bytes()};
}

Result<MemoryWindow> memory_window(const Outcome& outcome, int launch, const sim::Step& step,
                                   const WantedWindow& wanted, const lesson::Variant* variant,
                                   sim::Progress* progress) {
  Result<Again> again = prepare_again(outcome, launch, Repeat::first, progress);
  if (!again) return again.take_errors();
  MemoryWindow made;
  made.memories = memories_of(outcome, launch, variant);
  made.step = step;
  if (made.memories.empty())
    return Diagnostic{Severity::error, "memory.none", {}, "The kernel has neither buffers nor shared memory.", ""};
  for (NamedMemory& one : made.memories)
    if (one.space == MemorySpace::shared) {
      one.arrays = shared_of(outcome, launch, *again->program);
      if (one.arrays.size() == 1) one.name = one.arrays[0].name;
    }
  made.shown = shown_of(made.memories, wanted, *outcome.trace_of(launch), step);
  const NamedMemory& memory = made.memory();
  made.first = std::clamp<std::int64_t>(wanted.first, 0, static_cast<std::int64_t>(memory.count) - 1);
  const std::uint64_t count =
      std::min(std::max<std::uint64_t>(wanted.count, 1), memory.count - static_cast<std::uint64_t>(made.first));
  sim::WatchedBytes bytes = made.bytes_of(made.first);
  bytes.bytes = count * memory.bytes();
  Result<sim::MemoryState> state =
      sim::memory_at(*again->program, again->request, step, bytes, static_cast<std::uint32_t>(memory.bytes()));
  if (!state) return state.take_errors();
  made.state = std::move(*state);
  return made;
}

}  // namespace lanescope::job
