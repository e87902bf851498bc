#include "device/module.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "core/source_name.h"
#include "core/worded.h"
#include "device/device_runtime.h"
#include "ptx/whole_module.h"
#include "sim/decode/decode.h"
#include "sim/memory/address_space.h"

namespace lanescope::device {

Result<std::unique_ptr<Module>> Module::load(Memory& memory, std::string_view ptx, std::string name) {
  static std::atomic<std::uint64_t> serials{0};
  std::string whole = with_device_runtime(ptx);
  Result<ptx::Module> text = ptx::parse_whole(whole, std::move(name));
  if (!text) return text.take_errors();
  std::unique_ptr<Module> module(new Module(memory));
  module->text_ = std::move(*text);
  module->ptx_ = std::move(whole);
  module->serial_ = ++serials;
  if (!module->make_variables())
    return Diagnostic{Severity::error,
                      "device.out_of_memory",
                      {module->text_.name, 0, 0},
                      worded("the variables of a module do not fit in the device's memory of {} bytes", memory.total()),
                      "Declare less, or give memory back first."};
  return module;
}

Module::~Module() {
  for (auto& [name, variable] : variables_) memory_.release(variable.allocation);
}

bool Module::make_variables() {
  // First assign addresses, since initialisers refer to them.
  for (const ptx::Variable& variable : text_.variables) {
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    if (variable.is_extern || variable.type == ptx::Type::none) continue;
    const bool managed = variable.attribute.find(".managed") != std::string::npos;
    Allocation* made = managed ? memory_.allocate(MemoryKind::managed, std::max<std::uint64_t>(variable.bytes(), 1), "")
                               : memory_.allocate_variable(variable.space == ptx::Space::constant, variable.bytes(),
                                                           worded("variable {}", source_name(variable.name)));
    if (made == nullptr) return false;
    if (managed) made->name = worded("variable {}", source_name(variable.name));
    made->of_module = true;
    variables_[variable.name] = {made, managed};
    places_[variable.name] = made->address;
  }
  for (const ptx::Variable& variable : text_.variables) {
    const auto made = variables_.find(variable.name);
    if (made == variables_.end()) continue;
    const std::vector<std::byte> contents = sim::initial_contents(text_, variable, places_);
    std::memcpy(made->second.allocation->data, contents.data(), contents.size());
  }
  return true;
}

void ThreadsWorthwhile::took(std::uint64_t blocks, std::uint64_t lane_instructions) {
  constexpr std::uint64_t worth_threads = 50'000;
  short_up_to_ =
      lane_instructions < worth_threads ? std::max(short_up_to_, blocks) : std::min(short_up_to_, blocks - 1);
}

Kernel* Module::kernel(std::string_view mangled) {
  if (const auto known = kernels_.find(mangled); known != kernels_.end()) return &known->second;
  const ptx::Function* function = text_.find_function(mangled);
  if (function == nullptr || !function->is_entry || function->is_declaration) return nullptr;
  Kernel& made = kernels_[std::string(mangled)];
  made.module = this;
  made.function = function;
  made.name = source_name(function->name);
  if (function->instructions.empty()) return &made;
  const SourcePlace place = sim::place_in_own_file(text_, function->instructions.front());
  made.source_file = place.file;
  made.line = place.line;
  return &made;
}

Kernel* Module::kernel_at(std::uint64_t address) {
  using namespace sim::address_space;
  const std::uint64_t index = (address - functions) / function_bytes - 1;  // as sim::prepare() places them
  return index < text_.functions.size() ? kernel(text_.functions[index].name) : nullptr;
}

const Module::Variable* Module::variable(std::string_view name) const {
  const auto known = variables_.find(name);
  return known == variables_.end() ? nullptr : &known->second;
}

const sim::Program* Kernel::program() {
  if (program_ != nullptr || !diagnostics_.empty()) return program_.get();
  auto prepared = sim::prepare(module->text(), function->name, module->places());
  if (prepared)
    program_ = std::move(*prepared);
  else
    diagnostics_ = prepared.take_errors();
  return program_.get();
}

}  // namespace lanescope::device
