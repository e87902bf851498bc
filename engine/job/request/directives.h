#pragma once
// CUDA files that carry their own launches in comments above each kernel, such as the calibration kernels:
//   // run: [--kernel NAME] [--grid X[,Y[,Z]]] [--block X[,Y[,Z]]] [--cluster X[,Y[,Z]]] [--shared BYTES]
//   [--cooperative]
//   [-D NAME[=VALUE]] [--arg A …] [--symbol NAME=A …] [--then LAUNCH …]
//   // expect: NUMBER == VALUE
// The words are those of `lanescope trace`. Without --kernel, the launch is of the next `__global__` function in the
// file. Several such lines above a kernel are several launches of it. A comment whose first word is not an option is
// not such a line: "// run: ./a.out".

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"

namespace lanescope::job {

struct Expectation {
  std::string number;  // a dotted name of metrics::report
  double value = 0;
  SourcePlace place;
};

// A `// run:` line as it is written.
struct RunLine {
  LaunchOptions options;             // kernel empty: names none, and no kernel follows it
  std::vector<std::string> defines;  // "N=4"
  int line = 0;
  std::vector<Expectation> expectations;
  Diagnostics problems;  // directive.syntax: of this line and its expectations
};

struct RunLines {
  std::vector<RunLine> lines;  // in the order of the file
  Diagnostics problems;        // directive.syntax: those of no line
};

// Reads text only: nothing is compiled or evaluated.
RunLines read_run_lines(const std::string& file_name, const std::string& text);

// The first line of this kernel, right or wrong; nullptr: there is none. A wrong line is not used, and no later line
// instead of it, because that is another launch.
const RunLine* run_line_of(const RunLines& lines, std::string_view kernel);
// The line's problems as warnings that it is not used.
Diagnostics not_used(const RunLine& line);

struct DirectedRun {
  Request request;
  int line = 0;  // of its `// run:`
  std::vector<Expectation> expectations;
};

// Every line must be right. Diagnostics: directive.syntax, directive.none (the file has no `// run:`), and those of
// request_from(); each with file and line.
Result<std::vector<DirectedRun>> directed_runs(const compile::Source& source);
Result<std::vector<DirectedRun>> directed_runs(const std::string& file_name, const std::string& text);

}  // namespace lanescope::job
