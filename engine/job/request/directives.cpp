#include "job/request/directives.h"

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <sstream>
#include <string_view>
#include <utility>

#include "compile/host/source_scan.h"
#include "compile/source.h"
#include "core/kernel_name.h"
#include "core/os/installation.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::job {
namespace {

Diagnostic wrong_line(const std::string& file, int line, Wording message) {
  return {.code = "directive.syntax",
          .place = {file, line},
          .message = std::move(message),
          .cure = worded("See {} for the form of these lines.", document("kernels/calibration/README.md"))};
}

class RunLineReader {
 public:
  RunLineReader(const std::string& file, const std::string& text) : file_(file), text_(text) {}

  RunLines read() {
    std::istringstream lines(text_);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      if (line.ends_with('\r')) line.pop_back();
      if (const auto run = after(line, "// run:")) {
        if (is_written_for_this(*run)) begin_run(*run);
      } else if (const auto expectation = after(line, "// expect:")) {
        expect(*expectation);
      }
    }
    name_kernels();
    return std::move(read_);
  }

 private:
  static std::optional<std::string> after(const std::string& line, const std::string& lead) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line.compare(begin, lead.size(), lead) != 0) return std::nullopt;
    return line.substr(begin + lead.size());
  }

  static bool is_written_for_this(std::string_view text) {
    const std::string_view words = trimmed(text);
    return words.starts_with("--") || words.starts_with("-D");
  }

  // About the last line; before the first one, about none.
  void fail(Wording message) {
    (read_.lines.empty() ? read_.problems : read_.lines.back().problems)
        .push_back(wrong_line(file_, line_, std::move(message)));
  }

  void begin_run(const std::string& text) {
    RunLine& run = read_.lines.emplace_back();
    run.line = line_;
    const std::pair<const char*, std::string*> single[] = {{"--kernel", &run.options.kernel},
                                                           {"--grid", &run.options.grid},
                                                           {"--block", &run.options.block},
                                                           {"--cluster", &run.options.cluster}};
    const std::pair<const char*, std::vector<std::string>*> repeated[] = {{"-D", &run.defines},
                                                                          {"--arg", &run.options.arguments},
                                                                          {"--symbol", &run.options.symbols},
                                                                          {"--then", &run.options.then}};
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      std::string value;
      const auto is_word = [&](const auto& option) { return word == option.first; };
      if (word == "--cooperative")
        run.options.cooperative = true;
      else if (!(words >> std::quoted(value, '\'')))
        fail(worded("{} needs a value.", word));
      else if (const auto one = std::ranges::find_if(single, is_word); one != std::end(single))
        *one->second = value;
      else if (const auto list = std::ranges::find_if(repeated, is_word); list != std::end(repeated))
        list->second->push_back(value);
      else if (word == "--shared")
        take_shared(value);
      else
        fail(worded("{} is not an option of a `// run:` line.", word));
    }
  }

  void take_shared(const std::string& text) {
    const Result<std::uint32_t> bytes = parse_shared(text);
    if (bytes)
      read_.lines.back().options.shared_bytes = *bytes;
    else
      fail(bytes.errors().front().message);
  }

  template <typename Number>
  Number number(const std::string& text) {
    Number value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail(worded("`{}` is not a number.", text));
    return value;
  }

  void expect(const std::string& text) {
    std::istringstream words(text);
    std::string name, equal, value;
    words >> name >> equal >> value;
    if (read_.lines.empty() || equal != "==")
      return fail("Expected `// expect: NUMBER == VALUE` below a `// run:` line.");
    const double expected = number<double>(value);
    read_.lines.back().expectations.push_back({name, expected, {file_, line_}});
  }

  // A launch that names no kernel is of the next one below it.
  void name_kernels() {
    const auto nameless = [](const RunLine& run) { return run.options.kernel.empty(); };
    if (std::ranges::none_of(read_.lines, nameless)) return;
    const std::vector<compile::ScannedDeclaration> declared = compile::scan_declarations(text_);
    for (RunLine& run : read_.lines) {
      if (!nameless(run)) continue;
      const auto below =
          std::ranges::find_if(declared, [&](const auto& one) { return one.is_kernel && one.line > run.line; });
      if (below != declared.end()) run.options.kernel = below->name + below->template_arguments;
    }
  }

  const std::string& file_;
  const std::string& text_;
  int line_ = 0;
  RunLines read_;
};

Result<DirectedRun> directed_run(compile::Source source, RunLine line) {
  if (!line.problems.empty()) return std::move(line.problems);
  if (line.options.kernel.empty())
    return wrong_line(source.name, line.line, "This launch does not name a kernel, and no kernel follows it.");
  source.defines.insert(source.defines.end(), line.defines.begin(), line.defines.end());
  const std::string name = source.name;
  Diagnostics notes;
  Result<Request> request = request_from(std::move(source), line.options, notes);
  if (!request) {
    Diagnostics problems = request.take_errors();
    for (Diagnostic& problem : problems)
      if (problem.place.line == 0) problem.place = {name, line.line};
    return problems;
  }
  request->record.events = true;
  request->races_if_small = false;
  return DirectedRun{std::move(*request), line.line, std::move(line.expectations)};
}

}  // namespace

RunLines read_run_lines(const std::string& file_name, const std::string& text) {
  return RunLineReader(file_name, text).read();
}

const RunLine* run_line_of(const RunLines& lines, std::string_view kernel) {
  const auto found = std::ranges::find_if(lines.lines, [&](const RunLine& one) {
    return !one.options.kernel.empty() && may_be_same_kernel(one.options.kernel, kernel);
  });
  return found == lines.lines.end() ? nullptr : &*found;
}

Diagnostics not_used(const RunLine& line) {
  Diagnostics problems = line.problems;
  for (Diagnostic& one : problems) {
    one.severity = Severity::warning;
    one.message = worded("This `// run:` line is not used: {}", one.message);
  }
  return problems;
}

Result<std::vector<DirectedRun>> directed_runs(const compile::Source& source) {
  RunLines read = read_run_lines(source.name, source.text);
  Diagnostics problems = std::move(read.problems);
  std::vector<DirectedRun> runs;
  for (RunLine& line : read.lines) {
    Result<DirectedRun> run = directed_run(source, std::move(line));
    if (run)
      runs.push_back(std::move(*run));
    else
      for (Diagnostic& one : run.take_errors()) problems.push_back(std::move(one));
  }
  if (runs.empty() && problems.empty())
    return Diagnostic{.code = "directive.none",
                      .place = {source.name},
                      .message = "The file has no `// run:` line.",
                      .cure = "Write one above each kernel: // run: --grid 1 --block 32 --arg f32[32]=iota"};
  if (!problems.empty()) return problems;
  return runs;
}

Result<std::vector<DirectedRun>> directed_runs(const std::string& file_name, const std::string& text) {
  return directed_runs(source_of_file(file_name, text));
}

}  // namespace lanescope::job
