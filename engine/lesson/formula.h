#pragma once
// The little language of lesson files: formulas over controls, buffers and numbers of a run.
// The reader's description, with examples, is in docs/add-a-lesson.md.
//
//   formula    := condition [ '?' formula ':' formula ]
//   condition  := comparison { '&&' comparison } { '||' comparison { '&&' comparison } }   (not in rules for elements)
//   comparison := sum [ ('==' | '!=' | '<' | '<=' | '>' | '>=') sum [ 'within' number ['%'] ] ]
//   sum        := product { ('+' | '-') product }
//   product    := factor { ('*' | '/' | '%') factor }
//   factor     := '-' factor | number | name | name '[' formula ']' | 'after' '.' name '[' formula ']'
//               | function '(' formula {',' formula} ')' | 'sum' '(' name ',' formula ',' formula ',' formula ')'
//               | 'matches' '(' '"' pattern '"' ')' | reference | '(' formula ')'
//   reference  := [ variant [ '(' name '=' integer {',' …} ')' ] ] [ '.' launch ]
//                 [ '@' mark [ '[' step [',' warp] ']' ] ] '.' name {'.' name}
//               | [ variant [ '(' … ')' ] '.' ] 'after' '.' buffer '[' integer ']'
//   launch     := 'launch1' | 'launch2' | … | 'all'
//
// Integers are 64-bit and checked for overflow; `/` and `%` of two integers truncate as in C++, and of anything else
// are those of doubles. sum(j, a, b, f) adds f for j = a … b − 1.

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace lanescope::lesson {

struct Value {
  bool is_real = false;
  std::int64_t integer = 0;
  double real = 0;

  static Value of(std::int64_t value) { return {false, value, 0}; }
  static Value of(double value) { return {true, 0, value}; }
  double as_real() const { return is_real ? real : static_cast<double>(integer); }
};
// Integers plainly, reals with the fewest digits that read back as the same value.
std::string to_string(const Value& value);

// A number of a run, as a text writes it.
struct NumberReference {
  std::string variant;                           // empty: the variant that the formula belongs to
  std::map<std::string, std::int64_t> controls;  // overrides of the controls on screen
  int launch = 1;                                // of a variant of several, from 1; 0 = all of them together
  std::string mark;                              // only the sites on the lines so marked; empty = the whole kernel
  int step = 0;                                  // from 1: only each warp's step-th execution, in block 0; 0 = all
  int warp = -1;                                 // only this warp of block 0; -1 = all
  std::string number;                            // dotted name of metrics::report, or of mark_numbers(); "after.out[3]"
  std::string buffer;        // for "after.out[3]": "out", whose element after the run is meant; else empty
  std::int64_t element = 0;  // for "after.out[3]": 3
  int column = 1;            // where it starts in the formula, from 1

  std::string text() const;  // canonical: equal references have equal text
};

// Whether it is a number that only a clock can tell: `time` (seconds, the median of the timed kernel), `time_low` and
// `time_high` (the ends of its 95 % interval), `time_samples` (how many there are), `bandwidth` (bytes the algorithm
// must move ÷ that time, bytes per second).
bool is_measured(const NumberReference& reference);

// What a formula may mention.
enum class Dialect : std::uint8_t {
  integers,  // controls; integers only: extents, counts, scalars
  elements,  // controls, buffers and sum(): rules for results
  numbers,   // controls and the variant's own numbers: "global_load.requests"
  text,      // controls and numbers of any variant: "stride(stride=1).global_load.requests"
  answers    // of questions: controls, `answer`, `right` and the like, numbers of the variant on screen and, behind a
             // variant's name, of others; matches("even_lanes") is a name that is spelt so
};

// Elements of the buffers that a formula mentions.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  // The element of Formula::buffers()[use]; false when `index` is outside the buffer.
  virtual bool element(std::size_t use, std::int64_t index, Value& value) = 0;
};

class Formula {
 public:
  // Errors: lesson.bad_formula, at `place` with its column moved to the offending character (when place.column is
  // known, it stands for the formula's first character). `variants`: which words name variants, in the dialect of
  // answers.
  static Result<Formula> parse(std::string_view text, Dialect dialect, const SourcePlace& place = {},
                               std::span<const std::string> variants = {});

  struct BufferUse {
    std::string name;
    bool after = false;  // left of the comparison, or written `after.name`: the contents after the run
  };

  const std::string& text() const { return text_; }
  // What evaluate() needs values for, each once, in order of first appearance.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<BufferUse>& buffers() const { return buffers_; }
  const std::vector<NumberReference>& references() const { return references_; }
  bool is_comparison() const;
  // Of a comparison for equality: whether its left side is an element of the first of buffers(), and nothing else.
  bool compares_element() const;

  struct Inputs {
    std::span<const Value> names;             // parallel to names()
    std::span<const Value> references;        // parallel to references()
    ElementSource* elements = nullptr;        // needed when buffers() is not empty
    std::uint64_t* sum_steps_left = nullptr;  // shared budget of sum() steps; null = default_sum_steps
  };
  static constexpr std::uint64_t default_sum_steps = 500'000'000;

  // Errors: lesson.arithmetic (division by zero, overflow, an element outside its buffer, a sum() that is too long).
  Result<Value> evaluate(const Inputs& inputs) const;

  struct Comparison {
    Value left, right;
    bool holds = false;
  };
  // Of a formula for which is_comparison() holds. Two NaNs are equal here: a rule may expect one.
  Result<Comparison> compare(const Inputs& inputs) const;

  // What `name` is compared with, in each comparison that has it alone on one side: where its truth may change.
  std::vector<Value> compared_with(std::string_view name, const Inputs& inputs) const;

  struct Node;  // defined in formula_node.h

  Formula();
  Formula(const Formula&);
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;
  Formula& operator=(const Formula&);
  ~Formula();

 private:
  friend class FormulaParser;
  std::string text_;
  SourcePlace place_;
  std::vector<Node> nodes_;
  int root_ = -1;
  double tolerance_ = 0;    // relative
  std::size_t locals_ = 0;  // loop variables of sum()
  std::vector<std::string> names_;
  std::vector<BufferUse> buffers_;
  std::vector<NumberReference> references_;
};

// Names that mean something in every formula and therefore cannot be a control, buffer or variant.
bool is_reserved(std::string_view name);

}  // namespace lanescope::lesson
