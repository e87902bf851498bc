#include "cli/output/values.h"

#include <fmt/format.h>

#include "cli/output/output.h"
#include "cli/output/table.h"
#include "core/worded.h"
#include "job/replay/value_text.h"

namespace lanescope::cli {

namespace {

std::string text(const job::LaneValues& values, int lane, ptx::Type type, bool known) {
  return known ? job::value_text(values[static_cast<std::size_t>(lane)], type) : "–";
}

// The contents of the lane's element. Memory that was never written has none.
std::string contents(const job::LaneValues& values, int lane, ptx::Type type, bool known, LaneMask has) {
  return known && !has.test(lane) ? told("never written") : text(values, lane, type, known);
}

// "Block 0, warp 1, step 9 · line 3 · st.global.f32 [%rd8], %f3;"
std::string head(const job::StepValues& values) {
  std::string out =
      told(worded("Block {}, warp {}, step {}", values.step.block, values.step.warp, values.step.sequence + 1));
  if (values.line > 0) out += " · " + told(worded("line {}", values.line));
  return values.instruction.empty() ? out : out + " · " + values.instruction;
}

}  // namespace

std::string values_text(const job::StepValues& values) {
  std::string out = "\n" + head(values) + "\n";
  if (values.instruction.empty())
    out += told("The warp enters a basic block: these lanes run its instructions.") + "\n";
  Table table;
  table.column("LANE");
  for (const job::AccessValues& access : values.access)
    for (std::size_t e = 0; e < access.elements.size(); ++e) table.column("ELEMENT", Align::left);
  for (const job::OperandValues& one : values.operands) {
    const std::string name = one.source.empty() ? one.name : fmt::format("{} {}", one.source, one.name);
    if (one.read) table.column(name);
    if (one.written) table.column(worded("{} AFTER", name));
  }
  for (const job::AccessValues& access : values.access)
    for (std::size_t e = 0; e < access.elements.size(); ++e) {
      table.column("MEMORY BEFORE");
      if (access.operation != trace::Operation::load) table.column("MEMORY AFTER");
    }
  values.active.for_each([&](int lane) {
    const bool executes = values.executed.test(lane);
    std::vector<std::string> cells{std::to_string(lane)};
    for (const job::AccessValues& access : values.access)
      for (const auto& element : access.elements)
        cells.push_back(executes ? element.names[static_cast<std::size_t>(lane)] : "–");
    for (const job::OperandValues& one : values.operands) {
      if (one.read) cells.push_back(text(one.before, lane, one.type, true));
      if (one.written) cells.push_back(text(one.after, lane, one.type, executes && values.done));
    }
    for (const job::AccessValues& access : values.access)
      for (const auto& element : access.elements) {
        cells.push_back(contents(element.before, lane, access.type, executes, element.has_before));
        if (access.operation != trace::Operation::load)
          cells.push_back(contents(element.after, lane, access.type, executes && values.done, element.has_after));
      }
    table.row(std::move(cells));
  });
  return out + table.text();
}

std::string writer_text(const std::optional<job::Writer>& writer, const std::string& element) {
  const std::string said = "\n" + told(job::in_words(writer, element)) + "\n";
  return writer ? said + values_text(writer->values) : said;
}

std::string chain_text(const job::Chain& chain) {
  std::string out = "\n" + told("Where the values came from, backwards:") + "\n";
  for (const job::ChainLink& link : chain.links) {
    out += "  " + head(link.values) + " · " + told(worded("lane {}", link.lane)) + "\n";
    for (const job::OperandOrigins& one : link.origins.operands) {
      const std::string name = one.source.empty() ? one.name : fmt::format("{} ({})", one.source, one.name);
      const std::string of = one.lane == link.lane || one.lane < 0 ? "" : ", " + told(worded("lane {}", one.lane));
      out += fmt::format("    {} = {}{}, {}\n", name, one.value.empty() ? "?" : one.value, of, told(in_words(one)));
    }
    for (const job::MemoryOrigin& one : link.origins.memory)
      out += fmt::format("    {} = {}: {}\n", one.place, one.value, told(in_words(one)));
  }
  if (chain.more) out += "  " + told(worded("The chain goes on: it is cut after {} steps.", chain.links.size())) + "\n";
  return out;
}

}  // namespace lanescope::cli
