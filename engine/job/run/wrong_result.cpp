#include "job/run/wrong_result.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "core/text.h"
#include "core/worded.h"

namespace lanescope::job {
namespace {

using trace::Operation;

bool writes(Operation operation) {
  return operation == Operation::store || trace::is_atomic(operation);
}

// The address range of a request's argument in a launch; null if it is not passed.
const trace::Buffer* buffer_of(const Outcome& outcome, int launch, int argument) {
  const trace::Trace& trace = *outcome.trace_of(launch);
  int parameter = -1;
  for (const RequestedLaunch& one : outcome.request.launches) {
    if (one.number != launch) continue;
    const std::vector<RequestedLaunch::Parameter> parameters = outcome.request.parameters_of(one);
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (parameters[p].buffer == argument) parameter = static_cast<int>(p);
  }
  const auto found = std::ranges::find(trace.buffers, parameter, &trace::Buffer::argument);
  return parameter < 0 || found == trace.buffers.end() ? nullptr : &*found;
}

// Finds all writes to one element in one launch.
class ElementSearch {
 public:
  ElementSearch(const Outcome& outcome, int launch, std::uint64_t address, std::uint64_t bytes,
                const trace::Buffer& buffer)
      : trace_(*outcome.trace_of(launch)),
        file_(outcome.request.source.name),
        address_(address),
        bytes_(bytes),
        buffer_(buffer) {
    for (const trace::WarpEvent& event : trace_.events)
      if (event.kind == trace::EventKind::memory && event.space == trace::MemorySpace::global &&
          writes(trace_.sites[event.site].operation))
        look_at(event);
  }

  std::uint64_t count = 0;
  std::optional<RacePlace> last;
  std::set<int> lines, lines_of_buffer;

 private:
  void look_at(const trace::WarpEvent& event) {
    const trace::Site& site = trace_.sites[event.site];
    const int line = site.file == file_ ? site.line : 0;
    std::uint64_t lanes = 0;
    for (int lane = 0; lane < 32; ++lane) {
      if (!event.executed.test(lane)) continue;
      const std::uint64_t at = trace_.address(event, lane);
      if (at < buffer_.address || at >= buffer_.address + buffer_.bytes) continue;
      if (line > 0) lines_of_buffer.insert(line);
      if (at >= address_ + bytes_ || at + site.width <= address_) continue;
      if (line > 0) lines.insert(line);
      ++lanes;
      place_ = {line, event.block, event.warp * 32u + static_cast<std::uint32_t>(lane)};
    }
    if (lanes == 0) return;
    // The program alone only orders writes of one warp, each by one lane.
    const bool same_warp = count == 0 || (event.block == block_ && event.warp == warp_);
    ordered_ = ordered_ && same_warp && (lanes == 1 || site.operation != Operation::store);
    count += lanes;
    block_ = event.block, warp_ = event.warp;
    last = ordered_ ? std::optional(place_) : std::nullopt;
  }

  const trace::Trace& trace_;
  const std::string& file_;
  std::uint64_t address_, bytes_;
  const trace::Buffer& buffer_;
  RacePlace place_;
  std::uint32_t block_ = 0, warp_ = 0;
  bool ordered_ = true;
};

// True if the events of a launch are complete.
bool kept_all(const Outcome& outcome, int launch) {
  const LaunchOutcome& of = *outcome.launch(launch);
  return of.trace.events_dropped == 0 && of.trace.blocks_not_chosen == 0 && of.repeats <= 1;
}

Wording lines_in_words(const std::vector<int>& lines) {
  std::string all;
  for (const int line : lines) all += (all.empty() ? "" : ", ") + std::to_string(line);
  return lines.size() == 1 ? worded("line {}", all) : worded("lines {}", all);
}

Wording writers_in_words(const WrongElement& wrong, const ElementWrites& writes) {
  if (writes.last)
    return worded("Thread {} of block {} wrote it last, in line {}.", writes.last->place.thread,
                  writes.last->place.block, writes.last->place.line);
  if (writes.lines.empty())
    return writes.complete ? worded("No thread writes to `{}`.", wrong.buffer)
                           : worded("See what is stored into `{}`.", wrong.buffer);
  const Wording lines = lines_in_words(writes.lines);
  if (writes.complete && writes.count == 0)
    return worded("No thread writes it; other elements of `{}` are written in {}.", wrong.buffer, lines);
  return worded("It is written in {}.", lines);
}

}  // namespace

ElementWrites writes_of(const Outcome& outcome, int argument, std::int64_t index) {
  ElementWrites found;
  const auto own = static_cast<std::size_t>(argument);
  if (argument < 0 || own >= outcome.arguments.size() || !outcome.arguments[own].is_buffer) return found;
  const auto bytes = static_cast<std::uint64_t>(sim::bytes_of(outcome.arguments[own].type));
  found.complete = true;
  std::set<int> lines, lines_of_buffer;
  for (int launch = 1; launch <= outcome.launch_count(); ++launch) {
    if (outcome.launch(launch)->repeats == 0) continue;
    found.complete = found.complete && kept_all(outcome, launch);
    const trace::Buffer* buffer = buffer_of(outcome, launch, argument);
    if (buffer == nullptr) continue;
    const ElementSearch search(outcome, launch, buffer->address + static_cast<std::uint64_t>(index) * bytes, bytes,
                               *buffer);
    lines.insert(search.lines.begin(), search.lines.end());
    lines_of_buffer.insert(search.lines_of_buffer.begin(), search.lines_of_buffer.end());
    found.count += search.count;
    if (search.count == 0) continue;
    found.last.reset();
    if (search.last && search.last->line > 0) found.last = ElementWrites::Write{launch, *search.last};
  }
  if (!found.complete) found.last.reset();
  const std::set<int>& best = lines.empty() ? lines_of_buffer : lines;
  found.lines.assign(best.begin(), best.end());
  return found;
}

std::vector<WrongResult> wrong_results(const Outcome& outcome) {
  std::vector<WrongResult> all;
  for (const CheckResult& check : outcome.checks) {
    if (check.holds || !check.wrong) continue;
    WrongResult made{*check.wrong, writes_of(outcome, check.wrong->argument, check.wrong->index), {}};
    const int line = made.writes.last            ? made.writes.last->place.line
                     : made.writes.lines.empty() ? 0
                                                 : made.writes.lines.front();
    made.said = {Severity::error,
                 "result.wrong",
                 {line > 0 ? outcome.request.source.name : "", line, 0},
                 check.detail,
                 writers_in_words(made.element, made.writes)};
    all.push_back(std::move(made));
  }
  return all;
}

}  // namespace lanescope::job
