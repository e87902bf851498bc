#pragma once
// Which size a time belongs to. Pictures and counts are of the size on screen, which is small enough to be interpreted
// at once; times are shown at the size that the lesson measures, where the launch itself is not most of them.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/session/session.h"

namespace lanescope::gui {

enum class TimeSize : std::uint8_t { measure, look };

// The values on screen of a variant's controls; with `measure` its sizes are those that the lesson measures.
lesson::ControlValues values_at(const Session& session, const lesson::Variant& variant, TimeSize size);

// The variant's controls that have another value to measure at.
std::vector<const lesson::Control*> sizes_of(const lesson::Lesson& lesson, const lesson::Variant& variant);

// The recorded run of the text and values on screen at that size; null where there is none.
const job::RecordedRun* recorded_at(const Session& session, std::size_t variant, TimeSize size);

// Of A and of B, what is compared: the sizes measured, or, where B has a size of its own, those on screen.
std::pair<const job::RecordedRun*, const job::RecordedRun*> recorded_of_both(const Session& session);

// The variants that do the same work as the one on screen: those that share its first size, or, like it, have none. In
// the lesson's order, without those that are broken on purpose.
struct VariantTime {
  std::size_t variant = 0;
  const job::RecordedRun* run = nullptr;  // null: not recorded with these values
  double bytes = 0;                       // that must move; 0 = the lesson does not say
  bool edited = false;
  bool timed() const { return run != nullptr && run->timing.has_value(); }
  double bandwidth() const { return timed() && bytes > 0 ? bytes / run->timing->seconds.median : 0; }
};
std::vector<VariantTime> variants_beside(const Session& session, TimeSize size);

// A time to hold the others against: an empty launch, a library's way to do the work, the bytes at the device's peak.
struct TimeLine {
  enum class Kind : std::uint8_t { empty_launch, library, peak } kind{};
  std::string id, library;  // of a yardstick, and its version
  double seconds = 0;
};
// Those that belong to the variant on screen at that size; the peak where all of these variants must move the same
// bytes.
std::vector<TimeLine> lines_beside(const Session& session, TimeSize size, const std::vector<VariantTime>& variants);

// Where nothing was recorded with these values: the recorded values of the one control in which they differ least,
// ascending; an empty name when the variant has no recording of its text.
struct RecordedElsewhere {
  std::string control;
  std::vector<std::int64_t> values;
};
RecordedElsewhere recorded_elsewhere(const Session& session, TimeSize size);

}  // namespace lanescope::gui
