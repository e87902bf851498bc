#pragma once
// A session that uses the interpreter in place of a GPU. It runs the given kernels, plain or recording, one after
// another on the same memory, and counts by running the loaded kernel. It does not test other hardware; it tests that
// launches, memory, recordings and counts fit together.

#include <cstring>
#include <map>

#include "compile/compiler.h"
#include "instrument/instrument.h"
#include "job/run/job.h"
#include "job/witness/idle_gpu.h"
#include "ptx/module.h"
#include "sim/launch.h"
#include "sim/memory/texture.h"
#include "sim/pointer_tables.h"

namespace lanescope::test {

class InterpretedGpu final : public IdleGpu {
 public:
  // Knows the kernels of `run`.
  explicit InterpretedGpu(const job::Outcome& run) : IdleGpu("interpreted") {
    for (const job::LaunchOutcome& launch : run.launches) text_[launch.mangled_kernel] = launch.ptx;
  }

  int counts = 0;
  int code_counts = 0;                                      // how often the machine instructions were counted
  std::vector<gpu::CountedInstructions::Instruction> code;  // what is then counted
  int disturbed_counts = 0;  // in the first so many, another program's work is counted too, each time more

  Result<gpu::KernelAttributes> load(std::span<const std::uint8_t> cubin,
                                     const std::vector<gpu::Launch>& launches) override {
    cubin_.assign(cubin.begin(), cubin.end());
    launches_ = launches;
    return IdleGpu::load(cubin, launches);
  }
  Result<gpu::Completed> run(std::vector<gpu::Argument> arguments, double) override {
    Memory memory(arguments);
    for (const gpu::Launch& launch : launches_) {
      std::map<int, std::size_t> places;
      const sim::LaunchResult result = launch_on(launch, memory, places);
      if (!result.completed) return result.diagnostics;
      for (const trace::Buffer& buffer : result.trace.buffers) {
        if (buffer.argument < 0) continue;
        const auto own = std::ranges::find_if(
            places, [&](const auto& one) { return one.second == static_cast<std::size_t>(buffer.argument); });
        if (&launch == &launches_.front()) arguments[static_cast<std::size_t>(own->first)].address = buffer.address;
      }
    }
    std::vector<std::uint64_t> addresses;
    for (gpu::Argument& argument : arguments) {
      if (argument.address == 0) argument.address = (0x600 + addresses.size()) << 36;  // no parameter of launch 1
      addresses.push_back(argument.address);
    }
    sim::put_pointers(memory.arguments, addresses);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].is_buffer && arguments[i].variable.empty()) arguments[i].bytes = memory.arguments[i].contents;
    return gpu::Completed{std::move(arguments)};
  }
  // Global loads and stores; other counters have no value.
  Result<gpu::Counted> count(const std::vector<gpu::Argument>& arguments,
                             const std::vector<std::string>& names) override {
    ++counts;
    Memory memory(arguments);
    std::map<int, std::size_t> places;
    const sim::LaunchResult result = launch_on(launches_.front(), memory, places);
    if (!result.completed) return result.diagnostics;
    gpu::Counted counted{.names = names, .passes = 1};
    for (const std::string& name : names) {
      const bool loads = name.find("mem_global_op_ld") != std::string::npos,
                 stores = name.find("mem_global_op_st") != std::string::npos;
      const trace::MemoryTotals& totals =
          result.trace.totals.of(loads ? trace::MemoryClass::global_load : trace::MemoryClass::global_store);
      const bool sectors = name.find("t_sectors") != std::string::npos;
      const double others = counts <= disturbed_counts ? 1000.0 * counts : 0;
      counted.values.push_back(
          loads || stores ? others + static_cast<double>(sectors ? totals.sectors : totals.requests) : 0.0 / 0.0);
    }
    return counted;
  }
  Result<gpu::CountedInstructions> count_instructions(const std::vector<gpu::Argument>&,
                                                      const std::vector<std::string>& names) override {
    ++code_counts;
    return gpu::CountedInstructions{.names = names, .instructions = code};
  }

 private:
  using Program = std::shared_ptr<const sim::Program>;

  static Program prepared(const std::string& text, const std::string& mangled) {
    return *sim::prepare(*ptx::parse(text, "kernel.ptx"), mangled);
  }
  // A recording kernel has more parameters and is identified by its machine code.
  Program program_of(const gpu::Launch& launch) const {
    const std::string& text = text_.at(launch.kernel);
    const Result<ptx::Module> module = ptx::parse(text, "kernel.ptx");
    if (module->find_function(launch.kernel)->parameters.size() == launch.parameters.size())
      return *sim::prepare(*module, launch.kernel);
    using enum instrument::Pass;
    for (const instrument::Pass pass : {memory, block_entries, operations}) {
      const instrument::Instrumented kernel = *instrument::instrument(*module, launch.kernel, pass);
      if (compile::to_cubin(kernel.ptx, kernel.kernel, device_.arch())->cubin == cubin_)
        return prepared(kernel.ptx, kernel.kernel);
    }
    return nullptr;
  }

  static sim::Argument scalar(const std::vector<std::byte>& bytes) {
    sim::Argument argument{.type = sim::ElementType::u8};
    argument.raw_parameter = bytes;
    return argument;
  }
  static sim::Argument of(const gpu::Argument& argument) {
    if (!argument.is_buffer) return scalar(argument.bytes);
    sim::Argument buffer{.type = sim::ElementType::u8, .is_buffer = true};
    buffer.contents = argument.bytes;
    buffer.contents.resize(std::max<std::size_t>(argument.bytes.size(), argument.zero_bytes));
    buffer.base_offset = argument.base_offset;
    if (argument.texture) buffer.texture = std::make_shared<const sim::TextureDescription>(*argument.texture);
    for (const gpu::Argument::Address& one : argument.addresses)
      buffer.pointers.push_back({one.at, static_cast<std::uint32_t>(one.argument), one.offset});
    return buffer;
  }

  // The memory of a run's launches.
  struct Memory {
    explicit Memory(const std::vector<gpu::Argument>& given) {
      for (const gpu::Argument& argument : given) {
        arguments.push_back(of(argument));
        arguments.back().number = static_cast<std::int32_t>(arguments.size()) - 1;
        addresses.push_back(argument.is_buffer ? std::vector<gpu::Argument::Address>() : argument.addresses);
        if (argument.variable.empty()) continue;
        variables[argument.variable] = argument.bytes;
        in_variables[argument.variable] = argument.addresses;
      }
    }
    std::vector<sim::Argument> arguments;
    std::vector<std::vector<gpu::Argument::Address>> addresses;  // in each, if it is a struct
    sim::VariableContents variables;
    std::map<std::string, std::vector<gpu::Argument::Address>> in_variables;
  };

  // The addresses in a struct become pointers to arguments, which are added if they are no parameters.
  static void add_pointers(sim::LaunchRequest& request, std::size_t parameter, int argument, const Memory& memory,
                           std::map<int, std::size_t>& known) {
    for (const gpu::Argument::Address& one : memory.addresses.at(static_cast<std::size_t>(argument))) {
      const auto [place, is_new] = known.emplace(static_cast<int>(one.argument), request.arguments.size());
      if (is_new) request.arguments.push_back(memory.arguments.at(static_cast<std::size_t>(one.argument)));
      const std::uint64_t offset = one.offset - request.arguments[place->second].base_offset;
      request.arguments[parameter].pointers.push_back({one.at, static_cast<std::uint32_t>(place->second), offset});
    }
  }

  // So do those in a table, which may lead to other tables.
  static void add_rows(sim::LaunchRequest& request, const Memory& memory, std::map<int, std::size_t>& known) {
    for (std::size_t i = 0; i < request.arguments.size(); ++i) {
      if (!sim::holds_pointers(request.arguments[i])) continue;
      const std::vector<sim::Argument::Pointer> pointers = request.arguments[i].pointers;
      for (const sim::Argument::Pointer& one : pointers)
        if (known.emplace(static_cast<int>(one.argument), request.arguments.size()).second)
          request.arguments.push_back(memory.arguments.at(one.argument));
    }
  }

  // Those in variables, before the launch that places the buffers.
  static void put_in_variables(sim::LaunchRequest& request, const Memory& memory, std::map<int, std::size_t>& known) {
    for (const auto& [name, list] : memory.in_variables)
      for (const gpu::Argument::Address& one : list)
        if (known.emplace(static_cast<int>(one.argument), request.arguments.size()).second)
          request.arguments.push_back(memory.arguments.at(static_cast<std::size_t>(one.argument)));
    const std::vector<std::uint64_t> addresses = sim::addresses_of(request.arguments);
    for (const auto& [name, list] : memory.in_variables)
      for (const gpu::Argument::Address& one : list) {
        const std::uint64_t address = addresses[known.at(static_cast<int>(one.argument))] + one.offset;
        std::memcpy(request.variables[name].data() + one.at, &address, sizeof address);
      }
  }

  // `known`: where in the launch's arguments each argument of the run is. Several parameters may use one buffer.
  sim::LaunchResult launch_on(const gpu::Launch& launch, Memory& memory, std::map<int, std::size_t>& known) const {
    sim::LaunchRequest request;
    request.launch = launch.shape;
    request.threads = 1;
    request.variables = memory.variables;
    for (const gpu::Launch::Parameter& parameter : launch.parameters) {
      if (parameter.argument < 0) {
        request.arguments.push_back(scalar(parameter.bytes));
        continue;
      }
      const auto [first, is_new] = known.emplace(parameter.argument, request.arguments.size());
      const sim::Argument& argument = memory.arguments.at(static_cast<std::size_t>(parameter.argument));
      if (is_new || !argument.is_buffer) {
        request.arguments.push_back(argument);
        request.arguments.back().base_offset += parameter.offset;
        continue;
      }
      request.arguments.push_back(
          sim::same_buffer(first->second, parameter.offset - launch.parameters[first->second].offset));
    }
    for (std::size_t i = 0; i < launch.parameters.size(); ++i)
      if (launch.parameters[i].argument >= 0) add_pointers(request, i, launch.parameters[i].argument, memory, known);
    add_rows(request, memory, known);
    put_in_variables(request, memory, known);
    sim::LaunchResult result = sim::run(*program_of(launch), request);
    for (const auto& [argument, place] : known)
      if (sim::Argument& to = memory.arguments[static_cast<std::size_t>(argument)]; to.is_buffer) {
        to.contents = result.arguments[place].contents;
        to.pointers = result.arguments[place].pointers;
      }
    for (auto& [name, contents] : result.variables) memory.variables[name] = contents;
    return result;
  }

  std::map<std::string, std::string> text_;  // PTX by mangled name
  std::vector<std::uint8_t> cubin_;          // the loaded code
  std::vector<gpu::Launch> launches_;
};

}  // namespace lanescope::test
