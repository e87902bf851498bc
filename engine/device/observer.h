#pragma once
// Receives what the program asks of the device.

#include <cstdint>
#include <string>

#include "core/diagnostic.h"
#include "device/run_log.h"
#include "sim/launch.h"

namespace lanescope::device {

struct Kernel;  // device/module.h

struct LaunchReport {
  std::string kernel;       // as the source writes it
  std::string source_file;  // may be empty
  trace::Launch launch;
  bool ran = false;  // completed or ended with a fault; false if it could not start
  const sim::LaunchResult* result = nullptr;
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Called before each launch: whether the launch is to be counted.
  virtual bool counts(const std::string& kernel) = 0;
  // A counted launch that is about to run, with all its inputs as it will find them.
  virtual void launching(Kernel&, const sim::LaunchRequest&) {}
  virtual void launched(const LaunchReport& report) = 0;
  // A launch that does not start, and why.
  virtual void refused(const LaunchReport&, const Diagnostics& why) {
    for (const Diagnostic& one : why) said(one);
  }
  // The program has asked for its last error and got one that is not sticky: it knows what was refused so far.
  virtual void error_fetched() {}
  virtual void copied(CopyDirection direction, std::uint64_t bytes) = 0;
  // A call of a function without implementation; `calls` so far.
  virtual void missing(const std::string& name, std::uint64_t calls) = 0;
  virtual void said(const Diagnostic& diagnostic) = 0;
  // A launch that takes long. Called from another thread, while the launch runs.
  virtual void running(const RunningRow&) {}
  // Around a fork: nothing is written between the two, so that parent and child can both write after it.
  virtual void forking() {}
  virtual void forked() {}
};

}  // namespace lanescope::device
