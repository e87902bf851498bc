#include "gui/time/time_sizes.h"

#include <algorithm>
#include <map>
#include <set>

#include "gui/time/nearest_recording.h"

namespace lanescope::gui {
namespace {

// Only a lesson's own text was recorded.
const std::string* recorded_text(const Session& session, const lesson::Variant& variant) {
  const auto source = session.selection.lesson().sources.find(variant.file);
  return source == session.selection.lesson().sources.end() || session.selection.differs(variant) ? nullptr
                                                                                                  : &source->second;
}

double must_move(const lesson::Variant& variant, const lesson::ControlValues& values) {
  if (variant.bytes.text.empty()) return 0;
  const Result<std::int64_t> bytes = lesson::evaluate(variant.bytes, values);
  return bytes ? static_cast<double>(*bytes) : 0;
}

const lesson::Control* first_size(const lesson::Lesson& lesson, const lesson::Variant& variant) {
  const auto sizes = sizes_of(lesson, variant);
  return sizes.empty() ? nullptr : sizes.front();
}

}  // namespace

std::vector<const lesson::Control*> sizes_of(const lesson::Lesson& lesson, const lesson::Variant& variant) {
  std::vector<const lesson::Control*> sizes;
  for (const std::string& name : variant.controls)
    if (const lesson::Control* control = lesson.find_control(name); control != nullptr && control->is_size())
      sizes.push_back(control);
  return sizes;
}

lesson::ControlValues values_at(const Session& session, const lesson::Variant& variant, TimeSize size) {
  lesson::ControlValues values;
  for (const std::string& name : variant.controls) values[name] = session.selection.control(name);
  return size == TimeSize::look ? values : session.selection.lesson().at_full_size(std::move(values));
}

namespace {

const job::RecordedRun* recorded_with(const Session& session, const lesson::Variant& of,
                                      const lesson::ControlValues& values, const std::string* text) {
  const job::LessonRecording* recording = session.recordings.recording();
  if (recording == nullptr || text == nullptr) return nullptr;
  const job::RecordedRun* run = recording->find(of.id, values, *text);
  return run != nullptr && run->checked && !run->checks_hold ? nullptr : run;  // a wrong result has no time
}

}  // namespace

const job::RecordedRun* recorded_at(const Session& session, std::size_t variant, TimeSize size) {
  const lesson::Variant& of = session.selection.lesson().variants[variant];
  return recorded_with(session, of, values_at(session, of, size), recorded_text(session, of));
}

std::pair<const job::RecordedRun*, const job::RecordedRun*> recorded_of_both(const Session& session) {
  const Compared& b = *session.selection.comparison();
  const lesson::Variant& of = session.selection.lesson().variants[b.variant];
  const auto sizes = sizes_of(session.selection.lesson(), of);
  const bool own_size =
      std::ranges::any_of(sizes, [&](const lesson::Control* control) { return b.controls.contains(control->name); });
  const TimeSize size = own_size ? TimeSize::look : TimeSize::measure;
  lesson::ControlValues values = values_at(session, of, size);
  for (auto& [name, value] : values)
    if (const auto own = b.controls.find(name); own != b.controls.end()) value = own->second;
  const std::string text = session.selection.compared_key().text_to_record();
  const auto original = session.selection.lesson().sources.find(of.file);
  const bool recorded = original != session.selection.lesson().sources.end() && original->second == text;
  return {recorded_at(session, session.selection.variant_index(), size),
          recorded_with(session, of, values, recorded ? &text : nullptr)};
}

std::vector<VariantTime> variants_beside(const Session& session, TimeSize size) {
  const lesson::Lesson& lesson = session.selection.lesson();
  const lesson::Control* shared = first_size(lesson, session.selection.variant());
  std::vector<VariantTime> beside;
  for (std::size_t i = 0; i < lesson.variants.size(); ++i) {
    const lesson::Variant& variant = lesson.variants[i];
    if (variant.broken_on_purpose || first_size(lesson, variant) != shared) continue;
    beside.push_back({i, recorded_at(session, i, size), must_move(variant, values_at(session, variant, size)),
                      session.selection.differs(variant)});
  }
  return beside;
}

std::vector<TimeLine> lines_beside(const Session& session, TimeSize size, const std::vector<VariantTime>& variants) {
  const job::LessonRecording* recording = session.recordings.recording();
  std::vector<TimeLine> lines;
  if (recording == nullptr) return lines;
  const lesson::ControlValues values = values_at(session, session.selection.variant(), size);
  if (recording->empty_launch)
    lines.push_back({TimeLine::Kind::empty_launch, {}, {}, recording->empty_launch->seconds.median});
  for (const lesson::Yardstick& yardstick : session.selection.lesson().yardsticks)
    if (const job::RecordedYardstick* one = recording->find_yardstick(yardstick.id, values))
      lines.push_back({TimeLine::Kind::library, one->id, one->library, one->timing.seconds.median});
  const double bytes = variants.empty() ? 0 : variants.front().bytes, peak = recording->device.peak_bandwidth();
  const bool alike = std::ranges::all_of(variants, [&](const VariantTime& one) { return one.bytes == bytes; });
  if (bytes > 0 && alike && peak > 0) lines.push_back({TimeLine::Kind::peak, {}, {}, bytes / peak});
  return lines;
}

namespace {

// For each recording of the variant's text: the controls that differ from `wanted`, with their recorded values. None
// for a recording of `wanted` itself.
std::vector<lesson::ControlValues> recorded_instead(const Session& session, const lesson::ControlValues& wanted) {
  const job::LessonRecording* recording = session.recordings.recording();
  const std::string* text = recorded_text(session, session.selection.variant());
  if (recording == nullptr || text == nullptr) return {};
  const std::string hash = job::hash_of(*text);
  std::vector<lesson::ControlValues> all;
  for (const job::RecordedRun& run : recording->runs) {
    if (run.variant != session.selection.variant().id || run.source_hash != hash || !run.timing) continue;
    lesson::ControlValues other;
    for (const std::string& name : session.selection.variant().controls)
      if (const auto value = run.controls.find(name); value != run.controls.end() && value->second != wanted.at(name))
        other.insert(*value);
    if (!other.empty()) all.push_back(std::move(other));
  }
  return all;
}

}  // namespace

RecordedElsewhere recorded_elsewhere(const Session& session, TimeSize size) {
  std::map<std::string, std::set<std::int64_t>> found;
  for (const lesson::ControlValues& other :
       recorded_instead(session, values_at(session, session.selection.variant(), size)))
    if (other.size() == 1) found[other.begin()->first].insert(other.begin()->second);
  for (const std::string& name : session.selection.variant().controls)
    if (const auto values = found.find(name); values != found.end())
      return {name, {values->second.begin(), values->second.end()}};
  return {};
}

lesson::ControlValues nearest_recording(const Session& session, TimeSize size) {
  const auto all = recorded_instead(session, values_at(session, session.selection.variant(), size));
  const auto nearest = std::ranges::min_element(all, {}, &lesson::ControlValues::size);
  return nearest == all.end() ? lesson::ControlValues() : *nearest;
}

}  // namespace lanescope::gui
