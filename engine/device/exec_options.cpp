#include "device/exec_options.h"

#include <charconv>
#include <optional>

#include <nlohmann/json.hpp>

#include "core/json_fields.h"
#include "core/os/environment.h"
#include "core/text.h"

namespace lanescope::device {
namespace {

struct ExecCodec : PlainCodec<nlohmann::json> {};

template <typename Visit, ConstOr<ExecOptions> T>
void fields(Visit& visit, T& options) {
  visit("log", options.log);
  visit("verbose", options.verbose);
  visit("races", options.races);
  visit("max_steps", options.max_steps);
  visit("kernels", options.kernels);
  visit("launches", options.launches);
  visit("arch", options.arch);
  visit("threads", options.threads);
  visit("totals", options.totals);
  visit("save", options.save);
  visit("save_limit", options.save_limit);
  visit("save_once", options.save_once);
  visit("event_budget", options.event_budget);
  visit("ptxas", options.ptxas);
}

struct Range {
  std::uint64_t first = 0, last = 0;
};

// Parses "3", "3-5" or "3-".
std::optional<Range> range_of(std::string_view text) {
  Range range;
  const char* const end = text.data() + text.size();
  const auto [after, status] = std::from_chars(text.data(), end, range.first);
  if (status != std::errc{} || range.first == 0) return std::nullopt;
  range.last = range.first;
  if (after == end) return range;
  if (*after != '-') return std::nullopt;
  if (after + 1 == end) return Range{range.first, UINT64_MAX};
  const auto [last, last_status] = std::from_chars(after + 1, end, range.last);
  if (last_status != std::errc{} || last != end || range.last < range.first) return std::nullopt;
  return range;
}

}  // namespace

ExecOptions exec_options_from(const std::string& text) {
  ExecOptions options;
  try {
    FieldReader<ExecCodec>::read_object(nlohmann::json::parse(text), options, {});
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return options;
}

ExecOptions exec_options_from_environment() {
  const std::optional<std::string> text = value_of_variable(exec_variable);
  return text ? exec_options_from(*text) : ExecOptions{};
}

std::string to_environment(const ExecOptions& options) {
  // A path need not be UTF-8.
  return FieldWriter<ExecCodec>::object_of(options, {}).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

bool is_launch_list(const std::string& text) {
  if (text.empty()) return true;
  for (const std::string_view part : split(text, ','))
    if (!range_of(part)) return false;
  return true;
}

bool names_launch(const std::string& list, std::uint64_t launch) {
  if (list.empty()) return true;
  for (const std::string_view part : split(list, ','))
    if (const std::optional<Range> range = range_of(part); range && launch >= range->first && launch <= range->last)
      return true;
  return false;
}

}  // namespace lanescope::device
