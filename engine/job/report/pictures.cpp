#include "job/report/pictures.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "job/run/numbers.h"
#include "lesson/marks.h"
#include "sim/tensor/fragment.h"

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

// The type's name in CUDA C++.
std::string word_for(sim::ElementType type) {
  switch (type) {
    case sim::ElementType::f16:
      return "half";
    case sim::ElementType::bf16:
      return "bfloat16";
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

namespace {

diagram::HeldMatrix held(const sim::Fragment& fragment, std::string_view element) {
  diagram::HeldMatrix matrix{std::string(element), fragment.rows(), fragment.columns(), {}};
  matrix.places.resize(static_cast<std::size_t>(matrix.rows * matrix.columns));
  for (int lane = 0; lane < 32; ++lane)
    for (int reg = 0; reg < fragment.registers(); ++reg)
      for (int part = 0; part < fragment.per_register(); ++part) {
        const sim::Fragment::Place at = fragment.place(lane, reg, part);
        matrix.places[static_cast<std::size_t>(at.row * matrix.columns + at.column)] = {static_cast<std::uint8_t>(lane),
                                                                                        static_cast<std::uint8_t>(reg)};
      }
  return matrix;
}

}  // namespace

diagram::HeldMatrices held_matrices(std::string_view opcode) {
  if (!opcode.starts_with("mma.") && !opcode.starts_with("wmma.mma.")) return {};
  int m = 0, n = 0, k = 0;
  std::vector<std::string_view> types;
  while (!opcode.empty()) {
    const std::string_view word = opcode.substr(0, opcode.find('.'));
    opcode.remove_prefix(std::min(word.size() + 1, opcode.size()));
    if (sim::element_named(word) != sim::Element::none) types.push_back(word);
    if (word == "sp" || word.starts_with("sp::")) return {};  // registers hold only half of A
    if (m == 0) std::sscanf(std::string(word).c_str(), "m%dn%dk%d", &m, &n, &k);
  }
  if (types.size() == 2) types = {types[0], "f16", "f16", types[1]};  // wmma with f16 only names the types of d and c
  // m8n8k4 with f16 computes four products at once, each by eight lanes, so there is no single matrix.
  if (types.size() != 4 || k == 0 || (m == 8 && n == 8 && types[1] == "f16")) return {};
  const auto fragment = [&](sim::Fragment::Matrix matrix, std::string_view type) {
    return held({matrix, sim::element_named(type), m, n, k, false, false}, type);
  };
  return {fragment(sim::Fragment::Matrix::a, types[1]), fragment(sim::Fragment::Matrix::b, types[2]),
          fragment(sim::Fragment::Matrix::c, types[3])};
}

}  // namespace lanescope::job
