// Binary input: saved traces, the GPU worker's messages, the CUDA code in a program, and the log of its run.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/os/wire.h"
#include "device/fat_binary.h"
#include "device/run_log.h"
#include "diagram/views.h"
#include "fuzz/targets.h"
#include "gpu/message.h"
#include "metrics/report.h"
#include "metrics/request_cost.h"
#include "metrics/steps.h"
#include "trace/codec.h"

namespace lanescope::fuzz {

void trace_file(Input input) {
  (void)trace::open(as_file("input.trace", text_of(input)));  // with its header
  const Result<trace::Trace> decoded = trace::decode(std::as_bytes(input));
  if (!decoded) return;
  must(trace::decode(trace::encode(*decoded)).ok(), "a trace that was written is read");
  metrics::report(*decoded);
  const diagram::Options options;
  int shown = 0;
  for (const trace::WarpEvent& event : decoded->events) {
    if (++shown > 6) break;
    diagram::lanes(*decoded, event, options);
    metrics::cost(*decoded, event);
    metrics::steps(*decoded, event.block, event.warp);
    diagram::film(*decoded, event.block, event.warp, 0, options);
    diagram::block_lanes(*decoded, event.block, event.warp, 0, options);
  }
  diagram::phases(diagram::grid_phases(*decoded), options);
}

// Both ends read. A wrong message raises an exception of the JSON library, which both ends catch.
void wire(Input input) {
  const int file = ::memfd_create("wire", MFD_CLOEXEC);
  must(file >= 0 && ::write(file, input.data(), input.size()) == static_cast<ssize_t>(input.size()) &&
           ::lseek(file, 0, SEEK_SET) == 0,
       "the bytes can be handed over");
  Wire wire(file, -1);
  for (int messages = 0; messages < 16; ++messages) {
    std::optional<Parcel> parcel = wire.receive();
    if (!parcel) break;
    const auto reads = [&](auto&& read) {
      try {
        read();
      } catch (const nlohmann::json::exception&) {
      }
    };
    const Message& head = parcel->head;
    reads([&] { gpu::launches_from(head); });
    reads([&] { gpu::timing_options_from(head); });
    reads([&] { gpu::timing_from(head); });
    reads([&] { gpu::device_from(head); });
    reads([&] { gpu::attributes_from(head); });
    reads([&] { gpu::diagnostics_from(head); });
    reads([&] { gpu::arguments_from(head, parcel->bytes); });
  }
  ::close(file);
}

void fat_binary(Input input) {
  const auto bytes = std::as_bytes(input);
  const auto entries = device::read_fat_binary(bytes.data(), bytes.size());
  if (!entries) return;
  for (const device::FatEntry& entry : *entries)
    must(entry.kind == device::FatEntry::Kind::ptx || entry.text.empty(), "machine code has no text");
  for (const int arch : {75, 90}) (void)device::ptx_for(*entries, arch);
}

void run_log(Input input) {
  const auto rows = device::read_run_log(as_file("run.log", text_of(input)));
  must(rows.ok(), "a log that is there is read");
  const std::string path = as_file("again.log", "");
  {
    device::RunLog log(path);
    for (const device::LogRow& row : *rows) std::visit([&](const auto& one) { log.add(one); }, row);
  }
  const auto again = device::read_run_log(path);
  must(again.ok() && again->size() == rows->size(), "rows that were written are read");
}

}  // namespace lanescope::fuzz
