#pragma once
// A run is a job: a serialisable request and a serialisable result. The window and the command line submit jobs
// and never care who does them: a thread here, a worker process, or the same binary on another host.
// This folder joins the engine's stages (compile → ptx → sim → metrics) and stands last in the order of dependencies.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "core/result.h"
#include "lesson/lesson.h"
#include "sim/launch.h"
#include "trace/trace.h"

namespace lanescope::job {

// An argument as the command line writes it: "i32=4096", "f32[16384]=iota", "f32[64]=@file"; see parse_argument().
struct ArgumentText {
  std::string text;
  std::string name;                      // for messages and lesson checks; may be empty
};

struct Request {
  compile::Source source;
  std::string kernel;                    // source name, templates included
  trace::Launch launch;
  std::vector<ArgumentText> arguments;
  std::string arch = "sm_90";
  sim::Record record;
  std::uint64_t max_steps = 0;
  int threads = 0;
  std::uint32_t schedule_seed = 0;
  // Where it came from, when it came from a lesson; only carried along.
  std::string lesson, variant;
  std::map<std::string, std::int64_t> controls;
};

struct BufferSummary {
  int argument = 0;
  std::string name, type;
  std::uint64_t count = 0;
  double sum = 0;                        // of the elements, in double, in order
  std::string hash;                      // FNV-1a 64 of the bytes, hexadecimal
};

struct CheckResult {
  std::string description;               // "out[i] = in[i × stride]"
  bool holds = false;
  std::string detail;                    // where it does not: first index, got, expected
};

struct Outcome {
  Request request;                       // as run
  bool completed = false;
  trace::Trace trace;
  std::vector<sim::Argument> arguments;  // after the run
  std::vector<BufferSummary> buffers;
  std::vector<CheckResult> checks;       // of a lesson's variant
  std::string ptx, mangled_kernel, printf_output;
  Diagnostics diagnostics;
  double compile_seconds = 0, run_seconds = 0;  // our own wall time; never a kernel time
};

// Parses one --arg. Diagnostics argument.*: unknown type, bad number, file missing or too short.
Result<sim::Argument> parse_argument(const ArgumentText& argument);

// A lesson's variant with these control values (missing ones take their default; unknown or out-of-range ones are errors
// listing what is legal). `full_size` takes the sources' sizes.
Result<Request> from_lesson(const lesson::Lesson& lesson, const lesson::Variant& variant,
                            const std::map<std::string, std::int64_t>& controls, bool full_size = false);

// Compiles, runs and, when `variant` is given, checks. Never throws. Compilation is cached within the process.
Outcome run(const Request& request, const lesson::Variant* variant = nullptr, sim::Progress* progress = nullptr);

// The fixed JSON of interface.md (schema 1) with further keys; `pretty` indents.
std::string to_json(const Outcome& outcome, bool pretty = true);
// The request alone, there and back.
std::string request_to_json(const Request& request);
Result<Request> request_from_json(const std::string& text);

}  // namespace lanescope::job
