#include "gui/programs/program_versions.h"

#include <algorithm>
#include <utility>

#include "core/worded.h"

namespace lanescope::gui {

void ProgramVersions::note(std::shared_ptr<const OpenRun> run) {
  if (now_.run == nullptr || now_.run->program->program.file != run->program->program.file) {
    before_ = {0, nullptr};
    now_ = {1, std::move(run)};
    return;
  }
  if (!same_version(*now_.run, *run)) {
    before_ = std::move(now_);
    now_.number = before_.number + 1;
  }
  now_.run = std::move(run);
}

const ProgramVersions::Version* ProgramVersions::now(const OpenRun* of) const {
  return of != nullptr && now_.run.get() == of ? &now_ : nullptr;
}

const ProgramVersions::Version* ProgramVersions::before(const OpenRun* of) const {
  return now(of) != nullptr && before_.run != nullptr ? &before_ : nullptr;
}

bool same_version(const OpenRun& a, const OpenRun& b) {
  if (a.program->program.arguments != b.program->program.arguments) return false;
  if (a.lesson.variants.size() != b.lesson.variants.size() || a.lesson.sources.size() != b.lesson.sources.size())
    return false;
  for (std::size_t i = 0; i < a.lesson.variants.size(); ++i)
    if (a.lesson.variants[i].summary.en != b.lesson.variants[i].summary.en) return false;
  return std::ranges::all_of(a.lesson.sources, [&](const auto& source) {
    const std::string& file = source.first;
    return b.lesson.sources.contains(file) && a.text_that_ran(file) == b.text_that_ran(file);
  });
}

std::vector<MoreLaunches> more_launches(const OpenRun& of, const OpenRun& than) {
  std::vector<MoreLaunches> more;
  for (const auto& [kernel, launches] : of.launches_of) {
    const auto other = than.launches_of.find(kernel);
    const std::size_t there = other == than.launches_of.end() ? 0 : other->second.size();
    if (launches.size() > there) more.push_back({kernel, launches.size() - there});
  }
  return more;
}

Diagnostic no_such_launch(const OpenRun& run, std::size_t launch, int version, const OpenRun& of_version) {
  const std::string& kernel = run.entry(launch).kernel;
  const auto there = of_version.launches_of.find(kernel);
  return {Severity::error,
          "compare.no_such_launch",
          {run.program->program.file},
          there == of_version.launches_of.end()
              ? worded("Version {} of the program does not launch `{}`.", version, kernel)
              : worded("Version {} of the program has no launch {} of `{}`; it has {}.", version,
                       nth_of_kernel(run, launch) + 1, kernel, there->second.size()),
          "Choose a launch that both versions have."};
}

}  // namespace lanescope::gui
