#pragma once
// The text of a lesson: Markdown in six sections. Its numbers are computed from runs, never typed in.
//   {{formula}}, {{formula | format}}   a number of a run: "{{stride(stride=1).global_load.sectors_per_request}}"
//   [[4 = formula]]                     a stated number; shown as "4", recomputed by `lanescope check`
//   <!-- check: formula -->             a comparison that must hold; not shown
// Fenced code is not interpreted. Formats: plain, bytes, percent, 0 … 6 (decimals), s, ms, us, ns, GB/s; see
// format_number(). Grammar and examples: docs/add-a-lesson.md.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/lesson.h"

namespace lanescope::lesson {

inline constexpr const char* section_names[] = {"Read", "Predict", "Run", "See", "Explain", "Try"};

// A piece of a section, in reading order.
struct Piece {
  enum class Kind : std::uint8_t { markdown, number, stated, check };
  Kind kind = Kind::markdown;
  std::string markdown;  // markdown: the source. stated: the number's source: "12.5 %"
  Formula formula;       // all others
  std::string format;    // number: the text after the bar; empty = the default
  double stated = 0;     // stated: its value; a percent sign is only the unit
  int decimals = 0;      // stated: digits after the point
  SourcePlace place;
};

struct Section {
  std::string name;  // "Read"
  std::vector<Piece> pieces;
};

struct Text {
  std::string language, file;
  std::vector<Section> sections;  // the six, in order
  const Section* find(std::string_view name) const;
};

// Errors: lesson.bad_text, lesson.bad_formula, lesson.unknown_name (an unknown variant, control or mark).
Result<Text> parse_text(const Lesson& lesson, const std::string& language);

// The sentence of the lesson's point as a section; without pieces if there is none. Its numbers are those of `current`:
// another variant, a stated number or a check is lesson.bad_text. Errors: as in parse_text().
Result<Section> parse_sentence(const Lesson& lesson, const std::string& language);

// Looks up a number; nullopt if it is not known (yet).
using NumberSource = std::function<std::optional<double>(const NumberReference&)>;

// Every number that the sections refer to, each once.
std::vector<NumberReference> references(const Text& text);

// The label to show with a measured number: "NVIDIA H200, driver 580.159.04, nvrtc 13.0.88, 2026-11-21"; empty =
// unknown.
using LabelSource = std::function<std::string(const NumberReference&)>;

// The target of a number's Markdown link; empty = none.
using LinkSource = std::function<std::string(const NumberReference&)>;

// The section as Markdown for the learner. `controls` are the values on screen. An unknown number shows as "…", and one
// that was not measured as "not measured", in the text's language. A measured number has a superscript, which refers to
// its label below the section.
std::string render(const Section& section, const NumberSource& numbers, const ControlValues& controls,
                   const LabelSource& labels = {}, std::string_view language = "en", const LinkSource& links = {});

// The value of a piece's formula; nullopt if a number is not known. Errors: lesson.arithmetic, lesson.unknown_name.
Result<std::optional<double>> value_of(const Formula& formula, const NumberSource& numbers,
                                       const ControlValues& controls);

// "1,024", "12.5 %", "64 KiB", "3.25", "153.5 µs" (from seconds), "4.1 GB/s" (from bytes per second, 10⁹). Default:
// integers with thousands separators, others with at most two decimals.
std::string format_number(double value, std::string_view format = {});

// True if a stated number equals the computed value: exactly without decimals, with d decimals after rounding to them.
bool agrees(const Piece& stated, double computed);

}  // namespace lanescope::lesson
