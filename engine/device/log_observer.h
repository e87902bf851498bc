#pragma once
// Hears what a program does on the device and writes it into the run log; a line for each launch when asked. Without a
// log, what the program did wrong goes to standard error at once, each thing said once.

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
  void copied(CopyDirection direction, std::uint64_t bytes) override;
  void missing(const std::string& name, std::uint64_t calls) override;
  void said(const Diagnostic& diagnostic) override;

 private:
  bool is_wanted(const std::string& kernel);
  void tell_once(const Diagnostic& diagnostic);

  ExecOptions options_;
  RunLog log_;
  SavedRunWriter saved_;
  std::regex kernels_;
  std::set<std::string> saved_shapes_;  // shape_key() of what was saved
  std::map<std::string, bool> wanted_;
  std::set<std::string> told_;
  std::uint64_t launches_ = 0;  // begun
  bool counted_ = false;        // the launch that is under way
};

}  // namespace lanescope::device
