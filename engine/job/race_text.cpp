#include "job/race_text.h"

#include <algorithm>

#include <fmt/format.h>


namespace lanescope::job {

namespace {

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

std::string source_line(const std::string& source, int line) {
  std::size_t begin = 0;
  for (int at = 1; at < line && begin < source.size(); ++at) begin = std::min(source.find('\n', begin), source.size()) + 1;
  if (line < 1 || begin >= source.size()) return {};
  std::string text = source.substr(begin, source.find('\n', begin) - begin);
  text.erase(0, std::min(text.find_first_not_of(" \t"), text.size()));
  if (const std::size_t comment = text.find("//"); comment != std::string::npos) text.erase(comment);
  text.erase(text.find_last_not_of(" \t\r") + 1);
  return text;
}

class Writer {
 public:
  Writer(const Race& race, const trace::Trace& trace, const Request& request, int launch)
      : race_(race), trace_(trace), request_(request), launch_(launch),
        early_(race.turned() ? race.second : race.first), late_(race.turned() ? race.first : race.second) {}

  RaceText text() const {
    return {title(), access(early_), access(late_), where(), cure()};
  }

 private:
  const trace::Site& site(const RaceAccess& access) const { return trace_.sites[access.site]; }
  int line(const RaceAccess& access) const { return site(access).line; }
  std::string memory() const { return race_.space == trace::MemorySpace::shared ? "shared memory" : "global memory"; }

  std::string title() const {
    switch (race_.kind) {
      case RaceKind::write_write: return fmt::format("Two writes to {} that nothing orders.", memory());
      case RaceKind::read_write: return fmt::format("A read and a write of {} that nothing orders.", memory());
      case RaceKind::atomic_plain:
        return fmt::format("An atomic and a plain access to {} that nothing orders.", memory());
      case RaceKind::copy_not_awaited: return "An asynchronous copy into shared memory that nobody has waited for.";
      case RaceKind::same_value: return fmt::format("Two writes to {} that nothing orders, of the same value.", memory());
      case RaceKind::colliding_lanes:
        return "Lanes of one store write different values to one address: one of them stays, and which is undefined.";
    }
    return {};
  }

  std::string access(const RaceAccess& access) const {
    const bool copies = site(access).operation == trace::Operation::async_copy && access.writes;
    const char* verb = access.atomic ? "changes it atomically"
                       : copies      ? "copies into it"
                       : access.writes ? "writes"
                                       : "reads";
    std::string text = fmt::format("thread {} of block {} {}{}", index_text(trace_.launch.block, access.thread),
                                   index_text(trace_.launch.grid, access.block), verb,
                                   access.strong && !access.atomic ? " (volatile or ordered)" : "");
    const trace::Site& at = site(access);
    text += at.file == request_.source.name || at.file.empty() ? fmt::format(", line {}", at.line)
                                                              : fmt::format(", {} line {}", at.file, at.line);
    const std::string source = at.file == request_.source.name ? source_line(request_.source.text, at.line) : "";
    return source.empty() ? text : text + ": " + source;
  }

  std::string where() const {
    const std::string bytes = race_.bytes == 1 ? fmt::format("byte {}", race_.offset)
                                               : fmt::format("bytes {} to {}", race_.offset, race_.offset + race_.bytes - 1);
    if (race_.space == trace::MemorySpace::shared) return fmt::format("both touch {} of shared memory", bytes);
    if (race_.buffer < 0) return fmt::format("both touch {} of global memory", bytes);
    const trace::Buffer& buffer = trace_.buffers[static_cast<std::size_t>(race_.buffer)];
    std::string name = buffer.name;
    std::string element;
    if (const ArgumentText* argument = argument_of(buffer.argument)) {
      if (!argument->name.empty()) name = argument->name;
      if (const Result<sim::Argument> parsed = parse_type(*argument))
        element = fmt::format("element {} of ", race_.offset / static_cast<std::uint64_t>(sim::bytes_of(parsed->type)));
    }
    return element.empty() ? fmt::format("both touch {} of `{}`", bytes, name) : fmt::format("both touch {}`{}`", element, name);
  }

  // What the launch's parameter was filled from; nullptr for memory of the module.
  const ArgumentText* argument_of(int parameter) const {
    if (parameter < 0) return nullptr;
    auto index = static_cast<std::size_t>(parameter);
    for (const NextLaunch& next : request_.launches) {
      if (next.number != launch_) continue;
      if (index >= next.parameters.size() || next.parameters[index].buffer < 0) return nullptr;
      index = static_cast<std::size_t>(next.parameters[index].buffer);
      break;
    }
    const std::size_t own = request_.arguments.size();
    if (index < own) return &request_.arguments[index];
    return index - own < request_.buffers.size() ? &request_.buffers[index - own] : nullptr;
  }

  // The type alone: no contents are made.
  static Result<sim::Argument> parse_type(const ArgumentText& argument) {
    const std::size_t bracket = argument.text.find('[');
    if (bracket == std::string::npos) return Diagnostic{};
    return parse_argument({argument.text.substr(0, bracket) + "[1]", ""});
  }

  // "between line 3 and line 5"
  std::string between() const {
    const int a = line(early_), b = line(late_);
    if (site(early_).file != site(late_).file) return "between the two";
    if (a < b) return fmt::format("between line {} and line {}", a, b);
    if (a > b) return fmt::format("after line {}, before line {} runs again", a, b);
    if (early_.writes) return fmt::format("after line {}, before it runs again", a);
    return fmt::format("between the read and the write of line {}", a);
  }

  std::string cure() const {
    switch (race_.kind) {
      case RaceKind::same_value: return "It does no harm as long as the values are the same.";
      case RaceKind::colliding_lanes: return "Give each lane an address of its own, or let one lane write.";
      default: break;
    }
    const bool atomic = race_.kind == RaceKind::atomic_plain;
    switch (race_.cure) {
      case RaceCure::copy:
        return fmt::format("Wait for the copy {}: __pipeline_wait_prior(0) or cp.async.wait_all, and then a barrier for the other threads.",
                           between());
      case RaceCure::warp:
        return fmt::format("Put __syncwarp() {}: lanes of one warp are threads of their own and do not wait for one another.", between());
      case RaceCure::block:
        return fmt::format("Put __syncthreads() {}{}", between(), atomic ? ", or make both accesses atomic." : ".");
      case RaceCure::grid:
        return fmt::format("No barrier of a block orders two blocks. Put grid.sync() {}, launch a second kernel there, {}.", between(),
                           atomic ? "or make both accesses atomic"
                                  : "use an atomic, or pass a flag with __threadfence() before it is set and after it is seen");
    }
    return {};
  }

  const Race& race_;
  const trace::Trace& trace_;
  const Request& request_;
  int launch_;
  const RaceAccess& early_;
  const RaceAccess& late_;
};

}  // namespace

RaceText race_text(const sim::Race& race, const trace::Trace& trace, const Request& request, int launch) {
  return Writer(race, trace, request, launch).text();
}

}  // namespace lanescope::job
