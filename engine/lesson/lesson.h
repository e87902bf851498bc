#pragma once
// A lesson is a folder of data: lesson.toml, text.md (and text.zh-CN.md), *.cu. This loads a lesson and checks its
// form. Format: docs/add-a-lesson.md.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lesson/formula.h"
#include "lesson/phrase.h"

namespace lanescope::lesson {

using ControlValues = std::map<std::string, std::int64_t>;

// A value that the learner can change: an integer in [min, max] in steps of `step` from min, or one of `choices`.
struct Control {
  std::string name;
  Phrase label;
  std::int64_t min = 0, max = 0, step = 1;
  std::vector<std::int64_t> choices;  // if not empty: the only legal values, ascending
  bool logarithmic = false;           // a slider spreads the values logarithmically
  std::int64_t value = 0;             // value at looking size
  std::int64_t full_value = 0;        // value at full size
  Phrase unit;
  Phrase explain;  // one sentence for the tooltip

  bool allows(std::int64_t value) const;
  bool is_size() const { return full_value != value; }  // it has different values at looking and full size
  Wording legal_values() const;                         // "1 … 32", "32, 64, 128"
};

// An integer formula over the controls: extents, counts, scalars.
struct Expression {
  std::string text;
  SourcePlace place;  // of its first character, in lesson.toml
};
// Errors: lesson.bad_formula, lesson.arithmetic, lesson.unknown_name.
Result<std::int64_t> evaluate(const Expression& expression, const ControlValues& values);

struct ArgumentSpec {
  std::string name;
  std::string type;  // "f32", "i32", …: the types of --arg
  bool is_buffer = false;
  Expression count;   // buffers: elements
  Expression offset;  // buffers: bytes between the first element and the passed pointer
  std::string fill;   // buffers: what --arg takes after '=' ("@file": in the folder), or "none" (never written)
  Expression value;   // integer scalars
  std::string real;   // f32, f64 and f16 scalars: a literal; else empty
};

struct Launch {
  Expression grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  bool cooperative = false;
};

// A launch of a variant. The first launch runs once and takes the variant's arguments. Formulas of later launches may
// use `k`, which counts a launch's repeats from 0.
struct VariantLaunch {
  // Source name in the variant's file; "{formula}" is replaced by its value: "copy<{per_thread}>"; not with k.
  std::string kernel;
  Launch shape;
  Expression repeat;  // only for launches after the first, like all members below
  // A kernel parameter: a buffer of the variant by name, or a scalar.
  struct Parameter {
    std::string buffer;  // empty: `scalar`
    ArgumentSpec scalar;
  };
  std::vector<Parameter> parameters;
  std::vector<std::string> swap;  // empty, or two buffers that are exchanged in every odd repeat
  SourcePlace place;
};

// A rule that must hold after a run.
struct Check {
  enum class Kind : std::uint8_t {
    elements,  // `formula` for i = 0 … count − 1: "out[i] == in[i * stride]"
    number     // `formula` once: "global_load.sectors_per_request == min(32, 4 * stride)"
  };
  Kind kind{};
  Formula formula;
  Expression count;
  SourcePlace place;
};

// The place where the picture of this variant opens.
struct Look {
  int launch = 1;    // of a variant with several launches
  std::string mark;  // of a line or phase; empty = the first access
  std::uint32_t block = 0, warp = 0;
  // "sectors", "banks", "shuffle", "groups", "atomics", "matrices", "phases", "running"; empty = chosen by the event.
  std::string view;
};

struct Variant {
  std::string id;
  Phrase title;
  std::string file;                                                     // .cu in the lesson's folder
  Phrase summary;                                                       // one sentence
  std::vector<std::string> controls;                                    // the controls that this variant uses
  std::vector<VariantLaunch> launches = std::vector<VariantLaunch>(1);  // in their order; at least one
  std::vector<ArgumentSpec> arguments;                                  // of the first launch
  std::vector<ArgumentSpec> buffers;                                    // buffers that only later launches use
  Expression bytes;       // bytes that the algorithm must move, for its bandwidth; empty text = not given
  std::string time_over;  // the control on the axis of its time plot; empty = Lesson::time_control()
  std::vector<Check> checks;
  Look look;
  bool broken_on_purpose = false;
  bool gpu_only = false;
  SourcePlace place;  // in lesson.toml

  const VariantLaunch& first() const { return launches.front(); }
  VariantLaunch& first() { return launches.front(); }
};

// A library's implementation of the lesson's work, timed on a GPU like the variants. Its kernel cannot be inspected.
struct Yardstick {
  std::string id;
  Phrase title, summary;
  // "copy": the runtime's device-to-device copy; "cub_sum": cub::DeviceReduce::Sum; "cublas_gemm": cublasGemmEx.
  std::string library;
  std::vector<std::string> controls;  // the controls that `count` and `bytes` use
  Expression count;                   // bytes copied; floats summed
  Expression bytes;                   // bytes that must move, as in Variant::bytes
  SourcePlace place;
};

// A wrong answer with a name.
struct Misunderstanding {
  Phrase name;         // "bytes asked for, not sectors moved"
  Formula when;        // numbers and lanes: true for the answers that it explains
  std::string option;  // choices: the option that it explains
  Phrase say;          // one sentence that tells why it is wrong
  SourcePlace place;   // of `when`
};

// Asked before a run and answered from it: from the trace on screen, for any controls and any text of the kernel.
// job/lesson/questions.h evaluates it.
struct Question {
  enum class Kind : std::uint8_t { number, lanes, choice };
  enum class Pick : std::uint8_t { given, least, most };
  struct Option {
    std::string id;
    Phrase say;
    Formula value;  // for Pick::least and Pick::most
  };
  std::string id;
  std::string variant;  // asked while this variant is on screen; empty = for every variant
  Kind kind{};
  Phrase ask;
  Formula answer;               // number: the right answer
  NumberReference lanes;        // lanes: the step whose executed lanes are right (mark, step, warp, launch)
  std::vector<Option> options;  // choice
  Pick pick = Pick::given;      // choice: the option `right`, or the option with the least or greatest value
  std::string right;
  Look look;                                        // the place in the picture that shows the answer
  std::vector<Misunderstanding> misunderstandings;  // the first that fits is used
  SourcePlace place;

  bool applies_to(const std::string& variant_id) const { return variant.empty() || variant == variant_id; }
  const Option* find_option(const std::string& id) const;
  // True if it asks which is faster: the options are then these and cannot_tell.
  bool asks_for_time() const;
};
// The additional option of every question about time.
inline constexpr const char* cannot_tell = "cannot_tell";
extern const Phrase cannot_tell_say;

// An exercise: editing a kernel until both correctness and counters are right.
struct Task {
  std::string id;
  Phrase title, say;
  std::string variant;          // its launch, arguments and rules for elements apply
  std::string start, solution;  // files; the solution is only shown on request
  std::vector<Phrase> hints;    // shown one after another
  Launch launch;                // the variant's, with the task's own grid, block or shared_bytes
  std::vector<Check> checks;    // the task's own rules
  SourcePlace place;
};

// The titles of a phase that kernels mark (`// @phase NAME`).
struct PhaseName {
  std::string name;  // as the kernels write it
  Phrase title;
  SourcePlace place;
};

// The point of a lesson: what is shown first for each of its runs.
struct Point {
  std::vector<std::string> numbers;  // dotted names, in order; empty = all numbers of the run
  std::string heat;  // value to colour lines by: one of heat_names(); empty = chosen by the variant's picture
  Phrase sentence;   // with {{numbers}} of `current`; see parse_sentence(); empty = none
  SourcePlace place, sentence_place;
};
inline constexpr std::size_t most_point_numbers = 4;
const std::vector<std::string>& heat_names();  // "sectors", "wavefronts", "lanes", "executions"

struct Lesson {
  std::string id, folder;
  int order = 0;
  Phrase title, question, summary;
  std::vector<Control> controls;
  std::vector<Variant> variants;      // the first one is shown first
  std::vector<Yardstick> yardsticks;  // GPU only
  std::vector<Question> questions;
  std::vector<Task> tasks;
  std::vector<PhaseName> phases;
  Point point;
  std::map<std::string, std::string> text;        // language ("en", "zh-CN") → Markdown; see text.h
  std::map<std::string, std::string> text_files;  // language → path, for diagnostics
  std::map<std::string, std::string> sources;     // file name, also "tasks/pad.start.cu" → CUDA text
  Diagnostics untranslated;  // strings of lesson.toml and kernel phases without zh-CN, each with its place

  const Variant* find_variant(const std::string& id) const;
  const Yardstick* find_yardstick(const std::string& id) const;
  const Control* find_control(const std::string& name) const;
  const Task* find_task(const std::string& id) const;
  // The variant that a task runs and checks: its variant with the task's launch, the file `start`, and as checks the
  // variant's rules for elements followed by the task's own.
  Variant variant_of(const Task& task) const;
  // The defaults of a variant's controls.
  ControlValues defaults(const Variant& variant, bool full_size = false) const;
  ControlValues defaults(const std::vector<std::string>& names, bool full_size = false) const;
  // These values with each size set to its value at full size.
  ControlValues at_full_size(ControlValues values) const;
  // The control on the axis of a variant's time plot: `time_over`; else its first control that is neither a size nor
  // logarithmic; else its first control; nullptr if it has none.
  const Control* time_control(const Variant& variant) const;
};

const PhaseName* find_phase(const std::vector<PhaseName>& phases, const std::string& name);
// A phase's title; its name if it has no title, such as a phase that a learner adds.
std::string phase_title(const std::vector<PhaseName>& phases, const std::string& name, std::string_view language);

// The types in --arg and lesson.toml, smallest first.
const std::vector<std::string>& element_types();
bool is_real_type(std::string_view element_type);  // "f16", "bf16", "f32", "f64"

// Replaces each {formula} in a kernel's name by its value.
Result<std::string> kernel_name(const Variant& variant, const ControlValues& values);
Result<std::string> kernel_name(const std::string& kernel, const SourcePlace& place, const ControlValues& values);

// Diagnostics name file and line. Codes: lesson.io, lesson.syntax, lesson.missing_field, lesson.unknown_key (with the
// nearest known one), lesson.wrong_type, lesson.stray_file, lesson.missing_file, lesson.duplicate_id, lesson.bad_name,
// lesson.bad_control, lesson.unknown_name, lesson.bad_formula, lesson.bad_text (see text.h), lesson.bad_mark, and those
// of folder_bounds.h.
Result<Lesson> load(const std::string& folder);

// The lessons of a folder by `order`, and the problems of those that did not load. A folder without a lesson.toml is
// not a lesson. Reports lesson.duplicate_id also if two lessons share an id or an order, and lesson.stray_file for
// files outside lessons.
struct Library {
  std::vector<Lesson> lessons;
  Diagnostics problems;
  const Lesson* find(const std::string& id) const;
};
Library load_library(const std::string& lessons_folder);
// The same, but any problem is an error.
Result<std::vector<Lesson>> load_all(const std::string& lessons_folder);
// The lesson that find(id) returns, without loading lessons whose files begin with other ids. nullopt if the lesson is
// not unique or does not load.
std::optional<Lesson> load_one(const std::string& lessons_folder, const std::string& id);

// lesson.duplicate_id for `lesson` if it shares its id or its order with `other`.
std::optional<Diagnostic> clash(const Lesson& lesson, const Lesson& other);

}  // namespace lanescope::lesson
