#pragma once
// Runs a kernel launch in the interpreter: the public face of sim/.
//
// Guarantees
//  * Same result and same trace whatever `threads` is.
//  * Floating point is bit-exact to IEEE 754 where PTX is (fma is fused, subnormals as PTX says); approximate
//    instructions stay within PTX's stated error.
//  * Every access is checked: bounds, alignment, null, memory never written. The first fault ends the launch.
//  * Never hangs: a step budget ends a kernel that does not end itself.

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/architecture.h"
#include "core/result.h"
#include "sim/race.h"
#include "trace/trace.h"

namespace lanescope::ptx {  // ptx/module.h
struct Function;
struct Module;
enum class Type : std::uint8_t;
}  // namespace lanescope::ptx

namespace lanescope::sim {

enum class ElementType : std::uint8_t { u8, i8, u16, i16, f16, i32, u32, f32, i64, u64, f64 };
int bytes_of(ElementType type);
const char* name_of(ElementType type);  // "f32"

// A kernel argument. Scalars are passed as bits; buffers live in the interpreter's global memory.
struct Argument {
  ElementType type = ElementType::i32;
  bool is_buffer = false;
  std::uint64_t scalar_bits = 0;       // a scalar's value, low bytes
  std::vector<std::byte> contents;     // a buffer's bytes before the launch, after it: the result
  std::uint64_t uninitialised_from = ~std::uint64_t{0};  // bytes from here on were never written
  // Of a buffer that has bytes which were never written: which were, one bit a byte from the lowest bit of the first
  // word on. A launch fills it in, and the next launch on the same buffer goes by it; empty = uninitialised_from alone.
  std::vector<std::uint64_t> written;
  std::uint64_t base_offset = 0;       // pass the pointer this many bytes into the buffer (odd bases, alignment lessons)
  std::uint64_t count() const { return contents.size() / static_cast<std::uint64_t>(bytes_of(type)); }
  bool stored_to = false;              // some launch may have changed the contents
  std::vector<std::byte> raw_parameter;  // a struct by value; when not empty it is the whole argument
  // Not a buffer, and not negative: the pointer that the argument with this index passes, plus scalar_bits. That one is a buffer.
  std::int32_t same_as = -1;
};

// What module variables hold, by their names in the PTX.
using VariableContents = std::map<std::string, std::vector<std::byte>>;

struct UnfilledVariable {
  std::string name;                    // as the source writes it
  bool constant = false;               // __constant__; else __device__
  SourcePlace place;                   // of the first instruction that names it
};

struct Record {
  bool totals = true;                  // false: plain execution, no numbers at all (bench only)
  bool events = false;
  std::vector<std::uint32_t> blocks;   // linear block indices to keep events of; empty = all
  std::uint64_t event_budget_bytes = 256ull << 20;
};

// Shared between the one who runs and the one who waits; may be read and set from any thread.
struct Progress {
  std::atomic<std::uint64_t> blocks_done{0};
  std::atomic<std::uint64_t> blocks_total{0};
  std::atomic<bool> cancel{false};     // set it: the launch ends soon with the diagnostic run.cancelled
};

struct LaunchRequest {
  trace::Launch launch;                // static_shared_bytes is filled in by run()
  std::vector<Argument> arguments;     // one for each kernel parameter, in order
  // In place of their initialisers; contents that are shorter than a variable leave its rest as it was initialised.
  VariableContents variables;
  Record record;
  std::uint64_t max_steps = 0;         // warp instructions for the whole launch; 0 = default_max_steps
  int threads = 0;                     // 0 = usable_cores()
  std::string arch = imitated_gpu::arch;
  std::uint32_t multiprocessors = imitated_gpu::multiprocessors; // what %nsmid and a cooperative launch's residency limit assume
  std::uint32_t schedule_seed = 0;     // 0 = the standard order; else a legal order of blocks, warps and lanes (sim/schedule.h)
  bool races = false;                  // look for data races (sim/races.h); slower, and on one thread
  // What each byte of local memory holds that was never written; none: to read it is the fault memory.uninitialised_local.
  std::optional<std::byte> unwritten_local;
  // Of a launch whose buffers are moved in: puts the bytes that this argument, a buffer, had before the launch into `contents`. Blocks
  // that turn out to depend on one another run again, one after the other; with this nothing need be kept for that. Empty = what
  // is overwritten is kept. Its errors end the launch. Called from the thread of run() alone.
  std::function<Diagnostics(std::size_t argument, std::span<std::byte> contents)> make_again;
  Progress* progress = nullptr;
  std::string kernel_source_name;      // for messages
  std::string user_file;               // sites prefer `.loc` places in this file
};
inline constexpr std::uint64_t default_max_steps = 20'000'000'000ull;

struct LaunchResult {
  trace::Trace trace;
  std::vector<Argument> arguments;     // as passed, with buffers' contents after the launch (also after a fault)
  std::string printf_output;
  Diagnostics diagnostics;             // warnings and notes of a launch that ran to its end; errors of one that did not
  double seconds = 0;                  // interpreter wall time: never shown as a kernel time
  std::uint64_t lane_instructions = 0; // also when record.totals is false
  bool completed = false;
  RaceReport races;                    // when asked for; also of a launch that did not run to its end
  VariableContents variables;          // that the launch may have written to, after it
  // That were read, if record.totals, and begin as zeros because neither source nor request says anything else.
  std::vector<UnfilledVariable> unfilled;
};

// A kernel made ready to run many times. Thread-safe to share; run() may be called concurrently.
class Program;
// Fails on unsupported instructions in reachable code (opcode name and line), unresolved functions, and an unknown kernel.
Result<std::shared_ptr<const Program>> prepare(const ptx::Module& module, const std::string& mangled_kernel);

// The static shared bytes, parameters and sites of a program.
std::uint32_t static_shared_bytes(const Program& program);
const ptx::Function& kernel_of(const Program& program);
const ptx::Module& module_of(const Program& program);

// Checks the launch shape; ignores arguments. Gives the launch.* codes of run() but
// launch.argument_count and launch.argument_type.
Diagnostics check_shape(const Program& program, const LaunchRequest& request);

// Checks launch and arguments (count, types, limits), runs, and never throws. A request that cannot run gives
// completed = false and the errors. Diagnostic codes: launch.*, memory.*, barrier.*, run.*.
LaunchResult run(const Program& program, const LaunchRequest& request);
// The same without a copy of the buffers: they are moved from the request into the result.
LaunchResult run(const Program& program, LaunchRequest&& request);

// Time travel: the values of `registers` (all 32 lanes, as raw bits) of one warp just before its event number
// `sequence`, found by running the launch again up to there. For operand views; deterministic.
struct RegisterValues {
  std::string name;
  ptx::Type type{};
  std::array<std::uint64_t, 32> lanes{};
};
Result<std::vector<RegisterValues>> values_at(const Program& program, const LaunchRequest& request,
                                              std::uint32_t block, std::uint32_t warp, std::uint32_t sequence);

}  // namespace lanescope::sim
