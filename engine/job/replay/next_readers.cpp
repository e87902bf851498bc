#include "job/replay/next_readers.h"

#include "job/replay/passed_buffer.h"
#include "job/run/again.h"

namespace lanescope::job {
namespace {

Reader reader_of(const Outcome& outcome, int launch, const sim::Reads::Access& access) {
  const trace::Site& site = outcome.trace_of(launch)->sites[access.site];
  Reader made;
  made.launch = launch;
  made.step = access.step;
  made.lane = access.lane;
  made.line = site.file == outcome.request.source.name ? site.line : 0;
  made.block = access.step.block;
  made.thread = access.step.warp * 32u + static_cast<std::uint32_t>(access.lane);
  made.opcode = site.opcode;
  return made;
}

// Returns true if the search ends in this launch.
Result<bool> ask(const Outcome& outcome, int launch, const sim::WatchedBytes& bytes,
                 const std::optional<sim::Step>& after, std::size_t most, sim::Progress* progress, NextReaders& made) {
  Result<Again> again = prepare_again(outcome, launch, Repeat::first, progress);
  if (!again) return again.take_errors();
  Result<sim::Reads> reads =
      sim::reads_after(*again->program, again->request, bytes, after, most - made.readers.size());
  if (!reads) return reads.take_errors();
  for (const sim::Reads::Access& one : reads->first) made.readers.push_back(reader_of(outcome, launch, one));
  if (reads->overwrite) made.overwrite = reader_of(outcome, launch, *reads->overwrite);
  made.more = reads->more;
  return made.more || made.overwrite.has_value();
}

}  // namespace

Result<NextReaders> next_readers(const Outcome& outcome, int launch, const sim::WatchedBytes& bytes, int argument,
                                 std::int64_t index, const sim::Step& after, std::size_t most,
                                 sim::Progress* progress) {
  NextReaders made;
  Result<bool> enough = ask(outcome, launch, bytes, after, most, progress, made);
  while (enough && !*enough && argument >= 0 && ++launch <= outcome.launch_count()) {
    const trace::Buffer* buffer =
        outcome.launch(launch)->repeats == 0 ? nullptr : passed_buffer(outcome, launch, argument);
    if (buffer == nullptr) continue;
    sim::WatchedBytes there = bytes;
    there.address = buffer->address + static_cast<std::uint64_t>(index) * bytes.bytes;
    enough = ask(outcome, launch, there, {}, most, progress, made);
  }
  if (!enough) return enough.take_errors();
  return made;
}

}  // namespace lanescope::job
