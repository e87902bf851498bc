#pragma once
// Numbers of a run by the names that lessons use, for a whole kernel, marked lines or single steps; and the rules by
// which lessons check results.

#include <list>
#include <optional>
#include <span>
#include <string>

#include "job/run/job.h"
#include "lesson/marks.h"
#include "lesson/text.h"

namespace lanescope::job {

// A number of one launch's trace. Without a mark: any name of metrics::report. With a mark: the same names, for the
// accesses on the marked lines only. A memory number may omit its class if all accesses on those lines are of one class
// ("sectors_per_request"). Further names:
//   executions, executed_lanes, divergent   of the line's first instruction that the trace knows
//   bank_degree                             the largest of any access whose event was kept
// With a step ("@add[3]"): each warp's third execution in block 0, and also `warps`: how many warps had a lane that
// executed it. nullopt: there is no value because nothing happened (a ratio of 0 to 0). Errors: lesson.unknown_name
// (the cure lists the known names), lesson.bad_mark. `source` is the kernel's text, which contains the marks.
Result<std::optional<double>> number_of(const trace::Trace& trace, const std::string& source,
                                        const lesson::NumberReference& reference);

// A number of a run, for the launch that the reference names, or summed over all launches (`all`, not with marks);
// `registers` (per thread) and `occupancy` (%) from the machine code; or an element of a buffer after the run
// ("after.out[3]"): nullopt outside the buffer. Further errors: lesson.unknown_name (the buffer). 64-bit integers above
// 2^53 are rounded to a double.
Result<std::optional<double>> number_of(const Outcome& outcome, const lesson::NumberReference& reference);

// An element of a buffer; nullopt outside it.
std::optional<double> element_of(const sim::Argument& buffer, std::int64_t index);

// The lanes that executed a step of a warp in block 0 ("@add[3, 0]"). No lanes if the step was not executed; nullopt if
// no event of this warp was kept or the block has no such warp. Errors: lesson.bad_mark.
Result<std::optional<LaneMask>> lanes_of(const Outcome& outcome, const lesson::NumberReference& reference);

// The events of a warp in block 0 that are their instruction's `step`-th execution (from 1) on the lines of `mark`, as
// ascending indices into Trace::warp(): one for each request. Basic-block entries are left out. This defines
// `@mark[step]` for numbers and for the picture.
std::vector<std::size_t> executions_at(const trace::Trace& trace, const lesson::Mark& mark, std::uint32_t warp,
                                       int step);

// The arguments before a run of a variant. Buffers that the checks read in their initial state and the run wrote are
// made again instead of kept during the run: at full size that would be gigabytes. Errors: those of make_argument().
struct BeforeRun {
  std::vector<const sim::Argument*> arguments;  // into the outcome, or into `made_again`
  std::list<sim::Argument> made_again;
};
Result<BeforeRun> before_run(const Outcome& outcome, const lesson::Variant& variant);

// Evaluates the checks of a variant. `before` are the arguments before the run, in the order of variant.arguments and
// then variant.buffers.
std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Outcome& outcome,
                                    std::span<const sim::Argument* const> before);
std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Outcome& outcome,
                                    std::span<const sim::Argument> before);
// The same for one launch; `after` are the arguments after it.
std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Request& request, const trace::Trace& trace,
                                    std::span<const sim::Argument> before, std::span<const sim::Argument> after);

}  // namespace lanescope::job
