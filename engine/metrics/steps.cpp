#include "metrics/steps.h"

#include <span>

#include <array>
#include <string_view>

namespace lanescope::metrics {

std::string step_label(const trace::Site& site) {
  if (site.kind == trace::EventKind::block_entry) {
    if (site.basic_block == 0) return "entry";
    if (site.line <= 0) return "enter";
    return "line " + std::to_string(site.line);
  }
  // Keeps the part up to the state space, or up to the word that distinguishes instructions. The rest is type and cache
  // policy.
  const std::string_view opcode = site.opcode;
  const std::size_t dot = opcode.find('.');
  if (dot == std::string_view::npos) return site.opcode;
  const std::string_view first = opcode.substr(0, dot);
  const std::string_view rest = opcode.substr(dot + 1);
  const std::string_view second = rest.substr(0, rest.find('.'));
  constexpr std::array<std::string_view, 9> telling{"global", "shared", "local", "const", "param",
                                                    "async",  "warp",   "sync",  "bulk"};
  if (first == "shfl" || first == "vote" || first == "match" || first == "redux") {
    // shfl.sync.down.b32: the word after "sync" is the mode.
    if (second == "sync" && rest.size() > second.size()) {
      const std::string_view mode = rest.substr(second.size() + 1);
      return std::string(first) + "." + std::string(mode.substr(0, mode.find('.')));
    }
    return std::string(first) + "." + std::string(second);
  }
  // wmma.load.a, mbarrier.arrive.shared: the second word is what it does.
  for (const std::string_view family : {"wmma", "wgmma", "mbarrier", "tensormap"})
    if (first == family) return std::string(first) + "." + std::string(second);
  for (const std::string_view whole : {"cp.async.bulk", "cp.reduce.async.bulk", "barrier.cluster.arrive",
                                       "barrier.cluster.wait", "fence.proxy", "fence.mbarrier_init"})
    if (opcode.starts_with(whole)) return std::string(whole);
  for (std::size_t at = 0; at < rest.size();) {
    const std::string_view part = rest.substr(at, rest.find('.', at) - at);
    for (const std::string_view word : telling)
      if (part.substr(0, part.find(':')) == word) return std::string(first) + "." + std::string(word);
    at += part.size() + 1;
  }
  return std::string(first);
}

std::vector<Step> steps(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp) {
  std::vector<Step> result;
  std::vector<std::uint32_t> seen(trace.sites.size());
  for (const trace::WarpEvent& event : trace.warp(block, warp)) {
    const trace::Site& site = trace.sites[event.site];
    Step step;
    step.site = event.site;
    step.occurrence = seen[event.site]++;
    step.kind = event.kind;
    step.active = event.active;
    step.executed = event.executed;
    step.line = site.line;
    if (event.kind == trace::EventKind::block_entry)
      step.instructions = static_cast<std::uint32_t>(site.instruction_count);
    step.label = step_label(site);
    result.push_back(std::move(step));
  }
  return result;
}

bool is_block_barrier(const trace::Site& site) {
  return site.kind == trace::EventKind::barrier && !site.opcode.starts_with("bar.warp") &&
         site.opcode.find(".arrive") == std::string::npos;
}

namespace {

// Calls visit(index, barriers before, occurrence since the last) for each event of a site, until it returns true.
template <typename Visit>
void visit_site(const trace::Trace& trace, std::span<const trace::WarpEvent> events, std::uint32_t site,
                Visit&& visit) {
  std::size_t barriers = 0, occurrence = 0;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].site == site && visit(i, barriers, occurrence++)) return;
    if (is_block_barrier(trace.sites[events[i].site])) ++barriers, occurrence = 0;
  }
}

}  // namespace

std::vector<const trace::WarpEvent*> across_warps(const trace::Trace& trace, std::uint32_t block, std::uint32_t warp,
                                                  std::size_t step) {
  std::vector<const trace::WarpEvent*> result(trace.launch.warps_per_block());
  const auto own = trace.warp(block, warp);
  if (step >= own.size()) return result;
  const std::uint32_t site = own[step].site;
  std::size_t barriers = 0, occurrence = 0;
  visit_site(trace, own, site, [&](std::size_t i, std::size_t before, std::size_t since) {
    barriers = before, occurrence = since;
    return i == step;
  });
  for (std::uint32_t other = 0; other < result.size(); ++other) {
    const auto events = trace.warp(block, other);
    visit_site(trace, events, site, [&](std::size_t i, std::size_t before, std::size_t since) {
      if (before == barriers && since == occurrence) result[other] = &events[i];
      return before > barriers || result[other] != nullptr;
    });
  }
  return result;
}

}  // namespace lanescope::metrics
