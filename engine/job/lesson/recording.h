#pragma once
// What a real GPU measured for a lesson: a small versioned file in assets/recordings/. It is shown where there is no
// GPU, and beside the learner's own GPU where there is one, always with device, driver, compiler, clocks and date.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "compile/compiler.h"
#include "gpu/gpu.h"
#include "job/run/job.h"
#include "lesson/lesson.h"

namespace lanescope::job {

// Format 2: samples are whole nanoseconds, and "flushed" has the meaning in CacheState. Files of format 1 can be read;
// their L2 was overwritten.
inline constexpr int recording_format = 2;

struct RecordedSass {
  std::uint32_t address = 0;
  std::string text;
  int line = 0;  // in the kernel's source; 0 = unknown
};

// One variant with one set of control values.
struct RecordedRun {
  std::string variant;
  std::map<std::string, std::int64_t> controls;
  std::string size;         // "looking", "full", or the name of the swept control
  std::string source_hash;  // hash of the .cu text; a recording of another text is stale and is not shown for this one
  gpu::KernelAttributes attributes;   // of launch 1
  bool checked = false;               // the result was checked by the variant's rules; runs of a sweep are not
  bool checks_hold = false;           // the checks passed
  std::optional<gpu::Timing> timing;  // of all launches together
  // Of launch 1, by Nsight Compute's names; empty if the driver forbade counters.
  std::map<std::string, double> counters;
};

// A library's own implementation, timed in the same way.
struct RecordedYardstick {
  std::string id;       // Yardstick::id
  std::string library;  // with its version: "CUB 2.8.0"
  std::string size;     // "looking" or "full"
  std::map<std::string, std::int64_t> controls;
  std::uint64_t count = 0;  // Yardstick::count
  gpu::Timing timing;
};

struct LessonRecording {
  int format = recording_format;
  std::string lesson;
  std::string date;  // "2026-11-21", UTC
  gpu::Device device;
  std::string compiler;  // "nvrtc 13.0.88"
  std::vector<RecordedRun> runs;
  std::map<std::string, std::vector<RecordedSass>> sass;  // by variant, at looking size
  std::vector<RecordedYardstick> yardsticks;
  // The time of an empty kernel, measured in the same way: the floor of all times. In format 2.
  std::optional<gpu::Timing> empty_launch;

  // The run with exactly these controls (those that the variant has) and this source text; nullptr if there is none.
  const RecordedRun* find(const std::string& variant, const std::map<std::string, std::int64_t>& controls,
                          const std::string& source_text) const;
  // The yardstick with these values of the controls that it uses; nullptr if there is none.
  const RecordedYardstick* find_yardstick(const std::string& id,
                                          const std::map<std::string, std::int64_t>& controls) const;
  // The timed runs of a variant in which only `control` differs from `controls`, by ascending value.
  std::vector<const RecordedRun*> sweep(const std::string& variant, const std::string& control,
                                        const std::map<std::string, std::int64_t>& controls,
                                        const std::string& source_text) const;
  // The machine code of a variant as far as it was stored: instructions with predicate, address and line.
  compile::Sass machine_code(const std::string& variant) const;
  // "NVIDIA H200, driver 580.159.04, nvrtc 13.0.88, 2026-11-21". It must be shown beside every number of the recording.
  Wording label() const;
};

// Diagnostics: recording.io, recording.syntax (damaged), recording.newer (written by a newer version).
Result<LessonRecording> open_recording(const std::string& path);
Result<std::monostate> save_recording(const LessonRecording& recording, const std::string& path);
// recording.io, with the system's reason (errno).
Diagnostic cannot_write_recording(const std::string& path, int reason);
// All recordings in a folder. Those that cannot be opened are left out and reported in `problems`.
std::vector<LessonRecording> open_recordings(const std::string& folder, Diagnostics& problems);
// The same, but recordings whose head names another lesson are skipped without reading the rest.
std::vector<LessonRecording> open_recordings_of(const std::string& lesson, const std::string& folder,
                                                Diagnostics& problems);

std::string hash_of(const std::string& source_text);

struct RecordOptions {
  gpu::TimingOptions timing;
  bool full_size = true, sweeps = true, counters = true;
  // Time limit for sweeps: no run starts after this many seconds. `missing` receives what was left out.
  double sweep_seconds = 1e9;
  // kernels/libraries: sources to build with nvcc; empty = only the runtime's own copy is measured.
  std::string libraries_folder;
  Diagnostics* missing = nullptr;  // receives what could not be measured and why; may be null
  std::function<bool(const std::string& what, double done)> progress;  // done: 0…1; return false to stop
};
// Measures every variant at looking and at full size. Then, at full size, sweeps each variant over the control on the
// axis of its time plot and over its sizes by factors of four, and after that over its other controls of at most 64
// values. `missing` receives what could not run, and recording.cut if there was no time left for the sweeps.
Result<LessonRecording> record_lesson(const lesson::Lesson& lesson, gpu::Session& session,
                                      const RecordOptions& options);

}  // namespace lanescope::job
