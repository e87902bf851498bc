#pragma once
// The versions of a program that ran one after the other while the window was open: the one that ran last and the one
// before it, which a comparison shows beside each other.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/diagnostic.h"
#include "gui/programs/open_run.h"

namespace lanescope::gui {

// Of the program that ran last. A version has its own code, arguments and launches.
class ProgramVersions {
 public:
  struct Version {
    int number = 1;                      // from 1, in the order of their first runs
    std::shared_ptr<const OpenRun> run;  // its last one
  };
  // A run of another program begins anew.
  void note(std::shared_ptr<const OpenRun> run);
  // The version of this run, and the one before it. Null: there was none, or the run is not the last one.
  const Version* now(const OpenRun* of) const;
  const Version* before(const OpenRun* of) const;

 private:
  Version now_{0, nullptr}, before_{0, nullptr};
};

// True if nothing that the saved runs know of differs: code, arguments, and the kernels and shapes of launches.
bool same_version(const OpenRun& a, const OpenRun& b);

// The kernels that `of` launches more often than `than`, and how much more often, in order of their names.
struct MoreLaunches {
  std::string kernel;
  std::size_t count = 0;
  friend bool operator==(const MoreLaunches&, const MoreLaunches&) = default;
};
std::vector<MoreLaunches> more_launches(const OpenRun& of, const OpenRun& than);

// Why the version has no counterpart of this launch. Code: compare.no_such_launch.
Diagnostic no_such_launch(const OpenRun& run, std::size_t launch, int version, const OpenRun& of_version);

}  // namespace lanescope::gui
