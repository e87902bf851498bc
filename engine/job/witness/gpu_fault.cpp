#include "job/witness/gpu_fault.h"

#include "core/worded.h"
#include "job/run/schedules.h"

namespace lanescope::job {
namespace {

constexpr std::uint32_t orders = 4;  // besides the standard one

Diagnostic note(SourcePlace place, Wording message, Wording cure) {
  return {Severity::note, "gpu.fault_elsewhere", std::move(place), std::move(message), std::move(cure)};
}

Diagnostic finding(const ScheduleReport& report, const std::string& file) {
  for (const ScheduleResult& result : report.results) {
    if (!result.error) continue;
    const Wording order =
        result.first_seed == 0
            ? ""
            : worded(", with blocks, warps and lanes in another legal order (seed {})", result.first_seed);
    return note(result.error->place,
                worded("The interpreter ran the same launch{} and stops here: {}", order, result.error->message),
                result.error->cure);
  }
  for (const ScheduleRace& race : report.races) {
    if (!sim::accuses(race.race.kind)) continue;
    const auto both = [&](std::string RaceText::*part) {
      return Wording::bilingual(race.text.*part, race.chinese.*part);
    };
    return note({race.text.first_place.line > 0 ? file : "", race.text.first_place.line, 0},
                worded("The interpreter ran the same launch and found a race that may be the cause: {} {}; {}.",
                       both(&RaceText::title), both(&RaceText::first), both(&RaceText::second)),
                both(&RaceText::cure));
  }
  return note(
      {},
      worded("The interpreter completed the same launch in the standard order and in {} others, with no "
             "out-of-bounds access and no race: the cause is something that differs on a GPU, such as a clock or "
             "the earlier contents of memory.",
             report.done),
      "");
}

}  // namespace

Diagnostics with_the_interpreters_finding(Diagnostics errors, const Outcome& interpreted,
                                          const std::function<bool()>& keep_going) {
  if (errors.empty() || errors.front().code != "gpu.kernel_fault") return errors;
  sim::Progress progress;
  const ScheduleReport report = run_schedules(interpreted.request, nullptr, orders, &progress, [&](std::uint32_t) {
    if (!keep_going()) progress.cancel = true;
  });
  if (progress.cancel || !report.problems.empty()) return errors;
  errors.push_back(finding(report, interpreted.request.source.name));
  return errors;
}

Diagnostics after_the_interpreter(Diagnostics errors, const Outcome& interpreted) {
  if (!interpreted.completed) return errors;  // the launch was only compiled, as for a recording
  static const Wording instead =
      "The interpreter completed this launch, so look for what differs on a GPU: clocks, the order of blocks and "
      "warps, "
      "waiting for another block.";
  static const OwnCure cures[] = {
      {"Run the launch in the interpreter: it reports the line, the thread and the buffer.", instead},
      {"Run the launch in the interpreter: it reports the line where the kernel loops.", instead},
      {"The worker was replaced. Run the launch in the interpreter: it reports the line where the kernel loops.",
       instead},
  };
  put_own_cures(errors, cures);
  return errors;
}

}  // namespace lanescope::job
