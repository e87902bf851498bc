#include "gui/session/open_run.h"

#include <atomic>
#include <filesystem>

#include <fmt/format.h>

#include "core/worded.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

lesson::Phrase same_in_both(const std::string& text) {
  return {text, text};
}

std::string extent_of(const Dim3& size) {
  if (size.z != 1) return fmt::format("({}, {}, {})", size.x, size.y, size.z);
  if (size.y != 1) return fmt::format("({}, {})", size.x, size.y);
  return std::to_string(size.x);
}

lesson::Variant variant_of(const device::LaunchEntry& entry) {
  lesson::Variant variant;
  variant.id = std::to_string(entry.number);
  variant.title = same_in_both(fmt::format("{}  {}", entry.number, entry.kernel));
  variant.summary = same_in_both(fmt::format("{}{}", entry.kernel, shape_text(entry.launch)));
  variant.file = entry.source_file;
  variant.first().kernel = entry.kernel;
  return variant;
}

}  // namespace

std::string shape_text(const trace::Launch& launch) {
  std::string text = fmt::format("<<<{}, {}", extent_of(launch.grid), extent_of(launch.block));
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

Result<std::shared_ptr<const OpenRun>> open_run(const std::string& path) {
  std::error_code failed;
  const fs::path absolute = fs::absolute(path, failed);
  auto file = device::SavedRun::open(failed ? path : absolute.lexically_normal().string());
  if (!file) return file.take_errors();
  if ((*file)->launches().empty())
    return Diagnostic{
        Severity::error, "saved_run.empty", {path}, "The saved run has no launch.", "Save the program's run again."};
  auto run = std::make_shared<OpenRun>();
  run->file = std::move(*file);
  // The file may have changed since it was last opened, so each opening gets its own id.
  static std::atomic<int> opened{0};
  run->lesson.id = fmt::format("run:{}:{}", ++opened, run->file->path());
  run->lesson.title = same_in_both(fs::path(run->file->path()).filename().string());
  for (const device::LaunchEntry& entry : run->file->launches()) {
    run->lesson.variants.push_back(variant_of(entry));
    if (run->lesson.sources.contains(entry.source_file)) continue;
    Result<std::string> text = run->file->source(entry.source_file);
    if (!text) return text.take_errors();
    run->lesson.sources[entry.source_file] = std::move(*text);
  }
  return std::shared_ptr<const OpenRun>(std::move(run));
}

}  // namespace lanescope::gui
