#include "job/lesson/record_by_array.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "core/os/clock.h"
#include "core/os/descriptor.h"
#include "core/os/files.h"
#include "core/worded.h"

namespace lanescope::job {
namespace {

// Slurm's controller serves the whole cluster, so it is asked only when no result has come for a while, and less and
// less often.
constexpr double soonest_question_seconds = 1, latest_question_seconds = 15;
constexpr std::chrono::milliseconds between_looks{200};
// A shared file system shows a node's last files a little later than the node's end.
constexpr double late_files_seconds = 5;

// A name that no other job has.
std::string new_name(const std::string& lesson) {
  std::random_device random;
  return fmt::format("lanescope-{}-{:08x}{:08x}", lesson, random(), random());
}

class ArrayCollector {
 public:
  ArrayCollector(const RecordingParts& parts, const SpreadOptions& options) : parts_(parts), options_(options) {
    look_at_all_again();
  }

  Diagnostics collect() {
    if (Diagnostics errors = wait_for_last(); !errors.empty()) return errors;
    std::vector<std::size_t> left = parts_.not_made();
    if (left.empty()) return {};
    parts_.forget_missed();
    look_at_all_again();
    if (Diagnostics errors = send_off(std::move(left)); !errors.empty()) return errors;
    return wait_for_last();
  }

 private:
  void look_at_all_again() {
    open_.resize(parts_.measurements().size());
    std::iota(open_.begin(), open_.end(), std::size_t{0});
  }
  // What is settled stays so, and is not looked for again: the folder may be on another machine.
  std::size_t count_settled() {
    std::erase_if(open_, [this](std::size_t index) { return parts_.is_made(index) || parts_.is_missed(index); });
    return parts_.measurements().size() - open_.size();
  }

  // Until the array that was sent off last has ended, or all is settled.
  Diagnostics wait_for_last() {
    const std::optional<SentOff> last = parts_.last_sent_off();
    if (!last) return {};
    auto asked = std::chrono::steady_clock::time_point{};
    double patience = 0;
    while (true) {
      const std::size_t settled = count_settled();
      if (told_any_ && settled != told_.made) {
        asked = std::chrono::steady_clock::now();
        patience = soonest_question_seconds;
      }
      tell(settled, told_.jobs);
      if (settled == parts_.measurements().size()) return {};
      if (seconds_since(asked) > patience) {
        const Result<gpu::ArrayState> state = gpu::state_of_array(options_.where, last->name);
        if (!state) return state.errors();
        tell(settled, *state);
        if (state->ended()) return wait_for_late_files(), Diagnostics{};
        asked = std::chrono::steady_clock::now();
        patience = std::clamp(patience * 1.5, soonest_question_seconds, latest_question_seconds);
      }
      std::this_thread::sleep_for(between_looks);
    }
  }

  void wait_for_late_files() {
    const auto begin = std::chrono::steady_clock::now();
    while (count_settled() < parts_.measurements().size() && seconds_since(begin) < late_files_seconds)
      std::this_thread::sleep_for(between_looks);
    tell(count_settled(), {});
  }

  // The list is written before the jobs are submitted: if this process ends in between, its successor asks for the
  // name.
  Diagnostics send_off(std::vector<std::size_t> left) {
    const int tasks = std::clamp<int>(options_.tasks, 1, static_cast<int>(left.size()));
    const SentOff jobs{new_name(parts_.lesson()), tasks, std::move(left)};
    if (Result<std::monostate> put = parts_.add_sent_off(jobs); !put) return put.take_errors();
    const int time = parts_.times_sent_off();
    Result<std::string> job = gpu::submit_array(
        options_.where,
        {.name = jobs.name, .tasks = tasks, .command = options_.command(time), .output = parts_.log_of(time)});
    return job ? Diagnostics{} : job.take_errors();
  }

  void tell(std::size_t made, const gpu::ArrayState& jobs) {
    const bool changed = !told_any_ || made != told_.made || jobs != told_.jobs;
    told_any_ = true;
    told_ = {made, parts_.measurements().size(), jobs};
    if (changed && options_.progress) options_.progress(told_);
  }

  const RecordingParts& parts_;
  const SpreadOptions& options_;
  std::vector<std::size_t> open_;  // measurements that were not settled when they were looked for
  SpreadOptions::Progress told_;
  bool told_any_ = false;
};

Diagnostic incomplete(const RecordingParts& parts, std::size_t left) {
  const std::string said = parts.last_words(parts.times_sent_off());
  const std::size_t all = parts.measurements().size();
  return {Severity::error,
          "recording.incomplete",
          {parts.folder()},
          said.empty()
              ? worded("The jobs have ended, and {} of {} measurements are missing.", left, all)
              : worded("The jobs have ended, and {} of {} measurements are missing: {}", left, all, Wording(said)),
          "Give the same command again: it makes only what is missing."};
}

}  // namespace

Result<LessonRecording> record_by_array(const RecordingParts& parts, const SpreadOptions& options,
                                        Diagnostics& missing) {
  Descriptor held;
  if (open_to_append(parts.folder() + "/plan.json", Readers::all, held) == 0 &&
      lock_file(held.get()) == Lock::held_by_another)
    return Diagnostic{Severity::error,
                      "recording.in_use",
                      {parts.folder()},
                      "Another process is making this recording.",
                      "Wait for it, or end it."};
  if (Diagnostics errors = ArrayCollector(parts, options).collect(); !errors.empty()) return errors;
  std::size_t left = 0;
  for (const std::size_t index : parts.not_made()) left += !parts.is_missed(index);
  if (left > 0) return incomplete(parts, left);
  missing = parts.missed();
  Result<LessonRecording> joined = parts.joined();
  if (joined && joined->runs.empty()) {
    Diagnostics errors = std::move(missing);
    errors.push_back(incomplete(parts, parts.not_made().size()));
    return errors;
  }
  return joined;
}

Result<std::monostate> measure_share(const RecordingParts& parts, const lesson::Lesson& lesson, gpu::Session& session,
                                     const RecordOptions& options, int time, int task) {
  const Result<SentOff> jobs = parts.sent_off(time);
  if (!jobs) return jobs.errors();
  const auto tasks = static_cast<std::size_t>(jobs->tasks);
  for (auto i = static_cast<std::size_t>(task); i < jobs->measurements.size(); i += tasks) {
    const std::size_t index = jobs->measurements[i];
    if (parts.times_sent_off() != time) break;  // this task came late: others were sent off instead
    if (parts.is_made(index)) continue;         // Slurm started this task a second time
    Diagnostics missed;
    RecordOptions one = options;
    one.missing = &missed;
    const Result<LessonRecording> made = measure(lesson, session, one, parts.measurements()[index]);
    if (!made) return made.errors();
    if (Result<std::monostate> put = parts.put(index, *made, missed); !put) return put;
  }
  return std::monostate{};
}

}  // namespace lanescope::job
