#include "job/witness/verify.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/worded.h"
#include "job/witness/circumstances.h"
#include "job/witness/explain_account.h"
#include "job/witness/gpu_fault.h"
#include "job/witness/judge.h"
#include "job/witness/recordings.h"
#include "metrics/report.h"

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

bool goes_on(const VerifyOptions& options) {
  return !options.keep_going || options.keep_going();
}

// A number that all three witnesses can provide.
struct Compared {
  const char* name;
  MemoryClass memory_class;
  Quantity quantity;
  // Counters of the same quantity for the kernel's own instructions, if there are any; they are added. Only read if
  // witnesses differ.
  std::array<const char*, 2> by_instruction = {};

  std::string counter() const { return metrics::nsight_name(name); }
  constexpr Number number() const { return {memory_class, quantity}; }
};

using enum Quantity;

// Names are in metrics.def, which also has the counters. The counters per instruction here are Nsight Compute's for
// compute capability 7.5 and later.
constexpr Compared compared[] = {
    {"global_load.requests",
     MemoryClass::global_load,
     requests,
     {"smsp__sass_inst_executed_op_global_ld.sum", "smsp__sass_inst_executed_op_ldgsts.sum"}},
    {"global_load.sectors",
     MemoryClass::global_load,
     sectors,
     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ld.sum",
      "smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_ldgsts.sum"}},
    {"global_store.requests", MemoryClass::global_store, requests, {"smsp__sass_inst_executed_op_global_st.sum"}},
    {"global_store.sectors",
     MemoryClass::global_store,
     sectors,
     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_st.sum"}},
    {"global_atomic.requests", MemoryClass::global_atomic, requests, {"smsp__sass_inst_executed_op_global_atom.sum"}},
    {"global_atomic.sectors",
     MemoryClass::global_atomic,
     sectors,
     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_atom.sum"}},
    {"global_reduction.requests",
     MemoryClass::global_reduction,
     requests,
     {"smsp__sass_inst_executed_op_global_red.sum"}},
    {"global_reduction.sectors",
     MemoryClass::global_reduction,
     sectors,
     {"smsp__sass_l1tex_t_sectors_pipe_lsu_mem_global_op_red.sum"}},
    {"local_load.requests", MemoryClass::local_load, requests, {"smsp__sass_inst_executed_op_local_ld.sum"}},
    {"local_store.requests", MemoryClass::local_store, requests, {"smsp__sass_inst_executed_op_local_st.sum"}},
    {"shared_load.bank_conflicts", MemoryClass::shared_load, conflicts},
    {"shared_store.bank_conflicts", MemoryClass::shared_store, conflicts},
    {"shared_atomic.bank_conflicts", MemoryClass::shared_atomic, conflicts},
    {"distributed_load.requests", MemoryClass::distributed_load, requests},
    {"distributed_store.requests", MemoryClass::distributed_store, requests},
    {"distributed_atomic.requests", MemoryClass::distributed_atomic, requests},
};

// Only read if copies to shared memory (cp.async) may account for the missing store conflicts.
constexpr const char* copy_counter = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ldgsts.sum";

std::string counters_by_instruction(const Compared& one) {
  std::string names;
  for (const char* name : one.by_instruction)
    if (name) names += (names.empty() ? "" : " + ") + std::string(name);
  return names;
}

// The previous row.
struct RowBefore {
  Number number;
  Agreed agreed{};
};

// For a number of sectors: the agreement of its requests, which are judged before it.
std::optional<Agreed> requests_of(Number number, const std::optional<RowBefore>& before) {
  if (number.quantity != sectors || !before || before->number != Number{number.memory_class, requests})
    return std::nullopt;
  return before->agreed;
}

std::optional<std::uint64_t> whole_number(double value) {
  return std::isfinite(value) ? std::optional(static_cast<std::uint64_t>(std::llround(value))) : std::nullopt;
}

// Facts from the code alone, computed once for all numbers.
struct FromCode {
  FromCode(const Outcome& interpreted, const compile::Sass& listed)
      : sass(listed), ptx(facts_of_ptx(interpreted.first().ptx)) {}
  SassCode sass;
  PtxFacts ptx;
};

struct Counts {
  std::vector<std::optional<std::uint64_t>> of_compared =
      std::vector<std::optional<std::uint64_t>>(std::size(compared));
  std::vector<std::optional<std::uint64_t>> by_instruction =
      std::vector<std::optional<std::uint64_t>>(std::size(compared));
  ConflictCounts loads, stores, atomics;  // of accesses to shared memory
  std::optional<std::uint64_t> copies;    // wavefronts of copies to shared memory
  std::vector<CodeCount> of_code;         // indexed like SassCode::instructions; empty: not counted
  Wording vote_apart;                     // vote_of_lanes_apart(), if the result differs for no other reason
};

bool parts(const Counts& counts, std::size_t i, const trace::Trace& interpreted) {
  return counts.of_compared[i] && *counts.of_compared[i] != value_of(compared[i].number(), interpreted.totals);
}

// If a GPU lacks these counters, the differences stay unexplained.
void add_conflict_counts(Counts& counts, const Outcome& interpreted, const GpuRun& plain, const SassCode& sass,
                         gpu::Session& session) {
  bool any = false, stores_part = false;
  std::vector<std::string> names = {wavefront_counters[0], wavefront_counters[1], wavefront_counters[2],
                                    arbitration_counter};
  for (std::size_t i = 0; i < std::size(compared); ++i) {
    if (compared[i].quantity != conflicts) continue;
    names.push_back(compared[i].counter());  // of loads, stores, atomics
    if (!parts(counts, i, interpreted.first().trace)) continue;
    any = true;
    stores_part = stores_part || compared[i].memory_class == MemoryClass::shared_store;
  }
  if (!any) return;
  const std::size_t first_matrix = names.size();
  const bool matrices[] = {has_opcode(sass, "LDSM"), has_opcode(sass, "STSM")};
  for (const std::size_t which : {0, 1})
    if (matrices[which]) names.push_back(matrix_counters[which]);
  if (const auto counted = session.count(plain.given, names)) {
    const std::vector<double>& values = counted->values;
    std::size_t next = first_matrix;
    const auto wavefronts = [&](std::size_t which) {
      return whole_number(values[which] + (matrices[which] ? values[next++] : 0));
    };
    const std::optional<std::uint64_t> arbitration = whole_number(values[3]);
    counts.loads = {wavefronts(0), arbitration, whole_number(values[4]), matrices[0]};
    counts.stores = {wavefronts(1), arbitration, whole_number(values[5]), matrices[1]};
    counts.atomics = {whole_number(values[2]), arbitration, whole_number(values[6]), false};
  }
  if (!stores_part || !find_instruction(sass, SassAccess::Kind::async_copy)) return;
  if (const auto values = session.count(plain.given, {copy_counter})) counts.copies = whole_number(values->values[0]);
}

// Only for numbers with a reason in the machine code why more than its own instructions is counted. Does nothing on a
// GPU without these counters.
void add_instruction_counts(Counts& counts, const Outcome& interpreted, const GpuRun& plain, const FromCode& evidence,
                            gpu::Session& session) {
  std::vector<std::string> names;
  std::vector<std::size_t> of;  // index of the number that each counter belongs to
  for (std::size_t i = 0; i < std::size(compared); ++i) {
    if (!parts(counts, i, interpreted.first().trace) ||
        beyond_instructions(compared[i].number(), interpreted.first().trace, evidence.sass,
                            evidence.ptx.functions_outside)
            .empty())
      continue;
    for (const char* name : compared[i].by_instruction) {
      if (!name) continue;
      names.push_back(name);
      of.push_back(i);
    }
  }
  if (names.empty()) return;
  const auto values = session.count(plain.given, names);
  if (!values) return;
  for (const std::size_t i : of) counts.by_instruction[i] = 0;
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::optional<std::uint64_t>& sum = counts.by_instruction[of[k]];
    const std::optional<std::uint64_t> value = whole_number(values->values[k]);
    sum =
        sum && value ? std::optional(*sum + *value) : std::nullopt;  // without one of the counters the sum is not known
  }
}

// Indices into `compared`. Only GPUs with clusters have the counters of distributed shared memory.
std::vector<std::size_t> counted_for(const trace::Launch& launch) {
  std::vector<std::size_t> asked;
  for (std::size_t i = 0; i < std::size(compared); ++i)
    if (compared[i].memory_class < MemoryClass::distributed_load || launch.cluster.count() > 1) asked.push_back(i);
  return asked;
}

void add_counts(Agreement& agreement, Counts& counts, const Outcome& interpreted, const GpuRun& plain,
                const FromCode& evidence, gpu::Session& session) {
  Result<gpu::KernelAttributes> loaded = session.load(plain.sass.cubin, {plain.launch});
  const std::vector<std::size_t> asked = counted_for(interpreted.first().trace.launch);
  std::vector<std::string> names;
  for (const std::size_t i : asked) names.push_back(compared[i].counter());
  Diagnostics errors;
  if (!loaded)
    errors = loaded.take_errors();
  else if (Result<gpu::Counted> values = session.count(plain.given, names); !values)
    errors = values.take_errors();
  else {
    agreement.counter_passes = values->passes;
    for (std::size_t k = 0; k < names.size(); ++k) counts.of_compared[asked[k]] = whole_number(values->values[k]);
    add_conflict_counts(counts, interpreted, plain, evidence.sass, session);
    add_instruction_counts(counts, interpreted, plain, evidence, session);
  }
  for (Diagnostic& error : after_the_interpreter(std::move(errors), interpreted))
    agreement.diagnostics.push_back(std::move(error));
}

void add_rows(Agreement& agreement, const Outcome& interpreted, const GpuRun& plain,
              const std::optional<trace::Trace>& recorded, const FromCode& evidence, const Counts& counts) {
  Circumstances known = circumstances_of(agreement.records, interpreted.first().trace, plain);
  known.ptx = evidence.ptx;
  known.race = first_race(interpreted);
  known.recorded = recorded ? &*recorded : nullptr;
  known.vote_apart = counts.vote_apart;
  const bool same_work =
      !counts.vote_apart.empty() || (agreement.same_result && agreement.recording_kept_result) ||
      !agreement.repeatable ||
      (!agreement.same_result && !agreement.why_result_differs.empty() && agreement.recording_kept_result);
  if (same_work) known.code_counts = counts.of_code;
  const trace::Totals& totals = interpreted.first().trace.totals;
  std::optional<RowBefore> before;
  for (std::size_t i = 0; i < std::size(compared); ++i) {
    const Compared& one = compared[i];
    AgreementRow row{.number = one.name, .nsight_name = one.counter()};
    row.interpreted = value_of(one.number(), totals);
    if (recorded) row.recorded = value_of(one.number(), recorded->totals);
    row.counted = counts.of_compared[i];
    if (*row.interpreted == 0 && row.recorded.value_or(0) == 0 && row.counted.value_or(0) == 0) continue;
    Beside beside{.not_the_kernels = {},
                  .by_instruction = counts.by_instruction[i],
                  .counters = counters_by_instruction(one),
                  .copies = counts.copies,
                  .requests = requests_of(one.number(), before)};
    if (one.quantity == conflicts)
      beside.not_the_kernels =
          explain_conflicts(one.number(), {totals.of(one.memory_class).wavefronts, *row.interpreted},
                            one.memory_class == MemoryClass::shared_load    ? counts.loads
                            : one.memory_class == MemoryClass::shared_store ? counts.stores
                                                                            : counts.atomics);
    judge(row, one.number(), interpreted.first().trace, evidence.sass, known, beside);
    before = RowBefore{one.number(), row.agreed};
    agreement.rows.push_back(std::move(row));
  }
}

// Counts again as long as a number is unexplained and the counts differ: while another program uses the GPU, its work
// may be counted too.
void count_again(Agreement& agreement, Counts& counts, const Outcome& interpreted, const GpuRun& plain,
                 const std::optional<trace::Trace>& recorded, const FromCode& evidence, gpu::Session& session) {
  constexpr int most_counts = 4;
  for (int made = 1; made < most_counts && !agreement.holds(); ++made) {
    Counts again;
    add_counts(agreement, again, interpreted, plain, evidence, session);
    const auto [before, after] = std::ranges::mismatch(counts.of_compared, again.of_compared);
    if (before == counts.of_compared.end() || !*before || !*after) return;
    if (made == 1) {
      const std::string name = compared[before - counts.of_compared.begin()].name;
      agreement.diagnostics.push_back(
          {Severity::warning,
           "gpu.counts_differ",
           {},
           worded("Two counts of the same launch differ ({}: {} and {}). Another program may have used this GPU. The "
                  "last count is shown.",
                  name, **before, **after),
           "Close what else runs on this GPU, and run again."});
    }
    counts = std::move(again);
    agreement.rows.clear();
    add_rows(agreement, interpreted, plain, recorded, evidence, counts);
  }
}

void add_lines(Agreement& agreement, const Outcome& interpreted, const FromCode& evidence, const Counts& counts) {
  for (const Compared& one : compared) {
    if (std::ranges::find(agreement.rows, one.name, &AgreementRow::number) == agreement.rows.end()) continue;
    for (const LineCount& of : by_line(one.number(), interpreted.first().trace, evidence.sass, counts.of_code)) {
      if (of.interpreted == 0 && of.counted == std::uint64_t{0}) continue;
      AgreementLine& line = agreement.lines.emplace_back();
      line.number = one.name;
      line.line = of.line;
      if (of.in_ptx) line.interpreted = of.interpreted;
      line.counted = of.counted;
      if (!of.first) continue;
      line.instruction = of.first->text;
      line.address = of.first->address;
    }
  }
}

// Counts every machine instruction, in a process of its own.
void count_the_code(Agreement& agreement, Counts& counts, const Outcome& interpreted, const GpuRun& plain,
                    const std::optional<trace::Trace>& recorded, const FromCode& evidence, gpu::Session& session,
                    bool lines) {
  const bool held = agreement.holds();
  if (held && !lines) return;
  const Result<gpu::KernelAttributes> loaded = session.load(plain.sass.cubin, {plain.launch});
  Result<gpu::CountedInstructions> counted = loaded ? session.count_instructions(plain.given, metrics_of_code())
                                                    : Result<gpu::CountedInstructions>(loaded.errors());
  if (!counted) {
    for (Diagnostic& error : after_the_interpreter(counted.take_errors(), interpreted))
      if (lines) agreement.diagnostics.push_back(std::move(error));
    return;
  }
  if (counted->instructions.empty()) return;
  counts.of_code = code_counts(*counted, evidence.sass, plain.launch.kernel);
  if (!agreement.same_result && agreement.why_result_differs.empty())
    agreement.why_result_differs = counts.vote_apart =
        vote_of_lanes_apart(interpreted.first().trace, evidence.sass, counts.of_code);
  agreement.rows.clear();
  add_rows(agreement, interpreted, plain, recorded, evidence, counts);
  if (!held && agreement.holds())  // counts that differ are the kernel's own
    std::erase_if(agreement.diagnostics, [](const Diagnostic& one) { return one.code == "gpu.counts_differ"; });
  if (lines) add_lines(agreement, interpreted, evidence, counts);
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
  agreement.repeatable = plain.repeatable && plain.same_start && !plain.start_rounds &&
                         !rounds_by_order(interpreted.first().trace) && !interpreted.first().races.accuses();
  agreement.diagnostics = plain.not_listed;

  std::optional<trace::Trace> recorded;
  add_recordings(agreement, recorded, interpreted, plain, session, options.recording, [&] { return goes_on(options); });
  if (options.after_recording) options.after_recording(recorded);
  if (!agreement.same_result) agreement.why_result_differs = why_results_differ(interpreted, plain);
  const FromCode evidence(interpreted, plain.sass);
  Counts counted;
  bool counts = options.counters && goes_on(options);
  if (counts && options.before_counting) {
    add_rows(agreement, interpreted, plain, recorded, evidence, counted);
    counts = options.before_counting(agreement, recorded);
    agreement.rows.clear();
  }
  if (counts) add_counts(agreement, counted, interpreted, plain, evidence, session);
  add_rows(agreement, interpreted, plain, recorded, evidence, counted);
  if (counts) {
    count_again(agreement, counted, interpreted, plain, recorded, evidence, session);
    count_the_code(agreement, counted, interpreted, plain, recorded, evidence, session, options.lines);
  }
  if (whole_recording) *whole_recording = std::move(recorded);
  return agreement;
}

std::vector<AgreementRow> agree_with_counters(const trace::Trace& interpreted,
                                              const std::map<std::string, double>& counters,
                                              const compile::Sass& sass) {
  std::vector<AgreementRow> rows;
  const SassCode code = sass;
  std::optional<RowBefore> before;
  for (const Compared& one : compared) {
    const auto found = counters.find(one.counter());
    if (found == counters.end() || !std::isfinite(found->second)) continue;
    AgreementRow row{.number = one.name, .nsight_name = one.counter()};
    row.interpreted = value_of(one.number(), interpreted.totals);
    row.counted = static_cast<std::uint64_t>(std::llround(found->second));
    if (*row.interpreted == 0 && *row.counted == 0) continue;
    judge(row, one.number(), interpreted, code, {},
          {.not_the_kernels = {},
           .by_instruction = {},
           .counters = {},
           .copies = {},
           .requests = requests_of(one.number(), before)});
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
    before = RowBefore{one.number(), row.agreed};
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace lanescope::job
