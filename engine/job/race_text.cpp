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
  Writer(const Race& race, const trace::Trace& trace, const Request& request, int launch, bool chinese)
      : race_(race), trace_(trace), request_(request), launch_(launch), chinese_(chinese),
        early_(race.turned() ? race.second : race.first), late_(race.turned() ? race.first : race.second) {}

  RaceText text() const {
    return {title(), access(early_), access(late_), where(), cure(), place(early_), place(late_)};
  }

 private:
  template <typename... Values>
  std::string said(fmt::format_string<const Values&...> english, fmt::format_string<const Values&...> chinese,
                   const Values&... values) const {
    return chinese_ ? fmt::format(chinese, values...) : fmt::format(english, values...);
  }

  const trace::Site& site(const RaceAccess& access) const { return trace_.sites[access.site]; }
  int line(const RaceAccess& access) const { return site(access).line; }
  bool in_own_file(const trace::Site& site) const { return site.file.empty() || site.file == request_.source.name; }
  RacePlace place(const RaceAccess& access) const {
    return {in_own_file(site(access)) ? line(access) : 0, access.block, access.thread};
  }

  std::string memory() const {
    return race_.space == trace::MemorySpace::shared ? said("shared memory", "共享内存") : said("global memory", "全局内存");
  }

  std::string title() const {
    switch (race_.kind) {
      case RaceKind::write_write: return said("Two writes to {} that nothing orders.", "对{}的两次写，没有任何东西规定先后。", memory());
      case RaceKind::read_write:
        return said("A read and a write of {} that nothing orders.", "对{}的一次读和一次写，没有任何东西规定先后。", memory());
      case RaceKind::atomic_plain:
        return said("An atomic and a plain access to {} that nothing orders.", "对{}的一次原子访问和一次普通访问，没有任何东西规定先后。",
                    memory());
      case RaceKind::copy_not_awaited:
        return said("An asynchronous copy into shared memory that nobody has waited for.", "到共享内存的异步复制，没有人等它完成。");
      case RaceKind::same_value:
        return said("Two writes to {} that nothing orders, of the same value.", "对{}的两次写，没有规定先后，但写的值相同。", memory());
      case RaceKind::colliding_lanes:
        return said("Lanes of one store write different values to one address: one of them stays, and which is undefined.",
                    "同一次 store 的几条 lane 向同一地址写不同的值：只留下其中一个，是哪一个没有定义。");
    }
    return {};
  }

  std::string verb(const RaceAccess& access) const {
    const bool copies = site(access).operation == trace::Operation::async_copy && access.writes;
    std::string verb = access.atomic   ? said("changes it atomically", "原子地修改")
                       : copies        ? said("copies into it", "复制进来")
                       : access.writes ? said("writes", "写")
                                       : said("reads", "读");
    if (access.strong && !access.atomic) verb += said(" (volatile or ordered)", "（volatile 或有序）");
    return verb;
  }

  std::string access(const RaceAccess& access) const {
    std::string text = said("thread {} of block {} {}", "block {1} 的线程 {0} {2}", index_text(trace_.launch.block, access.thread),
                            index_text(trace_.launch.grid, access.block), verb(access));
    const trace::Site& at = site(access);
    text += in_own_file(at) ? said(", line {}", "，第 {} 行", at.line) : said(", {} line {}", "，{} 第 {} 行", at.file, at.line);
    const std::string source = at.file == request_.source.name ? source_line(request_.source.text, at.line) : "";
    return source.empty() ? text : text + ": " + source;
  }

  std::string bytes() const {
    const std::uint64_t last = race_.offset + race_.bytes - 1;
    return race_.bytes == 1 ? said("byte {}", "字节 {}", race_.offset) : said("bytes {} to {}", "字节 {} 到 {}", race_.offset, last);
  }

  std::string where() const {
    if (race_.space == trace::MemorySpace::shared || race_.buffer < 0)
      return said("both touch {} of {}", "都碰到{1}的{0}", bytes(), memory());
    const trace::Buffer& buffer = trace_.buffers[static_cast<std::size_t>(race_.buffer)];
    std::string name = buffer.name;
    if (const ArgumentText* argument = argument_of(buffer.argument)) {
      if (!argument->name.empty()) name = argument->name;
      if (const Result<sim::Argument> parsed = parse_type(*argument)) {
        const std::uint64_t element = race_.offset / static_cast<std::uint64_t>(sim::bytes_of(parsed->type));
        return said("both touch element {} of `{}`", "都碰到 `{1}` 的第 {0} 个元素", element, name);
      }
    }
    return said("both touch {} of `{}`", "都碰到 `{1}` 的{0}", bytes(), name);
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
    if (site(early_).file != site(late_).file) return said("between the two", "两者之间");
    if (a < b) return said("between line {} and line {}", "第 {} 行和第 {} 行之间", a, b);
    if (a > b) return said("after line {}, before line {} runs again", "第 {} 行之后、第 {} 行再次执行之前", a, b);
    if (early_.writes) return said("after line {}, before it runs again", "第 {} 行之后、它再次执行之前", a);
    return said("between the read and the write of line {}", "第 {} 行的读和写之间", a);
  }

  std::string cure() const {
    if (race_.kind == RaceKind::same_value)
      return said("It does no harm as long as the values are the same.", "只要值相同就无害。");
    if (race_.kind == RaceKind::colliding_lanes)
      return said("Give each lane an address of its own, or let one lane write.", "给每条 lane 各自的地址，或只让一条 lane 写。");
    const bool atomic = race_.kind == RaceKind::atomic_plain;
    switch (race_.cure) {
      case RaceCure::copy:
        return said("Wait for the copy {}: __pipeline_wait_prior(0) or cp.async.wait_all, and then a barrier for the other threads.",
                    "在{}等待复制完成：__pipeline_wait_prior(0) 或 cp.async.wait_all，然后再为其他线程放一个屏障。", between());
      case RaceCure::warp:
        return said("Put __syncwarp() {}: lanes of one warp are threads of their own and do not wait for one another.",
                    "在{}放 __syncwarp()：同一 warp 的 lane 各是独立的线程，不会互相等待。", between());
      case RaceCure::block:
        return atomic ? said("Put __syncthreads() {}, or make both accesses atomic.", "在{}放 __syncthreads()，或把两次访问都改成原子的。", between())
                      : said("Put __syncthreads() {}.", "在{}放 __syncthreads()。", between());
      case RaceCure::grid: {
        const std::string otherwise =
            atomic ? said("or make both accesses atomic", "或把两次访问都改成原子的")
                   : said("use an atomic, or pass a flag with __threadfence() before it is set and after it is seen",
                          "用原子操作，或传递一个标志，置位之前和看到之后各用一次 __threadfence()");
        return said("No barrier of a block orders two blocks. Put grid.sync() {}, launch a second kernel there, {}.",
                    "block 内的屏障管不了两个 block。在{}放 grid.sync()，或在那里另启动一个 kernel，{}。", between(), otherwise);
      }
    }
    return {};
  }

  const Race& race_;
  const trace::Trace& trace_;
  const Request& request_;
  int launch_;
  bool chinese_;
  const RaceAccess& early_;
  const RaceAccess& late_;
};

}  // namespace

RaceText race_text(const sim::Race& race, const trace::Trace& trace, const Request& request, int launch,
                   std::string_view language) {
  return Writer(race, trace, request, launch, language.starts_with("zh")).text();
}

}  // namespace lanescope::job
