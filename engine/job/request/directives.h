#pragma once
// CUDA files that carry their own launches in comments above each kernel, such as the calibration kernels:
//   // run: [--kernel NAME] --grid X[,Y[,Z]] --block X[,Y[,Z]] [--cluster X[,Y[,Z]]] [--shared BYTES] [--cooperative]
//   [-D NAME[=VALUE]] --arg A …
//   // expect: NUMBER == VALUE
// Without --kernel, the launch is of the next `__global__` function in the file. Several such lines above a kernel are
// several launches of it.

#include <string>
#include <vector>

#include "job/run/job.h"

namespace lanescope::job {

struct Expectation {
  std::string number;  // a dotted name of metrics::report
  double value = 0;
  SourcePlace place;
};

struct DirectedRun {
  Request request;
  int line = 0;  // of its `// run:`
  std::vector<Expectation> expectations;
};

// Diagnostics: directive.syntax (with file and line), directive.none (the file has no `// run:`).
Result<std::vector<DirectedRun>> directed_runs(const std::string& file_name, const std::string& text);

}  // namespace lanescope::job
