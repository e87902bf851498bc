#pragma once
// Runs a kernel launch in the interpreter: the public interface of sim/.
//
// Guarantees
//  * Same result and same trace whatever `threads` is.
//  * Floating point is bit-exact to IEEE 754 where PTX is (fma is fused, subnormals as PTX says); approximate
//    instructions give the bits of an H200, except for a few results of rsqrt.approx.f64.
//  * Every access is checked: bounds, alignment, null, memory never written. The first fault ends the launch.
//  * Never hangs: a step budget ends a kernel that does not end itself.

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "sim/launch_request.h"
#include "sim/memory/stack_use.h"
#include "sim/races/race.h"
#include "trace/fault_place.h"
#include "trace/trace.h"

namespace lanescope::ptx {  // ptx/module.h
struct Function;
struct Module;
struct Variable;
enum class Type : std::uint8_t;
}  // namespace lanescope::ptx

namespace lanescope::sim {

struct UnfilledVariable {
  std::string name;       // as the source writes it
  bool constant = false;  // __constant__; else __device__
  SourcePlace place;      // of the first instruction that names it
};

struct LaunchResult {
  trace::Trace trace;
  std::vector<Argument> arguments;  // as passed, with buffers' contents after the launch (also after a fault)
  std::string printf_output;
  Diagnostics diagnostics;              // warnings and notes if the launch completed; errors if it did not
  double seconds = 0;                   // interpreter wall time: never shown as a kernel time
  std::uint64_t lane_instructions = 0;  // also when record.totals is false
  bool completed = false;
  std::optional<trace::FaultPlace> fault;  // if it did not complete, and a warp had started
  RaceReport races;                        // if requested; also if the launch did not complete
  VariableContents variables;              // contents after the launch of the variables that it may have written
  std::shared_ptr<const DeviceHeap> heap;  // after the launch; nullptr if no launch so far called malloc()
  // Variables that were read although neither the source nor the request initialises them, so they start as zeros. Only
  // if record.totals.
  std::vector<UnfilledVariable> unfilled;
  StackUse stack;
};

// A kernel that is prepared to run many times. Can be shared between threads; run() may be called concurrently.
class Program;
// Fails for unresolved functions and for an unknown kernel. An unsupported instruction is not an error here: a run ends
// when it executes one (run.unsupported_instruction, with name and line).
Result<std::shared_ptr<const Program>> prepare(const ptx::Module& module, const std::string& mangled_kernel);

// For launches on device memory: the address of each .global and .const variable of the module, by its name in the PTX.
// All kernels of the module then use the same addresses for variables and functions.
using VariablePlaces = std::map<std::string, std::uint64_t, std::less<>>;
Result<std::shared_ptr<const Program>> prepare(const ptx::Module& module, const std::string& mangled_kernel,
                                               const VariablePlaces& places);
// The contents of a variable before any launch: its initialiser, with the addresses that it names.
std::vector<std::byte> initial_contents(const ptx::Module& module, const ptx::Variable& variable,
                                        const VariablePlaces& places);

// The static shared bytes, parameters and sites of a program.
std::uint32_t static_shared_bytes(const Program& program);
const ptx::Function& kernel_of(const Program& program);
const ptx::Module& module_of(const Program& program);

// Checks the launch shape; ignores arguments. Gives the launch.* codes of run(), except launch.argument_count and
// launch.argument_type.
Diagnostics check_shape(const Program& program, const LaunchRequest& request);

// Checks the launch and its arguments (count, types, limits) and runs it; never throws. For a request that cannot run,
// gives completed = false and the errors. Diagnostic codes: launch.*, memory.*, barrier.*, run.*.
LaunchResult run(const Program& program, const LaunchRequest& request);
// The same without copying buffers: they are moved from the request to the result.
LaunchResult run(const Program& program, LaunchRequest&& request);

// Time travel: the values of `registers` (all 32 lanes, as raw bits) of one warp just before its event number
// `sequence`. Runs the launch again up to there. For views of operands; deterministic.
struct RegisterValues {
  std::string name;
  ptx::Type type{};
  std::array<std::uint64_t, 32> lanes{};
};
Result<std::vector<RegisterValues>> values_at(const Program& program, const LaunchRequest& request, std::uint32_t block,
                                              std::uint32_t warp, std::uint32_t sequence);

}  // namespace lanescope::sim
