#include "job/lesson/questions.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lesson/lane_pattern.h"
#include "lesson/text.h"

namespace lanescope::job {

namespace {

using lesson::Question;
using lesson::Value;

// Names that `when` may use besides numbers and controls.
struct Words {
  const Answer* given = nullptr;
  const Answer* right = nullptr;
};

class Evaluation {
 public:
  Evaluation(const Live& live, const Words& words) : live_(live), words_(words) {}

  // nullopt: a number has no value.
  Result<std::optional<double>> value(const lesson::Formula& formula) {
    std::optional<Inputs> found;
    if (Diagnostics problems = inputs(formula, found); has_error(problems)) return problems;
    if (!found) return std::optional<double>();
    Result<Value> value = formula.evaluate({found->names, found->references, nullptr, nullptr});
    if (!value) return value.take_errors();
    return std::optional(value->as_real());
  }

  std::vector<Value> compared_with_answer(const lesson::Formula& formula) {
    std::optional<Inputs> found;
    if (has_error(inputs(formula, found)) || !found) return {};
    return formula.compared_with("answer", {found->names, found->references, nullptr, nullptr});
  }

 private:
  struct Inputs {
    std::vector<Value> names, references;
  };

  Diagnostics inputs(const lesson::Formula& formula, std::optional<Inputs>& made) {
    Inputs found;
    for (const std::string& name : formula.names()) {
      Result<std::optional<double>> value = named(name);
      if (!value) return value.take_errors();
      if (!*value) return {};
      found.names.push_back(as_value(**value));
    }
    for (const lesson::NumberReference& reference : formula.references()) {
      Result<std::optional<double>> value = number(reference);
      if (!value) return value.take_errors();
      if (!*value) return {};
      found.references.push_back(Value::of(**value));
    }
    made = std::move(found);
    return {};
  }

  // Controls stay integers, so that n / 32 truncates as elsewhere.
  static Value as_value(double value) {
    const bool whole = std::fabs(value) < 9e15 && value == std::floor(value);
    return whole ? Value::of(static_cast<std::int64_t>(value)) : Value::of(value);
  }

  Result<std::optional<double>> named(const std::string& name) {
    if (words_.given && words_.right) {
      if (name == "answer") return std::optional(words_.given->number);
      if (name == "right") return std::optional(words_.right->number);
      if (name == "answer_lanes") return std::optional<double>(words_.given->lanes.count());
      if (name == "right_lanes") return std::optional<double>(words_.right->lanes.count());
      if (name.starts_with("matches(")) {
        const std::optional<LaneMask> pattern = lesson::lane_pattern(name.substr(8, name.size() - 9));
        return std::optional<double>(pattern && words_.given->lanes == *pattern ? 1 : 0);
      }
    }
    const auto& controls = live_.outcome.request.controls;
    if (const auto control = controls.find(name); control != controls.end())
      return std::optional(static_cast<double>(control->second));
    lesson::NumberReference reference;
    reference.number = name;
    return number(reference);
  }

  Result<std::optional<double>> number(const lesson::NumberReference& reference) {
    const bool own = (reference.variant.empty() || reference.variant == live_.variant.id) && reference.controls.empty();
    if (own && !lesson::is_measured(reference)) return number_of(live_.outcome, reference);
    lesson::NumberReference of = reference;
    if (of.variant.empty()) of.variant = live_.variant.id;
    return live_.others.value(of, live_.variant.id, live_.outcome.request.controls, &live_.outcome.request.source.text);
  }

  const Live& live_;
  Words words_;
};

// All options that have the least or the greatest value.
Result<std::optional<Answer>> extreme(const Question& question, const Live& live) {
  Answer answer{Question::Kind::choice, 0, {}, {}};
  double best = 0;
  for (const Question::Option& option : question.options) {
    Result<std::optional<double>> value = Evaluation(live, {}).value(option.value);
    if (!value) return value.take_errors();
    if (!*value) return std::optional<Answer>();
    const bool better = question.pick == Question::Pick::least ? **value < best : **value > best;
    if (answer.options.empty() || better) {
      best = **value;
      answer.options = {option.id};
    } else if (**value == best) {
      answer.options.push_back(option.id);
    }
  }
  return std::optional(std::move(answer));
}

// The option whose interval overlaps no other option's; nullopt if there is none.
Result<std::optional<Answer>> told_by_clock(const Question& question, const Live& live) {
  std::vector<Measured> times;
  for (const Question::Option& option : question.options) {
    const std::optional<Measured> measured =
        live.others.measured(option.value.references().front(), live.variant.id, live.outcome.request.controls);
    if (!measured) return std::optional<Answer>();
    times.push_back(*measured);
  }
  const bool wants_least = (question.pick == Question::Pick::least) ==
                           (question.options.front().value.references().front().number != "bandwidth");
  std::size_t best = 0;
  for (std::size_t i = 1; i < times.size(); ++i) {
    const bool less = times[i].seconds.median < times[best].seconds.median;
    if (less == wants_least && times[i].seconds.median != times[best].seconds.median) best = i;
  }
  Answer answer{Question::Kind::choice, 0, {}, {question.options[best].id}};
  for (std::size_t i = 0; i < times.size(); ++i)
    if (i != best &&
        metrics::compare(times[i].seconds, times[best].seconds).verdict == metrics::Verdict::cannot_be_told_apart)
      answer.options = {lesson::cannot_tell};
  return std::optional(std::move(answer));
}

}  // namespace

std::string lanes_text(LaneMask lanes) {
  return lane_ranges(lanes, "-");
}

std::string to_string(const Answer& answer) {
  switch (answer.kind) {
    case Question::Kind::number:
      return lesson::format_number(answer.number);
    case Question::Kind::lanes:
      return answer.lanes.empty() ? "no lane"
                                  : fmt::format("lanes {} ({})", lanes_text(answer.lanes), answer.lanes.count());
    case Question::Kind::choice:
      return fmt::format("{}", fmt::join(answer.options, " or "));
  }
  return "";
}

Result<std::optional<Answer>> right_answer(const Question& question, const Live& live) {
  Answer answer{question.kind, 0, {}, {}};
  if (question.kind == Question::Kind::number) {
    Result<std::optional<double>> value = Evaluation(live, {}).value(question.answer);
    if (!value) return value.take_errors();
    if (!*value) return std::optional<Answer>();
    answer.number = **value;
  } else if (question.kind == Question::Kind::lanes) {
    Result<std::optional<LaneMask>> lanes = lanes_of(live.outcome, question.lanes);
    if (!lanes) return lanes.take_errors();
    if (!*lanes) return std::optional<Answer>();
    answer.lanes = **lanes;
  } else if (question.pick == Question::Pick::given) {
    answer.options = {question.right};
  } else {
    return question.asks_for_time() ? told_by_clock(question, live) : extreme(question, live);
  }
  return std::optional(std::move(answer));
}

bool is_right(const Answer& given, const Answer& right) {
  if (given.kind == Question::Kind::lanes) return given.lanes == right.lanes;
  if (given.kind == Question::Kind::choice)
    return !given.options.empty() &&
           std::find(right.options.begin(), right.options.end(), given.options.front()) != right.options.end();
  const bool whole = right.number == std::floor(right.number);
  return whole ? given.number == right.number
               : std::fabs(given.number - right.number) <= 0.01 * std::fabs(right.number);
}

Result<const lesson::Misunderstanding*> misunderstanding_of(const Question& question, const Live& live,
                                                            const Answer& given, const Answer& right) {
  for (const lesson::Misunderstanding& candidate : question.misunderstandings) {
    if (question.kind == Question::Kind::choice) {
      if (!given.options.empty() && given.options.front() == candidate.option) return &candidate;
      continue;
    }
    Result<std::optional<double>> fits = Evaluation(live, {&given, &right}).value(candidate.when);
    if (!fits) return fits.take_errors();
    if (*fits && **fits != 0) return &candidate;
  }
  return static_cast<const lesson::Misunderstanding*>(nullptr);
}

std::vector<Answer> wrong_answers(const Question& question, const Live& live, const Answer& right) {
  std::vector<Answer> answers;
  const auto add = [&](Answer answer) {
    if (!is_right(answer, right)) answers.push_back(std::move(answer));
  };
  if (question.kind == Question::Kind::choice) {
    for (const Question::Option& option : question.options) add({question.kind, 0, {}, {option.id}});
    if (question.asks_for_time()) add({question.kind, 0, {}, {lesson::cannot_tell}});
  } else if (question.kind == Question::Kind::lanes) {
    std::vector<LaneMask> masks{~right.lanes, LaneMask::none(), LaneMask::all()};
    for (const std::string& name : lesson::lane_patterns())
      if (const std::optional<LaneMask> pattern = lesson::lane_pattern(name)) masks.push_back(*pattern);
    for (int n = 1; n < 32; ++n) {
      masks.push_back(LaneMask::first(n));
      if (const auto every = lesson::lane_pattern(fmt::format("every_{}", n))) masks.push_back(*every);
    }
    for (const LaneMask mask : masks) {
      add({question.kind, 0, mask, {}});
      add({question.kind, 0, ~mask, {}});
    }
  } else {
    std::vector<double> numbers;
    for (int n = 0; n <= 128; ++n) numbers.push_back(n);
    for (double factor = 2; factor <= 1024; factor *= 2)
      numbers.insert(numbers.end(), {right.number * factor, right.number / factor, factor * 128});
    numbers.insert(numbers.end(), {right.number - 1, right.number + 1, 100 - right.number});
    const Answer none{question.kind, 0, {}, {}};
    for (const lesson::Misunderstanding& candidate : question.misunderstandings)
      for (const Value& value : Evaluation(live, {&none, &right}).compared_with_answer(candidate.when))
        numbers.insert(numbers.end(), {value.as_real(), value.as_real() - 1, value.as_real() + 1});
    for (const double number : numbers) add({question.kind, number, {}, {}});
  }
  return answers;
}

}  // namespace lanescope::job
