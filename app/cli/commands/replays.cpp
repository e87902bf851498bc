#include "cli/commands/replays.h"

#include <algorithm>
#include <charconv>

#include "cli/output/values.h"
#include "core/worded.h"
#include "job/replay/names.h"
#include "job/replay/origins.h"
#include "job/replay/replay_json.h"

namespace lanescope::cli {

namespace {

// Number of steps to follow backwards from a write.
constexpr std::size_t longest_chain = 12;

struct StepOfLaunch {
  sim::Step step;
  int launch = 1;
};

// "0,1,7" or "0,1,7,2": block, warp, step (from 1), launch.
Result<StepOfLaunch> parse_step(const std::string& text) {
  std::vector<std::uint32_t> numbers;
  const char *at = text.data(), *end = text.data() + text.size();
  for (bool more = true; more && numbers.size() < 5;) {
    std::uint32_t number = 0;
    const auto parsed = std::from_chars(at, end, number);
    if (parsed.ec != std::errc{}) break;
    numbers.push_back(number);
    at = parsed.ptr;
    more = at != end && *at == ',';
    if (more) ++at;
  }
  const bool whole = numbers.size() == 3 || (numbers.size() == 4 && numbers[3] > 0);
  const bool read = at == end && whole && numbers[2] > 0;
  if (!read)
    return Diagnostic{Severity::error,
                      "command.bad_step",
                      {},
                      worded("`--values {}` is not understood.", text),
                      "Write block and warp from 0 and the step from 1, and of a later launch its number: --values "
                      "0,1,7 or --values 0,1,7,2."};
  return StepOfLaunch{{numbers[0], numbers[1], numbers[2] - 1}, numbers.size() == 4 ? static_cast<int>(numbers[3]) : 1};
}

template <typename Found, typename Use>
void take(Result<Found> found, Diagnostics& problems, const Use& use) {
  if (found) return use(*found);
  for (Diagnostic& problem : found.take_errors()) problems.push_back(std::move(problem));
}

}  // namespace

Diagnostics check_replays(const RunnerOptions& options) {
  if (options.device != "cpu" && !(options.values.empty() && options.writers.empty()))
    return {{Severity::error,
             "command.bad_step",
             {},
             "`--values` and `--writer` ask the interpreter, not a GPU.",
             "Leave --device out."}};
  for (const std::string& text : options.values)
    if (Result<StepOfLaunch> step = parse_step(text); !step) return step.take_errors();
  return {};
}

Replays replay(job::Outcome& outcome, const RunnerOptions& options) {
  Replays made;
  for (const std::string& text : options.values) {
    const StepOfLaunch at = *parse_step(text);
    take(job::step_values(outcome, at.launch, at.step), outcome.diagnostics, [&](const job::StepValues& values) {
      made.text += values_text(values);
      made.json["values"].push_back(job::values_json(values));
    });
  }
  for (const std::string& text : options.writers)
    take(job::find_element(outcome, text), outcome.diagnostics, [&](const job::NamedElement& element) {
      take(job::last_writer(outcome, element.argument, element.index), outcome.diagnostics,
           [&](const std::optional<job::Writer>& writer) {
             made.text += writer_text(writer, text);
             made.json["writers"].push_back({{"element", text}, {"writer", job::writer_json(writer)}});
             if (!writer || writer->last_repeat) return;
             take(job::chain_of(outcome, *writer, longest_chain), outcome.diagnostics, [&](const job::Chain& chain) {
               made.text += chain_text(chain);
               made.json["writers"].back()["chain"] = job::chain_json(chain);
             });
           });
    });
  return made;
}

}  // namespace lanescope::cli
