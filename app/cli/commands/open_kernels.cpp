#include "cli/commands/open_kernels.h"

#include <algorithm>
#include <chrono>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/runner.h"
#include "cli/input/options.h"
#include "cli/output/cures.h"
#include "cli/output/output.h"
#include "cli/output/waiting.h"
#include "compile/host/source_scan.h"
#include "compile/source_text.h"
#include "core/kernel_name.h"
#include "core/os/program_name.h"
#include "core/source_name.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/report/json.h"
#include "job/request/form_trial.h"
#include "job/request/kernel_signature.h"
#include "job/request/launch_completion.h"
#include "job/request/launch_form.h"
#include "job/request/launch_options.h"

namespace lanescope::cli {
namespace {

using Kind = job::FormOrigin::Kind;

std::string origin_text(const job::FormOrigin& origin) {
  if (origin.kind == Kind::guessed) return "guessed: the file does not launch this kernel";
  if (origin.kind == Kind::run_line) return fmt::format("from the // run: line {}", origin.line);
  std::string text = fmt::format("from the launch in line {}; what it leaves open is guessed", origin.line);
  for (std::size_t i = 0; i < origin.guessed.size(); ++i) {
    const job::GuessedPart& one = origin.guessed[i];
    text +=
        fmt::format("{}{} of the {}, which is `{}`", i == 0 ? ", among it " : ", ", one.axis, one.of, one.expression);
  }
  return text;
}

const char* origin_name(const job::FormOrigin& origin) {
  return origin.kind == Kind::guessed ? "guessed" : origin.kind == Kind::launch ? "launch" : "run_line";
}

std::string of_zeros() {
  return fmt::format("# Structs are zeros here: give their members, or write a main() and run it with `{} exec`.\n",
                     program_name());
}

// For Waiting: compiling what headers such as CUB's declare takes seconds.
std::function<Wording()> trying(const std::string& file) {
  return [file] { return worded("Trying launches of {}. Ctrl+C stops it.", file); };
}

// The kernels of a file. Folders near it that have its headers are among the include paths of source and forms.
struct FileKernels {
  compile::Source source;
  std::vector<job::FormKernel> kernels;
};
FileKernels kernels_of_file(const std::string& file, const std::string& text, std::vector<std::string> include_paths,
                            const std::vector<std::string>& defines) {
  FileKernels made{job::source_of_file(file, text, include_paths, defines), {}};
  made.kernels = job::form_kernels(made.source);
  if (made.kernels.empty()) return made;
  const std::vector<std::string> found = job::folders_of_headers(made.kernels.front().form, made.source, nullptr);
  if (!found.empty()) {
    for (std::vector<std::string>* folders : {&made.source.include_paths, &include_paths})
      folders->insert(folders->end(), found.begin(), found.end());
    made.kernels = job::form_kernels(made.source);
  }
  for (job::FormKernel& kernel : made.kernels) kernel.form.include_paths = include_paths;
  return made;
}

bool has_bytes(const job::FormKernel& kernel) {
  return std::ranges::any_of(kernel.form.arguments,
                             [](const job::FormArgument& one) { return one.text() == "bytes="; });
}

// With what only the compiler knows: how many bytes a struct has, and what a pointer's type is if a header declares it.
struct CompletedForm {
  job::LaunchForm form;
  Diagnostics problems;  // why the bytes of a struct are not known: the file does not compile
};
CompletedForm completed(const job::FormKernel& kernel, const compile::Source& source) {
  if (!has_bytes(kernel) && std::ranges::none_of(kernel.parameters, [](const job::KernelParameter& one) {
        return one.pointer && one.element().empty();
      }))
    return {kernel.form, {}};
  const job::CompiledParameters compiled = job::compiled_parameters(kernel.form, source, nullptr);
  // Without a byte the command would not come to what the compiler says.
  return {job::with_a_byte(job::completed(kernel.form, kernel, compiled)),
          has_bytes(kernel) ? compiled.problems : Diagnostics()};
}

// "# The bytes of its structs are not known: k.cu:1: error: …"
std::string not_compiled(const Diagnostics& problems) {
  const auto first = std::ranges::find(problems, Severity::error, &Diagnostic::severity);
  if (first == problems.end()) return {};
  std::string said = "# The file does not compile, so how many bytes its structs have is not known:\n";
  const std::string text = format(*first);
  for (const std::string_view line : split(text, '\n')) said += fmt::format("#   {}\n", trimmed(line));
  return said;
}

// To compile and try the launches of dozens of templates may take minutes.
constexpr std::chrono::seconds longest_trials{30};

// A guessed launch, tried. What `options` give is no guess.
job::LaunchForm tried(const job::LaunchForm& form, const job::FormKernel& kernel, const compile::Source& source,
                      const TraceOptions& options) {
  if (kernel.origin.kind == Kind::run_line) return form;
  job::GivenInForm given = job::given_by(kernel.origin);
  given.arguments = options.arguments.size();
  given.shared |= options.shared_bytes.has_value();
  given.block |= !options.block.empty();
  return job::fitted(form, source, given);
}

bool lacks_launch(const Diagnostic& one) {
  return one.code == "command.which_kernel" || one.code == "launch.not_given" || one.code == "launch.not_constant" ||
         one.code == "argument.not_constant";
}

// With the values that the user gave.
void put_given(job::LaunchForm& form, const TraceOptions& options) {
  for (const auto& [given, field] :
       {std::pair{&options.grid, &form.grid}, {&options.block, &form.block}, {&options.cluster, &form.cluster}})
    if (!given->empty()) *field = *given;
  if (options.shared_bytes) form.shared = std::to_string(*options.shared_bytes);
  form.cooperative |= options.cooperative;
  form.defines = options.defines;
  for (std::size_t i = 0; i < std::min(options.arguments.size(), form.arguments.size()); ++i)
    form.arguments[i] = job::FormArgument::from(options.arguments[i]);
}

Diagnostic example(const char* code, const std::string& file, Wording message) {
  return {Severity::note, code, {file}, std::move(message), ""};
}

}  // namespace

Diagnostics command_to_begin_with(const TraceOptions& options, const Diagnostics& problems) {
  const Result<std::string> text = read_text_file(options.file);
  if (!text || std::ranges::none_of(problems, lacks_launch)) return {};
  Diagnostics said;
  const bool program = compile::defines_main(*text);  // `open` runs it
  if (program)
    said.push_back(example(
        "command.whole_program", options.file,
        worded("It has a main(): `{} exec {}` runs the whole program.", program_name(), as_typed(options.file))));
  // A command that lacks some of these would not be the user's.
  if (!options.symbols.empty() || !options.then.empty()) return said;
  const Waiting waiting(trying(options.file));
  const auto [source, kernels] = kernels_of_file(options.file, *text, options.include_paths, options.defines);
  const auto wanted = [&](const job::FormKernel& one) {
    return options.kernel.empty() || may_be_same_kernel(one.form.kernel_name(), with_cast(options.kernel));
  };
  const auto kernel = std::ranges::find_if(kernels, wanted);
  const bool other_template = options.kernel.find('<') != std::string::npos && kernel != kernels.end() &&
                              without_blanks(kernel->form.kernel_name()) != without_blanks(options.kernel);
  if (kernel == kernels.end() || other_template) return said;
  CompletedForm made = completed(*kernel, source);
  if (has_error(made.problems)) {
    said.insert(said.end(), made.problems.begin(), made.problems.end());
    return said;
  }
  put_given(made.form, options);
  made.form = tried(made.form, *kernel, source, options);
  const std::string command = job::command_of(made.form, options.file);
  if (options.kernel.empty() && kernels.size() > 1 && !program)
    said.push_back(example("command.example", options.file,
                           worded("`{} open {} --list` prints a command for each of the {} kernels. The first, with "
                                  "guesses where the file leaves values open: `{}`",
                                  program_name(), as_typed(options.file), kernels.size(), command)));
  else
    said.push_back(example("command.example", options.file,
                           worded("A command to begin with; what the file leaves open is guessed: `{}`", command)));
  return said;
}

bool is_kernel_file(const std::string& file) {
  if (!file.ends_with(".cu") && !file.ends_with(".cuh")) return false;
  const Result<std::string> text = read_text_file(file);
  return text.ok() && !compile::defines_main(*text);
}

Wording how_to_run_kernels(const std::string& file) {
  const Result<std::string> text = read_text_file(file);
  const Waiting waiting(trying(file));
  const auto [source, kernels] = kernels_of_file(file, text ? *text : "", {}, {});
  if (kernels.empty()) return "It has no kernel either: name the file with the program, or write a main().";
  const job::LaunchForm begin = tried(completed(kernels.front(), source).form, kernels.front(), source, {});
  const std::string command = job::command_of(begin, file);
  if (kernels.size() == 1) return worded("Write a main(), or run its kernel alone: `{}`", command);
  return worded(
      "Write a main(), or run a kernel alone: `{} open {} --list` prints a command for each of the {}; the "
      "first is `{}`",
      program_name(), as_typed(file), kernels.size(), command);
}

int list_kernels(const OpenOptions& options) {
  const std::string& file = options.file;
  const bool json = options.runner.json;
  Result<std::string> text = read_text_file(file);
  if (!text) return refuse(text.errors(), json);
  if (auto utf16 = compile::refuse_utf16(file, *text)) return refuse({*utf16}, json);
  const Waiting waiting(trying(file));
  const auto [source, kernels] = kernels_of_file(file, *text, options.include_paths, options.defines);
  if (kernels.empty()) {
    Diagnostic none{
        Severity::error, "command.which_kernel", {file}, "The file has no kernel.", "Mark a function with __global__."};
    if (const std::vector<job::HeaderKernel> elsewhere = job::kernels_of_headers(source); !elsewhere.empty()) {
      none.message = job::kernels_in_headers(elsewhere);
      std::string named = elsewhere.front().name;
      const std::size_t open = named.find('<');
      if (open != std::string::npos) named = named.substr(0, open) + "<…>";
      none.cure =
          open == std::string::npos
              ? worded("Name one of them: `{} trace {} --kernel {}`", program_name(), as_typed(file), as_typed(named))
              : worded("Name one of them, with template arguments for the …: `{} trace {} --kernel {}`", program_name(),
                       as_typed(file), as_typed(named));
    }
    return refuse({std::move(none)}, json);
  }
  nlohmann::ordered_json document = job::document_head();
  document["file"] = file;
  document["kernels"] = nlohmann::ordered_json::array();
  std::string lines;
  std::size_t not_tried = 0;
  const auto begin = std::chrono::steady_clock::now();
  for (const job::FormKernel& kernel : kernels) {
    CompletedForm made = completed(kernel, source);
    if (!options.defines.empty()) made.form.defines = options.defines;
    if (std::chrono::steady_clock::now() - begin < longest_trials)
      made.form = tried(made.form, kernel, source, {});
    else
      ++not_tried;
    const std::string command = job::command_of(made.form, file);
    const bool compiles = !has_error(made.problems);
    lines += fmt::format("{}# {}, {}\n{}{}\n", lines.empty() ? "" : "\n", as_signature(kernel.signature.name),
                         origin_text(kernel.origin),
                         !has_bytes(kernel) ? ""
                         : compiles         ? of_zeros()
                                            : not_compiled(cli::with_options(made.problems)),
                         command);
    document["kernels"].push_back({{"kernel", kernel.signature.name},
                                   {"line", kernel.signature.line},
                                   {"values", origin_name(kernel.origin)},
                                   {"command", command}});
    if (!compiles) document["kernels"].back()["diagnostics"] = job::diagnostics_json(made.problems);
  }
  if (not_tried > 0)
    print_diagnostics(
        {example("command.not_tried", file,
                 worded("The last {} of these commands were not tried, because the others took {} seconds: "
                        "their guessed sizes may be too small.",
                        not_tried, longest_trials.count()))});
  return print(json ? job::dumped(document, true) + "\n" : lines) ? 0 : 1;
}

}  // namespace lanescope::cli
