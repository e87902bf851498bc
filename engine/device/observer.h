#pragma once
// Who hears what the program asked of the device.

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
  bool ran = false;  // to its end or to a fault; else it could not begin
  const sim::LaunchResult* result = nullptr;
};

class Observer {
 public:
  virtual ~Observer() = default;
  // Asked before each launch: whether what it does is counted.
  virtual bool counts(const std::string& kernel) = 0;
  // A launch that is counted and about to run, whole: what it works on is as it will find it.
  virtual void launching(Kernel&, const sim::LaunchRequest&) {}
  virtual void launched(const LaunchReport& report) = 0;
  virtual void copied(CopyDirection direction, std::uint64_t bytes) = 0;
  // A call that the device does not have; `calls` so far.
  virtual void missing(const std::string& name, std::uint64_t calls) = 0;
  virtual void said(const Diagnostic& diagnostic) = 0;
};

}  // namespace lanescope::device
