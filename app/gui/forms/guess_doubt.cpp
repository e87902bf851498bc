#include "gui/forms/guess_doubt.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "core/text.h"
#include "core/worded.h"
#include "job/request/form_trial.h"
#include "lesson/lesson.h"

namespace lanescope::gui {
namespace {

using Kind = job::FormArgument::Kind;

std::optional<std::uint64_t> number_at(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc() ? std::optional(number) : std::nullopt;
}

// The number in front of this place of the text: "239190016 bytes".
std::optional<std::uint64_t> bytes_before(std::string_view text) {
  const std::size_t end = text.find_last_of("0123456789");
  if (end == std::string_view::npos) return std::nullopt;
  const std::size_t before = text.find_last_not_of("0123456789", end);
  return number_at(text.substr(before == std::string_view::npos ? 0 : before + 1));
}

std::uint64_t bytes_of(const std::string& element) {
  const std::size_t digits = element.find_first_of("0123456789");
  const auto bits = digits == std::string::npos ? std::nullopt : number_at(std::string_view(element).substr(digits));
  return bits.value_or(8) / 8;
}

class Doubting {
 public:
  Doubting(const job::FormKernel& kernel, const job::LaunchForm& first, const job::LaunchForm& now)
      : kernel_(kernel), first_(first), now_(now), guessed_(kernel.origin.kind == job::FormOrigin::Kind::guessed) {}

  std::optional<GuessDoubt> of(const Diagnostic& error) const {
    if (error.code == "memory.out_of_bounds") return out_of_bounds(error.message);
    if (!guessed_ || now_.block != first_.block) return std::nullopt;
    const std::string sizes = this->sizes();
    const bool some = !sizes.empty();
    if (error.code.starts_with("barrier.") || error.code == "run.deadlock" || error.code == "run.waits_for_later_block")
      return block("Likely the guessed block or grid: the kernel's threads wait for some that do not come.",
                   "Choose the block that the kernel is written for, and sizes that are multiples of it.");
    if (error.code == "run.step_budget")
      return several("Likely a guessed size: with these values a loop does not end, or the kernel has too much to do.",
                     some ? worded("Make {} smaller.", sizes) : Wording("Choose a smaller grid."));
    if (error.code == "memory.misaligned")
      return several("Likely a guessed size or type: an address is not a multiple of the width of its access.",
                     some ? worded("Choose multiples of 4 for {}, or another type of element.", sizes)
                          : Wording("Choose another type of element."));
    if (error.code == "run.trap" || error.code == "run.assertion_failed")
      return several(
          "Likely a guessed value: the kernel checks its values and stops.",
          some ? worded("Check {}, the grid and the block.", sizes) : Wording("Check the grid and the block."));
    return std::nullopt;
  }

 private:
  bool is_guess(std::size_t argument) const {
    return kernel_.origin.kind != job::FormOrigin::Kind::run_line && argument < first_.arguments.size() &&
           argument < now_.arguments.size() && now_.arguments[argument] == first_.arguments[argument];
  }
  std::string name(std::size_t argument) const {
    const bool named = argument < kernel_.parameters.size() && !kernel_.parameters[argument].name.empty();
    return named ? kernel_.parameters[argument].name : std::to_string(argument);
  }
  // Whole numbers that were guessed: "stride, cols".
  std::string sizes() const {
    std::string all;
    for (std::size_t i = 0; guessed_ && i < now_.arguments.size(); ++i)
      if (is_guess(i) && now_.arguments[i].kind == Kind::scalar && !lesson::is_real_type(now_.arguments[i].type))
        all += (all.empty() ? "" : ", ") + name(i);
    return all;
  }
  static GuessDoubt several(Wording what, Wording cure) {
    return {GuessDoubt::Field::several, 0, std::move(what), std::move(cure)};
  }
  static GuessDoubt block(Wording what, Wording cure) {
    return {GuessDoubt::Field::block, 0, std::move(what), std::move(cure)};
  }

  // The interpreter names the buffer: "8 bytes past the end of arg 1 (f32[4096])".
  std::optional<GuessDoubt> out_of_bounds(std::string_view said) const {
    if (said.find("of shared memory") != std::string_view::npos) return beyond_shared();
    const std::optional<job::NamedArgument> named = job::argument_in(said);
    if (!named || !is_guess(named->index) || now_.arguments[named->index].kind != Kind::buffer) return std::nullopt;
    const std::size_t index = named->index;
    const std::string_view before = named->before;
    const std::string sizes = this->sizes();
    if (before.ends_with("before the start"))
      return several(worded("Likely a guessed size: the kernel accessed {} before its start.", name(index)),
                     sizes.empty() ? Wording("Check the grid and the block.")
                                   : worded("Check {}, the grid and the block.", sizes));
    const job::FormArgument& buffer = now_.arguments[index];
    const auto count = number_at(buffer.count);
    constexpr std::string_view end = "past the end";
    if (!count || !before.ends_with(end)) return std::nullopt;
    const std::string_view distance = trimmed(before.substr(0, before.size() - end.size()));
    // "just past the end" and "its last 4 bytes lie past the end": the first element that is not there.
    const bool exact = distance.ends_with("bytes") || distance.ends_with("byte");
    const std::uint64_t beyond = exact ? bytes_before(distance).value_or(0) : 0;
    const std::uint64_t element = *count + beyond / bytes_of(buffer.type);
    GuessDoubt doubt{GuessDoubt::Field::argument,
                     index,
                     worded("Likely the guess for {}: it has {} elements, and the kernel accessed element {}.",
                            name(index), grouped(*count), grouped(element)),
                     {}};
    constexpr std::uint64_t most = std::uint64_t{1} << 26;  // more is no size that anybody wants to interpret
    if (element < most)
      doubt.cure = sizes.empty()
                       ? worded("Give {} at least {} elements.", name(index), element + 1)
                       : worded("Give {} at least {} elements, or make {} smaller.", name(index), element + 1, sizes);
    else
      doubt.cure = sizes.empty() ? Wording("Check the grid and the block.") : worded("Make {} smaller.", sizes);
    return doubt;
  }

  std::optional<GuessDoubt> beyond_shared() const {
    if (!guessed_) return std::nullopt;
    const bool dynamic = kernel_.signature.body.find("extern") != std::string::npos;
    if (dynamic && now_.shared == first_.shared)
      return block("Likely the guessed shared memory: the kernel's extern array is larger.",
                   "Set the bytes of shared memory below More launch options, or choose a smaller block.");
    if (now_.block != first_.block) return std::nullopt;
    return block("Likely the guessed block: the kernel's shared array is for fewer threads.",
                 "Choose a block with fewer threads.");
  }

  const job::FormKernel& kernel_;
  const job::LaunchForm& first_;
  const job::LaunchForm& now_;
  bool guessed_;
};

}  // namespace

std::optional<GuessDoubt> doubt_of(const job::FormKernel& kernel, const job::LaunchForm& first,
                                   const job::LaunchForm& now, const Diagnostics& problems) {
  const auto error = std::ranges::find(problems, Severity::error, &Diagnostic::severity);
  return error == problems.end() ? std::nullopt : Doubting(kernel, first, now).of(*error);
}

}  // namespace lanescope::gui
