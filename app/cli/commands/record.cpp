// lanescope record LESSON -o FILE

#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/commands/gpu_session.h"
#include "cli/commands/runner.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "core/text.h"
#include "core/worded.h"
#include "gpu/worker.h"
#include "job/lesson/record_by_array.h"
#include "job/lesson/recording.h"

namespace lanescope::cli {
namespace {

namespace fs = std::filesystem;

job::RecordOptions measured_as(const RecordOptions& options, Diagnostics& missing) {
  job::RecordOptions wanted;
  wanted.timing.time_limit_seconds = options.seconds;
  wanted.timing.max_samples = options.samples;
  wanted.timing.cache = *gpu::cache_state_from(options.l2);
  wanted.sweep_seconds = options.sweep_seconds;
  wanted.missing = &missing;
  wanted.libraries_folder = data_folder("kernels") + "/libraries";
  return wanted;
}

// Tasks on other nodes find the folder by the same path.
std::string parts_of(const RecordOptions& options) {
  return fs::absolute(options.file).generic_string() + ".parts";
}

// Prints what was saved. Returns the exit code.
int report_recording(const job::LessonRecording& recording, const RecordOptions& options, const Diagnostics& missing) {
  print_diagnostics(missing);
  std::size_t wrong = 0;
  for (const job::RecordedRun& run : recording.runs) wrong += run.checked && !run.checks_hold;
  if (!print(fmt::format("{}: {} runs on {}{}\n", options.file, recording.runs.size(), recording.label(),
                         wrong ? fmt::format("; {} gave a wrong result", wrong) : "")))
    return 1;
  return wrong ? 1 : 0;
}

// A task of the array: the same command with --share, on a node.
int record_share(const RecordOptions& options, const lesson::Lesson& lesson) {
  if (!fs::exists(parts_of(options) + "/plan.json")) return 0;  // it came late: the recording is complete
  Diagnostics missing;
  const job::RecordOptions wanted = measured_as(options, missing);
  const Result<job::RecordingParts> parts = job::RecordingParts::open(parts_of(options), lesson, wanted);
  if (!parts) return refuse(parts.errors(), false);
  // A worker of its own, so a kernel that faults does not take the other measurements with it.
  const Result<std::unique_ptr<gpu::Session>> session = open_gpu("gpu", 0);
  if (!session) return refuse(session.errors(), false);
  const std::string task = value_of_variable("SLURM_ARRAY_TASK_ID").value_or("0");
  const Result<std::monostate> done =
      job::measure_share(*parts, lesson, **session, wanted, options.share, std::atoi(task.c_str()));
  return done ? 0 : refuse(done.errors(), false);
}

void tell_of_tasks(const job::SpreadOptions::Progress& progress) {
  if (!errors_go_to_a_terminal()) return;
  const std::string waiting = progress.jobs.reason.empty()
                                  ? fmt::format("{} wait", progress.jobs.waiting)
                                  : fmt::format("{} wait ({})", progress.jobs.waiting, progress.jobs.reason);
  std::fprintf(
      stderr, "\r%-70s",
      fmt::format("{} of {} measured; {} tasks run, {}", progress.made, progress.all, progress.jobs.running, waiting)
          .c_str());
}

int record_spread(const RecordOptions& options, const lesson::Lesson& lesson) {
  const Result<gpu::Where> where = gpu::where_from(options.device);
  if (!where) return refuse(where.errors(), false);
  if (where->kind != gpu::Where::Kind::slurm)
    return refuse({{Severity::error,
                    "command.bad_device",
                    {},
                    worded("A job array runs in Slurm, not on {}.", options.device),
                    "Write --device slurm or --device slurm:PARTITION, or leave out --array."}},
                  false);
  Diagnostics missing;
  const job::RecordOptions wanted = measured_as(options, missing);
  const Result<job::RecordingParts> parts = job::RecordingParts::open(parts_of(options), lesson, wanted);
  if (!parts) return refuse(parts.errors(), false);
  job::SpreadOptions spread;
  spread.where = *where;
  spread.tasks = options.array;
  spread.progress = tell_of_tasks;
  spread.command = [&](int time) {
    return std::vector<std::string>{value_of_variable("LANESCOPE_WORKER").value_or(own_path().generic_string()),
                                    "record",
                                    options.lesson,
                                    "-o",
                                    fs::absolute(options.file).generic_string(),
                                    "--seconds",
                                    fmt::format("{}", options.seconds),
                                    "--samples",
                                    fmt::format("{}", options.samples),
                                    "--l2",
                                    options.l2,
                                    "--share",
                                    fmt::format("{}", time)};
  };
  if (errors_go_to_a_terminal())
    std::fputs("Ctrl+C leaves the jobs alone; the same command then collects what they have measured.\n", stderr);
  const Result<job::LessonRecording> recording = job::record_by_array(*parts, spread, missing);
  if (errors_go_to_a_terminal()) std::fprintf(stderr, "\r%-70s\r", "");
  if (!recording) return refuse(recording.errors(), false);
  if (const Result<std::monostate> saved = job::save_recording(*recording, options.file); !saved)
    return refuse(saved.errors(), false);
  if (const std::size_t left = parts->not_made().size(); left == 0)
    parts->remove();
  else
    missing.push_back({Severity::note,
                       "recording.kept",
                       {parts->folder()},
                       worded("The other measurements are kept here, because {} are missing.", left),
                       "Give the same command again to try only these, or delete the folder."});
  return report_recording(*recording, options, missing);
}

}  // namespace

int record(const RecordOptions& options) {
  Result<lesson::Lesson> lesson = find_lesson(options.lesson);
  if (!lesson) return refuse(lesson.errors(), false);
  if (options.share > 0) return record_share(options, *lesson);
  if (options.array > 0) return record_spread(options, *lesson);
  // A GPU of this machine is used in this process: a faulting kernel loses nothing here, and hundreds of megabytes need
  // not be copied to a worker.
  Result<std::unique_ptr<gpu::Session>> session =
      options.device == "gpu" ? gpu::Session::open(options.gpu) : open_gpu(options.device, options.gpu);
  if (!session) return refuse(session.errors(), false);
  Diagnostics missing;
  job::RecordOptions wanted = measured_as(options, missing);
  wanted.progress = [](const std::string& what, double done) {
    if (errors_go_to_a_terminal()) std::fprintf(stderr, "\r%3.0f %%  %-50s", done * 100, what.c_str());
    return true;
  };
  Result<job::LessonRecording> recording = job::record_lesson(*lesson, **session, wanted);
  if (errors_go_to_a_terminal()) std::fprintf(stderr, "\r%-60s\r", "");
  if (!recording) return refuse(recording.errors(), false);
  if (const Result<std::monostate> saved = job::save_recording(*recording, options.file); !saved)
    return refuse(saved.errors(), false);
  return report_recording(*recording, options, missing);
}

}  // namespace lanescope::cli
