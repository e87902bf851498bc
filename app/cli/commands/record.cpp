// lanescope record LESSON -o FILE

#include <unistd.h>

#include <cstdio>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/gpu_session.h"
#include "cli/commands/runner.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "job/lesson/recording.h"

namespace lanescope::cli {

int record(const RecordOptions& options) {
  Result<lesson::Lesson> lesson = find_lesson(options.lesson);
  if (!lesson) return refuse(lesson.errors(), false);
  // A GPU of this machine is used in this process: a faulting kernel loses nothing here, and hundreds of megabytes need
  // not be copied to a worker.
  Result<std::unique_ptr<gpu::Session>> session =
      options.device == "gpu" ? gpu::Session::open(options.gpu) : open_gpu(options.device, options.gpu);
  if (!session) return refuse(session.errors(), false);
  job::RecordOptions wanted;
  wanted.timing.time_limit_seconds = options.seconds;
  wanted.timing.max_samples = options.samples;
  wanted.timing.cache = *gpu::cache_state_from(options.l2);
  wanted.sweep_seconds = options.sweep_seconds;
  wanted.progress = [](const std::string& what, double done) {
    if (::isatty(STDERR_FILENO)) std::fprintf(stderr, "\r%3.0f %%  %-50s", done * 100, what.c_str());
    return true;
  };
  Diagnostics missing;
  wanted.missing = &missing;
  wanted.libraries_folder = data_folder("kernels") + "/libraries";
  Result<job::LessonRecording> recording = job::record_lesson(*lesson, **session, wanted);
  if (::isatty(STDERR_FILENO)) std::fprintf(stderr, "\r%-60s\r", "");
  if (!recording) return refuse(recording.errors(), false);
  if (Result<std::monostate> saved = job::save_recording(*recording, options.file); !saved)
    return refuse(saved.errors(), false);
  print_diagnostics(missing);
  std::size_t wrong = 0;
  for (const job::RecordedRun& run : recording->runs) wrong += run.checked && !run.checks_hold;
  if (!print(fmt::format("{}: {} runs on {}{}\n", options.file, recording->runs.size(), recording->label(),
                         wrong ? fmt::format("; {} gave a wrong result", wrong) : "")))
    return 1;
  return wrong ? 1 : 0;
}

}  // namespace lanescope::cli
