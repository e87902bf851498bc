#include "job/run/job.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <list>
#include <optional>
#include <span>

#include <fmt/format.h>

#include "compile/host/source_scan.h"
#include "core/clusters.h"
#include "core/half.h"
#include "core/os/clock.h"
#include "core/worded.h"
#include "job/run/heap_leaks.h"
#include "job/run/kept.h"
#include "job/run/lesson_cures.h"
#include "job/run/machine.h"
#include "job/run/module_variables.h"
#include "job/run/numbers.h"
#include "job/run/parameters.h"
#include "job/run/prepared.h"
#include "job/run/small_races.h"
#include "lesson/nearest.h"
#include "ptx/module.h"
#include "sim/launch_check.h"
#include "sim/pointer_tables.h"

namespace lanescope::job {

namespace {

// False if an argument reads a file, which may have changed when it is read again, or holds the addresses of others.
bool are_made_from_texts_alone(const std::vector<RequestedArgument>& texts) {
  return std::ranges::none_of(texts, [](const RequestedArgument& one) {
    const Recipe* recipe = one.recipe() ? &*one.recipe() : nullptr;
    return recipe != nullptr && (recipe->reads_a_file() || (recipe->buffer() && recipe->members()));
  });
}

// `texts` must outlive the returned function.
auto made_again(const std::vector<RequestedArgument>& texts) {
  return [&texts](std::size_t argument, std::span<std::byte> contents) {
    Result<sim::Argument> made = make_argument(texts[argument]);
    if (!made) return made.take_errors();
    std::ranges::copy(made->contents, contents.begin());
    return Diagnostics{};
  };
}

class Job {
 public:
  Job(const Request& request, const lesson::Variant* variant, sim::Progress* progress)
      : variant_(variant), progress_(progress) {
    outcome_.request = request;
    if (request.heap_bytes != 0) heap_ = std::make_shared<const sim::DeviceHeap>(request.heap_bytes);
    name(outcome_.first().trace, request.first());
    outcome_.first().trace.compiler_name = request.source.name.ends_with(".ptx") ? "none" : "nvrtc";
  }

  Outcome run() {
    if (variant_ && variant_->gpu_only) {
      refuse({{Severity::error,
               "gpu.no_interpreter",
               {},
               worded("The variant `{}` runs on a GPU only.", variant_->id),
               "Run it on a machine with an NVIDIA GPU, or choose another variant."}});
      return std::move(outcome_);
    }
    // Checks the arguments before compiling, because that is cheapest. Filling buffers is most expensive, so it waits
    // until the launch is known to be legal.
    Result<std::vector<sim::Argument>> unfilled =
        make_arguments({&outcome_.request.arguments, &outcome_.request.buffers}, make_argument_unfilled);
    if (!unfilled) {
      refuse(unfilled.take_errors());
      return std::move(outcome_);
    }
    if (const std::shared_ptr<const Prepared> prepared = make_ready(outcome_.request.first().kernel))
      first_launch(*prepared, std::move(*unfilled));
    return std::move(outcome_);
  }

 private:
  bool refuse(Diagnostics problems) {
    for (Diagnostic& problem : problems) outcome_.diagnostics.push_back(std::move(problem));
    return has_error(outcome_.diagnostics);
  }

  // Arguments that do not match are reported at the kernel's parameter list.
  Diagnostics at_kernel(Diagnostics problems, const std::string& kernel) const {
    const compile::Source& source = outcome_.request.source;
    if (problems.empty() || source.name.ends_with(".ptx")) return problems;
    const std::string name = kernel.substr(0, kernel.find('<'));
    for (const compile::ScannedDeclaration& one : compile::scan_declarations(source.text)) {
      if (!one.is_kernel || one.name != name) continue;
      const std::size_t newline = source.text.rfind('\n', one.name_offset);
      const std::size_t column = one.name_offset - (newline == std::string::npos ? 0 : newline + 1) + 1;
      for (Diagnostic& problem : problems) problem.place = {source.name, one.line, static_cast<int>(column)};
      break;
    }
    return problems;
  }

  // nullptr: the kernel does not compile; the errors are reported.
  std::shared_ptr<const Prepared> make_ready(const std::string& kernel) {
    const auto start = std::chrono::steady_clock::now();
    Result<std::shared_ptr<const Prepared>> prepared = prepare(outcome_.request, kernel, progress_);
    outcome_.compile_seconds += seconds_since(start);
    if (prepared) return *prepared;
    Diagnostics problems = prepared.take_errors();
    if (variant_)  // a lesson's learner cannot choose the kernel's name
      for (Diagnostic& problem : problems)
        if (problem.code == "compile.no_such_kernel")
          problem.cure =
              worded("The lesson launches `{}`: the code must have exactly one kernel with this name.", kernel);
    place_at_constants(problems, outcome_.request.source);
    refuse(std::move(problems));
    return nullptr;
  }

  void first_launch(const Prepared& prepared, std::vector<sim::Argument> unfilled) {
    Request& request = outcome_.request;
    RequestedLaunch& first = request.first();
    LaunchOutcome& done = outcome_.first();
    done.ptx = prepared.ptx;
    done.mangled_kernel = prepared.mangled;
    name_compiler(done.trace, prepared);
    refuse(prepared.warnings);
    first.shape = sim::whole_launch(*prepared.program, first.shape, first.cluster_given);
    name(done.trace, first);
    unfilled.resize(request.arguments.size());
    if (refuse(
            at_kernel(check_arguments(sim::kernel_of(*prepared.program), unfilled, request.arguments, first.declared),
                      first.kernel)))
      return;
    if (refuse(variables_.fill(*prepared.program, request))) return;
    if (refuse(check_residency(outcome_.request, prepared, first))) return;
    if (refuse(check_cluster(first))) return;
    if (refuse(sim::check_shape(*prepared.program, launch_request(first, {})))) return;
    Result<std::vector<sim::Argument>> filled = make_arguments({&request.arguments, &request.buffers});
    if (!filled) {
      refuse(filled.take_errors());
      return;
    }
    outcome_.arguments = std::move(*filled);
    sim::keep_addresses(outcome_.arguments);
    variables_.put_addresses(outcome_.arguments);
    const auto own = static_cast<std::ptrdiff_t>(request.arguments.size() + first.pointed_at);
    std::vector<sim::Argument> extra(std::make_move_iterator(outcome_.arguments.begin() + own),
                                     std::make_move_iterator(outcome_.arguments.end()));
    outcome_.arguments.resize(request.arguments.size() + first.pointed_at);
    done.variables = variables_.contents();
    done.heap = heap_;
    sim::LaunchRequest launch = launch_request(first, std::move(outcome_.arguments));
    if (are_made_from_texts_alone(request.arguments) && first.pointed_at == 0)
      launch.make_again = made_again(request.arguments);
    sim::LaunchResult result = sim::run(*prepared.program, std::move(launch));
    variables_.take(result);
    done.trace = std::move(result.trace);
    name(done.trace, first);
    name_compiler(done.trace, prepared);
    done.run_seconds = result.seconds;
    done.races = std::move(result.races);
    done.fault = result.fault;
    done.stack = result.stack;
    outcome_.arguments = std::move(result.arguments);
    outcome_.arguments.insert(outcome_.arguments.end(), std::make_move_iterator(extra.begin()),
                              std::make_move_iterator(extra.end()));
    outcome_.completed = end_of(std::move(result), first);
    for (std::size_t i = 1; i < request.launches.size() && outcome_.completed; ++i)
      outcome_.completed = next_launch(request.launches[i]);
    if (outcome_.completed) refuse(variables_.unused(request));
    if (outcome_.completed && heap_ != nullptr) refuse(heap_leaks(*heap_));
    summarise_and_check();
  }

  void summarise_and_check() {
    if (!outcome_.request.results) return;
    outcome_.buffers = summaries(outcome_.request, outcome_.arguments);
    if (outcome_.completed && variant_ && !variant_->checks.empty()) check();
  }

  // Larger clusters need a host-side attribute, which a program can set and a launch from here cannot.
  Diagnostics check_cluster(const RequestedLaunch& requested) const {
    const std::uint64_t blocks = requested.shape.cluster.count();
    if (outcome_.request.kept != nullptr || blocks <= most_portable_cluster) return {};
    return {{Severity::error,
             "launch.cluster_not_portable",
             {},
             worded("a cluster of {} blocks is too large: CUDA launches more than {} only where the host has set "
                    "cudaFuncAttributeNonPortableClusterSizeAllowed",
                    blocks, most_portable_cluster),
             worded("Use at most {} blocks per cluster.", most_portable_cluster)}};
  }

  // Takes what each launch leaves besides its trace and arguments. Returns true if it completed.
  bool end_of(sim::LaunchResult result, const RequestedLaunch& launch) {
    if (variant_) name_arguments(result.diagnostics, outcome_.request, launch);
    refuse(variables_.remarks(result, outcome_.request.source));
    if (result.heap != nullptr) heap_ = std::move(result.heap);
    outcome_.printf_output += result.printf_output;
    outcome_.run_seconds += result.seconds;
    warn_of_the_stack(result.stack);
    refuse(std::move(result.diagnostics));
    return result.completed;
  }

  // Once per place. No request sets the limit.
  void warn_of_the_stack(const sim::StackUse& use) {
    std::optional<Diagnostic> beyond = sim::beyond_the_stack(use, default_stack_bytes);
    if (!beyond || std::ranges::find(stack_places_, use.place) != stack_places_.end()) return;
    stack_places_.push_back(use.place);
    outcome_.diagnostics.push_back(*std::move(beyond));
  }

  bool next_launch(RequestedLaunch& next) {
    const std::size_t before = outcome_.diagnostics.size();
    const bool done = try_next_launch(next);
    for (std::size_t i = before; i < outcome_.diagnostics.size(); ++i)
      outcome_.diagnostics[i].message =
          worded("Launch {}, `{}`: {}", next.number, next.kernel, outcome_.diagnostics[i].message);
    return done;
  }

  bool try_next_launch(RequestedLaunch& next) {
    const std::shared_ptr<const Prepared> prepared = make_ready(next.kernel);
    if (!prepared) return false;
    next.shape = sim::whole_launch(*prepared->program, next.shape, next.cluster_given);
    Diagnostics wrong_symbols = variables_.fill(*prepared->program, outcome_.request);
    variables_.add_buffers(next, outcome_.arguments);
    std::vector<RequestedArgument> texts;
    Result<std::vector<sim::Argument>> arguments = borrow(next, texts);
    if (!arguments) return !refuse(arguments.take_errors());
    Diagnostics problems =
        at_kernel(check_arguments(sim::kernel_of(*prepared->program), own_parameters(next, *arguments),
                                  own_parameters(next, texts), next.declared),
                  next.kernel);
    for (Diagnostic& problem : wrong_symbols) problems.push_back(std::move(problem));
    if (has_error(problems)) {
      give_back(next, *arguments);
      return !refuse(std::move(problems));
    }
    Diagnostics unfit = check_residency(outcome_.request, *prepared, next);
    if (!has_error(unfit)) unfit = check_cluster(next);
    if (has_error(unfit)) {
      give_back(next, *arguments);
      return !refuse(std::move(unfit));
    }
    sim::VariableContents variables = variables_.contents();
    std::shared_ptr<const sim::DeviceHeap> heap = heap_;
    sim::LaunchResult result = sim::run(*prepared->program, launch_request(next, std::move(*arguments)));
    variables_.take(result);
    give_back(next, result.arguments);
    const auto number = static_cast<std::size_t>(next.number);
    if (outcome_.launches.size() < number) outcome_.launches.resize(number);  // launches with zero repeats stay empty
    LaunchOutcome& done = outcome_.launches[number - 1];
    name(result.trace, next);
    name_compiler(result.trace, *prepared);
    done.run_seconds += result.seconds;
    done.stack.join(result.stack);
    if (!done.races.accuses()) done.races = std::move(result.races);
    done.fault = result.fault;
    if (done.repeats++ == 0) {
      done.trace = std::move(result.trace);
      done.ptx = prepared->ptx;
      done.variables = std::move(variables);
      done.heap = std::move(heap);
      done.mangled_kernel = prepared->mangled;
    } else {
      done.trace.totals += result.trace.totals;
    }
    return end_of(std::move(result), next);
  }

  // Without the buffers to which they only point.
  template <typename T>
  static std::span<const T> own_parameters(const RequestedLaunch& next, const std::vector<T>& all) {
    return std::span(all).first(all.size() - next.pointed_at);
  }

  // The buffers are lent to the launch instead of copied: at full size they take gigabytes.
  Result<std::vector<sim::Argument>> borrow(const RequestedLaunch& next, std::vector<RequestedArgument>& texts) {
    std::vector<sim::Argument> arguments;
    for (const RequestedLaunch::Parameter& parameter : next.parameters) {
      const auto index = static_cast<std::size_t>(parameter.buffer);
      if (const std::optional<std::size_t> lent = lent_before(next, arguments)) {
        texts.push_back(texts[*lent]);
        arguments.push_back(sim::same_buffer(*lent, parameter.offset - next.parameters[*lent].offset));
        continue;
      }
      if (parameter.buffer >= 0) {
        const std::size_t own = outcome_.request.arguments.size();
        if (index >= outcome_.arguments.size())
          return Diagnostic{
              Severity::error, "argument.no_such", {}, worded("There is no buffer {}.", index), "Correct the request."};
        texts.push_back(index < own ? outcome_.request.arguments[index] : outcome_.request.buffers[index - own]);
        arguments.push_back(outcome_.arguments[index].is_buffer ? std::move(outcome_.arguments[index])
                                                                : outcome_.arguments[index]);
        arguments.back().base_offset += parameter.offset;
        continue;
      }
      texts.push_back(parameter.scalar);
      Result<sim::Argument> scalar = make_argument(parameter.scalar);
      if (!scalar) {
        give_back(next, arguments);
        return scalar.take_errors();
      }
      arguments.push_back(std::move(*scalar));
    }
    return arguments;
  }
  void give_back(const RequestedLaunch& next, std::vector<sim::Argument>& arguments) {
    for (std::size_t i = 0; i < arguments.size() && i < next.parameters.size(); ++i) {
      if (next.parameters[i].buffer < 0 || arguments[i].same_as >= 0) continue;
      arguments[i].base_offset -= next.parameters[i].offset;
      outcome_.arguments[static_cast<std::size_t>(next.parameters[i].buffer)] = std::move(arguments[i]);
    }
  }
  // The earlier parameter that already has the next parameter's buffer: a buffer is lent only once.
  static std::optional<std::size_t> lent_before(const RequestedLaunch& next,
                                                const std::vector<sim::Argument>& arguments) {
    const int buffer = next.parameters[arguments.size()].buffer;
    for (std::size_t i = 0; buffer >= 0 && i < arguments.size(); ++i)
      if (next.parameters[i].buffer == buffer && arguments[i].is_buffer) return i;
    return std::nullopt;
  }

  void check() {
    Result<BeforeRun> before = before_run(outcome_, *variant_);
    if (!before) {
      refuse(before.take_errors());
      return;
    }
    outcome_.checks = run_checks(*variant_, outcome_, before->arguments);
  }

  sim::LaunchRequest launch_request(const RequestedLaunch& requested, std::vector<sim::Argument> arguments) const {
    const Request& request = outcome_.request;
    sim::LaunchRequest launch;
    launch.launch = requested.shape;
    launch.cluster_given = requested.cluster_given;
    launch.arguments = std::move(arguments);
    launch.variables = variables_.contents();
    launch.record = record_of(request, requested.shape);
    launch.max_steps = request.max_steps;
    launch.threads = request.threads;
    launch.arch = request.arch;
    launch.schedule_seed = request.schedule_seed;
    watch_first_blocks(request, launch);
    launch.unwritten = request.unwritten;
    launch.heap = heap_;
    launch.progress = progress_;
    launch.kernel_source_name = requested.kernel;
    launch.user_file = request.source.name;
    return launch;
  }

  // Leaves out chosen blocks that a smaller launch does not have. An empty list would mean all blocks.
  static sim::Record record_of(const Request& request, const trace::Launch& shape) {
    sim::Record record = request.record;
    std::erase_if(record.blocks, [&](std::uint32_t block) { return block >= shape.grid.count(); });
    if (record.blocks.empty() && !request.record.blocks.empty()) record.events = false;
    return record;
  }

  void name(trace::Trace& trace, const RequestedLaunch& requested) const {
    trace.kernel = requested.kernel;
    trace.arch = outcome_.request.arch;
    trace.launch = requested.shape;
  }
  static void name_compiler(trace::Trace& trace, const Prepared& prepared) {
    trace.compiler_name = prepared.compiler_name;
    trace.compiler_version = prepared.compiler_version;
  }

  Outcome outcome_;
  ModuleVariables variables_;
  std::vector<SourcePlace> stack_places_;        // of which warn_of_the_stack() has warned
  std::shared_ptr<const sim::DeviceHeap> heap_;  // left by the launches so far; nullptr: a new heap
  const lesson::Variant* variant_;
  sim::Progress* progress_;
};

}  // namespace

namespace {

bool ends_the_same(const Outcome& a, const Outcome& b) {
  const auto same_bytes = [](const sim::Argument& one, const sim::Argument& other) {
    return one.contents == other.contents;
  };
  const auto same_totals = [](const LaunchOutcome& one, const LaunchOutcome& other) {
    return one.trace.totals == other.trace.totals;
  };
  return a.completed && b.completed && a.printf_output == b.printf_output &&
         std::ranges::equal(a.arguments, b.arguments, same_bytes) &&
         std::ranges::equal(a.launches, b.launches, same_totals);
}

// The compiler may move the load of an array's element before the store to it if nothing uses the value yet, and a
// pipeline may load a tile ahead that it then does not use. Such a read is not a bug of the kernel if the run ends the
// same for any contents of local and shared memory. The two fill bytes give values that are far apart in every type,
// and one of them is never a valid index.
Outcome whatever_unwritten_memory_holds(Outcome faulted, const lesson::Variant* variant, sim::Progress* progress) {
  const auto fault = std::ranges::find_if(faulted.diagnostics, [](const Diagnostic& one) {
    return one.code == "memory.uninitialised_local" || one.code == "memory.uninitialised";
  });
  if (fault == faulted.diagnostics.end()) return faulted;
  const bool local = fault->code == "memory.uninitialised_local";
  Request request = faulted.request;
  request.unwritten = std::byte{0x7f};
  const Outcome large = Job(request, variant, progress).run();
  if (!large.completed) return faulted;
  request.unwritten = std::byte{0};
  Outcome zero = Job(request, variant, progress).run();
  if (!ends_the_same(zero, large)) return faulted;
  if (local)
    zero.diagnostics.push_back(
        {Severity::note, "memory.unwritten_local", fault->place,
         "the compiled kernel reads a local variable here before it is written, but the result does not "
         "depend on it",
         "No change is needed: the compiler moved this read ahead of the code that uses the value."});
  else
    zero.diagnostics.push_back(
        {Severity::note, "memory.unwritten_shared", fault->place,
         "the kernel reads shared memory here that was never written, but the result does not depend on it",
         "No change is needed: a GPU reads whatever the shared memory holds, and the kernel does not use it."});
  return zero;
}

}  // namespace

Outcome run(const Request& request, const lesson::Variant* variant, sim::Progress* progress) {
  try {
    if (request.kept != nullptr) {
      Outcome outcome = run_kept(request, progress);
      look_for_races_if_small(outcome, [&](const Request& again) { return run_kept(again, progress); });
      return outcome;
    }
    Outcome outcome = whatever_unwritten_memory_holds(Job(request, variant, progress).run(), variant, progress);
    look_for_races_if_small(outcome, [&](const Request& again) { return Job(again, variant, progress).run(); });
    if (variant) put_own_cures(outcome.diagnostics, cures_in_a_lesson());
    return outcome;
  } catch (const std::bad_alloc&) {
    Outcome outcome;
    outcome.request = request;
    outcome.diagnostics = {{Severity::error,
                            "run.out_of_memory",
                            {},
                            "There was not enough memory for this run.",
                            "Use smaller buffers, or keep the events of fewer blocks."}};
    return outcome;
  }
}

}  // namespace lanescope::job
