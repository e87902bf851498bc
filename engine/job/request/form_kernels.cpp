// The kernels of a file with the launches that their forms begin with.

#include <algorithm>
#include <set>

#include "compile/host/definitions.h"
#include "compile/host/host_constants.h"
#include "compile/host/source_scan.h"
#include "core/kernel_name.h"
#include "core/source_name.h"
#include "core/text.h"
#include "job/request/directives.h"
#include "job/request/launch_form.h"
#include "job/request/launch_guess.h"
#include "job/request/launch_options.h"
#include "job/request/launch_text.h"
#include "job/run/job.h"

namespace lanescope::job {

namespace {

// The launch of a `// run:` line.
LaunchForm form_of(const RunLine& line, const KernelSignature& kernel) {
  const LaunchOptions& options = line.options;
  LaunchForm form;
  form.kernel = kernel.name;
  form.template_arguments = template_arguments(options.kernel);
  form.grid = options.grid;
  form.block = options.block;
  form.cluster = options.cluster;
  if (options.shared_bytes.value_or(0) != 0) form.shared = std::to_string(*options.shared_bytes);
  form.cooperative = options.cooperative;
  form.defines = line.defines;
  for (const std::string& argument : options.arguments) form.arguments.push_back(FormArgument::from(argument));
  form.symbols = options.symbols;
  form.then = options.then;
  return form;
}

using Names = std::set<std::string, std::less<>>;

// Calls `act` for each name in the text, with its place.
template <typename Act>
void for_each_name(std::string_view text, const Act& act) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_name_char(text[end])) ++end;
    if (end > at) act(text.substr(at, end - at), at);
    at = std::max(end, at + 1);
  }
}

// The template parameters of the file: a launch in a host template may hand them on, and the compiler does not know
// them elsewhere. PyTorch's dispatchers call theirs scalar_t.
Names template_names(const std::string& text) {
  Names names{"scalar_t"};
  const std::vector<compile::ScannedDeclaration> all = compile::scan_declarations(text);
  for (const compile::ScannedDeclaration& one : all)
    names.insert(one.template_parameters.begin(), one.template_parameters.end());
  for (const compile::ScannedDeclaration& one : all) names.erase(one.name);
  return names;
}

bool mentions_one_of(std::string_view argument, const Names& names) {
  bool found = false;
  for_each_name(argument, [&](std::string_view name, std::size_t) { found |= names.contains(name); });
  return found;
}

// A default such as `128 / sizeof(T)` with the arguments before it.
void fill_in(std::vector<std::string>& arguments, const KernelSignature& kernel) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = with_template_arguments(arguments[i], kernel, std::span(arguments).first(i));
}

}  // namespace

std::vector<FormKernel> form_kernels(const compile::Source& source) {
  const std::string text = compile::with_definitions(source.text, source.defines);
  const SourceKernels kernels(text);
  const compile::HostConstants constants(text);
  const Names unknown = template_names(text);
  const RunLines lines = read_run_lines(source.name, source.text);
  std::vector<FormKernel> made;
  for (const KernelSignature& kernel : kernels.all()) {
    FormKernel& next = made.emplace_back();
    next.signature = kernel;
    const std::optional<OwnLaunch> own = own_launch(source, kernel.name);
    std::vector<std::string> arguments = guessed_template_arguments(kernel);
    if (own)
      for (std::size_t i = 0; i < std::min(arguments.size(), own->template_arguments.size()); ++i)
        if (!mentions_one_of(own->template_arguments[i], unknown)) arguments[i] = own->template_arguments[i];
    fill_in(arguments, kernel);
    next.form =
        guessed_launch(kernels, kernel, constants, arguments, own ? own->arguments : std::vector<std::string>());
    if (own) {
      next.origin = {FormOrigin::Kind::launch, own->line};
      if (own->grid) next.form.grid = extent_text(*own->grid);
      if (own->block) next.form.block = extent_text(*own->block);
      if (own->shared_bytes) next.form.shared = *own->shared_bytes == 0 ? "" : std::to_string(*own->shared_bytes);
    }
    const RunLine* const line = run_line_of(lines, kernel.name);
    if (line != nullptr && !line->problems.empty()) next.unused = not_used(*line);
    if (line != nullptr && line->problems.empty()) {
      LaunchForm told = form_of(*line, kernel);
      if (told.grid.empty()) told.grid = next.form.grid;
      if (told.block.empty()) told.block = next.form.block;
      // A line that was written for other parameters keeps its shape.
      if (told.arguments.size() != next.form.arguments.size()) told.arguments = next.form.arguments;
      if (told.template_arguments.empty()) told.template_arguments = next.form.template_arguments;
      next.form = std::move(told);
      next.origin = {FormOrigin::Kind::run_line, line->line};
    }
    next.parameters = kernels.parameters(kernel, next.form.template_arguments);
  }
  return made;
}

}  // namespace lanescope::job
