#include "gui/compare/comparison.h"

#include <algorithm>
#include <utility>

namespace lanescope::gui {

std::size_t ComparedWarp::events_of_block() const {
  std::size_t count = 0;
  if (!has_steps) return count;
  for (std::uint32_t one = 0; one < trace().launch.warps_per_block(); ++one) count += trace().warp(block, one).size();
  return count;
}

ComparedSide::ComparedSide(const ComparedWarp& of, const std::function<bool()>& stop)
    : block_steps(of.trace(), of.block) {
  if (!of.has_steps) return;
  const trace::Trace& trace = of.trace();
  std::vector<std::vector<PhasePass>> of_warps = passes_of_block(trace, of.launch->key.source, of.block);
  if (of.warp >= of_warps.size()) return;
  tellers = tellers_of(trace, of.block, of.warp, of_warps);
  sums = BlockSums(trace, of.block, of.warp, of_warps, stop);
  passes = std::move(of_warps[of.warp]);
  for (const PhasePass& pass : passes)
    if (pass.number == 1) names.emplace_back(pass.name, pass.count);
  const auto events = trace.warp(of.block, of.warp);
  for (std::size_t i = 0; i < events.size() && !first_access; ++i)
    if (is_access(events[i])) first_access = i;
  for (std::size_t i = events.size(); i-- > 0 && !last_access;)
    if (is_access(events[i])) last_access = i;
}

Comparison::Comparison(ComparedWarp first, ComparedWarp second, const std::function<bool()>& stop)
    : of_a(std::move(first)),
      of_b(std::move(second)),
      a(of_a, stop),
      b(of_b, stop),
      steps(joint_steps(a.passes, b.passes)) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].a) a.step_of_pass.push_back(i);
    if (steps[i].b) b.step_of_pass.push_back(i);
  }
}

Walk Comparison::walk(bool is_a) const {
  const ComparedWarp& of = is_a ? of_a : of_b;
  const ComparedSide& side = is_a ? a : b;
  return {of.trace(), side.passes, of.block, of.warp, &side.tellers, &side.block_steps};
}

std::optional<std::size_t> Comparison::parting(const std::function<bool()>& stop) const {
  if (!of_a.has_steps || !of_b.has_steps) return std::nullopt;
  return where_they_part(walk(true), walk(false), steps, stop);
}

}  // namespace lanescope::gui
