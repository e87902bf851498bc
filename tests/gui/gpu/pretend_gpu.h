#pragma once
// A stand-in for a GPU that answers as the test wants: at once, stage by stage, with a fault, or never. Its results are
// invented and exist only in tests.

#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "gpu/counter_refusal.h"
#include "gui/session/gpu_backend.h"

namespace lanescope::test {

class PretendGpu final : public gui::GpuBackend {
 public:
  enum class Mood { answers, faults, hangs, crashes_while_recording, deaf };

  // Tests may set these while the window is open.
  std::atomic<Mood> mood{Mood::answers};
  // It stops at this stage until the value is raised.
  std::atomic<int> last_stage{static_cast<int>(job::GpuStage::done)};
  std::atomic<double> microseconds{12.5};
  std::atomic<bool> counters{true}, differs{false};
  std::atomic<int> recording_launches{1};
  std::atomic<int> runs{0}, unheard{0};  // unheard: cancelled before they ended
  std::atomic<int> launches{0};          // later launches that were requested, each counted separately
  std::atomic<bool> holds_launches{false}, launches_fault{false};
  Diagnostics missing;  // why there is no device; empty = there are two

  static gpu::Device device(int index) {
    gpu::Device made;
    made.index = index;
    made.name = index == 0 ? "Pretend 9000" : "Pretend 100";
    made.major = 9;
    made.multiprocessors = 100;
    made.memory_clock_khz = 2'500'000;
    made.memory_bus_bits = 6144;
    made.driver_version = "13.0";
    made.kernel_driver_version = "0.0.0";
    return made;
  }

  Result<std::vector<gpu::Device>> devices() override {
    if (!missing.empty()) return missing;
    return std::vector{device(0), device(1)};
  }
  // "ssh:lab" has one GPU; no other place answers.
  Result<std::vector<gpu::Device>> devices_at(const std::string& place,
                                              const std::function<void(const std::string&)>& tell,
                                              const std::function<bool()>&) override {
    tell("ssh: connecting");
    if (place != "ssh:lab")
      return Diagnostic{Severity::error, "gpu.unreachable", {}, "No worker answers there.", "Install Lanescope there."};
    gpu::Device there = device(0);
    there.name = "Pretend elsewhere";
    there.where = place;
    return std::vector{there};
  }
  void warm_up(const gpu::Device&) override {}
  void close() override { closed_ = true; }

  Result<job::GpuReport> run(const job::Outcome& interpreted, const gpu::Device& device,
                             const job::GpuStageOptions& options, const std::function<void(const job::GpuSoFar&)>& tell,
                             const std::function<bool()>& keep_going) override {
    ++runs;
    job::GpuSoFar so_far;
    const auto reaches = [&](job::GpuStage stage) {
      so_far.stage = stage;
      if (stage != job::GpuStage::done) tell(so_far);
      while (static_cast<int>(stage) > last_stage && keep_going() && !closed_) rest();
      if (!keep_going() || closed_) ++unheard;
      return keep_going() && !closed_;
    };
    const auto ended = [&] {
      so_far.stage = job::GpuStage::done;
      tell(so_far);
      return so_far.report;
    };
    if (!reaches(job::GpuStage::running)) return cancelled();
    if (mood == Mood::deaf) std::this_thread::sleep_for(std::chrono::milliseconds(400));  // ignores cancelling
    while (mood == Mood::hangs && keep_going() && !closed_) rest();
    if (!keep_going() || closed_) return cancelled();
    if (mood == Mood::faults)
      return Diagnostics{{Severity::error,
                          "gpu.kernel_fault",
                          {},
                          "The kernel touched memory that is not its own.",
                          "The interpreter ran this launch to its end, so look for what differs on a GPU."},
                         {Severity::note,
                          "gpu.fault_elsewhere",
                          {"kernel.cu", 7, 0},
                          "Not the GPU but the interpreter stops here.",
                          ""}};
    run_plainly(so_far.report.run, interpreted, device);
    if (!reaches(job::GpuStage::timing)) return ended();
    so_far.report.run.timing = timing(options.timing.cache);
    if (!options.witnesses) return ended();
    if (!reaches(job::GpuStage::recording)) return ended();
    record(so_far, interpreted);
    if (mood == Mood::crashes_while_recording) return ended();
    if (!reaches(job::GpuStage::counting)) return ended();
    count(so_far.report.first().agreement, interpreted);
    return ended();
  }

  Result<job::LaunchReport> run_launch(const job::Outcome& whole, std::size_t execution, const gpu::Device& device,
                                       const std::function<void(const job::LaunchReport&)>& tell,
                                       const std::function<bool()>& keep_going) override {
    ++launches;
    while (holds_launches && keep_going() && !closed_) rest();
    if (!keep_going() || closed_) return cancelled();
    if (launches_fault)
      return Diagnostic{Severity::error, "gpu.kernel_fault", {}, "The kernel touched memory that is not its own.", ""};
    Result<job::OneLaunch> one = job::one_launch(whole, execution);
    if (!one) return one.take_errors();
    job::LaunchReport report{.one = std::move(*one), .run = {}, .witness = {}};
    run_plainly(report.run, report.one.outcome, device);
    report.run.attributes.registers = 20 + report.one.which.number;
    witness(report.witness.agreement, report.witness.recorded, report.run.device, report.one.outcome.first().trace);
    report.witness.agreement.which = report.one.which;
    tell(report);
    count(report.witness.agreement, report.one.outcome);
    return report;
  }

 private:
  static void rest() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }
  static Diagnostic cancelled() {
    return {Severity::error, "gpu.cancelled", {}, "The work on the GPU was stopped.", "Run again."};
  }

  static void run_plainly(job::GpuRun& run, const job::Outcome& interpreted, const gpu::Device& device) {
    run.device = device;
    run.attributes = {
        .registers = 16, .max_threads_per_block = 1024, .resident_blocks_per_multiprocessor = 8, .occupancy = 0.75};
    run.after_first = run.arguments = interpreted.arguments;
    run.same_result = true;
  }

  gpu::Timing timing(gpu::CacheState cache) const {
    gpu::Timing made;
    for (int i = 0; i < 100; ++i) made.samples.push_back(microseconds * 1e-6 * (1 + 0.0001 * (i % 10)));
    made.seconds = metrics::median_interval(made.samples);
    made.discarded = 3;
    made.cache = cache;
    made.sm_clock_khz_low = made.sm_clock_khz_high = 1'980'000;
    made.stop_reason = "interval narrow enough";
    return made;
  }

  static void add_row(job::Agreement& agreement, const char* name, std::uint64_t value) {
    if (value == 0) return;
    job::AgreementRow row{.number = name, .nsight_name = "a_counter.sum"};
    row.interpreted = row.recorded = value;
    row.agreed = job::Agreed::equal;
    agreement.rows.push_back(row);
  }

  void record(job::GpuSoFar& so_far, const job::Outcome& interpreted) const {
    so_far.has_agreement = true;
    witness(so_far.report.first().agreement, so_far.report.first().recorded, so_far.report.run.device,
            interpreted.first().trace);
    so_far.report.first().agreement.which.launches = interpreted.launch_count();
  }

  void witness(job::Agreement& agreement, std::optional<trace::Trace>& made, const gpu::Device& device,
               const trace::Trace& trace) const {
    agreement.device = device;
    agreement.same_result = agreement.recording_kept_result = true;
    using enum trace::MemoryClass;
    const trace::Totals& totals = trace.totals;
    add_row(agreement, "global_load.requests", totals.of(global_load).requests);
    add_row(agreement, "global_load.sectors", totals.of(global_load).sectors);
    add_row(agreement, "global_store.requests", totals.of(global_store).requests);
    add_row(agreement, "global_store.sectors", totals.of(global_store).sectors);
    add_row(agreement, "shared_load.bank_conflicts", totals.of(shared_load).bank_conflicts());
    if (mood == Mood::crashes_while_recording) {
      for (job::AgreementRow& row : agreement.rows) row.recorded.reset(), row.agreed = job::Agreed::not_counted;
      agreement.diagnostics = {{Severity::error,
                                "gpu.worker_lost",
                                {},
                                "The GPU worker process ended in the middle of this run.",
                                "Run again."}};
      return;
    }
    trace::Trace recorded = trace;
    recorded.origin = trace::Origin::recorded;
    recorded.device = device.name;
    const auto no_memory = [](const trace::WarpEvent& event) { return event.kind != trace::EventKind::memory; };
    recorded.events.erase(std::remove_if(recorded.events.begin(), recorded.events.end(), no_memory),
                          recorded.events.end());
    agreement.records.push_back({.pass = instrument::Pass::memory,
                                 .interpreted = recorded.events.size(),
                                 .recorded = recorded.events.size(),
                                 .equal = recorded.events.size(),
                                 .launches = static_cast<std::uint32_t>(recording_launches.load())});
    made = std::move(recorded);
  }

  void count(job::Agreement& agreement, const job::Outcome&) const {
    if (!counters) {
      agreement.diagnostics = {
          gpu::counter_refusal(35, "cuptiRangeProfilerEnable", "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES")};
      return;
    }
    for (job::AgreementRow& row : agreement.rows) row.counted = row.interpreted;
    if (differs && agreement.rows.size() > 1) {
      *agreement.rows[1].counted += 32;
      agreement.rows[1].agreed = job::Agreed::explained;
      agreement.rows[1].evidence = "ptxas unrolled or duplicated accesses: 1 instruction in PTX, 2 in SASS";
    }
  }

  std::atomic<bool> closed_{false};
};

}  // namespace lanescope::test
