#pragma once
// Numbers of a run by the names that lessons use, for a whole kernel, marked lines, or single steps; and the rules that
// lessons check results with.

#include <list>
#include <optional>
#include <span>
#include <string>

#include "job/run/job.h"
#include "lesson/marks.h"
#include "lesson/text.h"

namespace lanescope::job {

// A number of one launch's trace. Without a mark: any name of metrics::report. With a mark, the same names for the
// accesses on the marked lines only; a memory number may leave its class out when the lines have accesses of one class
// ("sectors_per_request"); further
//   executions, executed_lanes, divergent   of the line's first instruction that the trace knows
//   bank_degree                             the largest of any access whose event was kept
// With a step ("@add[3]"): each warp's third execution in block 0; further `warps`, how many of them had a lane that
// executed it. nullopt: there is no such number here because nothing happened (a ratio of nothing). Errors:
// lesson.unknown_name (the number; the cure lists what there is), lesson.bad_mark. `source` is the kernel's text, which
// holds the marks.
Result<std::optional<double>> number_of(const trace::Trace& trace, const std::string& source,
                                        const lesson::NumberReference& reference);

// A number of a run: of the launch that the reference names, or (`all`) summed over all launches, which marks cannot
// be; `registers` (per thread) and `occupancy` (%), from the machine code; or an element of a buffer after the run
// ("after.out[3]"): nullopt outside the buffer. Further errors: lesson.unknown_name (the buffer). 64-bit integers above
// 2^53 are rounded to a double.
Result<std::optional<double>> number_of(const Outcome& outcome, const lesson::NumberReference& reference);

// An element of a buffer; nullopt outside it.
std::optional<double> element_of(const sim::Argument& buffer, std::int64_t index);

// The executed lanes of a step of a warp in block 0 ("@add[3, 0]"): no lanes when it was not executed; nullopt when no
// event of this warp was kept, or the block has no such warp. Errors: lesson.bad_mark.
Result<std::optional<LaneMask>> lanes_of(const Outcome& outcome, const lesson::NumberReference& reference);

// A warp's events in block 0 that are their instruction's `step`-th execution (from 1) on the lines of `mark`: indices
// into Trace::warp(), ascending. Entries of basic blocks are left out. What `@mark[step]` means, for numbers and for
// the picture.
std::vector<std::size_t> executions_at(const trace::Trace& trace, const lesson::Mark& mark, std::uint32_t warp,
                                       int step);

// The arguments as they were before a run of a variant. What its checks read as it was, and the run wrote to, is made
// again rather than kept through the run: at full size that would be gigabytes. Errors: those of make_argument().
struct BeforeRun {
  std::vector<const sim::Argument*> arguments;  // into the outcome, or into `made_again`
  std::list<sim::Argument> made_again;
};
Result<BeforeRun> before_run(const Outcome& outcome, const lesson::Variant& variant);

// Runs the checks of a variant. `before` are the arguments before the run, parallel to variant.arguments and then
// variant.buffers.
std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Outcome& outcome,
                                    std::span<const sim::Argument* const> before);
std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Outcome& outcome,
                                    std::span<const sim::Argument> before);
// The same of one launch; `after` are the arguments after it.
std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Request& request, const trace::Trace& trace,
                                    std::span<const sim::Argument> before, std::span<const sim::Argument> after);

}  // namespace lanescope::job
