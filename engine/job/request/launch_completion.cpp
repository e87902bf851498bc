#include "job/request/launch_completion.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>

#include "compile/host/include_tree.h"
#include "compile/host/nearby_files.h"
#include "core/os/program_name.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/request/name_hints.h"
#include "job/run/job.h"
#include "job/run/parameters.h"
#include "job/run/prepared.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::job {

namespace {

// "float const*"
KernelParameter pointer_named(const std::string& type) {
  KernelParameter made;
  std::string_view name = trimmed(type);
  made.pointer = name.ends_with('*');
  if (made.pointer) name = trimmed(name.substr(0, name.size() - 1));
  made.constant = name.ends_with("const");
  if (made.constant) name = trimmed(name.substr(0, name.size() - 5));
  made.type = without_blanks(name);
  return made;
}

}  // namespace

LaunchForm with_a_byte(LaunchForm form) {
  for (FormArgument& argument : form.arguments)
    if (argument.text() == "bytes=") argument.value += "00";
  return form;
}

CompiledParameters compiled_parameters(const LaunchForm& form, const compile::Source& source,
                                       const sim::Progress* progress) {
  CompiledParameters made;
  Diagnostics notes;
  Result<Request> request = request_of(with_a_byte(form), source, notes);
  if (!request) return made;  // check_form() tells why
  Result<std::shared_ptr<const Prepared>> prepared = prepare(*request, request->first().kernel, progress);
  if (!prepared) {
    made.problems = prepared.take_errors();
    return made;
  }
  for (const ptx::Parameter& parameter : sim::kernel_of(*(*prepared)->program).parameters)
    made.bytes.push_back(parameter.bytes());
  made.types = parameter_types((*prepared)->mangled);
  return made;
}

namespace {

// "a.h" of "cannot open source file "a.h"", the compiler's words.
std::string missing_header(const Diagnostics& problems) {
  constexpr std::string_view said = "cannot open source file \"";
  for (const Diagnostic& one : problems) {
    const std::string_view message = std::string_view(one.message);
    const std::size_t at = message.find(said);
    if (at == std::string_view::npos) continue;
    const std::string_view name = message.substr(at + said.size());
    return std::string(name.substr(0, name.find('"')));
  }
  return {};
}

}  // namespace

std::string folder_of_missing_header(const std::string& source, const std::vector<std::string>& known,
                                     const Diagnostics& problems) {
  std::string folder = compile::folder_with_header(source, missing_header(problems));
  const auto is_same = [&](const std::string& one) { return compile::same_file(one, folder); };
  return std::ranges::any_of(known, is_same) ? "" : folder;
}

std::vector<std::string> folders_of_headers(
    const std::string& source, std::vector<std::string> known,
    const std::function<Diagnostics(const std::vector<std::string>& found)>& compiled) {
  constexpr std::size_t most_folders = 8;
  std::vector<std::string> folders;
  while (folders.size() < most_folders) {
    const std::string folder = folder_of_missing_header(source, known, compiled(folders));
    if (folder.empty()) break;
    folders.push_back(folder);
    known.push_back(folder);
  }
  return folders;
}

std::vector<std::string> folders_of_headers(const LaunchForm& form, compile::Source source,
                                            const sim::Progress* progress) {
  const std::string own = std::filesystem::path(source.name).parent_path().generic_string();
  std::vector<std::string> known = with_whole_folders(form, own).include_paths;
  known.insert(known.end(), source.include_paths.begin(), source.include_paths.end());
  return folders_of_headers(source.name, std::move(known), [&](const std::vector<std::string>& found) {
    if (!found.empty()) source.include_paths.push_back(found.back());
    return compiled_parameters(form, source, progress).problems;
  });
}

std::vector<std::string> folders_of_headers(Request request, const sim::Progress* progress) {
  return folders_of_headers(
      request.source.name, request.source.include_paths, [&](const std::vector<std::string>& found) {
        if (!found.empty()) request.source.include_paths.push_back(found.back());
        const Result<std::shared_ptr<const Prepared>> made = prepare(request, request.first().kernel, progress);
        return made ? Diagnostics() : made.errors();
      });
}

Diagnostic note_of_headers(const std::string& source, const std::string& folder) {
  return {Severity::note,
          "program.headers",
          {source},
          worded("Headers were found in {}, which is an include path now (-I {}).", folder, as_typed(folder)),
          ""};
}

LaunchForm completed(LaunchForm form, const FormKernel& kernel, const CompiledParameters& compiled) {
  constexpr std::uint64_t most = 4096;  // bytes of all parameters, in CUDA
  for (std::size_t i = 0; i < form.arguments.size(); ++i) {
    FormArgument& argument = form.arguments[i];
    if (argument.text() == "bytes=" && i < compiled.bytes.size() && compiled.bytes[i] <= most)
      argument.value += std::string(2 * compiled.bytes[i], '0');
    const bool unknown = i < kernel.parameters.size() && kernel.parameters[i].pointer &&
                         kernel.parameters[i].element().empty() && i < compiled.types.size();
    if (!unknown || i >= kernel.form.arguments.size() || argument != kernel.form.arguments[i]) continue;
    const KernelParameter type = pointer_named(compiled.types[i]);
    std::uint64_t bytes = 0;
    std::from_chars(argument.count.data(), argument.count.data() + argument.count.size(), bytes);
    const auto state = static_cast<std::uint64_t>(bytes_of_random_state(type.type));
    if (type.pointer && state > 0 && bytes >= guessed_bytes_each &&
        bytes_of_random_state(kernel.parameters[i].type) == 0)  // typedef curandState rng;
      argument.count = std::to_string(bytes / guessed_bytes_each * state);
    if (!type.pointer || type.element().empty() || bytes < guessed_bytes_each) continue;
    argument.type = type.element();
    argument.count = std::to_string(bytes / guessed_bytes_each * static_cast<std::uint64_t>(type.elements_each()));
    if (type.constant) argument.value = "iota";
  }
  return form;
}

}  // namespace lanescope::job
