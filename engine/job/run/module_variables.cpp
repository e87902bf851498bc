#include "job/run/module_variables.h"

#include <algorithm>
#include <cstring>
#include <span>

#include "compile/host/include_tree.h"
#include "compile/host/source_scan.h"
#include "core/source_name.h"
#include "core/text.h"
#include "core/worded.h"
#include "lesson/nearest.h"
#include "ptx/module.h"
#include "sim/pointer_tables.h"
#include "sim/variable_use.h"

namespace lanescope::job {

namespace {

bool is_filled_by_hosts(const ptx::Variable& variable) {
  return variable.space == ptx::Space::constant || variable.space == ptx::Space::global;
}

Diagnostic no_such_variable(const std::string& name, const std::vector<ptx::Variable>& variables) {
  std::vector<std::string> known;
  for (const ptx::Variable& one : variables)
    if (is_filled_by_hosts(one)) known.push_back(source_name(one.name));
  return {Severity::error,
          "argument.no_such_variable",
          {},
          worded("There is no __constant__ or __device__ variable `{}`.", name),
          lesson::did_you_mean(name, known)};
}

std::vector<std::byte> bytes_of(sim::Argument argument) {
  if (argument.is_buffer) return std::move(argument.contents);
  return parameter_bytes(argument);
}

// A struct that is smaller than the variable may lack bytes between its members.
bool is_other_struct(const RequestedArgument& symbol, const ptx::Variable& variable, std::size_t bytes) {
  const Recipe::Bytes* members = symbol.recipe() ? symbol.recipe()->bytes() : nullptr;
  return members != nullptr && !members->numbers.empty() && bytes != variable.bytes();
}

}  // namespace

Diagnostics ModuleVariables::fill(const sim::Program& program, const Request& request) {
  Diagnostics problems;
  const std::vector<ptx::Variable>& variables = sim::module_of(program).variables;
  for (const RequestedArgument& symbol : request.symbols) {
    const auto variable = std::ranges::find_if(variables, [&](const ptx::Variable& one) {
      return is_filled_by_hosts(one) && (one.name == symbol.name() || source_name(one.name) == symbol.name());
    });
    if (variable == variables.end()) {
      if (!compile::find_device_variable(request.source, symbol.name()))
        problems.push_back(no_such_variable(symbol.name(), variables));
      continue;
    }
    if (!used_.contains(symbol.name()) && sim::names_variable(program, *variable)) used_.insert(symbol.name());
    if (contents_.contains(variable->name)) continue;
    Result<sim::Argument> parsed = make_argument(symbol);
    if (!parsed) return parsed.take_errors();
    if (parsed->same_as >= 0) {
      if (std::optional<Diagnostic> problem = point(*variable, symbol, *parsed, request))
        problems.push_back(*std::move(problem));
      continue;
    }
    const bool holds_nothing = parsed->base_offset != 0 || (parsed->is_buffer && parsed->uninitialised_from == 0);
    const std::vector<sim::Argument::Pointer> pointers = std::move(parsed->pointers);
    std::vector<std::byte> bytes = bytes_of(std::move(*parsed));
    if (is_other_struct(symbol, *variable, bytes.size()))
      problems.push_back(
          {Severity::error,
           "argument.mismatch",
           {},
           worded("`{}` has {} bytes, but `{}` has {}.", symbol.name(), variable->bytes(), symbol.text(), bytes.size()),
           "Write all members of the struct, and the bytes between them as members too, such as 3*f32=0: a member that "
           "is aligned to 16 bytes, such as float4, begins at a multiple of them."});
    else if (holds_nothing || bytes.size() > variable->bytes())
      problems.push_back(
          {Severity::error,
           "argument.mismatch",
           {},
           worded("`{}` has {} bytes, but was given `{}`.", symbol.name(), variable->bytes(), symbol.text()),
           worded("Give contents of at most {} bytes. A pointer can be given the address of an argument's buffer: "
                  "same:0.",
                  variable->bytes())});
    else
      for (const sim::Argument::Pointer& one : pointers)
        pointers_[variable->name].push_back({one.at, one.argument, one.offset});
    contents_[variable->name] = std::move(bytes);
  }
  return problems;
}

std::optional<Diagnostic> ModuleVariables::point(const ptx::Variable& variable, const RequestedArgument& symbol,
                                                 const sim::Argument& to, const Request& request) {
  if (variable.bytes() != sizeof(std::uint64_t))
    return Diagnostic{Severity::error,
                      "argument.mismatch",
                      {},
                      worded("`{}` has {} bytes, but was given `{}`.", symbol.name(), variable.bytes(), symbol.text()),
                      "Only a pointer can be given the address of an argument's buffer."};
  const auto place = static_cast<std::size_t>(to.same_as);
  const std::size_t own = request.arguments.size();
  const RequestedArgument* named = place < own                            ? &request.arguments[place]
                                   : place < own + request.buffers.size() ? &request.buffers[place - own]
                                                                          : nullptr;
  const Recipe* recipe = named != nullptr && named->recipe() ? &*named->recipe() : nullptr;
  if (recipe == nullptr || !recipe->buffer() || recipe->texture != nullptr)
    return Diagnostic{Severity::error,
                      "argument.no_such",
                      {},
                      worded("`{}`: argument {} is not a buffer.", symbol.text(), place),
                      "Name an argument that is a buffer. Arguments are numbered from 0."};
  contents_[variable.name].assign(sizeof(std::uint64_t), std::byte{0});
  pointers_[variable.name] = {{0, place, to.scalar_bits + recipe->buffer()->offset}};
  return std::nullopt;
}

void ModuleVariables::put_addresses(const std::vector<sim::Argument>& buffers) {
  for (const auto& [name, pointers] : pointers_)
    for (const Pointer& pointer : pointers) {
      const std::uint64_t address = buffers.at(pointer.buffer).address + pointer.offset;
      std::memcpy(contents_[name].data() + pointer.at, &address, sizeof address);
    }
  pointers_.clear();
}

void ModuleVariables::add_buffers(RequestedLaunch& next, const std::vector<sim::Argument>& buffers) {
  put_addresses(buffers);
  const std::vector<std::uint64_t> addresses = sim::addresses_of(buffers);
  const auto add_pointed_at = [&](std::span<const std::byte> contents) {
    for (const sim::Argument::Pointer& one : sim::pointers_in(contents, buffers, addresses)) {
      const int buffer = static_cast<int>(one.argument);
      if (std::ranges::find(next.parameters, buffer, &RequestedLaunch::Parameter::buffer) != next.parameters.end())
        continue;
      next.parameters.push_back({.buffer = buffer});
      ++next.pointed_at;
    }
  };
  for (const auto& [name, contents] : contents_) add_pointed_at(contents);
  for (std::size_t i = 0; i < next.parameters.size(); ++i) {  // a buffer that is added may hold pointers too
    if (next.parameters[i].buffer < 0) continue;
    const sim::Argument& buffer = buffers.at(static_cast<std::size_t>(next.parameters[i].buffer));
    using enum sim::ElementType;
    if (buffer.stored_to && (buffer.type == u64 || buffer.type == i64 || buffer.type == u8))
      add_pointed_at(buffer.contents);
  }
}

void ModuleVariables::take(const sim::LaunchResult& result) {
  for (const auto& [name, contents] : result.variables) contents_[name] = contents;
}

Diagnostics ModuleVariables::remarks(const sim::LaunchResult& result, const compile::Source& source) {
  Diagnostics remarks;
  for (const sim::UnfilledVariable& one : result.unfilled) {
    if (!remarked_.insert(one.name).second) continue;
    // In PTX, a variable that the source initialises with zero looks like an uninitialised one.
    const std::optional<compile::DeviceVariable> declared = compile::find_device_variable(source, one.name);
    if (declared && declared->from_name.find_first_of("={") != std::string::npos) continue;
    remarks.push_back({Severity::warning, "memory.unfilled_variable", one.place,
                       one.constant
                           ? worded("the kernel reads the __constant__ variable `{}`, which was never set: it holds "
                                    "zeros",
                                    one.name)
                           : worded("the kernel reads the __device__ variable `{}`, which was never set: it holds "
                                    "zeros",
                                    one.name),
                       worded("Give `{}` an initialiser, or set it before the launch.", one.name)});
  }
  return remarks;
}

Diagnostics ModuleVariables::unused(const Request& request) const {
  Diagnostics notes;
  for (const RequestedArgument& symbol : request.symbols)
    if (!used_.contains(symbol.name()))
      notes.push_back(
          {Severity::note,
           "argument.unused_variable",
           {},
           worded("No launch uses the variable `{}`, so the contents that it was given have no effect.", symbol.name()),
           "Leave it out, or give contents to a variable that the kernel uses."});
  return notes;
}

void place_at_constants(Diagnostics& problems, const compile::Source& source) {
  if (source.name.ends_with(".ptx")) return;
  for (Diagnostic& problem : problems) {
    if (problem.code != "compile.constant_too_large") continue;
    for (const compile::ScannedDeclaration& one : compile::scan_declarations(source.text)) {
      const bool variable = one.kind == compile::ScannedDeclaration::Kind::variable;
      if (!variable || !contains(std::string_view(source.text).substr(one.begin, one.end - one.begin), "__constant__"))
        continue;
      problem.place = {source.name, one.line, 0};
      break;
    }
  }
}

}  // namespace lanescope::job
