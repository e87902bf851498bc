#pragma once
// Makes a recording with many GPUs of a cluster: its measurements are spread over the tasks of a Slurm job array.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "gpu/job_array.h"
#include "job/lesson/recording_parts.h"

namespace lanescope::job {

struct SpreadOptions {
  gpu::Where where;  // slurm
  int tasks = 1;     // at most; never more than there are measurements to make
  // The command of task `time` (from 1), which calls measure_share() with it.
  std::function<std::vector<std::string>(int time)> command;
  struct Progress {
    std::size_t made = 0, all = 0;
    gpu::ArrayState jobs;
  };
  // Called when something has changed.
  std::function<void(const Progress&)> progress;
};

// Collects what the tasks measure until all measurements were made or missed, and returns the recording. The folder
// stays; remove it when the recording is saved. If an earlier call was interrupted: its tasks that still wait or run
// are waited for, and only what no task has made is sent off. `missing` receives why measurements are missing.
// Diagnostics: those of RecordingParts and of job_array.h; recording.incomplete: the jobs have ended and did not make
// all; recording.in_use: another process does this. Call again after any of these.
Result<LessonRecording> record_by_array(const RecordingParts& parts, const SpreadOptions& options,
                                        Diagnostics& missing);

// What task `task` of the array that was sent off at `time` has to measure and nobody has measured yet. Diagnostics:
// those of RecordingParts::put() and of a session that is lost.
Result<std::monostate> measure_share(const RecordingParts& parts, const lesson::Lesson& lesson, gpu::Session& session,
                                     const RecordOptions& options, int time, int task);

}  // namespace lanescope::job
