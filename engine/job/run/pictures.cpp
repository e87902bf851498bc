#include "job/run/pictures.h"

#include "job/run/numbers.h"
#include "lesson/marks.h"

namespace lanescope::job {
namespace {

const sim::Argument* buffer(const Outcome& outcome, std::string_view name) {
  for (const BufferSummary& summary : outcome.buffers) {
    const auto index = static_cast<std::size_t>(summary.argument);
    if (summary.name == name && index < outcome.arguments.size() && !outcome.arguments[index].contents.empty())
      return &outcome.arguments[index];
  }
  return nullptr;
}

}  // namespace

diagram::PhaseWork phase_work(const trace::Trace& trace, const Request& request) {
  std::vector<diagram::NamedLines> names;
  for (const lesson::Phase& phase : lesson::phases(request.source.text))
    names.push_back({lesson::phase_title(request.phases, phase.name, "en"), request.source.name, phase.lines.first,
                     phase.lines.last, lesson::phase_title(request.phases, phase.name, "zh-CN")});
  return diagram::grid_phases(trace, names);
}

namespace {

// As it is written in C.
std::string word_for(sim::ElementType type) {
  switch (type) {
    case sim::ElementType::f16:
      return "half";
    case sim::ElementType::f32:
      return "float";
    case sim::ElementType::f64:
      return "double";
    default:
      return sim::name_of(type);
  }
}

}  // namespace

diagram::RunningSum running_sum(const Outcome& outcome) {
  const sim::Argument* running = buffer(outcome, "running");
  const sim::Argument* in = buffer(outcome, "in");
  if (running == nullptr || in == nullptr || running->count() != in->count()) return {};
  std::vector<double> values, terms;
  for (std::uint64_t i = 0; i < in->count(); ++i) {
    const auto value = element_of(*running, static_cast<std::int64_t>(i));
    const auto term = element_of(*in, static_cast<std::int64_t>(i));
    if (!value || !term) return {};
    values.push_back(*value);
    terms.push_back(*term);
  }
  return diagram::running_sum_of(std::move(values), terms, word_for(running->type));
}

}  // namespace lanescope::job
