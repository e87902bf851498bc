#include "gui/forms/kernel_file.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/absolute_path.h"
#include "core/fnv.h"
#include "core/kernel_name.h"
#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "job/request/launch_options.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

// An editor's text is laid out as a whole in each frame.
constexpr std::size_t most_bytes = std::size_t{1} << 20;

// A folder's name in the state folder. Two files with the same hash share an edit, which is then seen in the editor.
std::string id_of_path(const std::string& path) {
  return fmt::format("file-{:016x}", fnv1a(path));
}

void take_kernels(KernelFile& file, std::vector<job::FormKernel> kernels) {
  file.kernels = std::move(kernels);
  file.lesson.variants.clear();
  for (job::FormKernel& kernel : file.kernels) {
    file.put_given(kernel.form);
    lesson::Variant& variant = file.lesson.variants.emplace_back();
    const std::string& name = kernel.signature.name;
    variant.id = name;
    variant.title = {as_signature(name), as_signature(name)};
    variant.summary = variant.title;
    variant.file = file.path;
    variant.first().kernel = name;
  }
}

// The forms of both have the same fields.
bool needs_the_same(const job::FormKernel& a, const job::FormKernel& b) {
  const auto alike = [](const job::KernelParameter& one, const job::KernelParameter& other) {
    return one.name == other.name && one.declared == other.declared && one.type == other.type;
  };
  const auto same = [](const job::KernelSignature::TemplateParameter& one,
                       const job::KernelSignature::TemplateParameter& other) { return one.declared == other.declared; };
  return a.signature.name == b.signature.name && std::ranges::equal(a.parameters, b.parameters, alike) &&
         std::ranges::equal(a.signature.template_parameters, b.signature.template_parameters, same);
}

}  // namespace

compile::Source KernelFile::source(const std::string& text) const {
  return job::source_of_file(path, text);
}

void KernelFile::put_given(job::LaunchForm& form) const {
  if (!given.include_paths.empty()) form.include_paths = given.include_paths;
  if (!given.defines.empty()) form.defines = given.defines;
}

compile::Source KernelFile::source_as_given(const std::string& text) const {
  job::LaunchForm form;
  form.include_paths = given.include_paths;
  form = job::with_whole_folders(std::move(form), fs::path(path).parent_path().generic_string());
  return job::source_of_file(path, text, form.include_paths, given.defines);
}

Result<std::shared_ptr<const KernelFile>> open_kernel_file(const std::string& given, bool of_program,
                                                           const compile::Preprocessor& preprocessor) {
  auto file = std::make_shared<KernelFile>();
  file->of_program = of_program;
  file->given = preprocessor;
  file->path = absolute_path(given);
  std::error_code failed;
  if (fs::is_regular_file(file->path, failed) && fs::file_size(file->path, failed) > most_bytes)
    return Diagnostic{Severity::error,
                      "kernel_file.too_large",
                      {file->path},
                      "The file is too large for the editor.",
                      worded("Open a CUDA source file of at most {} KiB.", most_bytes / 1024)};
  if (const int reason = read_file(file->path, file->scanned, most_bytes); reason != 0)
    return Diagnostic{Severity::error,
                      "io.cannot_read",
                      {file->path},
                      worded("The file could not be read: {}.", system_error(reason)),
                      "Check the path."};
  std::vector<job::FormKernel> kernels = job::form_kernels(file->source_as_given(file->scanned));
  if (kernels.empty()) kernels.emplace_back();
  const std::string name = fs::path(file->path).filename().generic_string();
  file->lesson.id = id_of_path(file->path);
  file->lesson.title = {name, name};
  file->lesson.sources[file->path] = file->scanned;
  take_kernels(*file, std::move(kernels));
  return std::shared_ptr<const KernelFile>(std::move(file));
}

std::shared_ptr<const KernelFile> with_text(const KernelFile& file, const std::string& text,
                                            const std::map<std::string, std::vector<std::string>>& arguments) {
  const compile::Source source = file.source_as_given(text);
  std::vector<job::FormKernel> kernels = job::form_kernels(source);
  if (kernels.empty()) return nullptr;
  const job::SourceKernels signatures = job::kernels_of(source);
  for (job::FormKernel& kernel : kernels)
    if (const auto given = arguments.find(kernel.signature.name); given != arguments.end())
      kernel.parameters = signatures.parameters(kernel.signature, given->second);
  if (std::ranges::equal(kernels, file.kernels, needs_the_same)) return nullptr;
  auto made = std::make_shared<KernelFile>(file);
  made->scanned = text;
  take_kernels(*made, std::move(kernels));
  return made;
}

std::shared_ptr<const KernelFile> with_folders(const KernelFile& file, const std::string& text,
                                               const std::vector<std::string>& folders) {
  auto made = std::make_shared<KernelFile>(file);
  for (const std::string& folder : folders) {
    const std::string from_own =
        fs::path(folder).lexically_relative(fs::path(file.path).parent_path()).generic_string();
    made->given.include_paths.push_back(from_own.empty() ? folder : from_own);  // empty: on another drive
  }
  std::vector<job::FormKernel> kernels = job::form_kernels(made->source_as_given(text));
  if (kernels.empty()) return nullptr;
  made->scanned = text;
  take_kernels(*made, std::move(kernels));
  return made;
}

}  // namespace lanescope::gui
