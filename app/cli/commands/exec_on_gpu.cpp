#include "cli/commands/exec_on_gpu.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/commands/gpu_session.h"
#include "cli/output/gpu_tables.h"
#include "cli/output/table.h"
#include "cli/output/waiting.h"
#include "core/worded.h"
#include "device/saved_run_reader.h"
#include "job/run/kept.h"
#include "job/witness/gpu_report.h"

namespace lanescope::cli {
namespace {

using job::Agreed;

std::string shape_of(const Dim3& size) {
  if (size.z != 1) return fmt::format("{}×{}×{}", size.x, size.y, size.z);
  if (size.y != 1) return fmt::format("{}×{}", size.x, size.y);
  return std::to_string(size.x);
}

// "4 equal, 2 explained", and the rows that do not agree.
std::string verdict(const job::Agreement& agreement) {
  std::string text;
  for (const Agreed one : {Agreed::equal, Agreed::explained, Agreed::unexplained, Agreed::not_counted}) {
    const auto count = std::ranges::count(agreement.rows, one, &job::AgreementRow::agreed);
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(one));
  }
  if (!agreement.same_result && agreement.repeatable) {
    text += "; RESULT DIFFERS";
    if (!agreement.why_result_differs.empty()) text += ": " + agreement.why_result_differs;
  }
  return text;
}

class OnGpu {
 public:
  OnGpu(const device::SavedRun& run, gpu::Session& session) : run_(run), session_(session) {
    table_.column("LAUNCH");
    table_.column("KERNEL", Align::left);
    for (const char* title : {"GRID", "BLOCK", "TIME", "REGISTERS", "OCCUPANCY"}) table_.column(title);
    table_.column("NUMBERS", Align::left);
    made_.json = nlohmann::ordered_json::array();
  }

  SavedOnGpu all() {
    for (const std::size_t index : run_.first_of_each_shape()) {
      if (session_.lost()) break;
      add(index);
    }
    const gpu::Device& device = session_.device();
    if (!table_.empty())
      made_.text = fmt::format("On {}, driver {}: each kernel and shape once, untouched, recording itself, counted\n{}",
                               device.name_and_place(), device.kernel_driver_version, table_.text());
    return std::move(made_);
  }

 private:
  void add(std::size_t index) {
    const device::LaunchEntry& entry = run_.launches()[index];
    Result<job::GpuReport> report = report_of(index);
    if (!report) {
      for (Diagnostic one : report.errors()) {
        one.severity = Severity::warning;  // the program itself ran
        one.message = worded("Launch {}, `{}`: {}", entry.number, entry.kernel, one.message);
        made_.said.push_back(std::move(one));
      }
      return;
    }
    const job::GpuRun& ran = report->run;
    const job::Agreement& agreement = report->first().agreement;
    table_.row({std::to_string(entry.number), entry.kernel, shape_of(entry.launch.grid), shape_of(entry.launch.block),
                ran.timing && !ran.timing->samples.empty() ? seconds(ran.timing->seconds.median) : "–",
                std::to_string(ran.attributes.registers), fmt::format("{} %", number(ran.attributes.occupancy * 100)),
                verdict(agreement)});
    made_.json.push_back({{"launch", entry.number}, {"kernel", entry.kernel}, {"gpu", job::gpu_json(*report)}});
    for (Diagnostic one : agreement.diagnostics) {
      if (cure_of_events_not_kept(one))
        one.message = worded("Launch {}, `{}`: {}", entry.number, entry.kernel, one.message);
      made_.said.push_back(std::move(one));
    }
    for (const job::AgreementRow& row : agreement.rows)
      if (row.agreed == Agreed::unexplained)
        made_.said.push_back({.severity = Severity::warning,
                              .code = "gpu.unexplained",
                              .message = worded("Launch {}, `{}`: {} is {} in the interpreter and {} on the GPU, and "
                                                "nothing known explains it.",
                                                entry.number, entry.kernel, row.number, row.interpreted.value_or(0),
                                                row.counted.value_or(row.recorded.value_or(0))),
                              .cure = "Verify the saved run to see every number of this launch."});
  }

  Result<job::GpuReport> report_of(std::size_t index) {
    Result<std::shared_ptr<const device::KeptLaunch>> launch = run_.launch(index);
    if (!launch) return launch.take_errors();
    job::Request request = job::request_of(std::move(*launch));
    request.record.events = true;
    const Waiting waiting([&] {
      return worded("Launch {} runs on {}. Ctrl+C stops it.", run_.launches()[index].number, session_.device().name);
    });
    const job::Outcome interpreted = job::run(request);
    if (!interpreted.completed)  // the program's own run has told why
      return Diagnostic{Severity::warning,
                        "gpu.not_interpreted",
                        {},
                        "The interpreter did not complete it, so it was not started on the GPU.",
                        "Correct what is said of this kernel above first."};
    return job::run_with_witnesses(interpreted, session_, {});
  }

  const device::SavedRun& run_;
  gpu::Session& session_;
  Table table_;
  SavedOnGpu made_;
};

}  // namespace

SavedOnGpu run_saved_on_gpu(const std::string& file, const std::string& device, int gpu) {
  const Result<std::shared_ptr<const device::SavedRun>> run = device::SavedRun::open(file);
  if (!run) return {{}, {}, run.errors()};
  if ((*run)->launches().empty()) return {};
  const Result<std::unique_ptr<gpu::Session>> session = open_gpu(device, gpu);
  if (!session) return {{}, {}, session.errors()};
  return OnGpu(**run, **session).all();
}

}  // namespace lanescope::cli
