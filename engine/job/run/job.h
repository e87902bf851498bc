#pragma once
// A run is a job: a request and an outcome. The window and the command line submit jobs. This folder joins the engine's
// stages (compile → ptx → sim → metrics) and stands last in the order of dependencies.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/result.h"
#include "job/values/argument.h"
#include "lesson/lesson.h"
#include "sim/launch.h"
#include "trace/trace.h"

namespace lanescope::device {
struct KeptLaunch;  // device/kept_launch.h
}
namespace lanescope::sim {
class DeviceMemoryCopy;  // sim/memory/device_memory_copy.h
}

namespace lanescope::job {

// One launch of a request. Memory carries over from launch to launch.
struct RequestedLaunch {
  int number = 1;      // of the launch, from 1; repeats share it and follow each other
  std::string kernel;  // source name, templates included
  trace::Launch shape;
  // A parameter: a buffer by its index among the request's arguments and then its buffers, or a scalar.
  struct Parameter {
    int buffer = -1;
    RequestedArgument scalar;
    std::uint64_t offset = 0;  // bytes behind the pointer that the buffer's argument passes
  };
  std::vector<Parameter> parameters;  // empty for launch 1, which takes the request's arguments in order
};

struct Request {
  compile::Source source;                    // a name ending in ".ptx" means PTX: nothing is compiled
  std::vector<RequestedArgument> arguments;  // of launch 1
  std::vector<RequestedArgument> buffers;    // that only later launches take
  std::vector<RequestedLaunch> launches = std::vector<RequestedLaunch>(1);  // in order, repeats one by one; never empty
  // What __constant__ and __device__ variables hold before the first launch, as cudaMemcpyToSymbol() would fill them:
  // the name as the source writes it, and the contents as an argument's.
  std::vector<RequestedArgument> symbols;
  std::string arch = "sm_90";
  sim::Record record;
  std::uint64_t max_steps = 0;
  std::uint64_t heap_bytes = 0;  // of malloc() in kernels; 0 = CUDA's default
  int threads = 0;
  std::uint32_t schedule_seed = 0;
  bool races = false;  // look for data races
  // Look for them as well where that takes a moment only; else say (race.not_looked_for) that nobody looked. What is
  // found is said by diagnostics (race.found) too.
  bool races_if_small = false;
  std::optional<std::byte> unwritten_local;  // sim::LaunchRequest's; set by run() where it makes no difference
  bool results = true;  // look at what the buffers hold after the run: else no summaries and no checks
  // Where it came from, when it came from a lesson; only carried along.
  std::string lesson, variant;
  std::map<std::string, std::int64_t> controls;
  std::vector<lesson::PhaseName> phases;  // what its kernels' phases are called
  // A launch of a program, which runs with the memory that it had there: request_of() makes such a request. Its
  // arguments tell what its parameters are; nothing is made of them.
  std::shared_ptr<const device::KeptLaunch> kept;

  // What a launch takes: of launch 1 the arguments, in order.
  std::vector<RequestedLaunch::Parameter> parameters_of(const RequestedLaunch& launch) const;
  RequestedLaunch& first() { return launches.front(); }
  const RequestedLaunch& first() const { return launches.front(); }
};

struct BufferSummary {
  int argument = 0;  // position among the arguments and then the request's buffers, from 0
  std::string name, type;
  std::uint64_t count = 0;
  double sum = 0;    // of the elements, in double, in order
  std::string hash;  // XXH3 (64 bits) of the bytes, 16 hexadecimal digits
};

// The first element of a buffer that breaks a rule.
struct WrongElement {
  std::string buffer;
  int argument = 0;  // as in BufferSummary
  std::int64_t index = 0;
  std::string got, expected;  // as the rule's formula has them
  std::uint64_t wrong = 0,
                covered =
                    0;  // elements that break the rule, and elements checked; covered 0 = not all could be checked
};

struct CheckResult {
  std::string description;  // the rule as the lesson writes it: "out[i] == in[i * stride]"
  bool holds = false;
  std::optional<WrongElement> wrong;  // where it is known: of a rule `buffer[…] == …`
  Wording detail;                     // where it does not: first index, got, expected; also why it could not be decided
};

// What one launch did. Its repeats are one: totals are summed, events are the first repeat's.
struct LaunchOutcome {
  int repeats = 0;  // 0: the launch is repeated zero times, and the rest is empty
  trace::Trace trace;
  std::string ptx, mangled_kernel;
  double run_seconds = 0;
  sim::RaceReport races;            // when asked for; of the first repeat that races, else of the last
  sim::VariableContents variables;  // what the module's held before the first repeat, as far as not initialised
  std::shared_ptr<const sim::DeviceHeap> heap;  // what earlier launches left on it
};

struct Outcome {
  Request request;         // as run
  bool completed = false;  // every launch ran to its end
  // Launch 1, 2, …, as far as the run came; the first is always there.
  std::vector<LaunchOutcome> launches = {{.repeats = 1}};
  std::vector<sim::Argument> arguments;  // after the last launch; the request's buffers follow
  std::vector<BufferSummary> buffers;
  std::vector<CheckResult> checks;  // of a lesson's variant
  // Of Request::kept, with `results`: its memory after the run.
  std::shared_ptr<const sim::DeviceMemoryCopy> memory_after;
  std::string printf_output;
  Diagnostics diagnostics;
  double compile_seconds = 0, run_seconds = 0;  // our own wall time, of all launches; never a kernel time

  bool checks_hold() const;  // all of them; true when there are none
  bool race_found() const;   // in any launch; notes do not count
  LaunchOutcome& first() { return launches.front(); }
  const LaunchOutcome& first() const { return launches.front(); }
  int launch_count() const { return static_cast<int>(launches.size()); }  // that launch() knows
  // Launch 1, 2, …; nullptr when there is no such launch or the run did not come so far. trace_of(): its trace.
  const LaunchOutcome* launch(int number) const;
  const trace::Trace* trace_of(int number) const;
  // Summed over all launches; without sites.
  trace::Totals all_totals() const;
};

// Sum and hash of each buffer among a request's arguments.
std::vector<BufferSummary> summaries(const Request& request, const std::vector<sim::Argument>& arguments);

// Compiles, runs and, when `variant` is given, checks. Never throws. A variant that is for GPUs only is refused
// (gpu.no_interpreter). Compilation is cached within the process, and may be called from several threads at once.
Outcome run(const Request& request, const lesson::Variant* variant = nullptr, sim::Progress* progress = nullptr);

// The fixed JSON of interface.md (schema 1) with further keys; `pretty` indents. A sum that is not finite is null.
std::string to_json(const Outcome& outcome, bool pretty = true);

}  // namespace lanescope::job
