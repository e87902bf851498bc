#pragma once
// The expression language of lesson files: formulas over controls, buffers and numbers of a run. docs/add-a-lesson.md
// describes it for authors, with examples.
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
// Integers are 64-bit and checked for overflow. `/` and `%` of two integers truncate as in C++; otherwise they compute
// with doubles. sum(j, a, b, f) adds f for j = a … b − 1.

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
// Integers as they are; reals with the fewest digits that read back as the same value.
std::string to_string(const Value& value);

// A reference to a number of a run.
struct NumberReference {
  std::string variant;                           // empty: the variant that the formula belongs to
  std::map<std::string, std::int64_t> controls;  // overrides of the controls on screen
  int launch = 1;                                // of a variant with several, from 1; 0 = all of them together
  std::string mark;                              // only the sites on the lines with this mark; empty = the whole kernel
  int step = 0;                                  // from 1: only each warp's step-th execution, in block 0; 0 = all
  int warp = -1;                                 // only this warp of block 0; -1 = all
  std::string number;                            // dotted name of metrics::report or mark_numbers(); "after.out[3]"
  std::string buffer;        // for "after.out[3]": "out", the buffer whose element after the run is meant; else empty
  std::int64_t element = 0;  // for "after.out[3]": 3
  int column = 1;            // its column in the formula, from 1

  std::string text() const;  // canonical: equal references have equal texts
};

// True for a number that only a timing gives: `time` (seconds, the median of the timed kernel), `time_low` and
// `time_high` (its 95 % interval), `time_samples` (their number), `bandwidth` (bytes that the algorithm must move ÷
// time, in bytes per second).
bool is_measured(const NumberReference& reference);

// What a formula may refer to.
enum class Dialect : std::uint8_t {
  integers,  // controls; only integers: extents, counts, scalars
  elements,  // controls, buffers and sum(): rules for results
  numbers,   // controls and the variant's own numbers: "global_load.requests"
  text,      // controls and numbers of any variant: "stride(stride=1).global_load.requests"
  // Answers to questions: controls, `answer`, `right` and similar, numbers of the variant on screen and, after a
  // variant's name, of other variants; matches("even_lanes") counts as a name.
  answers
};

// Provides the elements of buffers that a formula refers to.
class ElementSource {
 public:
  virtual ~ElementSource() = default;
  // The element of Formula::buffers()[use]; false if `index` is outside the buffer.
  virtual bool element(std::size_t use, std::int64_t index, Value& value) = 0;
};

class Formula {
 public:
  // Errors: lesson.bad_formula, at `place` with its column moved to the wrong character (if place.column is known, it
  // is the column of the formula's first character). `variants`: the names of variants, for the dialect of answers.
  static Result<Formula> parse(std::string_view text, Dialect dialect, const SourcePlace& place = {},
                               std::span<const std::string> variants = {});

  struct BufferUse {
    std::string name;
    bool after = false;  // true on the left of the comparison, or if written `after.name`: the contents after the run
  };

  const std::string& text() const { return text_; }
  // The inputs that evaluate() needs, each once, in order of first appearance.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<BufferUse>& buffers() const { return buffers_; }
  const std::vector<NumberReference>& references() const { return references_; }
  bool is_comparison() const;
  // For an equality comparison: true if its left side is just an element of the first of buffers().
  bool compares_element() const;

  struct Inputs {
    std::span<const Value> names;       // parallel to names()
    std::span<const Value> references;  // parallel to references()
    ElementSource* elements = nullptr;  // needed if buffers() is not empty
    // Budget of sum() steps, shared between formulas; null = default_sum_steps.
    std::uint64_t* sum_steps_left = nullptr;
  };
  static constexpr std::uint64_t default_sum_steps = 500'000'000;

  // Errors: lesson.arithmetic (division by zero, overflow, an element outside its buffer, a sum() that is too long).
  Result<Value> evaluate(const Inputs& inputs) const;

  struct Comparison {
    Value left, right;
    bool holds = false;
  };
  // Requires is_comparison(). Two NaNs are equal here, because a rule may expect one.
  Result<Comparison> compare(const Inputs& inputs) const;

  // The values with which comparisons compare `name` alone: those at which their results may change.
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

// Names with a meaning in every formula; they cannot name a control, buffer or variant.
bool is_reserved(std::string_view name);

}  // namespace lanescope::lesson
