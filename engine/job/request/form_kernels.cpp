// The kernels of a file with the launches that their forms begin with.

#include <algorithm>

#include "compile/host/definitions.h"
#include "compile/host/source_scan.h"
#include "core/kernel_name.h"
#include "core/source_name.h"
#include "core/text.h"
#include "job/request/directives.h"
#include "job/request/launch_constants.h"
#include "job/request/launch_form.h"
#include "job/request/launch_guess.h"
#include "job/request/launch_options.h"
#include "job/request/launch_text.h"
#include "job/request/template_names.h"
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

// A default such as `128 / sizeof(T)` with the arguments before it.
void fill_in(std::vector<std::string>& arguments, const KernelSignature& kernel) {
  for (std::size_t i = 0; i < arguments.size(); ++i)
    arguments[i] = with_template_arguments(arguments[i], kernel, std::span(arguments).first(i));
}

// The parts that the launch gives, in place of the guess; a block that would have too many threads keeps them only.
void take_extent(std::string& guess, const OwnExtent& own, const char* what, std::vector<GuessedPart>& guessed) {
  if (own.whole) guess = extent_text(*own.whole);
  const bool some = std::ranges::any_of(own.parts, [](const ExtentPart& one) { return one.value.has_value(); });
  Result<Dim3> extent = parse_extent(guess, what);
  if (own.whole || !some || !extent) return;
  constexpr std::uint64_t most_threads = 1024;
  std::uint32_t* const numbers[] = {&extent->x, &extent->y, &extent->z};
  for (std::size_t i = 0; i < 3; ++i)
    if (i >= own.parts.size())
      *numbers[i] = 1;
    else if (own.parts[i].value)
      *numbers[i] = static_cast<std::uint32_t>(*own.parts[i].value);
    else
      guessed.push_back({what, "xyz"[i], own.parts[i].expression});
  if (what == std::string_view("block") && extent->count() > most_threads)
    for (std::size_t i = 0; i < own.parts.size(); ++i)
      if (!own.parts[i].value) *numbers[i] = 1;
  guess = extent_text(*extent);
}

}  // namespace

std::vector<FormKernel> form_kernels(const compile::Source& source) {
  const std::string text = compile::with_definitions(source.text, source.defines);
  const SourceKernels kernels = kernels_of(source);
  const LaunchConstants constants(text, source);
  const TemplateNames unknown = template_names(text);
  const RunLines lines = read_run_lines(source.name, source.text);
  std::vector<FormKernel> made;
  for (const KernelSignature& kernel : kernels.all()) {
    FormKernel& next = made.emplace_back();
    next.signature = kernel;
    const std::optional<OwnLaunch> own = own_launch(source, kernel.name);
    std::vector<std::string> arguments = guessed_template_arguments(source, kernel);
    if (own)
      for (std::size_t i = 0; i < std::min(arguments.size(), own->template_arguments.size()); ++i)
        if (!mentions_one_of(own->template_arguments[i], unknown)) arguments[i] = own->template_arguments[i];
    fill_in(arguments, kernel);
    next.form =
        guessed_launch(kernels, kernel, constants, arguments, own ? own->arguments : std::vector<std::string>());
    if (own) {
      next.origin = {.kind = FormOrigin::Kind::launch, .line = own->line};
      take_extent(next.form.grid, own->grid, "grid", next.origin.guessed);
      take_extent(next.form.block, own->block, "block", next.origin.guessed);
      next.origin.shared = own->shared_bytes.has_value();
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
      next.origin = {.kind = FormOrigin::Kind::run_line, .line = line->line};
    }
    next.parameters = kernels.parameters(kernel, next.form.template_arguments);
  }
  return made;
}

}  // namespace lanescope::job
