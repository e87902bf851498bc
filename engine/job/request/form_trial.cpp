#include "job/request/form_trial.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "core/text.h"
#include "job/request/launch_options.h"
#include "job/run/job.h"
#include "job/values/element_numbers.h"

namespace lanescope::job {

namespace {

constexpr int most_runs = 24;
constexpr std::uint64_t most_warp_instructions = 1'500'000;  // of all runs: a second or two
constexpr std::uint64_t most_buffer_elements = std::uint64_t{1} << 24;
constexpr std::uint64_t most_shared_bytes = 227 << 10;  // of a block on an H200

// The access at which a run without events, races and results stopped; empty if it did not. Takes the warp instructions
// of the run off `left`.
struct Stopped {
  std::string code, message;
  bool dynamic_shared = false;  // the kernel, or another of its file, has an array of dynamic shared memory
};
Stopped stopped_in(const LaunchForm& form, const compile::Source& source, std::uint64_t& left,
                   sim::Progress* progress) {
  Diagnostics notes;
  Result<Request> request = request_of(form, source, notes);
  if (!request) return {};
  request->races_if_small = request->results = false;
  request->record.events = false;
  request->max_steps = left;
  const Outcome outcome = run(*request, nullptr, progress);
  left -= std::min(left, outcome.first().trace.totals.warp_instructions);
  const auto error = std::ranges::find(outcome.diagnostics, Severity::error, &Diagnostic::severity);
  if (error == outcome.diagnostics.end()) return {};
  return {error->code, error->message, contains(outcome.first().ptx, ".extern .shared")};
}

bool double_text(std::string& number, std::uint64_t least, std::uint64_t most) {
  std::uint64_t now = 0;
  if (!number.empty() && !parse_whole(number, now)) return false;
  if (now >= most) return false;
  number = std::to_string(std::min(std::max(2 * now, least), most));
  return true;
}

std::optional<NamedArgument> argument_behind(std::string_view message, std::string_view lead) {
  const std::size_t at = message.find(lead);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view text = message.substr(at + lead.size());
  NamedArgument named{.before = message.substr(0, at)};
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), named.index);
  return failed == std::errc() ? std::optional(named) : std::nullopt;
}

// A static array of shared memory is as large as the block that its kernel is meant for. False: the block is small
// already.
bool halve_block(std::string& block) {
  constexpr std::uint64_t least_threads = 32;
  Result<Dim3> size = parse_extent(block, "--block");
  if (!size || size->count() < 2 * least_threads) return false;
  std::uint32_t& longest = size->x >= size->y ? size->x : size->y;
  longest /= 2;
  block = extent_text(*size);
  return true;
}

// Doubles what the access went past. False: nothing that was guessed, or it is large already. The interpreter says
// "8 bytes past the end of arg 1 (f32[4096])" and "just past the end of the 1024 bytes of shared memory".
bool grow(LaunchForm& form, const Stopped& stopped, const GivenInForm& given) {
  const std::string_view said = stopped.message;
  if (const std::optional<NamedArgument> named = argument_in(said)) {
    if (named->index < given.arguments || named->index >= form.arguments.size()) return false;
    FormArgument& buffer = form.arguments[named->index];
    return buffer.kind == FormArgument::Kind::buffer && double_text(buffer.count, 1, most_buffer_elements);
  }
  const bool beyond_shared = contains(said, "past the end of the") && said.ends_with("bytes of shared memory");
  if (!beyond_shared) return false;
  if (!stopped.dynamic_shared) return !given.block && halve_block(form.block);
  return !given.shared && double_text(form.shared, 1024, most_shared_bytes);
}

// Gives contents to the buffer that is read unwritten: the file copies nothing there, as programs do that only measure
// time. False: another memory, or one that was not guessed. The interpreter says "0 bytes into arg 1 (f32[4096])".
bool fill_unwritten(LaunchForm& form, std::string_view said, const GivenInForm& given) {
  constexpr std::string_view into_argument = " into arg ";
  const std::optional<NamedArgument> named = argument_behind(said, into_argument);
  if (!named || named->index < given.arguments || named->index >= form.arguments.size()) return false;
  FormArgument& buffer = form.arguments[named->index];
  if (buffer.kind != FormArgument::Kind::buffer || !buffer.value.empty()) return false;
  buffer.value = "iota";
  return true;
}

}  // namespace

std::optional<NamedArgument> argument_in(std::string_view message) {
  constexpr std::string_view of_argument = " of arg ";
  return argument_behind(message, of_argument);
}

GivenInForm given_by(const FormOrigin& origin) {
  const bool launched = origin.kind != FormOrigin::Kind::guessed;
  return {.shared = origin.shared,
          .block = launched && std::ranges::find(origin.guessed, "block", &GuessedPart::of) == origin.guessed.end()};
}

LaunchForm fitted(const LaunchForm& form, const compile::Source& source, const GivenInForm& given,
                  sim::Progress* progress) {
  LaunchForm larger = form;
  std::uint64_t left = most_warp_instructions;
  for (int i = 0; i < most_runs && left > 0; ++i) {
    const Stopped stopped = stopped_in(larger, source, left, progress);
    if (stopped.code == "memory.uninitialised" && fill_unwritten(larger, stopped.message, given)) continue;
    if (stopped.code != "memory.out_of_bounds" || !contains(stopped.message, "past the end of")) return larger;
    if (!grow(larger, stopped, given)) return form;
  }
  return larger;
}

}  // namespace lanescope::job
