#include "job/lesson/measured.h"

#include "core/worded.h"

namespace lanescope::job {

MeasuredSource measured_in(const lesson::Lesson& lesson, std::vector<LessonRecording> recordings) {
  std::erase_if(recordings, [&](const LessonRecording& recording) { return recording.lesson != lesson.id; });
  auto kept = std::make_shared<const std::vector<LessonRecording>>(std::move(recordings));
  return [&lesson, kept](const lesson::Variant& variant,
                         const lesson::ControlValues& controls) -> std::optional<Measured> {
    if (lesson.find_yardstick(variant.id)) {
      for (const LessonRecording& recording : *kept)
        if (const RecordedYardstick* one = recording.find_yardstick(variant.id, controls);
            one && one->timing.seconds.samples > 0)
          return Measured{one->timing.seconds, worded("{} on {}", one->library, recording.label())};
      return std::nullopt;
    }
    const auto source = lesson.sources.find(variant.file);
    if (source == lesson.sources.end()) return std::nullopt;
    for (const LessonRecording& recording : *kept) {
      const RecordedRun* run = recording.find(variant.id, controls, source->second);
      if (run && run->timing && run->timing->seconds.samples > 0 && (run->checks_hold || !run->checked))
        return Measured{run->timing->seconds, recording.label()};
    }
    return std::nullopt;
  };
}

}  // namespace lanescope::job
