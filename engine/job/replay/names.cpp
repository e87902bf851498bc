#include "job/replay/names.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "compile/host/launch_scan.h"
#include "compile/host/source_scan.h"
#include "core/comma_list.h"
#include "core/source_name.h"
#include "core/text.h"
#include "core/worded.h"
#include "sim/memory/address_space.h"

namespace lanescope::job {
namespace {

using ptx::Type;

ptx::Type type_of(sim::ElementType type) {
  return ptx::type_named([&]() -> std::string {
    std::string name = sim::name_of(type);
    if (name[0] == 'i') name[0] = 's';  // i32 is s32 in PTX
    return name;
  }());
}

const RequestedArgument* requested_argument(const Request& request, std::size_t argument) {
  const std::size_t own = request.arguments.size();
  if (argument < own) return &request.arguments[argument];
  return argument - own < request.buffers.size() ? &request.buffers[argument - own] : nullptr;
}

// "const float* __restrict__ in" → "in"; empty if the parameter has no name.
std::string name_in(std::string parameter) {
  parameter.resize(std::min({parameter.size(), parameter.find('='), parameter.find('[')}));
  while (!parameter.empty() && !is_name_char(parameter.back())) parameter.pop_back();
  std::size_t begin = parameter.size();
  while (begin > 0 && is_name_char(parameter[begin - 1])) --begin;
  const bool alone = parameter.find_first_not_of(" \t\n") == begin;  // only a type
  return alone ? "" : parameter.substr(begin);
}

// Names of the kernel's parameters in the source; empty if its declarations disagree.
std::vector<std::string> names_in_source(const compile::Source& source, const std::string& kernel) {
  std::vector<std::string> names;
  if (source.name.ends_with(".ptx")) return names;
  const std::string base = kernel_base_name(kernel);
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(source.text)) {
    if (!one.is_kernel || kernel_base_name(one.name) != base || !one.template_arguments.empty()) continue;
    std::vector<std::string> found;
    for (const std::string& parameter : comma_list(one.parameters)) found.push_back(name_in(parameter));
    if (!names.empty() && names != found) return {};
    names = std::move(found);
  }
  return names;
}

// Those of the first repeat; empty if there is no such launch.
std::vector<RequestedLaunch::Parameter> parameters_of(const Request& request, int launch) {
  const auto found = std::ranges::find(request.launches, launch, &RequestedLaunch::number);
  return found == request.launches.end() ? std::vector<RequestedLaunch::Parameter>() : request.parameters_of(*found);
}

Diagnostic no_element(const Outcome& outcome, const std::string& text) {
  std::vector<Wording> buffers;
  for (std::size_t i = 0; i < outcome.arguments.size(); ++i)
    if (const sim::Argument& one = outcome.arguments[i]; one.is_buffer && one.count() > 0)
      buffers.push_back(worded("{}[0 … {}]", argument_name(outcome.request, i), one.count() - 1));
  return {Severity::error,
          "argument.no_element",
          {},
          worded("There is no element `{}`.", text),
          worded("Name an element of a buffer: {}.", joined(buffers, "{}, {}"))};
}

}  // namespace

std::string argument_name(const Request& request, std::size_t argument) {
  const RequestedArgument* text = requested_argument(request, argument);
  if (text != nullptr && !text->name().empty()) return text->name();
  const std::vector<std::string> names = names_in_source(request.source, request.first().kernel);
  if (argument < request.arguments.size() && argument < names.size() && !names[argument].empty())
    return names[argument];
  return fmt::format("arg{}", argument);
}

int argument_of_parameter(const Request& request, int launch, std::size_t parameter) {
  const std::vector<RequestedLaunch::Parameter> parameters = parameters_of(request, launch);
  return parameter < parameters.size() ? parameters[parameter].buffer : -1;
}

PlaceNames::PlaceNames(const Outcome& outcome, int launch, const sim::Program& program)
    : outcome_(outcome),
      launch_(launch),
      kernel_(sim::kernel_of(program)),
      shared_(shared_of(outcome, launch, program)) {
  const Request& request = outcome.request;
  const std::vector<RequestedLaunch::Parameter> parameters = parameters_of(request, launch);
  for (const trace::Buffer& buffer : outcome.trace_of(launch)->buffers) {
    Named named{buffer.name, buffer.address, buffer.bytes, 0, Type::none, -1};
    if (buffer.argument >= 0) {
      const auto parameter = static_cast<std::size_t>(buffer.argument);
      named.argument = argument_of_parameter(request, launch, parameter);
      named.name = this->parameter(parameter);
      if (named.argument >= 0)
        if (const RequestedArgument* text = requested_argument(request, static_cast<std::size_t>(named.argument)))
          if (const Result<Recipe>& recipe = text->recipe(); recipe && recipe->buffer()) {
            named.type = type_of(recipe->type);
            named.offset = recipe->buffer()->offset + parameters[parameter].offset;
          }
    } else {
      named.name = source_name(buffer.name);
    }
    buffers_.push_back(std::move(named));
  }
}

std::string PlaceNames::parameter(std::size_t index) const {
  const std::string& kernel = outcome_.trace_of(launch_)->kernel;
  const std::vector<std::string> names = names_in_source(outcome_.request.source, kernel);
  if (index < names.size() && !names[index].empty() && names.size() == kernel_.parameters.size()) return names[index];
  const int argument = argument_of_parameter(outcome_.request, launch_, index);
  return argument >= 0 ? argument_name(outcome_.request, static_cast<std::size_t>(argument))
                       : fmt::format("arg{}", index);
}

PlaceNames::Place PlaceNames::at(const Named& buffer, std::uint64_t address) {
  Place made;
  made.type = buffer.type;
  const std::uint64_t from = address - buffer.address, element = static_cast<std::uint64_t>(ptx::bytes_of(buffer.type));
  const bool whole = element != 0 && from >= buffer.offset && (from - buffer.offset) % element == 0;
  made.text = whole ? fmt::format("{}[{}]", buffer.name, (from - buffer.offset) / element)
                    : fmt::format("{} + {} B", buffer.name, from);
  if (buffer.argument >= 0 && element != 0) {
    made.argument = buffer.argument;
    made.index = static_cast<std::int64_t>(from / element);
  }
  return made;
}

PlaceNames::Place PlaceNames::at(trace::MemorySpace space, std::uint64_t address) const {
  if (space == trace::MemorySpace::global || space == trace::MemorySpace::constant)
    for (const Named& buffer : buffers_)
      if (address >= buffer.address && address < buffer.address + buffer.bytes) return at(buffer, address);
  Place made;
  if (space == trace::MemorySpace::param)
    for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
      const ptx::Parameter& parameter = kernel_.parameters[i];
      if (address < parameter.offset || address >= parameter.offset + parameter.bytes()) continue;
      made.text = this->parameter(i);
      if (address != parameter.offset) made.text += fmt::format(" + {} B", address - parameter.offset);
      return made;
    }
  const bool other_block = space == trace::MemorySpace::distributed;
  if (space == trace::MemorySpace::shared || other_block) {
    const std::uint64_t within = other_block ? sim::address_space::within_block(address) : address;
    // "tile@1": the block of rank 1.
    const std::string owner = other_block ? fmt::format("@{}", sim::address_space::rank_of(address)) : std::string();
    const SharedArray* array = array_at(shared_, within);
    made.text = array != nullptr ? array->text(within, owner) : fmt::format("shared{} + {} B", owner, within);
    if (array != nullptr) made.type = array->type;
    return made;
  }
  made.text = space == trace::MemorySpace::global ? fmt::format("0x{:x}", address)
                                                  : fmt::format("{} + {} B", trace::to_string(space), address);
  return made;
}

Result<NamedElement> find_element(const Outcome& outcome, const std::string& text) {
  const std::size_t open = text.rfind('[');  // rows[2][5] is an element of rows[2]
  if (open == std::string::npos || !text.ends_with(']')) return no_element(outcome, text);
  NamedElement made;
  const char* end = text.data() + text.size() - 1;
  const auto parsed = std::from_chars(text.data() + open + 1, end, made.index);
  if (parsed.ec != std::errc{} || parsed.ptr != end || made.index < 0) return no_element(outcome, text);
  const std::string name = text.substr(0, open);
  for (std::size_t i = 0; i < outcome.arguments.size(); ++i) {
    const sim::Argument& argument = outcome.arguments[i];
    if (!argument.is_buffer || (name != argument_name(outcome.request, i) && name != fmt::format("arg{}", i))) continue;
    // The name belongs to the pointer, which may point behind the buffer's beginning.
    made.index += static_cast<std::int64_t>(argument.base_offset) / sim::bytes_of(argument.type);
    if (static_cast<std::uint64_t>(made.index) >= argument.count()) return no_element(outcome, text);
    made.argument = static_cast<int>(i);
    return made;
  }
  return no_element(outcome, text);
}

}  // namespace lanescope::job
