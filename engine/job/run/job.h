#pragma once
// A run is a job: a request and an outcome. The window and the command line submit jobs. This folder joins the engine's
// stages (compile → ptx → sim → metrics) and is the last in the order of dependencies.

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
  int number = 1;      // counted from 1; repeats of a launch share it and are consecutive
  std::string kernel;  // source name, templates included
  trace::Launch shape;
  bool cluster_given = false;  // as in sim::LaunchRequest
  // A parameter: a buffer, given by its index among the request's arguments and then its buffers, or a scalar.
  struct Parameter {
    int buffer = -1;
    RequestedArgument scalar;
    std::uint64_t offset = 0;  // bytes added to the pointer that the buffer's argument passes
  };
  // Empty for launch 1, which takes the request's arguments in order, and then its first `pointed_at` buffers.
  std::vector<Parameter> parameters;
  // So many at the end are no parameters, but buffers to which structs among the parameters point. The pointers of such
  // a struct number the launch's parameters.
  std::size_t pointed_at = 0;
  // The parameters' types in the source, for a kernel whose mangled name has none (extern "C"): "float const*", or ""
  // where the source does not tell. Empty: not known.
  std::vector<std::string> declared;
};

struct Request {
  compile::Source source;                    // PTX, not compiled, if the name ends in ".ptx"
  std::vector<RequestedArgument> arguments;  // of launch 1
  std::vector<RequestedArgument> buffers;    // to which structs point, and which only later launches use
  // In order, each repeat separately; never empty.
  std::vector<RequestedLaunch> launches = std::vector<RequestedLaunch>(1);
  // Contents of __constant__ and __device__ variables before the first launch, as cudaMemcpyToSymbol() would set them.
  // The name is the source's; the contents are given like an argument's.
  std::vector<RequestedArgument> symbols;
  std::string arch = "sm_90";
  sim::Record record;
  std::uint64_t max_steps = 0;
  std::uint64_t heap_bytes = 0;  // heap for malloc() in kernels; 0 = CUDA's default
  int threads = 0;
  std::uint32_t schedule_seed = 0;
  bool races = false;             // look for data races
  std::uint64_t races_up_to = 0;  // of each launch, as in sim::LaunchRequest
  // Also look for races if that takes only a moment; otherwise only in the first two blocks, and add the note
  // race.not_looked_for. Races are also reported as diagnostics (race.found).
  bool races_if_small = false;
  std::optional<std::byte> unwritten;  // as in sim::LaunchRequest; run() sets it if the value does not matter
  bool results = true;                 // false: no summaries and no checks of the buffers after the run
  // The lesson that the request came from, if any. Not used by the run itself.
  std::string lesson, variant;
  std::map<std::string, std::int64_t> controls;
  std::vector<lesson::PhaseName> phases;  // the lesson's names for its kernel's phases
  // A launch of a program, which runs on the memory that it had there: request_of() makes such a request. Its arguments
  // only describe the parameters.
  std::shared_ptr<const device::KeptLaunch> kept;

  // The parameters of a launch, and then the buffers to which they point.
  std::vector<RequestedLaunch::Parameter> parameters_of(const RequestedLaunch& launch) const;
  RequestedLaunch& first() { return launches.front(); }
  const RequestedLaunch& first() const { return launches.front(); }
};

struct BufferSummary {
  int argument = 0;        // index among the arguments and then the request's buffers, from 0
  std::string name, type;  // "f32"; "pointers" if some words are addresses, which are compared and hashed as 0
  std::uint64_t count = 0;
  double sum = 0;                   // of the elements, added in double, in order; NaN for pointers
  std::string hash;                 // XXH3 (64 bits) of the bytes, 16 hexadecimal digits
  std::uint64_t never_written = 0;  // elements without contents; sum and hash take them as zeros
};

// The first element of a buffer that violates a rule.
struct WrongElement {
  std::string buffer;
  int argument = 0;  // as in BufferSummary
  std::int64_t index = 0;
  Wording got;           // as the rule's formula computes it; "never written" where no value is there
  std::string expected;  // likewise
  // Elements that violate the rule, and elements checked. covered 0: not all elements could be checked.
  std::uint64_t wrong = 0, covered = 0;
  bool never_written = false;
};

struct CheckResult {
  std::string description;  // the rule as in the lesson: "out[i] == in[i * stride]"
  bool holds = false;
  bool of_result = false;  // it looks into a buffer; otherwise it describes the numbers of the lesson's own kernel
  std::optional<WrongElement> wrong;  // for a rule `buffer[…] == …`
  Wording detail;  // for other rules: first index, got, expected; also why a rule could not be evaluated
};

// The result of one launch. Its repeats are combined: totals are summed, events are those of the first repeat.
struct LaunchOutcome {
  int repeats = 0;  // 0: the launch is repeated zero times, and all else is empty
  trace::Trace trace;
  std::string ptx, mangled_kernel;
  double run_seconds = 0;
  sim::RaceReport races;                   // if requested; of the first repeat that has a race, else of the last
  std::optional<trace::FaultPlace> fault;  // where the run stopped, if it stopped in this launch
  // Contents of the module's variables before the first repeat. A variable that is missing has its initial value.
  sim::VariableContents variables;
  std::shared_ptr<const sim::DeviceHeap> heap;  // the heap that earlier launches left
  sim::StackUse stack;                          // of all repeats
};

struct Outcome {
  Request request;         // as run
  bool completed = false;  // every launch ran to its end
  // Launch 1, 2, …, as far as the run came. The first is always present.
  std::vector<LaunchOutcome> launches = {{.repeats = 1}};
  std::vector<sim::Argument> arguments;  // after the last launch; the request's buffers come after the arguments
  std::vector<BufferSummary> buffers;
  std::vector<CheckResult> checks;  // of a lesson's variant
  // For Request::kept with `results`: its memory after the run.
  std::shared_ptr<const sim::DeviceMemoryCopy> memory_after;
  std::string printf_output;
  Diagnostics diagnostics;
  double compile_seconds = 0, run_seconds = 0;  // wall time of this program over all launches, never a kernel time

  bool checks_hold() const;  // all of them hold; true if there are none
  bool race_found() const;   // in any launch; notes do not count
  LaunchOutcome& first() { return launches.front(); }
  const LaunchOutcome& first() const { return launches.front(); }
  int launch_count() const { return static_cast<int>(launches.size()); }  // number of launches that launch() knows
  // Launch 1, 2, …; nullptr if it does not exist or the run did not reach it. trace_of() returns its trace.
  const LaunchOutcome* launch(int number) const;
  const trace::Trace* trace_of(int number) const;
  // Summed over all launches; without sites.
  trace::Totals all_totals() const;
};

// Sum and hash of each buffer among a request's arguments.
std::vector<BufferSummary> summaries(const Request& request, const std::vector<sim::Argument>& arguments);

// Compiles, runs and, if `variant` is given, checks. Never throws. Refuses a variant that needs a GPU
// (gpu.no_interpreter). Compilation is cached within the process. May be called from several threads at once.
Outcome run(const Request& request, const lesson::Variant* variant = nullptr, sim::Progress* progress = nullptr);

// The JSON of schema 1 with further keys; `pretty` indents. A sum that is not finite is null.
std::string to_json(const Outcome& outcome, bool pretty = true);

}  // namespace lanescope::job
