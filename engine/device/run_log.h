#pragma once
// What a program did on the device, as the libraries in its process report it to `lanescope exec`: a file of JSON
// objects, one per line, each appended by one write(2). So the file of a killed program has everything up to that
// point, and rows of child processes are in the same file.

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/diagnostic.h"
#include "core/result.h"
#include "device/appended_file.h"
#include "metrics/costliest_line.h"
#include "trace/trace.h"

namespace lanescope::device {

struct LaunchRow {
  std::string kernel;  // as the source writes it
  std::string source_file;
  trace::Launch launch;
  bool completed = false;
  std::string refused;   // the launch did not start: the code of the reason, which `diagnostics` has
  bool counted = false;  // the launch was selected by --kernels and --launches; totals and costliest are set
  trace::Totals totals;  // without those of sites
  metrics::CostliestLine costliest;
  bool looked_for_races = false;  // at all of its accesses
  std::uint64_t races = 0;
  double seconds = 0;  // time of the interpreter: never a kernel's time
  Diagnostics diagnostics;
  std::uint64_t times = 1;  // launches that are alike in everything above but `seconds`, which is their sum
};
// Kernel, launch, totals and costliest line of a trace.
LaunchRow row_of(const trace::Trace& trace);

enum class CopyDirection : std::uint8_t { host_to_device, device_to_host, device_to_device, host_to_host };
struct CopyRow {
  CopyDirection direction{};
  std::uint64_t bytes = 0;
  std::uint64_t count = 1;
  friend bool operator==(const CopyRow&, const CopyRow&) = default;
};

// A call of a function without implementation. If a process has several rows with the same name, the last one is valid.
struct MissingCall {
  std::string name;
  std::uint64_t calls = 1;
  std::int64_t process = 0;  // set by RunLog
  friend bool operator==(const MissingCall&, const MissingCall&) = default;
};

// A launch that has not ended yet. read_run_log() leaves these rows out.
struct RunningRow {
  std::string kernel;  // as the source writes it
  std::string source_file;
  int line = 0;  // of the kernel; 0: not known
  Dim3 grid, block;
  double seconds = 0;
  std::uint64_t blocks_done = 0;
};

// Thread-safe: each row is one write. Rows that cannot be written are lost, because a full disk must not stop a
// program. Launches like an earlier one are a short line that refers to it and counts them. The count changes in the
// file itself, which is mapped: of small launches, a write each takes a fifth of the time.
class RunLog {
 public:
  // Appends to the file, which is created if necessary. Empty path: writes nothing.
  explicit RunLog(const std::string& path);

  bool is_open() const { return file_.is_open(); }
  void add(const LaunchRow& row);
  void add(const CopyRow& row);
  void add(const MissingCall& row);
  void add(const Diagnostic& diagnostic);
  // The program has fetched its last error, so it knows of the errors so far.
  void add_fetched();
  void add(const RunningRow& row);
  // Between the two no other thread writes.
  void hold() { file_.hold(); }
  void let_go() { file_.let_go(); }

 private:
  struct Written {
    LaunchRow row;
    std::int64_t process = 0;
    std::uint64_t number = 0;
    // The line that counts this process's repetitions, as far as it is mapped.
    pages::MappedPart counter;
    std::int64_t counted_by = 0;
    std::uint64_t times = 0, nanoseconds = 0;
  };
  static constexpr std::size_t most_written = 16;

  // Returns false if the row cannot be written.
  bool write(const std::string& line);
  void repeat(Written& known, double seconds);

  AppendedFile file_;
  std::mutex mutex_;              // for the rest
  std::vector<Written> written_;  // the rows that were written or repeated last, the latest first
  std::uint64_t next_number_ = 0;
};

using LogRow = std::variant<LaunchRow, CopyRow, MissingCall, Diagnostic>;
// In the order in which they were written; launches that refer to an earlier one are added to its row. An error that a
// call returned and the same process then fetched (add_fetched) is a warning. Truncated and unknown lines are left out.
// Code: io.cannot_read.
Result<std::vector<LogRow>> read_run_log(const std::string& path);

// Follows a log that a program is writing.
class RunningLaunches {
 public:
  explicit RunningLaunches(std::string path) : path_(std::move(path)) {}
  // The latest row about a launch that has not ended, of those since the last call.
  std::optional<RunningRow> latest();

 private:
  std::string path_;
  std::uint64_t read_ = 0;  // bytes, up to the end of a line
};

}  // namespace lanescope::device
