#include "gui/session/schedules.h"

#include "gui/forms/cures.h"

namespace lanescope::gui {
namespace {

// Far above any lesson, but a limit for a kernel that waits forever in some order.
constexpr std::uint64_t most_steps = 200'000'000;

// What is on screen: a lesson, unless one of the others is not null.
struct Shown {
  const lesson::Lesson& lesson;
  const OpenRun* run = nullptr;
  const KernelFile* file = nullptr;
};

job::ScheduleReport report_of(const Shown& shown, const lesson::Variant& variant, const RunKey& key,
                              std::uint32_t count, std::atomic<std::uint32_t>& done, sim::Progress& progress) {
  job::ScheduleReport report;
  auto request = shown.run != nullptr    ? gui::request_of(*shown.run, variant)
                 : shown.file != nullptr ? gui::request_of(*shown.file, key)
                                         : gui::request_of(shown.lesson, variant, key);
  const bool of_lesson = shown.run == nullptr && shown.file == nullptr;
  if (!request) {
    report.problems = request.take_errors();
    return report;
  }
  request->max_steps = most_steps;
  report = job::run_schedules(*request, of_lesson ? &variant : nullptr, count, &progress,
                              [&](std::uint32_t seed) { done.store(seed); });
  report.problems = as_window_cures(std::move(report.problems), variant);
  for (job::ScheduleResult& result : report.results)
    if (result.error) result.error = as_window_cures({*result.error}, variant).front();
  return report;
}

}  // namespace

void Schedules::run(std::uint32_t count) {
  const lesson::Variant& variant = selection_.variant();
  if (variant.gpu_only) return;
  const RunKey key = selection_.wanted();
  auto done = std::make_shared<std::atomic<std::uint32_t>>(0);
  // The new request replaces unfinished ones.
  std::erase_if(orders_, [](const auto& one) { return !one.second.known; });
  orders_[selection_.id()] = {key, count, false, nullptr, done};
  changes_.mark();
  const Shown shown{selection_.lesson(), selection_.run(), selection_.kernel_file()};
  worker_.post("orders", [this, of = selection_.id(), key, count, done, shown, &variant](sim::Progress& progress) {
    auto report = std::make_shared<job::ScheduleReport>(report_of(shown, variant, key, count, *done, progress));
    return [this, of, key, report] {
      const auto at = orders_.find(of);
      if (at == orders_.end() || at->second.key != key) return;
      at->second.known = true;
      at->second.report = report;
      changes_.mark();
    };
  });
}

const Schedules::Orders* Schedules::orders() const {
  const auto found = orders_.find(selection_.id());
  return found == orders_.end() ? nullptr : &found->second;
}

bool Schedules::stale() const {
  const Orders* all = orders();
  return all != nullptr && all->key != selection_.wanted();
}

}  // namespace lanescope::gui
