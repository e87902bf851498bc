#include "bench/engine_bench.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <thread>

#include <fmt/format.h>

#include "compile/compiler.h"
#include "core/os/cores.h"
#include "core/os/read_file.h"
#include "metrics/recompute.h"
#include "metrics/statistics.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::bench {

namespace {

constexpr int most_runs_apart = 10;

int fewest_runs(const Options& options) {
  return options.seconds > 0 ? 3 : 1;
}

// ---- the kernels ------------------------------------------------------------------------------------

template <typename T>
sim::Argument buffer(sim::ElementType type, const std::vector<T>& values) {
  sim::Argument made;
  made.type = type;
  made.is_buffer = true;
  made.contents.resize(values.size() * sizeof(T));
  std::memcpy(made.contents.data(), values.data(), made.contents.size());
  return made;
}

template <typename T>
sim::Argument scalar(sim::ElementType type, T value) {
  sim::Argument made;
  made.type = type;
  std::memcpy(&made.scalar_bits, &value, sizeof value);
  return made;
}

template <typename T>
std::vector<T> values(std::size_t count, const std::function<T(std::size_t)>& of) {
  std::vector<T> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = of(i);
  return made;
}

std::uint32_t blocks(std::size_t usual, std::size_t times) {
  return static_cast<std::uint32_t>(usual * times);
}

struct Work {
  trace::Launch launch;
  std::vector<sim::Argument> arguments;
  std::size_t output = 0;           // index of the argument that holds the result
  std::vector<std::byte> expected;  // the expected bytes, by the host's own arithmetic
};

// Each work is `times` times as large as usual, in blocks of the usual size.
Work copy2(std::size_t times) {
  const std::size_t n = 1048576 * times;
  const auto in = values<double>(n, [](std::size_t i) { return static_cast<double>(i); });
  Work work{{{blocks(2048, times)}, {256}},
            {buffer(sim::ElementType::f64, in), buffer(sim::ElementType::f64, std::vector<double>(n, -1))},
            1,
            {}};
  work.expected = work.arguments[0].contents;
  return work;
}

Work reduce0(std::size_t times) {
  const std::size_t n = 1048576 * times;
  const auto in = values<float>(n, [](std::size_t i) { return static_cast<float>(i % 16); });
  const std::vector<float> sums(n / 256, 16 * 120);  // small integers: exact in any order
  Work work{{{blocks(4096, times)}, {256}},
            {buffer(sim::ElementType::f32, in), buffer(sim::ElementType::f32, std::vector<float>(n / 256, -1))},
            1,
            {}};
  work.expected = buffer(sim::ElementType::f32, sums).contents;
  return work;
}

Work saxpy(std::size_t times) {
  const std::size_t n = 4194304 * times;
  const auto x = values<float>(n, [](std::size_t i) { return static_cast<float>(i % 1024); });
  const auto result = values<float>(n, [](std::size_t i) { return 2 * static_cast<float>(i % 1024) + 1; });
  Work work{{{blocks(16384, times)}, {256}},
            {buffer(sim::ElementType::f32, x), buffer(sim::ElementType::f32, std::vector<float>(n, 1)),
             scalar(sim::ElementType::f32, 2.0f), scalar(sim::ElementType::i32, static_cast<std::int32_t>(n))},
            1,
            {}};
  work.expected = buffer(sim::ElementType::f32, result).contents;
  return work;
}

Work matmul(std::size_t times) {
  constexpr std::size_t n = 128;
  const std::size_t rows = n * times;  // of a and c
  const auto a = values<float>(rows * n, [](std::size_t i) { return static_cast<float>(i % 7); });
  const auto b = values<float>(n * n, [](std::size_t i) { return static_cast<float>(i % 5); });
  std::vector<float> c(rows * n, 0);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t column = 0; column < n; ++column) c[row * n + column] += a[row * n + k] * b[k * n + column];
  Work work{{{8, blocks(8, times)}, {16, 16}},
            {buffer(sim::ElementType::f32, a), buffer(sim::ElementType::f32, b),
             buffer(sim::ElementType::f32, std::vector<float>(rows * n, -1)),
             scalar(sim::ElementType::i32, static_cast<std::int32_t>(n))},
            2,
            {}};
  work.expected = buffer(sim::ElementType::f32, c).contents;
  return work;
}

struct Row {
  const char* name;
  Work (*work)(std::size_t times);
};
constexpr Row rows[] = {{"copy2", copy2}, {"reduce0", reduce0}, {"saxpy", saxpy}, {"matmul", matmul}};

// ---- preparing --------------------------------------------------------------------------------------

struct Compiled {
  std::string ptx;
  std::string mangled;
};

Result<Compiled> compile_kernel(const std::string& folder, const std::string& name) {
  compile::Source source{folder + "/kernels/" + name + ".cu", "", {}};
  if (read_file(source.name, source.text) != 0)
    return Diagnostic{Severity::error,
                      "io.cannot_read",
                      {source.name},
                      "The kernel cannot be read.",
                      "Set LANESCOPE_ROOT to the folder that holds bench/."};
  Result<compile::Ptx> ptx = compile::compile(source, {.name_expressions = {name}});
  if (!ptx) return ptx.take_errors();
  return Compiled{std::move(ptx->text), ptx->mangled[name]};
}

Result<std::shared_ptr<const sim::Program>> prepare_kernel(const std::string& folder, const std::string& name) {
  Result<Compiled> compiled = compile_kernel(folder, name);
  if (!compiled) return compiled.take_errors();
  const Result<ptx::Module> module = ptx::parse(compiled->ptx, name + ".ptx");
  if (!module) return module.errors();
  return sim::prepare(*module, compiled->mangled);
}

// ---- measuring --------------------------------------------------------------------------------------

Diagnostic wrong(const std::string& kernel, int threads, std::string what) {
  return {Severity::error,
          "bench.wrong_result",
          {},
          fmt::format("`{}` on {} thread(s): {}", kernel, threads, what),
          "This is a fault of the program: please report it."};
}

sim::LaunchRequest request_of(const Work& work, int threads, bool traced) {
  sim::LaunchRequest request;
  request.launch = work.launch;
  request.arguments = work.arguments;
  request.record.totals = request.record.events = traced;
  request.record.event_budget_bytes = 4ull << 30;
  request.threads = threads;
  // As with a lesson's buffers: `work` outlives every request.
  request.make_again = [&work](std::size_t argument, std::span<std::byte> contents) {
    std::ranges::copy(work.arguments[argument].contents, contents.begin());
    return Diagnostics{};
  };
  return request;
}

Diagnostics check(const sim::LaunchResult& result, const std::string& kernel, const Work& work, int threads) {
  if (!result.completed) return result.diagnostics;
  if (result.arguments[work.output].contents != work.expected) return {wrong(kernel, threads, "its result is wrong.")};
  if (result.trace.events_dropped != 0) return {wrong(kernel, threads, "not every event was recorded.")};
  return {};
}

Result<sim::LaunchResult> run_once(const sim::Program& program, const std::string& kernel, const Work& work,
                                   int threads, bool traced) {
  sim::LaunchResult result = sim::run(program, request_of(work, threads, traced));
  if (Diagnostics problems = check(result, kernel, work, threads); !problems.empty()) return problems;
  return result;
}

double median(const std::vector<double>& values) {
  return metrics::median_interval(values).median;
}

std::vector<int> thread_counts(const Options& options) {
  if (!options.threads.empty()) return options.threads;
  const int cores = usable_cores();
  std::vector<int> counts{1};
  if (cores >= 2) counts.push_back(2);
  if (cores > 2) counts.push_back(cores);
  return counts;
}

// Runs `threads` single-threaded runs at the same time; returns the lane-instructions per second of all together.
Result<double> speed_apart(const sim::Program& program, const std::string& kernel, const Work& work, int threads,
                           bool traced) {
  std::vector<sim::LaunchResult> results(static_cast<std::size_t>(threads));
  std::atomic<int> not_ready = threads;  // std::barrier's waits under mingw-w64 and wine may never end
  std::vector<std::thread> running;
  for (sim::LaunchResult& result : results)
    running.emplace_back([&] {
      sim::LaunchRequest request = request_of(work, 1, traced);
      --not_ready;
      while (not_ready != 0) std::this_thread::yield();
      result = sim::run(program, std::move(request));
    });
  for (std::thread& thread : running) thread.join();
  double speed = 0;
  for (const sim::LaunchResult& result : results) {
    if (Diagnostics problems = check(result, kernel, work, 1); !problems.empty()) return problems;
    speed += static_cast<double>(result.lane_instructions) / result.seconds;
  }
  return speed;
}

// The measurements of one kernel with one number of threads, untraced or traced.
class Measurement {
 public:
  Measurement(const Row& row, const Work& work, const sim::Program& program, int threads, bool traced)
      : row_(row), work_(work), program_(program), threads_(threads), traced_(traced) {}

  // Runs it once; `keep`: the result counts.
  Diagnostics run(bool keep) {
    const Result<sim::LaunchResult> ran = run_once(program_, row_.name, work_, threads_, traced_);
    if (!ran) return ran.errors();
    lane_instructions = ran->lane_instructions;
    events = ran->trace.events.size();
    if (keep) speeds_.push_back(static_cast<double>(lane_instructions) / ran->seconds);
    return {};
  }
  // The same number of runs apart. They come last, because threads that have just ended can make a short run that
  // follows start on a single core.
  Diagnostics run_apart(bool keep) {
    if (threads_ == 1) return {};
    const Result<double> apart = speed_apart(program_, row_.name, work_, threads_, traced_);
    if (!apart) return apart.errors();
    if (keep) speeds_apart_.push_back(*apart);
    return {};
  }

  int runs() const { return static_cast<int>(speeds_.size()); }
  double per_second() const { return median(speeds_); }
  double apart_per_second() const { return speeds_apart_.empty() ? 0 : median(speeds_apart_); }
  std::uint64_t lane_instructions = 0;
  std::uint64_t events = 0;

 private:
  const Row& row_;
  const Work& work_;
  const sim::Program& program_;
  int threads_;
  bool traced_;
  std::vector<double> speeds_, speeds_apart_;  // lane-instructions per second
};

Result<std::vector<EngineSpeed>> measure_kernel(const Row& row, const Options& options) {
  const auto program = prepare_kernel(options.folder, row.name);
  if (!program) return program.errors();
  const Work work = row.work(static_cast<std::size_t>(options.times));
  const std::vector<int> counts = thread_counts(options);
  std::vector<Measurement> untraced, traced;
  for (const int count : counts) {
    untraced.emplace_back(row, work, **program, count, false);
    traced.emplace_back(row, work, **program, count, true);
  }
  const auto is_done = [&](int round, double spent) {
    return round >= fewest_runs(options) && spent >= options.seconds * 2 * static_cast<double>(counts.size());
  };
  double spent = 0;
  // The first round only warms up.
  for (int round = -1; !is_done(round, spent); ++round) {
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      for (Measurement* one : {&untraced[i], &traced[i]}) {
        if (Diagnostics problems = one->run(round >= 0); !problems.empty()) return problems;
        if (one->lane_instructions != untraced[0].lane_instructions)
          return wrong(row.name, counts[i], "it ran another number of instructions.");
      }
      spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    }
  }
  for (int round = -1; round < std::min(untraced[0].runs(), most_runs_apart); ++round)
    for (auto* all : {&untraced, &traced})
      for (Measurement& one : *all)
        if (Diagnostics problems = one.run_apart(round >= 0); !problems.empty()) return problems;
  std::vector<EngineSpeed> speeds;
  for (std::size_t i = 0; i < counts.size(); ++i)
    speeds.push_back({row.name, counts[i], untraced[i].lane_instructions, untraced[i].per_second(),
                      traced[i].per_second(), traced[i].events, traced[i].runs(), untraced[i].apart_per_second(),
                      traced[i].apart_per_second()});
  return speeds;
}

// Seconds per call of `stage`: the median of as many calls as fit the time.
double time_stage(const Options& options, const std::function<void()>& stage) {
  std::vector<double> seconds;
  double spent = 0;
  stage();
  while (static_cast<int>(seconds.size()) < fewest_runs(options) || spent < options.seconds) {
    const auto begin = std::chrono::steady_clock::now();
    stage();
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    spent += seconds.back();
  }
  return median(seconds);
}

}  // namespace

const std::vector<std::string>& kernel_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> made;
    for (const Row& row : rows) made.emplace_back(row.name);
    return made;
  }();
  return names;
}

Result<std::vector<EngineSpeed>> measure_engine(const Options& options) {
  std::vector<EngineSpeed> speeds;
  for (const Row& row : rows) {
    const std::vector<std::string>& wanted = options.kernels;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), row.name) == wanted.end()) continue;
    Result<std::vector<EngineSpeed>> measured = measure_kernel(row, options);
    if (!measured) return measured.take_errors();
    speeds.insert(speeds.end(), measured->begin(), measured->end());
  }
  return speeds;
}

Result<std::vector<StageSpeed>> measure_stages(const Options& options) {
  const Result<Compiled> text = compile_kernel(options.folder, "grid_sum");
  if (!text) return text.errors();
  const double parse_seconds = time_stage(options, [&] { (void)ptx::parse(text->ptx, "grid_sum.ptx"); });
  const auto program = prepare_kernel(options.folder, "matmul");
  if (!program) return program.errors();
  const Result<sim::LaunchResult> traced = run_once(**program, "matmul", matmul(1), 1, true);
  if (!traced) return traced.errors();
  const double metrics_seconds = time_stage(options, [&] { (void)metrics::recompute_totals(traced->trace); });
  return std::vector<StageSpeed>{
      {"parse", fmt::format("{:.0f} kB of PTX with cooperative groups", static_cast<double>(text->ptx.size()) / 1e3),
       "MB/s", static_cast<double>(text->ptx.size()) / 1e6 / parse_seconds},
      {"metrics", "totals from the events of matmul", "events/s",
       static_cast<double>(traced->trace.events.size()) / metrics_seconds}};
}

}  // namespace lanescope::bench
