#pragma once
// Writes what a program does on the device to the run log, and if requested one line per launch to standard error.
// Without a log, the program's errors go to standard error immediately, each only once.

#include <map>
#include <regex>
#include <set>
#include <string>

#include "device/exec_options.h"
#include "device/observer.h"
#include "device/saved_run.h"

namespace lanescope::device {

class LogObserver : public Observer {
 public:
  explicit LogObserver(ExecOptions options);

  bool counts(const std::string& kernel) override;
  void launching(Kernel& kernel, const sim::LaunchRequest& request) override;
  void launched(const LaunchReport& report) override;
  void refused(const LaunchReport& report, const Diagnostics& why) override;
  void error_fetched() override;
  void copied(CopyDirection direction, std::uint64_t bytes) override;
  void missing(const std::string& name, std::uint64_t calls) override;
  void said(const Diagnostic& diagnostic) override;
  void forking() override { log_.hold(); }
  void forked() override { log_.let_go(); }
  void running(const RunningRow& row) override { log_.add(row); }

 private:
  bool is_wanted(const std::string& kernel);
  void tell_once(const Diagnostic& diagnostic);

  ExecOptions options_;
  RunLog log_;
  SavedRunWriter saved_;
  std::regex kernels_;
  std::set<std::string> saved_shapes_;  // shape_key() of saved launches
  std::map<std::string, bool> wanted_;
  std::set<std::string> told_;
  std::uint64_t launches_ = 0;  // started so far
  bool counted_ = false;        // for the current launch
  bool has_errors_ = false;     // that calls returned since the program last fetched one
};

}  // namespace lanescope::device
