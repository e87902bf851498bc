#pragma once
// A lesson is a folder of data: lesson.toml, text.md (and text.zh-CN.md), *.cu. This loads one and checks its form.
// Format: docs/add-a-lesson.md.

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

// A value the learner can turn: an integer in [min, max] in steps of `step` from min, or one of `choices`.
struct Control {
  std::string name;
  Phrase label;
  std::int64_t min = 0, max = 0, step = 1;
  std::vector<std::int64_t> choices;  // when not empty, the only legal values, ascending
  bool logarithmic = false;           // how a slider should spread the values
  std::int64_t value = 0;             // at looking size
  std::int64_t full_value = 0;        // at the sources' size
  Phrase unit;
  Phrase explain;  // one sentence for the tooltip

  bool allows(std::int64_t value) const;
  bool is_size() const { return full_value != value; }  // another one to look at than to measure
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
  Expression offset;  // buffers: bytes that the pointer passed lies behind the first element
  std::string fill;   // buffers: what --arg takes after '=' ("@file": of the folder), or "none" (never written)
  Expression value;   // integer scalars
  std::string real;   // f32, f64 and f16 scalars: a literal, else empty
};

struct Launch {
  Expression grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  bool cooperative = false;
};

// A launch of a variant. The first one runs once and takes the variant's arguments. The formulas of the others may use
// `k`, which counts the repeats of a launch from 0.
struct VariantLaunch {
  std::string kernel;  // source name in the variant's file; "{formula}" in it is replaced: "copy<{per_thread}>"; no k
  Launch shape;
  Expression repeat;  // of those after the first, like all below
  // A kernel parameter: a buffer of the variant by name, or a scalar.
  struct Parameter {
    std::string buffer;  // empty: `scalar`
    ArgumentSpec scalar;
  };
  std::vector<Parameter> parameters;
  std::vector<std::string> swap;  // empty, or two buffers that trade places in every odd repeat
  SourcePlace place;
};

// What must hold after a run.
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

// Where a picture of this variant should open.
struct Look {
  int launch = 1;    // of a variant of several
  std::string mark;  // of a line or phase; empty = the first access
  std::uint32_t block = 0, warp = 0;
  std::string view;  // "sectors", "banks", "shuffle", "groups", "atomics", "matrices", "phases", "running"; empty =
                     // what the event suggests
};

struct Variant {
  std::string id;
  Phrase title;
  std::string file;                                                     // .cu in the lesson's folder
  Phrase summary;                                                       // one sentence
  std::vector<std::string> controls;                                    // those that apply
  std::vector<VariantLaunch> launches = std::vector<VariantLaunch>(1);  // in their order; at least one
  std::vector<ArgumentSpec> arguments;                                  // of the first launch
  std::vector<ArgumentSpec> buffers;                                    // that only later launches take
  Expression bytes;       // that the algorithm must move, for its bandwidth; empty text = not said
  std::string time_over;  // the control that its time is shown over; empty = Lesson::time_control()
  std::vector<Check> checks;
  Look look;
  bool broken_on_purpose = false;
  bool gpu_only = false;
  SourcePlace place;  // in lesson.toml

  const VariantLaunch& first() const { return launches.front(); }
  VariantLaunch& first() { return launches.front(); }
};

// A library's own way to do the lesson's work, timed on a GPU like the variants. It has no kernel that we can look
// into.
struct Yardstick {
  std::string id;
  Phrase title, summary;
  std::string library;                // "copy": the runtime's device-to-device copy; "cub_sum": cub::DeviceReduce::Sum;
                                      // "cublas_gemm": cublasGemmEx
  std::vector<std::string> controls;  // those that `count` and `bytes` use
  Expression count;                   // bytes copied; floats summed
  Expression bytes;                   // that must move, as Variant::bytes
  SourcePlace place;
};

// A wrong answer that has a name.
struct Misunderstanding {
  Phrase name;         // "bytes asked for, not sectors moved"
  Formula when;        // numbers and lanes: true of the answers that it explains
  std::string option;  // choices: the option that it explains
  Phrase say;          // one sentence on why that is not it
  SourcePlace place;   // of `when`
};

// Asked before a run, and answered by the run: by the trace on screen, whatever the controls and the kernel's text are.
// How to evaluate one: job/lesson/questions.h.
struct Question {
  enum class Kind : std::uint8_t { number, lanes, choice };
  enum class Pick : std::uint8_t { given, least, most };
  struct Option {
    std::string id;
    Phrase say;
    Formula value;  // of least and most
  };
  std::string id;
  std::string variant;  // asked while this one is on screen; empty = of every variant
  Kind kind{};
  Phrase ask;
  Formula answer;               // number: the right one
  NumberReference lanes;        // lanes: the step whose executed lanes are the right ones (mark, step, warp, launch)
  std::vector<Option> options;  // choice
  Pick pick = Pick::given;      // choice: the option `right`, or that of the least or greatest value
  std::string right;
  Look look;                                        // the place in the picture that shows it
  std::vector<Misunderstanding> misunderstandings;  // the first that fits counts
  SourcePlace place;

  bool applies_to(const std::string& variant_id) const { return variant.empty() || variant == variant_id; }
  const Option* find_option(const std::string& id) const;
  // Whether it asks which is faster: then the options are these and cannot_tell.
  bool asks_for_time() const;
};
// The option that every question about time offers besides its own.
inline constexpr const char* cannot_tell = "cannot_tell";
extern const Phrase cannot_tell_say;

// Solved by editing a kernel; passed by correctness and counters together.
struct Task {
  std::string id;
  Phrase title, say;
  std::string variant;          // whose launch, arguments and rules for elements it takes over
  std::string start, solution;  // files; the solution is never shown unasked
  std::vector<Phrase> hints;    // in steps
  Launch launch;                // the variant's, with the task's own grid, block or shared_bytes
  std::vector<Check> checks;    // its own
  SourcePlace place;
};

// What a phase that kernels mark (`// @phase NAME`) is called in each language.
struct PhaseName {
  std::string name;  // as the kernels write it
  Phrase title;
  SourcePlace place;
};

// What a lesson is about, and so what is shown first of each of its runs.
struct Point {
  std::vector<std::string> numbers;  // dotted names, in order; empty = all that the run has
  std::string heat;                  // of each line: one of heat_names(); empty = as the variant's picture suggests
  Phrase sentence;                   // with {{numbers}} of `current`; see parse_sentence(). Empty = none
  SourcePlace place, sentence_place;
};
inline constexpr std::size_t most_point_numbers = 4;
const std::vector<std::string>& heat_names();  // "sectors", "wavefronts", "lanes", "executions"

struct Lesson {
  std::string id, folder;
  int order = 0;
  Phrase title, question, summary;
  std::vector<Control> controls;
  std::vector<Variant> variants;      // the first is the one shown first
  std::vector<Yardstick> yardsticks;  // GPU only
  std::vector<Question> questions;
  std::vector<Task> tasks;
  std::vector<PhaseName> phases;
  Point point;
  std::map<std::string, std::string> text;        // language ("en", "zh-CN") → Markdown; see text.h
  std::map<std::string, std::string> text_files;  // language → path, for diagnostics
  std::map<std::string, std::string> sources;     // file name, also "tasks/pad.start.cu" → CUDA text
  Diagnostics untranslated;  // strings of lesson.toml and phases of kernels that have no zh-CN, each at its place

  const Variant* find_variant(const std::string& id) const;
  const Yardstick* find_yardstick(const std::string& id) const;
  const Control* find_control(const std::string& name) const;
  const Task* find_task(const std::string& id) const;
  // What a task runs and is held to: its variant with the task's launch, `start` for a file, and for checks the
  // variant's rules for elements and then the task's own.
  Variant variant_of(const Task& task) const;
  // The defaults of the controls that apply to a variant.
  ControlValues defaults(const Variant& variant, bool full_size = false) const;
  ControlValues defaults(const std::vector<std::string>& names, bool full_size = false) const;
  // These values with each size at the one to measure.
  ControlValues at_full_size(ControlValues values) const;
  // What a variant's time is shown over: `time_over`, else its first control that is no size and not spread
  // logarithmically, else its first; nullptr where it has none.
  const Control* time_control(const Variant& variant) const;
};

const PhaseName* find_phase(const std::vector<PhaseName>& phases, const std::string& name);
// A phase's title; its name where nothing else is said, as of a phase that a learner adds.
std::string phase_title(const std::vector<PhaseName>& phases, const std::string& name, std::string_view language);

// The types that --arg and lesson.toml know, smallest first.
const std::vector<std::string>& element_types();

// Replaces each {formula} in a kernel's name by its value.
Result<std::string> kernel_name(const Variant& variant, const ControlValues& values);
Result<std::string> kernel_name(const std::string& kernel, const SourcePlace& place, const ControlValues& values);

// Diagnostics name file and line. Codes: lesson.io, lesson.syntax, lesson.missing_field, lesson.unknown_key (with the
// nearest known one), lesson.wrong_type, lesson.stray_file, lesson.missing_file, lesson.duplicate_id, lesson.bad_name,
// lesson.bad_control, lesson.unknown_name, lesson.bad_formula, lesson.bad_text (see text.h), lesson.bad_mark;
// folder_bounds.h's.
Result<Lesson> load(const std::string& folder);

// The lessons of a folder by `order`, and what is wrong with those that did not load. A folder without a lesson.toml is
// no lesson. lesson.duplicate_id also when two lessons share an id or an order; lesson.stray_file for files between
// them.
struct Library {
  std::vector<Lesson> lessons;
  Diagnostics problems;
  const Lesson* find(const std::string& id) const;
};
Library load_library(const std::string& lessons_folder);
// The same for those who want all or nothing.
Result<std::vector<Lesson>> load_all(const std::string& lessons_folder);
// What find(id) finds in the library, without loading the others where their files begin with other ids; none where it
// is not plain which lesson that is, or where it does not load.
std::optional<Lesson> load_one(const std::string& lessons_folder, const std::string& id);

// lesson.duplicate_id, told of `lesson`, where it shares its id or its order with the other.
std::optional<Diagnostic> clash(const Lesson& lesson, const Lesson& other);

}  // namespace lanescope::lesson
