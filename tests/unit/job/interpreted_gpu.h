#pragma once
// A session with the interpreter in the GPU's place: it runs the kernels that it is given, plain or recording
// themselves, one after another on the same memory, and counts by running the loaded one. What it is not: another
// machine. It shows that launches, memory, recordings and counts belong together.

#include <map>

#include "compile/compiler.h"
#include "gpu/gpu.h"
#include "instrument/instrument.h"
#include "job/run/job.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::test {

class InterpretedGpu final : public gpu::Session {
 public:
  // Knows the kernels of this run.
  explicit InterpretedGpu(const job::Outcome& run) {
    device_.name = "interpreted", device_.major = 9;
    for (const job::LaunchOutcome& launch : run.launches) text_[launch.mangled_kernel] = launch.ptx;
  }

  int counts = 0;

  const gpu::Device& device() const override { return device_; }
  Result<gpu::KernelAttributes> load(std::span<const std::uint8_t> cubin, const std::string& mangled,
                                     const trace::Launch&) override {
    cubin_.assign(cubin.begin(), cubin.end());
    mangled_ = mangled;
    further_.clear();
    return gpu::KernelAttributes{.registers = 8};
  }
  Result<std::monostate> follow(const std::vector<gpu::Program>& programs,
                                const std::vector<gpu::FurtherLaunch>& launches) override {
    programs_ = programs;
    further_ = launches;
    return std::monostate{};
  }
  Result<gpu::Completed> run(const trace::Launch& launch, std::vector<gpu::Argument> arguments, double) override {
    std::vector<sim::Argument> memory;
    for (const gpu::Argument& argument : arguments) memory.push_back(of(argument));
    std::vector<int> own;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].passed) own.push_back(static_cast<int>(i));
    const sim::LaunchResult first = launch_on(loaded(own.size()), launch, memory, own, {});
    if (!first.completed) return first.diagnostics;
    for (const trace::Buffer& buffer : first.trace.buffers)
      if (buffer.argument >= 0)
        arguments[static_cast<std::size_t>(own[static_cast<std::size_t>(buffer.argument)])].address = buffer.address;
    for (const gpu::FurtherLaunch& next : further_) {
      std::vector<int> places;
      std::map<std::size_t, sim::Argument> scalars;
      for (const auto& parameter : next.parameters) {
        if (parameter.argument < 0) scalars[places.size()] = scalar(parameter.bytes);
        places.push_back(parameter.argument);
      }
      const sim::LaunchResult result =
          launch_on(prepared(text_.at(programs_.at(next.program).kernel), programs_.at(next.program).kernel),
                    next.launch, memory, places, scalars);
      if (!result.completed) return result.diagnostics;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (arguments[i].is_buffer) arguments[i].bytes = memory[i].contents;
    return gpu::Completed{std::move(arguments)};
  }
  Result<gpu::Timing> time(const trace::Launch&, const std::vector<gpu::Argument>&, const gpu::TimingOptions&,
                           const std::function<bool()>&) override {
    return gpu::Timing{};
  }
  // Global loads and stores; what else is asked for has no value.
  Result<gpu::Counted> count(const trace::Launch& launch, const std::vector<gpu::Argument>& arguments,
                             const std::vector<std::string>& names) override {
    ++counts;
    std::vector<sim::Argument> memory;
    std::vector<int> own;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      memory.push_back(of(arguments[i]));
      if (arguments[i].passed) own.push_back(static_cast<int>(i));
    }
    const sim::LaunchResult result = launch_on(loaded(own.size()), launch, memory, own, {});
    if (!result.completed) return result.diagnostics;
    gpu::Counted counted{.names = names, .passes = 1};
    for (const std::string& name : names) {
      const bool loads = name.find("mem_global_op_ld") != std::string::npos,
                 stores = name.find("mem_global_op_st") != std::string::npos;
      const trace::MemoryTotals& totals =
          result.trace.totals.of(loads ? trace::MemoryClass::global_load : trace::MemoryClass::global_store);
      const bool sectors = name.find("t_sectors") != std::string::npos;
      counted.values.push_back(loads || stores ? static_cast<double>(sectors ? totals.sectors : totals.requests)
                                               : 0.0 / 0.0);
    }
    return counted;
  }
  Result<gpu::Timing> time_copy(std::uint64_t, const gpu::TimingOptions&) override { return gpu::Timing{}; }
  Result<gpu::Timing> time_library(const std::string&, std::uint64_t, const gpu::TimingOptions&) override {
    return gpu::Timing{};
  }
  bool lost() const override { return false; }

 private:
  using Program = std::shared_ptr<const sim::Program>;

  static Program prepared(const std::string& text, const std::string& mangled) {
    return *sim::prepare(*ptx::parse(text, "kernel.ptx"), mangled);
  }
  // The loaded one. One that records itself takes more parameters, and is found by what it assembles to.
  Program loaded(std::size_t parameters) const {
    const Result<ptx::Module> module = ptx::parse(text_.at(mangled_), "kernel.ptx");
    if (module->find_function(mangled_)->parameters.size() == parameters) return *sim::prepare(*module, mangled_);
    using enum instrument::Pass;
    for (const instrument::Pass pass : {memory, block_entries, operations}) {
      const instrument::Instrumented kernel = *instrument::instrument(*module, mangled_, pass);
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
    return buffer;
  }

  // The buffers' bytes come back into `memory`.
  static sim::LaunchResult launch_on(const Program& program, const trace::Launch& launch,
                                     std::vector<sim::Argument>& memory, const std::vector<int>& places,
                                     const std::map<std::size_t, sim::Argument>& scalars) {
    sim::LaunchRequest request;
    request.launch = launch;
    request.threads = 1;
    for (std::size_t i = 0; i < places.size(); ++i)
      request.arguments.push_back(places[i] < 0 ? scalars.at(i) : memory[static_cast<std::size_t>(places[i])]);
    sim::LaunchResult result = sim::run(*program, request);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (places[i] >= 0) memory[static_cast<std::size_t>(places[i])].contents = result.arguments[i].contents;
    return result;
  }

  gpu::Device device_;
  std::map<std::string, std::string> text_;  // PTX, by mangled name
  std::vector<std::uint8_t> cubin_;          // what is loaded
  std::string mangled_;
  std::vector<gpu::Program> programs_;
  std::vector<gpu::FurtherLaunch> further_;
};

}  // namespace lanescope::test
