#pragma once
// A lesson is a folder of data: lesson.toml, text.md (and text.zh-CN.md), *.cu. This loads one and checks its form.
// Format: docs/add-a-lesson.md.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/dim3.h"
#include "core/result.h"

namespace lanescope::lesson {

// A value the learner can turn: an integer in [min, max], step, or one of `choices`.
struct Control {
  std::string name, label;
  std::int64_t min = 0, max = 0, step = 1;
  std::vector<std::int64_t> choices;              // when not empty, the only legal values
  std::int64_t value = 0;                         // at looking size
  std::int64_t full_value = 0;                    // at the sources' size
  std::string unit;
  std::string explain;                            // one sentence for the tooltip
};

// Integer expressions over the controls: + - * / % min max ceil_div, parentheses. Used for grid, block, counts, scalars.
struct Expression {
  std::string text;
};
Result<std::int64_t> evaluate(const Expression& expression, const std::map<std::string, std::int64_t>& values);

struct ArgumentSpec {
  std::string name;
  std::string type;                               // "f32", "i32", …
  bool is_buffer = false;
  Expression count;                               // buffers: elements
  std::string fill;                               // "iota", "random:7", "0", "1", "shuffled_index:SEED", "none" (never written)
  Expression value;                               // scalars
};

struct Launch {
  Expression grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
  bool cooperative = false;
};

// What must hold after a run. Exactly one of: an equality of a buffer with a host rule, or a bound on a number.
struct Check {
  std::string kind;                               // "buffer" or "number"
  std::string buffer;                             // argument name
  std::string rule;                               // host rule: see lesson_rules.h ("copy", "gather", "sum", …) with parameters
  std::map<std::string, std::string> parameters;
  std::string number;                             // dotted name of metrics::report
  std::string op;                                 // "==", "<=", ">=", "~"
  Expression expected;                            // may use controls
  double expected_real = 0; bool has_real = false;
};

struct Variant {
  std::string id, title;
  std::string file;                               // .cu in the lesson's folder
  std::string kernel;                             // source name, templates included
  std::string summary;                            // one sentence
  std::vector<std::string> controls;              // those that apply
  Launch launch;
  std::vector<ArgumentSpec> arguments;
  std::vector<Check> checks;
  bool broken_on_purpose = false;
  bool gpu_only = false;
};

struct Lesson {
  std::string id, folder;
  int order = 0;
  std::string title, question, summary;
  std::vector<Control> controls;
  std::vector<Variant> variants;                  // the first is the one shown first
  std::map<std::string, std::string> text;        // language ("en", "zh-CN") → Markdown with {{placeholders}}
  std::map<std::string, std::string> sources;     // file name → CUDA text
  const Variant* find_variant(const std::string& id) const;
};

// Diagnostics name file and line: missing field, unknown key (with the nearest known one), stray file, duplicate id.
Result<Lesson> load(const std::string& folder);
Result<std::vector<Lesson>> load_all(const std::string& lessons_folder);

}  // namespace lanescope::lesson
