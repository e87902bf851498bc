#include "job/replay/last_writer.h"

#include <algorithm>

#include "core/worded.h"
#include "job/replay/names.h"
#include "job/replay/passed_buffer.h"
#include "job/run/again.h"

namespace lanescope::job {

const trace::Buffer* passed_buffer(const Outcome& outcome, int launch, int argument) {
  for (const trace::Buffer& buffer : outcome.trace_of(launch)->buffers)
    if (buffer.argument >= 0 &&
        argument_of_parameter(outcome.request, launch, static_cast<std::size_t>(buffer.argument)) == argument)
      return &buffer;
  return nullptr;
}

Result<std::optional<Writer>> last_writer(const Outcome& outcome, int launch, const Again& again,
                                          const sim::WatchedBytes& bytes, const std::optional<sim::Step>& before) {
  Result<sim::Writes> writes = sim::writes_to(*again.program, again.request, bytes, before);
  if (!writes) return writes.take_errors();
  if (!writes->last) return std::optional<Writer>();
  Result<StepValues> values = step_values(outcome, launch, again, writes->last->step);
  if (!values) return values.take_errors();
  Writer made;
  made.launch = launch;
  made.line = values->line;
  made.block = writes->last->step.block;
  made.lane = writes->last->lane;
  made.thread = writes->last->step.warp * 32u + static_cast<std::uint32_t>(made.lane);
  made.writes = writes->count;
  made.by_one_thread = writes->by_one_thread;
  made.values = std::move(*values);
  return std::optional<Writer>(std::move(made));
}

Result<std::optional<Writer>> last_writer(const Outcome& outcome, int argument, std::int64_t index,
                                          sim::Progress* progress) {
  return last_writer_until(outcome, outcome.launch_count(), argument, index, progress);
}

Result<std::optional<Writer>> last_writer_until(const Outcome& outcome, int until, int argument, std::int64_t index,
                                                sim::Progress* progress) {
  const auto own = static_cast<std::size_t>(argument);
  const bool is_element = argument >= 0 && own < outcome.arguments.size() && outcome.arguments[own].is_buffer &&
                          index >= 0 && static_cast<std::uint64_t>(index) < outcome.arguments[own].count();
  if (!is_element)
    return Diagnostic{
        Severity::error, "argument.no_element", {}, "There is no such element.", "Choose an element of a buffer."};
  const auto bytes = static_cast<std::uint64_t>(sim::bytes_of(outcome.arguments[own].type));
  for (int launch = until; launch >= 1; --launch) {
    const int repeats = outcome.launch(launch)->repeats;
    const trace::Buffer* buffer = repeats == 0 ? nullptr : passed_buffer(outcome, launch, argument);
    if (buffer == nullptr) continue;
    sim::WatchedBytes wanted;
    wanted.address = buffer->address + static_cast<std::uint64_t>(index) * bytes;
    wanted.bytes = bytes;
    Result<Again> again = prepare_again(outcome, launch, Repeat::last, progress);
    if (!again) return again.take_errors();
    Result<std::optional<Writer>> found = last_writer(outcome, launch, *again, wanted, {});
    if (!found) return found.take_errors();
    if (!*found) continue;
    (*found)->last_repeat = repeats > 1;
    return found;
  }
  return std::optional<Writer>();
}

Result<std::optional<Writer>> last_writer(const Outcome& outcome, int launch, const sim::WatchedBytes& bytes,
                                          const std::optional<sim::Step>& before, sim::Progress* progress) {
  Result<Again> again = prepare_again(outcome, launch, Repeat::first, progress);
  if (!again) return again.take_errors();
  return last_writer(outcome, launch, *again, bytes, before);
}

Wording in_words(const std::optional<Writer>& writer, const std::string& place) {
  if (!writer) return worded("No thread writes to `{}`.", place);
  const Wording line = writer->line > 0 ? worded("line {}", writer->line) : Wording("a header");
  if (writer->writes == 1)
    return worded("Thread {} of block {} wrote `{}` last, in {}.", writer->thread, writer->block, place, line);
  Wording said = worded("Thread {} of block {} wrote `{}` last, in {}, after {} other write{}.", writer->thread,
                        writer->block, place, line, writer->writes - 1, writer->writes == 2 ? "" : "s");
  if (writer->by_one_thread) return said;
  return worded("{} Several threads wrote it: where nothing orders them, another may be the last on a GPU.", said);
}

}  // namespace lanescope::job
