#pragma once
// The size to which a time belongs. Pictures and counts are for the size on screen, which is small enough to be
// interpreted at once. Times are shown at the size that the lesson measures, where the launch overhead is only a small
// part of them.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/session/session.h"

namespace lanescope::gui {

enum class TimeSize : std::uint8_t { measure, look };

// The values of a variant's controls on screen; with `measure`, the sizes are those that the lesson measures.
lesson::ControlValues values_at(const Session& session, const lesson::Variant& variant, TimeSize size);

// The variant's controls that have a separate value for measuring.
std::vector<const lesson::Control*> sizes_of(const lesson::Lesson& lesson, const lesson::Variant& variant);

// The recorded run of the text and values on screen at that size; null if there is none.
const job::RecordedRun* recorded_at(const Session& session, std::size_t variant, TimeSize size);

// The recorded runs of A and B that are compared: at the measured size or, if B has a size of its own, at the sizes on
// screen.
std::pair<const job::RecordedRun*, const job::RecordedRun*> recorded_of_both(const Session& session);

// The variants that do the same work as the one on screen: those that share its first size, or, like it, have no size.
// In the lesson's order, without variants that are broken on purpose.
struct VariantTime {
  std::size_t variant = 0;
  const job::RecordedRun* run = nullptr;  // null: not recorded with these values
  double bytes = 0;                       // bytes that must move; 0 = the lesson does not say
  bool edited = false;
  bool timed() const { return run != nullptr && run->timing.has_value(); }
  double bandwidth() const { return timed() && bytes > 0 ? bytes / run->timing->seconds.median : 0; }
};
std::vector<VariantTime> variants_beside(const Session& session, TimeSize size);

// A reference time: an empty launch, a library that does the same work, or the bytes at the device's peak bandwidth.
struct TimeLine {
  enum class Kind : std::uint8_t { empty_launch, library, peak } kind{};
  std::string id, library;  // of a yardstick; the library with its version
  double seconds = 0;
};
// The reference times for the variant on screen at that size; the peak only if all of these variants must move the same
// bytes.
std::vector<TimeLine> lines_beside(const Session& session, TimeSize size, const std::vector<VariantTime>& variants);

// If nothing was recorded with these values: the recorded values of the control in which the recordings differ least,
// ascending. The name is empty if the variant's text has no recording.
struct RecordedElsewhere {
  std::string control;
  std::vector<std::int64_t> values;
};
RecordedElsewhere recorded_elsewhere(const Session& session, TimeSize size);

}  // namespace lanescope::gui
