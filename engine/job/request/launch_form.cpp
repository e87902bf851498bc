#include "job/request/launch_form.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iomanip>
#include <optional>
#include <sstream>

#include <fmt/format.h>

#include "core/kernel_name.h"
#include "core/os/program_name.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"
#include "job/run/parameters.h"
#include "job/run/prepared.h"
#include "lesson/lesson.h"
#include "sim/launch.h"
#include "sim/launch_check.h"

namespace lanescope::job {

namespace {

// A word of text_of(), quoted as in a `// run:` line unless all its characters are plain.
std::string form_word(const std::string& word) {
  const bool plain = !word.empty() && std::ranges::all_of(word, [](char c) {
    return is_name_char(c) || c == ',' || c == '=' || c == '[' || c == ']' || c == ':' || c == '.' || c == '-';
  });
  if (plain) return word;
  std::ostringstream quoted;
  quoted << std::quoted(word, '\'');
  return quoted.str();
}

std::vector<std::string> form_words(std::string_view text) {
  std::vector<std::string> words;
  std::istringstream from{std::string(text)};
  for (std::string word; from >> std::quoted(word, '\'');) words.push_back(word);
  return words;
}

std::string folder_of(const compile::Source& source) {
  return std::filesystem::path(source.name).parent_path().generic_string();
}

// The option and value of each field that is given. `quoted` makes a word of a value.
template <typename Quoted>
std::string options_of(const LaunchForm& form, const Quoted& quoted) {
  std::string text;
  const auto add = [&](const char* option, const std::string& value) {
    text += fmt::format("{}{} {}", text.empty() ? "" : " ", option, quoted(value));
  };
  for (const std::string& folder : form.include_paths) add("-I", folder);
  add("--kernel", as_signature(form.kernel_name()));
  if (!form.grid.empty()) add("--grid", form.grid);
  if (!form.block.empty()) add("--block", form.block);
  if (!form.cluster.empty()) add("--cluster", form.cluster);
  if (!form.shared.empty()) add("--shared", form.shared);
  if (form.cooperative) text += " --cooperative";
  for (const std::string& define : form.defines) add("-D", define);
  for (const FormArgument& argument : form.arguments) add("--arg", argument.text());
  for (const std::string& symbol : form.symbols) add("--symbol", symbol);
  for (const std::string& launch : form.then) add("--then", launch);
  return text;
}

bool is_element_type(const std::string& word) {
  return std::ranges::find(lesson::element_types(), word) != lesson::element_types().end();
}

Result<LaunchOptions> launch_options_of(const LaunchForm& form) {
  LaunchOptions options;
  options.kernel = form.kernel_name();
  options.grid = form.grid;
  options.block = form.block;
  options.cluster = form.cluster;
  options.cooperative = form.cooperative;
  if (!form.shared.empty()) {
    const Result<std::uint32_t> bytes = parse_shared(form.shared);
    if (!bytes) return bytes.errors();
    options.shared_bytes = *bytes;
  }
  for (const FormArgument& argument : form.arguments) options.arguments.push_back(argument.text());
  options.symbols = form.symbols;
  options.then = form.then;
  return options;
}

// Errors that request_from() or the compiler found, each to its field. Those of the code are not the form's.
void sort_in(FormProblems& into, const LaunchForm& form, Diagnostics found) {
  for (Diagnostic& one : found) {
    const std::string& code = one.code;
    const auto hole = std::ranges::find_if(
        form.arguments, [](const FormArgument& argument) { return contains(argument.text(), "[]"); });
    if (code.starts_with("launch.not_"))
      (form.grid.empty() && into.grid.empty() ? into.grid
       : form.block.empty()                   ? into.block
                                              : into.shared)
          .push_back(std::move(one));
    else if (code.starts_with("argument.") && hole != form.arguments.end())
      into.arguments[static_cast<std::size_t>(hole - form.arguments.begin())].push_back(std::move(one));
    else if (code == "command.which_kernel" || code == "compile.bad_define" || code == "compile.no_such_kernel" ||
             code.starts_with("argument."))
      into.kernel.push_back(std::move(one));
  }
}

// A compiler ignores them without a word.
Diagnostics missing_folders(const LaunchForm& form, const compile::Source& source) {
  Diagnostics found;
  std::error_code failed;
  for (const std::string& folder : with_whole_folders(form, folder_of(source)).include_paths)
    if (!std::filesystem::is_directory(folder, failed))
      found.push_back({Severity::warning,
                       "compile.no_folder",
                       {},
                       worded("There is no folder `{}`.", folder),
                       "Check the path. A relative one begins in the file's folder."});
  return found;
}

void sort_in_shape(FormProblems& into, Diagnostics found) {
  for (Diagnostic& one : found) {
    const std::string& code = one.code;
    Diagnostics& field = contains(code, "shared")    ? into.shared
                         : contains(code, "cluster") ? into.cluster
                         : contains(code, "block")   ? into.block
                                                     : into.grid;
    field.push_back(std::move(one));
  }
}

}  // namespace

std::string FormArgument::text() const {
  switch (kind) {
    case Kind::buffer:
      return fmt::format("{}[{}]{}{}", type, count, value.empty() ? "" : "=", value);
    case Kind::scalar:
      return type + "=" + value;
    case Kind::text:
      break;
  }
  return value;
}

FormArgument FormArgument::from(const std::string& text) {
  const std::size_t end = text.find_first_of("[=");
  if (end == std::string::npos || !is_element_type(text.substr(0, end))) return {Kind::text, "", "", text};
  const std::string type = text.substr(0, end);
  if (text[end] == '=') return {Kind::scalar, type, "", text.substr(end + 1)};
  const std::size_t close = text.find(']', end);
  if (close == std::string::npos) return {Kind::text, "", "", text};
  const std::string count = text.substr(end + 1, close - end - 1);
  if (close + 1 == text.size()) return {Kind::buffer, type, count, ""};
  // `f32[4]=` has a value that is missing, and `f32[4]+8` an offset.
  if (text[close + 1] != '=' || close + 2 == text.size()) return {Kind::text, "", "", text};
  return {Kind::buffer, type, count, text.substr(close + 2)};
}

std::string LaunchForm::kernel_name() const {
  std::size_t given = template_arguments.size();
  while (given > 0 && trimmed(template_arguments[given - 1]).empty()) --given;
  if (given == 0) return kernel;
  std::string name = kernel + "<";
  for (std::size_t i = 0; i < given; ++i) name += (i > 0 ? ", " : "") + template_arguments[i];
  return name + ">";
}

LaunchForm with_whole_folders(LaunchForm form, const std::string& folder) {
  for (std::string& one : form.include_paths)
    one = (std::filesystem::path(folder) / one).lexically_normal().generic_string();
  return form;
}

std::string text_of(const LaunchForm& form) {
  return options_of(form, form_word);
}

LaunchForm form_from(std::string_view text) {
  LaunchForm form;
  const std::vector<std::string> words = form_words(text);
  const std::pair<std::string_view, std::string*> single[] = {
      {"--grid", &form.grid}, {"--block", &form.block}, {"--cluster", &form.cluster}, {"--shared", &form.shared}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--cooperative") {
      form.cooperative = true;
      continue;
    }
    if (i + 1 == words.size()) break;
    const std::string &option = words[i], &value = words[++i];
    for (const auto& [name, into] : single)
      if (option == name) *into = value;
    if (option == "-I") form.include_paths.push_back(value);
    if (option == "-D") form.defines.push_back(value);
    if (option == "--arg") form.arguments.push_back(FormArgument::from(value));
    if (option == "--symbol") form.symbols.push_back(value);
    if (option == "--then") form.then.push_back(value);
    if (option != "--kernel") continue;
    const std::string named = with_cast(value);
    form.kernel = named.starts_with('(') ? named : named.substr(0, named.find('<'));
    form.template_arguments = template_arguments(named);
  }
  return form;
}

std::string command_of(const LaunchForm& form, const std::string& file) {
  const auto typed = [](const std::string& value) { return value.empty() ? "''" : as_typed(value); };
  return program_name() + " trace " + typed(file) + " " + options_of(form, typed);
}

std::string short_text(const LaunchForm& form) {
  const auto extent = [](const std::string& text) { return contains(text, ",") ? "(" + text + ")" : text; };
  std::string text = fmt::format("<<<{}, {}", extent(form.grid), extent(form.block));
  if (!form.shared.empty() && form.shared != "0") text += ", " + form.shared;
  text += ">>>(";
  for (std::size_t i = 0; i < form.arguments.size(); ++i) text += (i > 0 ? ", " : "") + form.arguments[i].text();
  return text + ")";
}

bool FormProblems::any() const {
  for (const Diagnostics* field : {&kernel, &grid, &block, &cluster, &shared})
    if (has_error(*field)) return true;
  return std::ranges::any_of(arguments, has_error);
}

FormProblems check_form(const LaunchForm& form) {
  FormProblems problems;
  const std::pair<const std::string*, std::pair<const char*, Diagnostics*>> extents[] = {
      {&form.grid, {"--grid", &problems.grid}},
      {&form.block, {"--block", &problems.block}},
      {&form.cluster, {"--cluster", &problems.cluster}}};
  for (const auto& [text, field] : extents)
    if (!text->empty())
      if (Result<Dim3> extent = parse_extent(*text, field.first); !extent) *field.second = extent.take_errors();
  if (!form.shared.empty())
    if (Result<std::uint32_t> bytes = parse_shared(form.shared); !bytes) problems.shared = bytes.take_errors();
  for (const FormArgument& argument : form.arguments) {
    Diagnostics& field = problems.arguments.emplace_back();
    // The file itself may tell how many elements there are.
    const bool hole = argument.kind == FormArgument::Kind::buffer && argument.count.empty();
    if (hole) continue;
    if (Result<sim::Argument> made = make_argument_unfilled({argument.text(), ""}); !made) field = made.take_errors();
  }
  return problems;
}

FormProblems check_form(const LaunchForm& form, const compile::Source& source, const sim::Progress* progress) {
  FormProblems problems;
  problems.arguments.resize(form.arguments.size());
  problems.include_paths = missing_folders(form, source);
  Diagnostics notes;
  Result<Request> request = request_of(form, source, notes);
  if (!request) {
    sort_in(problems, form, request.take_errors());
    return problems;
  }
  Result<std::shared_ptr<const Prepared>> prepared = prepare(*request, request->first().kernel, progress);
  if (!prepared) {
    sort_in(problems, form, prepared.take_errors());
    return problems;
  }
  const sim::Program& program = *(*prepared)->program;
  Result<std::vector<sim::Argument>> arguments = make_arguments({&request->arguments}, make_argument_unfilled);
  if (!arguments) {
    problems.kernel = arguments.take_errors();
    return problems;
  }
  std::vector<Diagnostics> each =
      check_each_argument(sim::kernel_of(program), *arguments, request->arguments, request->first().declared);
  if (each.size() == problems.arguments.size())
    problems.arguments = std::move(each);
  else
    for (Diagnostics& some : each) problems.kernel.insert(problems.kernel.end(), some.begin(), some.end());
  sim::LaunchRequest launch;
  launch.launch = sim::whole_launch(program, request->first().shape, request->first().cluster_given);
  launch.cluster_given = request->first().cluster_given;
  launch.arch = request->arch;
  sort_in_shape(problems, sim::check_shape(program, launch));
  return problems;
}

Result<Request> request_of(const LaunchForm& form, const compile::Source& source, Diagnostics& notes) {
  const FormProblems problems = check_form(form);
  if (problems.any()) {
    Diagnostics all;
    for (const Diagnostics* field :
         {&problems.kernel, &problems.grid, &problems.block, &problems.cluster, &problems.shared})
      all.insert(all.end(), field->begin(), field->end());
    for (const Diagnostics& field : problems.arguments) all.insert(all.end(), field.begin(), field.end());
    return all;
  }
  const Result<LaunchOptions> options = launch_options_of(form);
  if (!options) return options.errors();
  compile::Source defined = source;
  for (std::string& one : with_whole_folders(form, folder_of(source)).include_paths)
    defined.include_paths.push_back(std::move(one));
  defined.defines.insert(defined.defines.end(), form.defines.begin(), form.defines.end());
  return request_from(std::move(defined), *options, notes);
}

}  // namespace lanescope::job
