#include "job/witness/verify.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <future>
#include <memory>

#include "core/text.h"
#include "core/worded.h"
#include "job/witness/gpu_fault.h"
#include "job/witness/judge.h"
#include "job/witness/sass_account.h"
#include "job/witness/sass_evidence.h"
#include "metrics/recompute.h"
#include "metrics/request_cost.h"

namespace lanescope::job {

const char* to_string(Agreed agreed) {
  switch (agreed) {
    case Agreed::equal:
      return "equal";
    case Agreed::explained:
      return "explained";
    case Agreed::unexplained:
      return "UNEXPLAINED";
    case Agreed::not_counted:
      return "not counted";
  }
  return "not counted";
}

bool Agreement::holds() const {
  return std::none_of(rows.begin(), rows.end(),
                      [](const AgreementRow& row) { return row.agreed == Agreed::unexplained; });
}

namespace {

using trace::MemoryClass;

// A number that all three can give.
struct Compared {
  const char* name;
  const char* counter;
  MemoryClass memory_class;
  std::uint64_t (*value)(const trace::MemoryTotals&);
  // The same of the kernel's own instructions, where there is such a counter: added up. Counted only where numbers
  // part.
  std::array<const char*, 2> by_instruction = {};
};

std::uint64_t requests(const trace::MemoryTotals& totals) {
  return totals.requests;
}
std::uint64_t sectors(const trace::MemoryTotals& totals) {
  return totals.sectors;
}
std::uint64_t conflicts(const trace::MemoryTotals& totals) {
  return totals.bank_conflicts();
}

// Names: metrics.def; counters: Nsight Compute for compute capability 7.5 and later.
constexpr Compared compared[] = {
    {"global_load.requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
     MemoryClass::global_load,
     requests,
     {"smsp__sass_inst_executed_op_global_ld.sum", "smsp__sass_inst_executed_op_ldgsts.sum"}},
    {"global_load.sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
     MemoryClass::global_load,
     sectors,
     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"}},
    {"global_store.requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
     MemoryClass::global_store,
     requests,
     {"smsp__sass_inst_executed_op_global_st.sum"}},
    {"global_store.sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
     MemoryClass::global_store,
     sectors,
     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    {"global_atomic.requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
     MemoryClass::global_atomic,
     requests,
     {"smsp__sass_inst_executed_op_global_atom.sum"}},
    {"global_atomic.sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
     MemoryClass::global_atomic,
     sectors,
     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum"}},
    {"global_reduction.requests",
     "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
     MemoryClass::global_reduction,
     requests,
     {"smsp__sass_inst_executed_op_global_red.sum"}},
    {"global_reduction.sectors",
     "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
     MemoryClass::global_reduction,
     sectors,
     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum"}},
    {"local_load.requests",
     "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum",
     MemoryClass::local_load,
     requests,
     {"smsp__sass_inst_executed_op_local_ld.sum"}},
    {"local_store.requests",
     "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum",
     MemoryClass::local_store,
     requests,
     {"smsp__sass_inst_executed_op_local_st.sum"}},
    {"shared_load.bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", MemoryClass::shared_load,
     conflicts},
    {"shared_store.bank_conflicts", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
     MemoryClass::shared_store, conflicts},
};

// Counted only where copies to shared memory (cp.async) may be what is missing among the conflicts of stores.
constexpr const char* copy_counter = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum";

std::string counters_by_instruction(const Compared& one) {
  std::string names;
  for (const char* name : one.by_instruction)
    if (name) names += (names.empty() ? "" : " + ") + std::string(name);
  return names;
}

// Of a number of sectors; those of its requests stand in the row before.
std::optional<Agreed> requests_of(const std::vector<AgreementRow>& rows, const std::string& number) {
  if (!number.ends_with(".sectors") || rows.empty() ||
      rows.back().number != number.substr(0, number.find('.')) + ".requests")
    return std::nullopt;
  return rows.back().agreed;
}

// Atomics take effect in an order that the machine chooses; a kernel that stores where an atomic's value says stores
// elsewhere each time. Shown by the GPU itself: two runs of the plain kernel differ.
Wording why_unrepeatable(const trace::Trace& interpreted, const GpuRun& plain) {
  if (!plain.same_start)
    return "two runs of the earlier launches on this GPU left different memory: the input of this launch varies from "
           "run to run";
  if (plain.repeatable) return {};
  for (const trace::Site& site : interpreted.sites)
    if (site.operation == trace::Operation::atomic && site.space != trace::MemorySpace::shared)
      return worded(
          "two runs of the unmodified kernel on this GPU gave different results: the order in which `{}` (line {}) "
          "takes effect depends on timing, and the kernel uses its result",
          site.opcode, site.line);
  return {};
}

// Only where each lane enters as often as in the model: lanes that came together elsewhere are all still there, and a
// recording that lost some, or holds nothing, shows nothing.
Wording entries_that_part(const std::vector<RecordComparison>& records) {
  for (const RecordComparison& one : records)
    if (one.pass == instrument::Pass::block_entries && one.only_regrouped && !one.differences.empty())
      return worded("{} entries into basic blocks in the model, {} on the GPU ({})", one.interpreted, one.recorded,
                    one.differences.front());
  return {};
}

Wording accesses_regrouped(const std::vector<RecordComparison>& records) {
  for (const RecordComparison& one : records)
    if (one.pass == instrument::Pass::memory && one.only_regrouped && !one.differences.empty())
      return one.differences.front();
  return {};
}

std::optional<std::vector<int>> lines_that_part(const std::vector<RecordComparison>& records) {
  for (const RecordComparison& one : records)
    if (one.pass == instrument::Pass::memory && one.dropped == 0) return one.lines_that_part;
  return std::nullopt;
}

std::optional<bool> accesses_changed(const std::vector<RecordComparison>& records) {
  for (const RecordComparison& one : records)
    if (one.pass == instrument::Pass::memory && one.dropped == 0) return !one.changed_sites.empty();
  return std::nullopt;
}

// One trace of several passes: their events one pass after another in each warp, renumbered.
trace::Trace joined(std::vector<trace::Trace> passes) {
  trace::Trace whole = std::move(passes.front());
  for (std::size_t i = 1; i < passes.size(); ++i) {
    const auto addresses = static_cast<std::uint32_t>(whole.addresses.size());
    const auto lanes = static_cast<std::uint32_t>(whole.source_lanes.size());
    for (trace::WarpEvent event : passes[i].events) {
      if (event.side != trace::WarpEvent::no_side)
        event.side += event.kind == trace::EventKind::shuffle ? lanes : addresses;
      whole.events.push_back(event);
    }
    whole.addresses.insert(whole.addresses.end(), passes[i].addresses.begin(), passes[i].addresses.end());
    whole.source_lanes.insert(whole.source_lanes.end(), passes[i].source_lanes.begin(), passes[i].source_lanes.end());
  }
  std::stable_sort(whole.events.begin(), whole.events.end(), [](const trace::WarpEvent& a, const trace::WarpEvent& b) {
    return std::pair(a.block, a.warp) < std::pair(b.block, b.warp);
  });
  for (std::size_t i = 0; i < whole.events.size(); ++i) {
    trace::WarpEvent& event = whole.events[i];
    const bool first = i == 0 || whole.events[i - 1].block != event.block || whole.events[i - 1].warp != event.warp;
    event.sequence = first ? 0 : whole.events[i - 1].sequence + 1;
  }
  return whole;
}

bool goes_on(const VerifyOptions& options) {
  return !options.keep_going || options.keep_going();
}

Diagnostic incomplete(const RecordComparison& comparison, std::uint32_t blocks, std::uint32_t grid) {
  const Wording dropped = comparison.dropped ? worded("; {} events did not fit", comparison.dropped) : "";
  return {.severity = Severity::warning,
          .code = "gpu.recording_incomplete",
          .message = worded("Recording of {} stopped after {} of {} blocks and {} launches{}.",
                            to_string(comparison.pass), blocks, grid, comparison.launches, dropped),
          .cure = "The recorded numbers are not shown. Choose a smaller size to see them."};
}

// The passes' recordings, of which `recorded` is made when they hold the whole launch. While the GPU records one, the
// one before is compared.
void add_recordings(Agreement& agreement, std::optional<trace::Trace>& recorded, const Outcome& interpreted,
                    const GpuRun& plain, gpu::Session& session, const VerifyOptions& options) {
  struct Pending {
    std::unique_ptr<GpuRecording> recording;
    std::future<RecordComparison> comparison;  // first to go: it looks at the recording
  };
  agreement.recording_kept_result = true;
  // Else what it did not keep would look like what the GPU alone has done.
  const bool comparable =
      interpreted.first().trace.events_dropped == 0 && interpreted.first().trace.blocks_not_chosen == 0;
  if (!comparable)
    agreement.diagnostics.push_back(
        {.severity = Severity::warning,
         .code = "gpu.events_not_kept",
         .message = worded("The interpreter did not keep all of its events ({} did not fit, {} "
                           "blocks were not selected), so the records are not compared one by "
                           "one; the numbers are.",
                           interpreted.first().trace.events_dropped, interpreted.first().trace.blocks_not_chosen),
         .cure = "Choose all blocks, a smaller size, or a larger event budget."});
  const auto grid =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(interpreted.first().trace.launch.grid.count(), UINT32_MAX));
  bool whole = true;
  std::vector<Pending> passes;
  for (const auto pass : {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations}) {
    if (!goes_on(options)) {
      whole = false;
      break;
    }
    Result<GpuRecording> made = record_on_gpu(interpreted, plain, session, pass, 0, grid, options.recording);
    if (!made) {
      whole = false;
      for (Diagnostic& error : after_the_interpreter(made.take_errors(), interpreted))
        agreement.diagnostics.push_back(std::move(error));
      continue;
    }
    passes.push_back({std::make_unique<GpuRecording>(std::move(*made)), {}});
    Pending& one = passes.back();
    one.comparison = std::async(std::launch::async, [&interpreted, recording = one.recording.get(), pass] {
      return compare_with(interpreted, *recording, pass);
    });
  }
  std::vector<trace::Trace> traces;
  for (Pending& one : passes) {
    const RecordComparison comparison = one.comparison.get();
    if (comparable) agreement.records.push_back(comparison);
    agreement.recording_kept_result = agreement.recording_kept_result && one.recording->same_result;
    if (one.recording->blocks < grid || comparison.dropped > 0) {
      whole = false;
      agreement.diagnostics.push_back(incomplete(comparison, one.recording->blocks, grid));
    }
    traces.push_back(std::move(one.recording->trace));
  }
  if (!whole) return;
  trace::Trace memory = traces.front();
  memory.totals = metrics::recompute_totals(joined(std::move(traces)));
  recorded = std::move(memory);
}

std::optional<std::uint64_t> whole_number(double value) {
  return std::isfinite(value) ? std::optional(static_cast<std::uint64_t>(std::llround(value))) : std::nullopt;
}

// What only the PTX tells: read once for all numbers.
struct FromPtx {
  std::string outside;         // functions_outside()
  PtxLines instruction_lines;  // lines_of_instructions()
};

struct Counts {
  std::vector<std::optional<std::uint64_t>> of_compared =
      std::vector<std::optional<std::uint64_t>>(std::size(compared));
  std::vector<std::optional<std::uint64_t>> by_instruction =
      std::vector<std::optional<std::uint64_t>>(std::size(compared));
  ConflictCounts loads, stores;         // of shared memory
  std::optional<std::uint64_t> copies;  // to it: wavefronts
};

bool parts(const Counts& counts, std::size_t i, const trace::Trace& interpreted) {
  return counts.of_compared[i] &&
         *counts.of_compared[i] != compared[i].value(interpreted.totals.of(compared[i].memory_class));
}

// A GPU without these counters leaves them out: what parts stays unexplained then.
void add_conflict_counts(Counts& counts, const Outcome& interpreted, const GpuRun& plain, gpu::Session& session) {
  bool any = false, stores_part = false;
  for (std::size_t i = 0; i < std::size(compared); ++i) {
    if (compared[i].value != conflicts || !parts(counts, i, interpreted.first().trace)) continue;
    any = true;
    stores_part = stores_part || compared[i].memory_class == MemoryClass::shared_store;
  }
  if (!any) return;
  const trace::Launch& launch = interpreted.request.first().shape;
  if (const auto values =
          session.count(launch, plain.given, {wavefront_counters[0], wavefront_counters[1], arbitration_counter})) {
    counts.loads = {whole_number(values->values[0]), whole_number(values->values[2])};
    counts.stores = {whole_number(values->values[1]), whole_number(values->values[2])};
  }
  if (!stores_part || !find_instruction(plain.sass, SassAccess::Kind::async_copy)) return;
  if (const auto values = session.count(launch, plain.given, {copy_counter}))
    counts.copies = whole_number(values->values[0]);
}

// Where the machine code has a reason for more than its own instructions make. Those too are left out by a GPU without
// them.
void add_instruction_counts(Counts& counts, const Outcome& interpreted, const GpuRun& plain, const std::string& outside,
                            gpu::Session& session) {
  std::vector<std::string> names;
  std::vector<std::size_t> of;  // the number that each is of
  for (std::size_t i = 0; i < std::size(compared); ++i) {
    if (!parts(counts, i, interpreted.first().trace) ||
        beyond_instructions(compared[i].name, interpreted.first().trace, plain.sass, outside).empty())
      continue;
    for (const char* name : compared[i].by_instruction) {
      if (!name) continue;
      names.push_back(name);
      of.push_back(i);
    }
  }
  if (names.empty()) return;
  const auto values = session.count(interpreted.request.first().shape, plain.given, names);
  if (!values) return;
  for (const std::size_t i : of) counts.by_instruction[i] = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::optional<std::uint64_t>& sum = counts.by_instruction[of[k]];
    const std::optional<std::uint64_t> value = whole_number(values->values[k]);
    sum = sum && value ? std::optional(*sum + *value)
                       : std::nullopt;  // a part of the counters is not what all of them say
  }
}

void add_counts(Agreement& agreement, Counts& counts, const Outcome& interpreted, const GpuRun& plain,
                const std::string& outside, gpu::Session& session) {
  const trace::Launch& launch = interpreted.request.first().shape;
  Result<gpu::KernelAttributes> loaded = session.load(plain.sass.cubin, interpreted.first().mangled_kernel, launch);
  std::vector<std::string> names;
  for (const Compared& one : compared) names.push_back(one.counter);
  Diagnostics errors;
  if (!loaded)
    errors = loaded.take_errors();
  else if (Result<gpu::Counted> values = session.count(launch, plain.given, names); !values)
    errors = values.take_errors();
  else {
    agreement.counter_passes = values->passes;
    for (std::size_t i = 0; i < names.size(); ++i) counts.of_compared[i] = whole_number(values->values[i]);
    add_conflict_counts(counts, interpreted, plain, session);
    add_instruction_counts(counts, interpreted, plain, outside, session);
  }
  for (Diagnostic& error : after_the_interpreter(std::move(errors), interpreted))
    agreement.diagnostics.push_back(std::move(error));
}

void add_rows(Agreement& agreement, const Outcome& interpreted, const GpuRun& plain,
              const std::optional<trace::Trace>& recorded, const FromPtx& ptx, const Counts& counts) {
  const Circumstances known{.entries = entries_that_part(agreement.records),
                            .regrouped = accesses_regrouped(agreement.records),
                            .unrepeatable = why_unrepeatable(interpreted.first().trace, plain),
                            .lines_that_part = lines_that_part(agreement.records),
                            .changed = accesses_changed(agreement.records),
                            .outside = ptx.outside,
                            .recorded = recorded ? &*recorded : nullptr,
                            .records = agreement.records,
                            .instruction_lines = ptx.instruction_lines};
  for (std::size_t i = 0; i < std::size(compared); ++i) {
    const Compared& one = compared[i];
    AgreementRow row{.number = one.name, .nsight_name = one.counter};
    row.interpreted = one.value(interpreted.first().trace.totals.of(one.memory_class));
    if (recorded) row.recorded = one.value(recorded->totals.of(one.memory_class));
    row.counted = counts.of_compared[i];
    if (*row.interpreted == 0 && row.recorded.value_or(0) == 0 && row.counted.value_or(0) == 0) continue;
    Beside beside{.not_the_kernels = {},
                  .by_instruction = counts.by_instruction[i],
                  .counters = counters_by_instruction(one),
                  .copies = counts.copies,
                  .requests = requests_of(agreement.rows, row.number)};
    if (one.value == conflicts)
      beside.not_the_kernels =
          explain_conflicts(row.number, interpreted.first().trace.totals.of(one.memory_class).wavefronts,
                            one.memory_class == MemoryClass::shared_load ? counts.loads : counts.stores);
    judge(row, interpreted.first().trace, plain.sass, known, beside);
    agreement.rows.push_back(std::move(row));
  }
}

}  // namespace

Result<std::vector<Agreement>> verify(const Outcome& interpreted, gpu::Session& session, const VerifyOptions& options) {
  std::vector<Agreement> agreements;
  if (interpreted.request.launches.size() == 1) {
    Result<GpuRun> plain = run_on_gpu(interpreted, session, {.time = false});
    if (!plain) return after_the_interpreter(plain.take_errors(), interpreted);
    agreements.push_back(agree(interpreted, *plain, session, options));
    return agreements;
  }
  for (const std::size_t execution : telling_executions(interpreted)) {
    Result<LaunchReport> report = verify_launch(interpreted, execution, session, options);
    if (!report) return report.take_errors();
    agreements.push_back(std::move(report->witness.agreement));
  }
  return agreements;
}

Result<LaunchReport> verify_launch(const Outcome& whole, std::size_t execution, gpu::Session& session,
                                   VerifyOptions options, const std::function<void(const LaunchReport&)>& tell) {
  Result<OneLaunch> one = one_launch(whole, execution);
  if (!one) return one.take_errors();
  Result<GpuRun> run = run_launch_on_gpu(whole, *one, session, {.time = false}, [&] { return goes_on(options); });
  if (!run) return after_the_interpreter(run.take_errors(), whole);
  LaunchReport report{.one = std::move(*one), .run = std::move(*run), .witness = {}};
  if (tell)
    options.before_counting = [&](const Agreement& agreement, const std::optional<trace::Trace>& recorded) {
      report.witness.agreement = agreement;
      report.witness.recorded = recorded;
      tell(report);
      return goes_on(options);
    };
  report.witness.agreement = agree(report.one.outcome, report.run, session, options, &report.witness.recorded);
  return report;
}

Agreement agree(const Outcome& interpreted, const GpuRun& plain, gpu::Session& session, const VerifyOptions& options,
                std::optional<trace::Trace>* whole_recording) {
  Agreement agreement;
  agreement.kernel = interpreted.first().trace.kernel;
  agreement.variant = interpreted.request.variant;
  agreement.which = plain.which;
  agreement.device = plain.device;
  agreement.attributes = plain.attributes;
  agreement.same_result = plain.same_result;
  agreement.repeatable =
      plain.repeatable && plain.same_start && !plain.start_rounds && !rounds_by_order(interpreted.first().trace);
  agreement.diagnostics = plain.not_listed;

  std::optional<trace::Trace> recorded;
  add_recordings(agreement, recorded, interpreted, plain, session, options);
  if (options.after_recording) options.after_recording(recorded);
  const FromPtx ptx{functions_outside(interpreted.first().ptx), lines_of_instructions(interpreted.first().ptx)};
  Counts counted;
  bool counts = options.counters && goes_on(options);
  if (counts && options.before_counting) {
    add_rows(agreement, interpreted, plain, recorded, ptx, counted);
    counts = options.before_counting(agreement, recorded);
    agreement.rows.clear();
  }
  if (counts) add_counts(agreement, counted, interpreted, plain, ptx.outside, session);
  add_rows(agreement, interpreted, plain, recorded, ptx, counted);
  if (whole_recording) *whole_recording = std::move(recorded);
  return agreement;
}

std::vector<AgreementRow> agree_with_counters(const trace::Trace& interpreted,
                                              const std::map<std::string, double>& counters,
                                              const compile::Sass& sass) {
  std::vector<AgreementRow> rows;
  for (const Compared& one : compared) {
    const auto found = counters.find(one.counter);
    if (found == counters.end() || !std::isfinite(found->second)) continue;
    AgreementRow row{.number = one.name, .nsight_name = one.counter};
    row.interpreted = one.value(interpreted.totals.of(one.memory_class));
    row.counted = static_cast<std::uint64_t>(std::llround(found->second));
    if (*row.interpreted == 0 && *row.counted == 0) continue;
    judge(row, interpreted, sass, {},
          {.not_the_kernels = {},
           .by_instruction = {},
           .counters = {},
           .copies = {},
           .requests = requests_of(rows, row.number)});
    if (row.agreed == Agreed::unexplained && one.memory_class == MemoryClass::global_store)
      for (const trace::Site& site : interpreted.sites) {
        if (site.operation != trace::Operation::atomic || site.space == trace::MemorySpace::shared) continue;
        row.evidence = worded(
            "the order in which `{}` (line {}) takes effect depends on timing, and its result decides where "
            "this kernel stores",
            site.opcode, site.line);
        row.agreed = Agreed::explained;
        break;
      }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace lanescope::job
