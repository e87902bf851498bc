#pragma once
// What a real GPU measured for a lesson: one small versioned file, shipped in assets/recordings/, shown where no GPU is
// and beside the learner's own GPU where one is. Always with device, driver, compiler, clocks and date; never without.

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

// 2: samples are whole nanoseconds, and "flushed" means what CacheState says. Files of format 1 are read: their L2 was
// overwritten.
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
  std::string size;                   // "looking", "full", or the name of the control that was swept
  std::string source_hash;            // of the .cu: a recording of another text is stale and is not shown as this one's
  gpu::KernelAttributes attributes;   // of launch 1
  bool checked = false;               // against the variant's own rules for its result; runs of a sweep are not
  bool checks_hold = false;           // and passed
  std::optional<gpu::Timing> timing;  // of all launches together
  std::map<std::string, double> counters;  // of launch 1, by Nsight Compute's names; empty when the driver forbade them
};

// A library's own way, timed the same way.
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
  std::optional<gpu::Timing>
      empty_launch;  // of a kernel that does nothing, timed the same way: the floor of all times; format 2

  // The run with exactly these controls (those that the variant has), of this source text; nullptr when there is none.
  const RecordedRun* find(const std::string& variant, const std::map<std::string, std::int64_t>& controls,
                          const std::string& source_text) const;
  // The yardstick with these values of the controls that it uses; nullptr when there is none.
  const RecordedYardstick* find_yardstick(const std::string& id,
                                          const std::map<std::string, std::int64_t>& controls) const;
  // The runs of a variant in which only `control` varies from these values, by ascending value; timed ones only.
  std::vector<const RecordedRun*> sweep(const std::string& variant, const std::string& control,
                                        const std::map<std::string, std::int64_t>& controls,
                                        const std::string& source_text) const;
  // The machine code of a variant as far as it was kept: instructions with predicate, address and line.
  compile::Sass machine_code(const std::string& variant) const;
  // "NVIDIA H200, driver 580.159.04, nvrtc 13.0.88, 2026-11-21": what must stand beside every number of it.
  Wording label() const;
};

// Diagnostics: recording.io, recording.syntax (damaged), recording.newer (written by a newer version).
Result<LessonRecording> open_recording(const std::string& path);
Result<std::monostate> save_recording(const LessonRecording& recording, const std::string& path);
// Every recording in a folder; those that do not open are left out and reported in `problems`.
std::vector<LessonRecording> open_recordings(const std::string& folder, Diagnostics& problems);
// The same without those that say at their beginning that they are of another lesson: these are not read.
std::vector<LessonRecording> open_recordings_of(const std::string& lesson, const std::string& folder,
                                                Diagnostics& problems);

std::string hash_of(const std::string& source_text);

struct RecordOptions {
  gpu::TimingOptions timing;
  bool full_size = true, sweeps = true, counters = true;
  double sweep_seconds =
      1e9;  // sweeps begin no run later than so long after the start; what is left out is told in `missing`
  std::string
      libraries_folder;  // kernels/libraries: sources to build with nvcc; empty = no libraries but the runtime's
  Diagnostics* missing = nullptr;  // what could not be measured here and why; may be null
  std::function<bool(const std::string& what, double done)> progress;  // 0…1; false = stop
};
// Measures every variant at looking and at full size; then, at full size, each over the control that its time is shown
// over and over its sizes by factors of four; then the other controls of at most 64 values. Diagnostics in `missing`,
// beside those of what could not run: recording.cut (the sweeps had no time left).
Result<LessonRecording> record_lesson(const lesson::Lesson& lesson, gpu::Session& session,
                                      const RecordOptions& options);

}  // namespace lanescope::job
