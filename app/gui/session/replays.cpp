#include "gui/session/replays.h"

#include "gui/session/run_result.h"

namespace lanescope::gui {

const Result<job::StepValues>* Replays::values(const std::shared_ptr<const RunResult>& run, int launch,
                                               const sim::Step& step) {
  const Asked asked{run->serial, launch, step};
  if (asked == asked_) return values_ ? &*values_ : nullptr;
  if (asked.run != asked_.run) {
    trail.clear();
    said = {};
  }
  asked_ = asked;
  values_.reset();
  worker_.post("values", [this, run, launch, step](sim::Progress& progress) {
    auto made = std::make_shared<Result<job::StepValues>>(job::step_values(run->outcome, launch, step, &progress));
    return [this, made] { values_ = std::move(*made); };  // what was replaced since then never gets here
  });
  return nullptr;
}

const Result<job::Origins>* Replays::origins(const std::shared_ptr<const RunResult>& run, int launch,
                                             const sim::Step& step, int of_lane) {
  const Asked asked{run->serial, launch, step};
  if (asked == asked_origins_ && of_lane == asked_lane_) return origins_ ? &*origins_ : nullptr;
  asked_origins_ = asked, asked_lane_ = of_lane;
  origins_.reset();
  worker_.post("origins", [this, run, launch, step, of_lane](sim::Progress& progress) {
    auto made = std::make_shared<Result<job::Origins>>(job::origins(run->outcome, launch, step, of_lane, &progress));
    return [this, made] { origins_ = std::move(*made); };
  });
  return nullptr;
}

void Replays::find_writer(const std::shared_ptr<const RunResult>& run, int argument, std::int64_t index, Found found) {
  worker_.post("writer", [run, argument, index, found = std::move(found)](sim::Progress& progress) {
    auto made = std::make_shared<Result<std::optional<job::Writer>>>(
        job::last_writer(run->outcome, argument, index, &progress));
    return [made, found] { found(*made); };
  });
}

}  // namespace lanescope::gui
