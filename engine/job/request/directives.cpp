#include "job/request/directives.h"

#include <algorithm>
#include <charconv>
#include <iomanip>
#include <sstream>

#include "compile/host/definitions.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/request/pointed_buffers.h"

namespace lanescope::job {
namespace {

class DirectiveReader {
 public:
  DirectiveReader(const std::string& file, const std::string& text) : file_(file), text_(text) {}

  Result<std::vector<DirectedRun>> read() {
    std::istringstream lines(text_);
    for (std::string line; std::getline(lines, line);) {
      ++line_;
      if (const auto run = after(line, "// run:"))
        begin_run(*run);
      else if (const auto expectation = after(line, "// expect:"))
        expect(*expectation);
      else if (line.find("__global__") != std::string::npos)
        name_kernel(line);
    }
    for (const DirectedRun& run : runs_)
      if (run.request.first().kernel.empty())
        fail_at(run.line, "This launch does not name a kernel, and no kernel follows it.");
    for (DirectedRun& run : runs_)
      for (Diagnostic& problem : place_pointed_buffers(run.request)) {
        problem.place = {file_, run.line};
        errors_.push_back(std::move(problem));
      }
    if (runs_.empty() && errors_.empty())
      return Diagnostic{.code = "directive.none",
                        .place = {file_},
                        .message = "The file has no `// run:` line.",
                        .cure = "Write one above each kernel: // run: --grid 1 --block 32 --arg f32[32]=iota"};
    if (!errors_.empty()) return errors_;
    return std::move(runs_);
  }

 private:
  static std::optional<std::string> after(const std::string& line, const std::string& lead) {
    const auto begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line.compare(begin, lead.size(), lead) != 0) return std::nullopt;
    return line.substr(begin + lead.size());
  }

  void fail(Wording message) { fail_at(line_, std::move(message)); }
  void fail_at(int line, Wording message) {
    errors_.push_back({.code = "directive.syntax",
                       .place = {file_, line},
                       .message = std::move(message),
                       .cure = "See kernels/calibration/README.md for the form of these lines."});
  }

  void begin_run(const std::string& text) {
    Request& request = runs_.emplace_back().request;
    runs_.back().line = line_;
    request.source = {.name = file_, .text = text_};
    request.record.events = true;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
      std::string value;
      if (word == "--cooperative")
        request.first().shape.cooperative = true;
      else if (!(words >> std::quoted(value, '\'')))
        fail(worded("{} needs a value.", word));
      else if (word == "--kernel")
        request.first().kernel = value;
      else if (word == "--grid")
        request.first().shape.grid = extent(value);
      else if (word == "--block")
        request.first().shape.block = extent(value);
      else if (word == "--cluster")
        request.first().shape.cluster = extent(value), request.first().cluster_given = true;
      else if (word == "--shared")
        request.first().shape.dynamic_shared_bytes = whole_number(value);
      else if (word == "-D")
        define(request, value);
      else if (word == "--arg")
        request.arguments.push_back({value, ""});
      else
        fail(worded("{} is not an option of a `// run:` line.", word));
    }
  }

  void define(Request& request, const std::string& definition) {
    if (const std::optional<Diagnostic> wrong = compile::wrong_definition(definition)) fail(wrong->message);
    request.source.defines.push_back(definition);
  }

  double number(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail(worded("`{}` is not a number.", text));
    return value;
  }

  std::uint32_t whole_number(std::string_view text) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail(worded("`{}` is not a number.", text));
    return value;
  }

  Dim3 extent(const std::string& text) {
    Dim3 out;
    std::uint32_t* into[] = {&out.x, &out.y, &out.z};
    const std::vector<std::string_view> parts = split(text, ',');
    if (parts.size() > std::size(into)) fail(worded("`{}` is not a number.", text));
    for (std::size_t i = 0; i < std::min(parts.size(), std::size(into)); ++i) *into[i] = whole_number(parts[i]);
    return out;
  }

  void expect(const std::string& text) {
    std::istringstream words(text);
    std::string name, equal, value;
    words >> name >> equal >> value;
    if (runs_.empty() || equal != "==") return fail("Expected `// expect: NUMBER == VALUE` below a `// run:` line.");
    runs_.back().expectations.push_back({name, number(value), {file_, line_}});
  }

  // Sets the kernel of all launches above it that name none.
  void name_kernel(const std::string& line) {
    const auto nameless = [](const DirectedRun& run) { return run.request.first().kernel.empty(); };
    if (std::ranges::none_of(runs_, nameless)) return;
    std::size_t end = line.find('(');
    // Skips __launch_bounds__(…) and __cluster_dims__(…).
    while (end >= 2 && end != std::string::npos && line.compare(end - 2, 2, "__") == 0)
      end = line.find('(', line.find(')', end));
    const std::size_t begin = end == std::string::npos ? end : line.find_last_of(" \t", end) + 1;
    if (begin >= end) return fail("Cannot read the kernel's name here.");
    for (DirectedRun& run : runs_)
      if (nameless(run)) run.request.first().kernel = line.substr(begin, end - begin);
  }

  const std::string& file_;
  const std::string& text_;
  int line_ = 0;
  std::vector<DirectedRun> runs_;
  Diagnostics errors_;
};

}  // namespace

Result<std::vector<DirectedRun>> directed_runs(const std::string& file_name, const std::string& text) {
  return DirectiveReader(file_name, text).read();
}

}  // namespace lanescope::job
