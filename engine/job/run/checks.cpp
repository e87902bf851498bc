// Evaluates the rules by which a lesson checks a run's results and numbers.

#include <algorithm>
#include <cstring>
#include <functional>
#include <utility>

#include "core/half.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/run/numbers.h"
#include "job/run/wrong_elements.h"
#include "sim/never_written.h"

namespace lanescope::job {

namespace {

using lesson::Value;

template <typename T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

Value element_at(sim::ElementType type, const std::byte* at) {
  using sim::ElementType;
  switch (type) {
    case ElementType::u8:
      return Value::of(std::int64_t{load<std::uint8_t>(at)});
    case ElementType::i8:
      return Value::of(std::int64_t{load<std::int8_t>(at)});
    case ElementType::u16:
      return Value::of(std::int64_t{load<std::uint16_t>(at)});
    case ElementType::i16:
      return Value::of(std::int64_t{load<std::int16_t>(at)});
    case ElementType::f16:
      return Value::of(half_value(load<std::uint16_t>(at)));
    case ElementType::bf16:
      return Value::of(bfloat_value(load<std::uint16_t>(at)));
    case ElementType::i32:
      return Value::of(std::int64_t{load<std::int32_t>(at)});
    case ElementType::u32:
      return Value::of(std::int64_t{load<std::uint32_t>(at)});
    case ElementType::f32:
      return Value::of(double{load<float>(at)});
    case ElementType::i64:
    case ElementType::u64:
      return Value::of(load<std::int64_t>(at));
    case ElementType::f64:
      return Value::of(load<double>(at));
  }
  return {};
}

class BufferElements : public lesson::ElementSource {
 public:
  struct Place {
    std::size_t use = 0;
    std::int64_t index = 0;
  };

  void add(const sim::Argument& buffer) {
    buffers_.push_back({&buffer, buffer.contents.data(), buffer.count(),
                        static_cast<std::size_t>(sim::bytes_of(buffer.type)), buffer.type});
  }
  bool element(std::size_t use, std::int64_t index, Value& value) override {
    const Buffer& buffer = buffers_[use];
    if (use == 0 && !first_) first_ = index;
    if (index < 0 || static_cast<std::uint64_t>(index) >= buffer.count) return false;
    const std::size_t at = static_cast<std::size_t>(index) * buffer.element_bytes;
    value = element_at(buffer.type, buffer.data + at);
    if (!hole_ && sim::never_written(*buffer.argument, at, buffer.element_bytes)) hole_ = {use, index};
    return true;
  }
  // The first element of the first buffer that was read since the last call.
  std::optional<std::int64_t> take_first() { return std::exchange(first_, std::nullopt); }
  // The first element that was read since the last call although it was never written: its value means nothing.
  std::optional<Place> take_hole() { return std::exchange(hole_, std::nullopt); }

 private:
  std::optional<std::int64_t> first_;
  std::optional<Place> hole_;
  struct Buffer {
    const sim::Argument* argument;
    const std::byte* data;
    std::uint64_t count;
    std::size_t element_bytes;
    sim::ElementType type;
  };
  std::vector<Buffer> buffers_;
};

// The message with its cure, because the reader of a check sees nothing else.
Wording first_message(const Diagnostics& errors) {
  if (errors.empty()) return "";
  return joined({errors.front().message, errors.front().cure}, "{} {}");
}

class Checker {
 public:
  using Numbers = std::function<Result<std::optional<double>>(const lesson::NumberReference&)>;
  Checker(const lesson::Variant& variant, const Request& request, Numbers numbers,
          std::vector<const sim::Argument*> before, std::span<const sim::Argument> after)
      : variant_(variant), request_(request), numbers_(std::move(numbers)), before_(std::move(before)), after_(after) {}

  std::size_t argument_named(const std::string& name) const {
    std::size_t i = 0;
    for (const auto* list : {&variant_.arguments, &variant_.buffers})
      for (const lesson::ArgumentSpec& argument : *list) {
        if (argument.name == name) return i;
        ++i;
      }
    return i;
  }
  // From now on `hear` receives every wrong element.
  using Hear = std::function<void(WrongOne)>;
  void hear(Hear hear) { hear_ = std::move(hear); }

  CheckResult run(const lesson::Check& check) {
    CheckResult result;
    result.description = check.formula.text();
    result.of_result = !check.formula.buffers().empty();
    if (check.kind == lesson::Check::Kind::elements)
      elements(check, result);
    else
      number(check, result);
    return result;
  }

 private:
  void elements(const lesson::Check& check, CheckResult& result) {
    BufferElements source;
    for (const lesson::Formula::BufferUse& use : check.formula.buffers()) {
      const std::size_t argument = argument_named(use.name);
      if (argument >= before_.size() || argument >= after_.size()) {
        result.detail = worded("There is no buffer `{}`.", use.name);
        return;
      }
      if (!use.after && before_[argument]->uninitialised_from == 0) {
        result.detail = worded("`{}` had no contents before the run; write after.{}[…].", use.name, use.name);
        return;
      }
      source.add(use.after ? after_[argument] : *before_[argument]);
    }
    const Result<std::int64_t> count = lesson::evaluate(check.count, request_.controls);
    if (!count) {
      result.detail = first_message(count.errors());
      return;
    }
    if (*count < 1) {
      result.detail = "The rule covers no element.";
      return;
    }
    each_element(check.formula, *count, source, result);
  }

  void each_element(const lesson::Formula& formula, std::int64_t count, BufferElements& source, CheckResult& result) {
    std::vector<Value> names(formula.names().size());
    std::size_t index = names.size();
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (formula.names()[k] == "i")
        index = k;
      else if (!control(formula.names()[k], names[k], result))
        return;
    }
    std::uint64_t sum_steps = lesson::Formula::default_sum_steps;
    for (std::int64_t i = 0; i < count; ++i) {
      if (index < names.size()) names[index] = Value::of(i);
      (void)source.take_first(), (void)source.take_hole();
      Result<lesson::Formula::Comparison> compared = formula.compare({names, {}, &source, &sum_steps});
      if (!compared) {
        if (!result.wrong) {
          result.detail = worded("At i = {}: {}", i, first_message(compared.take_errors()));
          return;
        }
        result.wrong->covered = 0;  // the number of wrong elements is not known
        break;
      }
      const std::optional<BufferElements::Place> hole = source.take_hole();
      if (compared->holds && !hole) continue;
      const std::optional<std::int64_t> element = source.take_first();
      const bool unwritten = hole && formula.compares_element() && hole->use == 0 && hole->index == element;
      if (hole && !unwritten) {
        if (!result.wrong) {
          result.detail =
              worded("At i = {}: `{}[{}]` was never written.", i, formula.buffers()[hole->use].name, hole->index);
          return;
        }
        result.wrong->covered = 0;
        break;
      }
      if (result.wrong) ++result.wrong->wrong;
      if (result.wrong && !hear_) continue;
      const Wording got = unwritten ? Wording("never written") : Wording(lesson::to_string(compared->left));
      const std::string expected = lesson::to_string(compared->right);
      if (hear_ && element && formula.compares_element()) hear_({*element, got, expected});
      if (result.wrong) continue;
      result.detail = worded("At i = {}: got {}, expected {}.", i, got, expected);
      if (!element || !formula.compares_element()) return;
      const std::string& buffer = formula.buffers().front().name;
      result.wrong = WrongElement{buffer, static_cast<int>(argument_named(buffer)), *element, got, expected,
                                  1,      static_cast<std::uint64_t>(count),        unwritten};
    }
    result.holds = !result.wrong;
    if (result.wrong) result.detail = in_words(*result.wrong);
  }

  static Wording in_words(const WrongElement& wrong) {
    const Wording first =
        wrong.never_written
            ? worded("`{}[{}]` was never written, expected {}.", wrong.buffer, wrong.index, wrong.expected)
            : worded("`{}[{}]` is {}, expected {}.", wrong.buffer, wrong.index, wrong.got, wrong.expected);
    if (wrong.covered < 2) return first;
    const std::string of = grouped(wrong.covered);
    return joined({first, wrong.wrong == 1 ? worded("1 of {} elements is wrong.", of)
                                           : worded("{} of {} elements are wrong.", grouped(wrong.wrong), of)},
                  "{} {}");
  }

  bool control(const std::string& name, Value& value, CheckResult& result) const {
    const auto found = request_.controls.find(name);
    if (found == request_.controls.end()) {
      result.detail = worded("There is no control `{}`.", name);
      return false;
    }
    value = Value::of(found->second);
    return true;
  }

  // A bare name is a control or else a number without a dot ("simt_efficiency").
  void number(const lesson::Check& check, CheckResult& result) {
    std::vector<Value> names, numbers;
    for (const std::string& name : check.formula.names()) {
      Value value;
      if (request_.controls.contains(name))
        control(name, value, result);
      else if (!look_up(number_named(name), value, result))
        return;
      names.push_back(value);
    }
    for (const lesson::NumberReference& reference : check.formula.references()) {
      Value value;
      if (!look_up(reference, value, result)) return;
      numbers.push_back(value);
    }
    Result<lesson::Formula::Comparison> compared = check.formula.compare({names, numbers, nullptr, nullptr});
    if (!compared) {
      result.detail = first_message(compared.take_errors());
      return;
    }
    result.holds = compared->holds;
    if (!result.holds)
      result.detail = worded("The left side is {}, the right side {}.", lesson::to_string(compared->left),
                             lesson::to_string(compared->right));
  }

  static lesson::NumberReference number_named(const std::string& name) {
    lesson::NumberReference reference;
    reference.number = name;
    return reference;
  }

  bool look_up(const lesson::NumberReference& reference, Value& value, CheckResult& result) const {
    Result<std::optional<double>> number = numbers_(reference);
    if (!number)
      result.detail = first_message(number.take_errors());
    else if (!*number)
      result.detail = worded("`{}` has no value: the run has no such event.", reference.text());
    else
      value = Value::of(**number);
    return number.ok() && number->has_value();
  }

  const lesson::Variant& variant_;
  const Request& request_;
  Numbers numbers_;
  Hear hear_;
  std::vector<const sim::Argument*> before_;
  std::span<const sim::Argument> after_;
};

std::vector<const sim::Argument*> pointers_to(std::span<const sim::Argument> arguments) {
  std::vector<const sim::Argument*> pointers;
  for (const sim::Argument& argument : arguments) pointers.push_back(&argument);
  return pointers;
}

bool read_before_the_run(const lesson::Variant& variant, std::size_t argument) {
  const std::size_t own = variant.arguments.size();
  const std::string& name = argument < own ? variant.arguments[argument].name : variant.buffers[argument - own].name;
  for (const lesson::Check& check : variant.checks)
    for (const lesson::Formula::BufferUse& use : check.formula.buffers())
      if (!use.after && use.name == name) return true;
  return false;
}

std::vector<CheckResult> run_all(const lesson::Variant& variant, Checker checker) {
  std::vector<CheckResult> results;
  for (const lesson::Check& check : variant.checks) results.push_back(checker.run(check));
  return results;
}

}  // namespace

Result<BeforeRun> before_run(const Outcome& outcome, const lesson::Variant& variant) {
  const Request& request = outcome.request;
  const std::size_t own = request.arguments.size();
  BeforeRun before;
  for (std::size_t i = 0; i < outcome.arguments.size(); ++i) {
    const sim::Argument& after = outcome.arguments[i];
    before.arguments.push_back(&after);
    if (!after.stored_to || !read_before_the_run(variant, i)) continue;
    Result<sim::Argument> made = make_argument(i < own ? request.arguments[i] : request.buffers[i - own]);
    if (!made) return made.take_errors();
    before.arguments.back() = &before.made_again.emplace_back(std::move(*made));
  }
  return before;
}

const WrongOne* WrongElements::at(std::int64_t index) const {
  const auto found = std::ranges::lower_bound(first, index, {}, &WrongOne::index);
  return found != first.end() && found->index == index ? &*found : nullptr;
}

Result<WrongElements> wrong_elements(const Outcome& outcome, const lesson::Variant& variant, int argument,
                                     std::size_t most) {
  WrongElements made;
  Result<BeforeRun> before = before_run(outcome, variant);
  if (!before) return before.take_errors();
  const auto numbers = [&](const lesson::NumberReference& reference) { return number_of(outcome, reference); };
  Checker checker(variant, outcome.request, numbers, before->arguments, outcome.arguments);
  std::size_t room = 0;
  checker.hear([&](WrongOne one) {
    if (room == 0) return;
    --room;
    made.first.push_back(std::move(one));
  });
  for (const lesson::Check& check : variant.checks) {
    if (check.kind != lesson::Check::Kind::elements || !check.formula.compares_element() ||
        checker.argument_named(check.formula.buffers().front().name) != static_cast<std::size_t>(argument))
      continue;
    made.checked = true;
    room = most;
    (void)checker.run(check);
  }
  std::ranges::stable_sort(made.first, {}, &WrongOne::index);
  return made;
}

std::optional<double> element_of(const sim::Argument& buffer, std::int64_t index) {
  BufferElements elements;
  elements.add(buffer);
  Value value;
  if (!elements.element(0, index, value) || elements.take_hole()) return std::nullopt;
  // Rules compute with values in the upper half of u64 as with negative numbers; a displayed number must not be
  // negative.
  if (buffer.type == sim::ElementType::u64) return static_cast<double>(static_cast<std::uint64_t>(value.integer));
  return value.as_real();
}

std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Request& request, const trace::Trace& trace,
                                    std::span<const sim::Argument> before, std::span<const sim::Argument> after) {
  const auto numbers = [&](const lesson::NumberReference& reference) {
    return number_of(trace, request.source.text, reference);
  };
  return run_all(variant, Checker(variant, request, numbers, pointers_to(before), after));
}

std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Outcome& outcome,
                                    std::span<const sim::Argument* const> before) {
  const auto numbers = [&](const lesson::NumberReference& reference) { return number_of(outcome, reference); };
  return run_all(variant,
                 Checker(variant, outcome.request, numbers, {before.begin(), before.end()}, outcome.arguments));
}

std::vector<CheckResult> run_checks(const lesson::Variant& variant, const Outcome& outcome,
                                    std::span<const sim::Argument> before) {
  return run_checks(variant, outcome, std::span<const sim::Argument* const>(pointers_to(before)));
}

}  // namespace lanescope::job
