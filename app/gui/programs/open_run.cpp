#include "gui/programs/open_run.h"

#include <algorithm>
#include <atomic>
#include <filesystem>

#include <fmt/format.h>

#include "core/absolute_path.h"
#include "core/launch_extent.h"
#include "core/os/read_file.h"
#include "core/worded.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

lesson::Phrase same_in_both(const std::string& text) {
  return {text, text};
}

lesson::Variant variant_of(const device::LaunchEntry& entry, const std::string& file) {
  lesson::Variant variant;
  variant.id = std::to_string(entry.number);
  variant.title = same_in_both(fmt::format("{}  {}", entry.number, entry.kernel));
  variant.summary = same_in_both(fmt::format("{}{}", entry.kernel, shape_text(entry.launch)));
  variant.file = file;
  variant.first().kernel = entry.kernel;
  return variant;
}

}  // namespace

std::string shape_text(const trace::Launch& launch) {
  std::string text = fmt::format("<<<{}, {}", launch_extent(launch.grid), launch_extent(launch.block));
  if (launch.dynamic_shared_bytes != 0) text += fmt::format(", {}", launch.dynamic_shared_bytes);
  return text + ">>>";
}

std::string short_shape(const trace::Launch& launch) {
  const auto extent = [](const Dim3& size) {
    std::string text = std::to_string(size.x);
    if (size.y != 1 || size.z != 1) text += fmt::format("×{}", size.y);
    return size.z != 1 ? text + fmt::format("×{}", size.z) : text;
  };
  return extent(launch.grid) + ", " + extent(launch.block);
}

namespace {

Result<std::shared_ptr<const OpenRun>> open_run_file(const std::string& path,
                                                     std::shared_ptr<const EndedProgram> program) {
  auto file = device::SavedRun::open(path);
  if (!file) return file.take_errors();
  if ((*file)->launches().empty())
    return Diagnostic{
        Severity::error, "saved_run.empty", {path}, "The saved run has no launch.", "Save the program's run again."};
  auto run = std::make_shared<OpenRun>();
  run->file = std::move(*file);
  run->program = std::move(program);
  // The file may have changed since it was last opened, so each opening gets its own id.
  static std::atomic<int> opened{0};
  run->lesson.id = fmt::format("run:{}:{}", ++opened, run->file->path());
  run->lesson.title = same_in_both(fs::path(run->file->path()).filename().generic_string());
  const std::string built = run->program == nullptr ? "" : run->program->built_file;
  for (const device::LaunchEntry& entry : run->file->launches()) {
    const bool is_built = !built.empty() && entry.source_file == built;
    const std::string& name = is_built ? run->program->program.file : entry.source_file;
    run->launches_of[entry.kernel].push_back(run->lesson.variants.size());
    run->lesson.variants.push_back(variant_of(entry, name));
    if (run->lesson.sources.contains(name)) continue;
    Result<std::string> text = run->file->source(entry.source_file);
    if (!text) return text.take_errors();
    if (run->program != nullptr && name == run->program->program.file) run->built_text = *text;
    std::string on_disk;
    run->lesson.sources[name] = is_built && read_file(name, on_disk) == 0 ? std::move(on_disk) : std::move(*text);
  }
  return std::shared_ptr<const OpenRun>(std::move(run));
}

}  // namespace

Result<std::shared_ptr<const OpenRun>> open_run(const std::string& path) {
  return open_run_file(absolute_path(path), nullptr);
}

Result<std::shared_ptr<const OpenRun>> open_run(std::shared_ptr<const EndedProgram> program) {
  const std::string path = program->saved_run;
  return open_run_file(path, std::move(program));
}

const std::string& OpenRun::text_that_ran(const std::string& name) const {
  static const std::string nothing;
  if (program != nullptr && name == program->program.file) return built_text;
  const auto found = lesson.sources.find(name);
  return found == lesson.sources.end() ? nothing : found->second;
}

bool OpenRun::can_build(const std::string& name) const {
  return program != nullptr && name == program->program.file && name.ends_with(".cu") && !built_text.empty();
}

std::size_t same_launch(const OpenRun& before, std::size_t launch, const OpenRun& now) {
  const device::LaunchEntry& was = before.entry(launch);
  const auto same = now.file->find(was.number);
  if (same && now.entry(*same).kernel == was.kernel) return *same;
  if (const auto alike = launch_alike(before, launch, now)) return *alike;
  const auto others = now.launches_of.find(was.kernel);
  return others == now.launches_of.end() ? std::min(launch, now.lesson.variants.size() - 1) : others->second.back();
}

std::size_t nth_of_kernel(const OpenRun& run, std::size_t launch) {
  const std::vector<std::size_t>& all = run.launches_of.at(run.entry(launch).kernel);
  return static_cast<std::size_t>(std::ranges::lower_bound(all, launch) - all.begin());
}

std::optional<std::size_t> launch_alike(const OpenRun& of, std::size_t launch, const OpenRun& in) {
  const std::size_t nth = nth_of_kernel(of, launch);
  const auto there = in.launches_of.find(of.entry(launch).kernel);
  if (there == in.launches_of.end() || there->second.size() <= nth) return std::nullopt;
  return there->second[nth];
}

}  // namespace lanescope::gui
