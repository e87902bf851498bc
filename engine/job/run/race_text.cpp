#include "job/run/race_text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "core/source_line.h"
#include "words/phrases.h"

namespace lanescope::job {

namespace {

using diagram::Phrase;
using sim::Race;
using sim::RaceAccess;
using sim::RaceCure;
using sim::RaceKind;

std::string index_text(const Dim3& extent, std::uint64_t linear) {
  const Dim3 at = extent.at(linear);
  if (extent.z > 1) return fmt::format("({}, {}, {})", at.x, at.y, at.z);
  if (extent.y > 1) return fmt::format("({}, {})", at.x, at.y);
  return fmt::format("{}", at.x);
}

// Where nobody puts a barrier.
bool is_of_cuda(std::string_view file) {
  constexpr std::array<std::string_view, 8> folders = {
      "cooperative_groups", "cub/", "thrust/", "cuda/", "cuda_", "crt/", "nv/", "mma.h"};
  return std::ranges::any_of(folders, [&](std::string_view folder) {
    return file.starts_with(folder) || file.find("/" + std::string(folder)) != std::string_view::npos;
  });
}

class RaceWriter {
 public:
  RaceWriter(const Race& race, const trace::Trace& trace, const Request& request, int launch,
             diagram::Language language)
      : race_(race),
        trace_(trace),
        request_(request),
        launch_(launch),
        say_(language),
        early_(race.turned() ? race.second : race.first),
        late_(race.turned() ? race.first : race.second) {}

  RaceText text() const {
    return {title(), access(early_), second(""),   where(),
            cure(),  place(early_),  place(late_), access(early_, "`") + " " + second("`")};
  }

 private:
  // Lines and indices are names, not amounts, so they are written without thousands separators.
  template <typename... Values>
  std::string said(Phrase phrase, const Values&... values) const {
    return say_(phrase, fmt::to_string(values)...);
  }

  const trace::Site& site(const RaceAccess& access) const { return trace_.sites[access.site]; }
  int line(const RaceAccess& access) const { return site(access).line; }
  // The line of a header in which a function was inlined here; line 0 if there is none.
  struct Inner {
    std::string file;
    int line = 0;
  };
  Inner inner(const RaceAccess& access) const {
    const trace::Site& at = site(access);
    const std::size_t colon = at.inlined_from.rfind(':');
    if (colon == std::string::npos || at.inlined_from.compare(0, colon, at.file) == 0) return {};
    return {at.inlined_from.substr(0, colon), std::atoi(at.inlined_from.c_str() + colon + 1)};
  }
  bool in_own_file(const trace::Site& site) const { return site.file.empty() || site.file == request_.source.name; }
  bool in_bulk(const RaceAccess& access) const {
    const std::string& opcode = site(access).opcode;
    return opcode.starts_with("cp.async.bulk") || opcode.starts_with("cp.reduce.async.bulk");
  }
  RacePlace place(const RaceAccess& access) const {
    return {in_own_file(site(access)) ? line(access) : 0, access.block, access.thread};
  }

  std::string memory() const {
    if (race_.space == trace::MemorySpace::distributed)
      return said(Phrase::shared_memory_of_block, index_text(trace_.launch.grid, race_.owner));
    return race_.space == trace::MemorySpace::shared ? said(Phrase::shared_memory) : said(Phrase::global_memory);
  }

  bool only_writes() const { return race_.first.writes && race_.second.writes; }

  std::string title() const {
    switch (race_.kind) {
      case RaceKind::write_write:
        return said(Phrase::race_write_write, memory());
      case RaceKind::read_write:
        return said(Phrase::race_read_write, memory());
      case RaceKind::atomic_plain:
        return said(race_.first.atomic || race_.second.atomic ? Phrase::race_atomic_plain : Phrase::race_strong_plain,
                    memory());
      case RaceKind::copy_not_awaited:
        return said(in_bulk(race_.first) ? Phrase::race_bulk_copy_not_awaited : Phrase::race_copy_not_awaited);
      case RaceKind::not_begun:
        return said(Phrase::race_not_begun, memory());
      case RaceKind::may_have_ended:
        return said(Phrase::race_may_have_ended, memory());
      case RaceKind::same_value:
        return said(only_writes() ? Phrase::race_same_value : Phrase::race_same_value_read, memory());
      case RaceKind::colliding_lanes:
        return said(Phrase::race_colliding_lanes);
    }
    return {};
  }

  std::string verb(const RaceAccess& access) const {
    const bool copies = (site(access).operation == trace::Operation::async_copy || in_bulk(access)) && access.writes;
    std::string verb = access.atomic   ? said(Phrase::access_changes_atomically)
                       : copies        ? said(Phrase::access_copies)
                       : access.writes ? said(Phrase::access_writes)
                                       : said(Phrase::access_reads);
    if (access.strong && !access.atomic) verb += said(Phrase::access_strong);
    return verb;
  }

  std::string access(const RaceAccess& access, std::string_view quote = "") const {
    std::string text = said(Phrase::access_of_thread, index_text(trace_.launch.block, access.thread),
                            index_text(trace_.launch.grid, access.block), verb(access));
    const trace::Site& at = site(access);
    text += in_own_file(at) ? said(Phrase::access_at_line, at.line) : said(Phrase::access_in_file, at.file, at.line);
    if (const Inner header = inner(access); header.line != 0)
      text += said(Phrase::access_in_file, header.file, header.line);
    const std::string source =
        at.file == request_.source.name ? source_line(request_.source.text, at.line, Comments::left_out) : "";
    if (!source.empty()) return said(Phrase::line_reads, text, fmt::format("{0}{1}{0}", quote, source));
    return quote.empty() ? text : said(Phrase::full_stop, text);
  }

  // The second access; for a race of a single access, the event that it is not ordered with.
  std::string second(std::string_view quote) const {
    if (!of_one_access(race_.kind)) return access(late_, quote);
    const std::string text = said(race_.kind == RaceKind::not_begun ? Phrase::block_begins : Phrase::block_ends,
                                  index_text(trace_.launch.grid, race_.owner));
    return quote.empty() ? text : said(Phrase::full_stop, text);
  }

  std::string bytes() const {
    const std::uint64_t last = race_.offset + race_.bytes - 1;
    return race_.bytes == 1 ? said(Phrase::race_byte, race_.offset) : said(Phrase::race_bytes, race_.offset, last);
  }

  std::string where() const {
    if (of_one_access(race_.kind)) return said(Phrase::one_touches_memory, bytes(), memory());
    if (race_.space != trace::MemorySpace::global || race_.buffer < 0)
      return said(Phrase::both_touch_memory, bytes(), memory());
    const trace::Buffer& buffer = trace_.buffers[static_cast<std::size_t>(race_.buffer)];
    std::string name = buffer.name;
    if (const RequestedArgument* argument = argument_of(buffer.argument)) {
      if (!argument->name().empty()) name = argument->name();
      if (const Result<Recipe>& recipe = argument->recipe(); recipe && recipe->buffer()) {
        const std::uint64_t element = race_.offset / static_cast<std::uint64_t>(sim::bytes_of(recipe->type));
        return said(Phrase::both_touch_element, element, name);
      }
    }
    return said(Phrase::both_touch_buffer, bytes(), name);
  }

  // The request's argument behind the launch's parameter; nullptr for memory of the module.
  const RequestedArgument* argument_of(int parameter) const {
    if (parameter < 0) return nullptr;
    auto index = static_cast<std::size_t>(parameter);
    const auto launch = std::ranges::find(request_.launches, launch_, &RequestedLaunch::number);
    if (launch == request_.launches.end()) return nullptr;
    const std::vector<RequestedLaunch::Parameter> parameters = request_.parameters_of(*launch);
    if (index >= parameters.size() || parameters[index].buffer < 0) return nullptr;
    index = static_cast<std::size_t>(parameters[index].buffer);
    const std::size_t own = request_.arguments.size();
    if (index < own) return &request_.arguments[index];
    return index - own < request_.buffers.size() ? &request_.buffers[index - own] : nullptr;
  }

  // "between line 3 and line 5": lines of one function, the innermost that has both accesses and is the user's.
  std::string between() const {
    if (of_one_access(race_.kind)) return between(line(early_), line(late_));
    for (const std::array<SourcePlace, 2>& places : race_.in_common) {
      if (is_of_cuda(places[0].file)) continue;
      const std::string lines = between(places[race_.turned() ? 1 : 0].line, places[race_.turned() ? 0 : 1].line);
      const bool own = places[0].file.empty() || places[0].file == request_.source.name;
      return own ? lines : said(Phrase::lines_of_file, lines, places[0].file);
    }
    const bool one_function = site(early_).function == site(late_).function && site(early_).file == site(late_).file;
    return one_function ? between(line(early_), line(late_)) : said(Phrase::between_both);
  }
  std::string between(int a, int b) const {
    if (a < b) return said(Phrase::between_lines, a, b);
    if (a > b) return said(Phrase::after_line_before, a, b);
    if (early_.writes) return said(Phrase::after_line_again, a);
    return said(Phrase::between_read_and_write, a);
  }

  std::string cure() const {
    if (race_.kind == RaceKind::not_begun) return said(Phrase::cure_not_begun);
    if (race_.kind == RaceKind::may_have_ended) return said(Phrase::cure_may_have_ended);
    if (race_.kind == RaceKind::same_value)
      return said(only_writes() ? Phrase::cure_same_value : Phrase::cure_same_value_read);
    if (race_.kind == RaceKind::colliding_lanes) return said(Phrase::cure_colliding_lanes);
    if (race_.in_one_step) return said(Phrase::cure_one_step);
    const bool atomic = race_.kind == RaceKind::atomic_plain;
    switch (race_.cure) {
      case RaceCure::copy:
        return said(in_bulk(race_.first) ? Phrase::cure_bulk_copy : Phrase::cure_copy, between());
      case RaceCure::warp:
        return said(Phrase::cure_warp, between());
      case RaceCure::block:
        return atomic ? said(Phrase::cure_block_atomic, between()) : said(Phrase::cure_block, between());
      case RaceCure::cluster:
        return said(atomic ? Phrase::cure_cluster_atomic : Phrase::cure_cluster, between());
      case RaceCure::grid: {
        const std::string otherwise = atomic ? said(Phrase::cure_atomic) : said(Phrase::cure_flag);
        return said(Phrase::cure_grid, between(), otherwise);
      }
    }
    return {};
  }

  const Race& race_;
  const trace::Trace& trace_;
  const Request& request_;
  int launch_;
  diagram::Say say_;
  const RaceAccess& early_;
  const RaceAccess& late_;
};

}  // namespace

RaceText race_text(const sim::Race& race, const trace::Trace& trace, const Request& request, int launch,
                   std::string_view language) {
  return RaceWriter(race, trace, request, launch, diagram::language_of(language)).text();
}

}  // namespace lanescope::job
