#include "device/run_log.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <ranges>
#include <span>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "core/os/machine.h"
#include "core/os/message_codec.h"
#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::trace {

template <ConstOr<MemoryTotals> T>
auto columns(T& totals) {
  return std::tie(totals.requests, totals.executed_lanes, totals.bytes_requested, totals.sectors, totals.ideal_sectors,
                  totals.wavefronts, totals.ideal_wavefronts, totals.serial_depth);
}

}  // namespace lanescope::trace

namespace lanescope::metrics {

template <typename Visit, ConstOr<CostliestLine> T>
void fields(Visit& visit, T& line) {
  visit("file", line.file);
  visit("line", line.line);
  visit("in_wavefronts", line.in_wavefronts);
  visit("count", line.count);
  visit("of", line.of);
}

}  // namespace lanescope::metrics

namespace lanescope::device {

template <typename Visit, ConstOr<LaunchRow> T>
void fields(Visit& visit, T& row) {
  visit("kernel", row.kernel);
  visit("source_file", row.source_file);
  visit("grid", std::tie(row.launch.grid.x, row.launch.grid.y, row.launch.grid.z));
  visit("block", std::tie(row.launch.block.x, row.launch.block.y, row.launch.block.z));
  visit("dynamic_shared", row.launch.dynamic_shared_bytes);
  visit("static_shared", row.launch.static_shared_bytes);
  visit("cooperative", row.launch.cooperative);
  visit("cluster", std::tie(row.launch.cluster.x, row.launch.cluster.y, row.launch.cluster.z));
  visit("completed", row.completed);
  visit("refused", row.refused);
  visit("counted", row.counted);
  visit("instructions",
        std::tie(row.totals.warp_instructions, row.totals.lane_instructions, row.totals.branches,
                 row.totals.divergent_branches, row.totals.barriers, row.totals.shuffles, row.totals.votes));
  visit("costliest", row.costliest);
  visit("looked_for_races", row.looked_for_races);
  visit("races", row.races);
  visit("seconds", row.seconds);
}

// Launches like the one that `process` wrote as its row `number`.
struct RepeatedRow {
  std::int64_t process = 0;
  std::uint64_t number = 0;
  std::uint64_t times = 0, nanoseconds = 0;
};
template <typename Visit, ConstOr<RepeatedRow> T>
void fields(Visit& visit, T& row) {
  visit("process", row.process);
  visit("number", row.number);
  visit("times", row.times);
  visit("nanoseconds", row.nanoseconds);
}

template <typename Visit, ConstOr<CopyRow> T>
void fields(Visit& visit, T& row) {
  visit("direction", row.direction);
  visit("bytes", row.bytes);
  visit("count", row.count);
}

template <typename Visit, ConstOr<MissingCall> T>
void fields(Visit& visit, T& row) {
  visit("name", row.name);
  visit("calls", row.calls);
  visit("process", row.process);
}

template <typename Visit, ConstOr<RunningRow> T>
void fields(Visit& visit, T& row) {
  visit("kernel", row.kernel);
  visit("source_file", row.source_file);
  visit("line", row.line);
  visit("grid", std::tie(row.grid.x, row.grid.y, row.grid.z));
  visit("block", std::tie(row.block.x, row.block.y, row.block.z));
  visit("seconds", row.seconds);
  visit("blocks_done", row.blocks_done);
}

namespace {

constexpr std::size_t most_log_bytes = std::size_t{4} << 30;  // some millions of launches

// The totals of one memory class, by its number. Only classes with accesses have a row.

struct MemoryRow {
  std::size_t of = 0;
  trace::MemoryTotals totals;
};
template <typename Visit, ConstOr<MemoryRow> T>
void fields(Visit& visit, T& row) {
  visit("class", row.of);
  visit("totals", row.totals);
}

// Writes the same text as as_message(), but directly. Building the Message of a launch takes several times as long as a
// small launch.
class LineWriter {
 public:
  explicit LineWriter(std::string& to) : to_(to) {}

  template <typename T>
  void operator()(const char* key, const T& value) {
    begin(key);
    put(value);
  }
  template <typename T>
  void object(const T& value) {
    to_ += '{';
    fields(*this, value);
    to_ += '}';
  }
  void begin(const char* key) {
    if (to_.back() != '{') to_ += ',';
    to_.append(1, '"').append(key).append("\":");
  }

 private:
  template <typename T>
  void put(const T& value) {
    if constexpr (std::is_same_v<T, bool>)
      to_ += value ? "true" : "false";
    else if constexpr (std::is_arithmetic_v<T>)
      fmt::format_to(std::back_inserter(to_), "{}", value);
    else if constexpr (std::is_convertible_v<T, std::string>)
      put_text(value);
    else if constexpr (requires { columns(value); })
      put(columns(value));
    else
      object(value);
  }
  template <typename... T>
  void put(const std::tuple<T&...>& values) {
    to_ += '[';
    std::apply([&](const T&... each) { ((put(each), to_ += ','), ...); }, values);
    to_.back() = ']';
  }
  void put_text(const std::string& text) {
    const bool plain = std::ranges::all_of(text, [](char c) { return c >= ' ' && c < 127 && c != '"' && c != '\\'; });
    if (plain)
      to_.append(1, '"').append(text).append(1, '"');
    else
      to_ += Message(text).dump(-1, ' ', false, Message::error_handler_t::replace);
  }

  std::string& to_;
};

std::string line_of(const LaunchRow& row, std::int64_t process, std::uint64_t number) {
  std::string line = "{\"launch\":{";
  line.reserve(1024);
  LineWriter writer(line);
  fields(writer, row);
  writer("process", process);
  writer("number", number);
  writer.begin("memory");
  line += '[';
  for (std::size_t i = 0; i < row.totals.memory.size(); ++i) {
    if (row.totals.memory[i].requests == 0) continue;
    if (line.back() != '[') line += ',';
    writer.object(MemoryRow{i, row.totals.memory[i]});
  }
  line += ']';
  writer.begin("diagnostics");
  Message said = Message::array();
  for (const Diagnostic& one : row.diagnostics) said.push_back(as_message(one));
  return line + said.dump(-1, ' ', false, Message::error_handler_t::replace) + "}}\n";
}

constexpr std::string_view before_times = R"({"again":{"times":)", before_nanoseconds = R"(,"nanoseconds":)";
constexpr std::size_t count_width = 20;  // of the longest number

// Both counts have room to grow, filled with spaces, so that write_counts() can write longer ones over them.
std::string line_of(const RepeatedRow& row) {
  return fmt::format("{}{:<{}}{}{:<{}},\"process\":{},\"number\":{}}}}}\n", before_times, row.times, count_width,
                     before_nanoseconds, row.nanoseconds, count_width, row.process, row.number);
}

void write_counts(std::span<char> line, std::uint64_t times, std::uint64_t nanoseconds) {
  char* at = line.data() + before_times.size();
  std::to_chars(at, at + count_width, times);
  at += count_width + before_nanoseconds.size();
  std::to_chars(at, at + count_width, nanoseconds);
}

// In everything that a repeated row does not say. Launches with diagnostics are told one by one, in their order.
bool is_alike(const LaunchRow& one, const LaunchRow& other) {
  const auto parts = [](const LaunchRow& of) {
    return std::tie(of.kernel, of.source_file, of.launch, of.completed, of.refused, of.counted, of.looked_for_races,
                    of.races, of.times, of.totals, of.costliest);
  };
  return parts(one) == parts(other) && one.diagnostics.empty() && other.diagnostics.empty();
}

LaunchRow launch_row_from(const Message& message) {
  LaunchRow row = from_message<LaunchRow>(message);
  for (const Message& one : message.at("memory")) {
    const MemoryRow read = from_message<MemoryRow>(one);
    row.totals.memory.at(read.of) = read.totals;
  }
  for (const Message& one : message.at("diagnostics")) row.diagnostics.push_back(from_message<Diagnostic>(one));
  return row;
}

std::string line_of(const char* kind, Message message) {
  return Message{{kind, std::move(message)}}.dump(-1, ' ', false, Message::error_handler_t::replace) + "\n";
}

class LogReader {
 public:
  void read(std::string_view line) {
    try {
      const Message message = Message::parse(line);
      if (message.contains("launch"))
        read_launch(message["launch"]);
      else if (message.contains("again"))
        repeat(from_message<RepeatedRow>(message["again"]));
      else if (message.contains("copy"))
        rows_.emplace_back(from_message<CopyRow>(message["copy"]));
      else if (message.contains("missing"))
        rows_.emplace_back(from_message<MissingCall>(message["missing"]));
      else if (message.contains("said"))
        read_said(message["said"]);
      else if (message.contains("fetched"))
        lower_errors_of(message["fetched"].get<std::int64_t>());
    } catch (const Message::exception&) {
    } catch (const std::out_of_range&) {
    }
  }
  std::vector<LogRow> take() { return std::move(rows_); }

 private:
  void read_launch(const Message& message) {
    rows_.emplace_back(launch_row_from(message));
    const auto process = message.value("process", std::int64_t{0});
    launches_[{process, message.value("number", std::uint64_t{0})}] = rows_.size() - 1;
    if (!std::get<LaunchRow>(rows_.back()).refused.empty()) returned_[process].push_back(rows_.size() - 1);
  }
  void read_said(const Message& message) {
    rows_.emplace_back(from_message<Diagnostic>(message));
    returned_[message.value("process", std::int64_t{0})].push_back(rows_.size() - 1);
  }
  void lower_errors_of(std::int64_t process) {
    const auto lower = [](Diagnostic& one) { one.severity = std::min(one.severity, Severity::warning); };
    for (const std::size_t at : returned_[process])
      if (auto* launch = std::get_if<LaunchRow>(&rows_[at]))
        std::ranges::for_each(launch->diagnostics, lower);
      else
        lower(std::get<Diagnostic>(rows_[at]));
    returned_[process].clear();
  }
  void repeat(const RepeatedRow& again) {
    LaunchRow& row = std::get<LaunchRow>(rows_.at(launches_.at({again.process, again.number})));
    row.times += again.times;
    row.seconds += static_cast<double>(again.nanoseconds) / 1e9;
  }

  std::vector<LogRow> rows_;
  std::map<std::pair<std::int64_t, std::uint64_t>, std::size_t> launches_;  // by process and number: where in `rows_`
  // By process: where in `rows_` the errors are that calls returned and the program has not fetched.
  std::map<std::int64_t, std::vector<std::size_t>> returned_;
};

}  // namespace

LaunchRow row_of(const trace::Trace& trace) {
  LaunchRow row;
  row.kernel = trace.kernel;
  row.launch = trace.launch;
  row.counted = true;
  row.totals = trace.totals;
  row.totals.sites.clear();
  row.costliest = metrics::costliest_line(trace);
  return row;
}

RunLog::RunLog(const std::string& path) {
  if (!path.empty()) file_.open(path, Readers::this_user);
}

bool RunLog::write(const std::string& line) {
  return is_open() && file_.append(line.data(), line.size()) == 0;
}

void RunLog::add(const LaunchRow& row) {
  if (!is_open()) return;
  const std::scoped_lock guard(mutex_);
  const auto known = std::ranges::find_if(written_, [&](const Written& one) { return is_alike(one.row, row); });
  if (known != written_.end()) {
    repeat(*known, row.seconds);
    if (known != written_.begin()) std::rotate(written_.begin(), known, known + 1);
    return;
  }
  const std::int64_t process = own_process();  // a child that was forked continues with its parent's numbers
  const std::uint64_t number = next_number_++;
  if (!write(line_of(row, process, number))) return;
  if (written_.size() == most_written) written_.pop_back();
  written_.insert(written_.begin(), Written{row, process, number, {}});
}

// A child that was forked counts in a line of its own.
void RunLog::repeat(Written& known, double seconds) {
  const std::int64_t process = own_process();
  if (known.counter.bytes().empty() || known.counted_by != process) {
    known.counter = {};
    known.counted_by = process;
    known.times = known.nanoseconds = 0;
  }
  known.times += 1;
  known.nanoseconds += static_cast<std::uint64_t>(std::llround(seconds * 1e9));
  if (!known.counter.bytes().empty()) {
    write_counts(known.counter.bytes(), known.times, known.nanoseconds);
    return;
  }
  const std::string line = line_of(RepeatedRow{known.process, known.number, known.times, known.nanoseconds});
  if (!write(line)) return;
  known.counter = file_.map_last(line.size());
  if (!std::ranges::equal(known.counter.bytes(), line)) known.counter = {};
}
void RunLog::add(const CopyRow& row) {
  if (is_open()) write(line_of("copy", as_message(row)));
}
void RunLog::add(const MissingCall& row) {
  if (!is_open()) return;
  MissingCall own = row;
  own.process = own_process();
  write(line_of("missing", as_message(own)));
}
void RunLog::add(const Diagnostic& diagnostic) {
  if (!is_open()) return;
  Message message = as_message(diagnostic);
  message["process"] = own_process();
  write(line_of("said", std::move(message)));
}
void RunLog::add_fetched() {
  if (is_open()) write(line_of("fetched", own_process()));
}
void RunLog::add(const RunningRow& row) {
  if (is_open()) write(line_of("running", as_message(row)));
}

std::optional<RunningRow> RunningLaunches::latest() {
  constexpr std::string_view key = "{\"running\":";
  std::ifstream file(path_, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(read_));
  std::optional<RunningRow> found;
  for (std::string line; std::getline(file, line) && !file.eof();) {
    read_ += line.size() + 1;
    if (!line.starts_with(key)) continue;
    try {
      found = from_message<RunningRow>(Message::parse(line).at("running"));
    } catch (const Message::exception&) {
    }
  }
  return found;
}

Result<std::vector<LogRow>> read_run_log(const std::string& path) {
  std::string text;
  if (const int failed = read_file(path, text, most_log_bytes); failed != 0) return unreadable(path, failed);
  LogReader reader;
  for (const std::string_view line : split(text, '\n')) reader.read(line);
  return reader.take();
}

}  // namespace lanescope::device
