#pragma once
// Traces and machine code written down by hand, for tests of what is concluded from them.

#include <gtest/gtest.h>

#include "job/witness/explain_account.h"
#include "job/witness/judge.h"
#include "job/witness/sass_account.h"
#include "words/messages.h"

namespace lanescope::job::by_hand {

// A trace of one warp, built access by access. The nth site is line n of the source and line 10 × n of the PTX.
class Accesses {
 public:
  std::uint32_t site(trace::MemorySpace space, trace::Operation operation, int width, std::string opcode) {
    trace::Site site;
    site.id = static_cast<std::uint32_t>(trace_.sites.size());
    site.kind = trace::EventKind::memory;
    site.space = space;
    site.operation = operation;
    site.width = static_cast<std::uint8_t>(width);
    site.line = static_cast<std::int32_t>(site.id) + 1;
    site.ptx_line = 10 * site.line;
    site.opcode = std::move(opcode);
    trace_.sites.push_back(std::move(site));
    trace_.totals.sites.emplace_back();
    return trace_.sites.back().id;
  }
  std::uint32_t load() { return site(trace::MemorySpace::global, trace::Operation::load, 4, "ld.global.u32"); }

  void access(std::uint32_t site, LaneMask lanes, std::int32_t stride = 4,
              trace::MemorySpace space = trace::MemorySpace::none) {
    trace::WarpEvent event;
    event.site = site;
    event.kind = trace::EventKind::memory;
    event.space = space == trace::MemorySpace::none ? trace_.sites[site].space : space;
    event.active = event.executed = lanes;
    event.first_address = static_cast<std::uint64_t>(stride) * static_cast<std::uint64_t>(lanes.lowest());
    event.stride = stride;
    trace_.events.push_back(event);
  }

  // A basic block that begins in this line of the PTX.
  std::uint32_t block(int ptx_line, std::uint64_t entered) {
    const std::uint32_t id = site(trace::MemorySpace::none, trace::Operation::none, 0, "entry");
    trace_.sites[id].kind = trace::EventKind::block_entry;
    trace_.sites[id].ptx_line = ptx_line;
    trace_.totals.sites[id].executions = entered;
    return id;
  }

  void enter(std::uint32_t block) {
    trace::WarpEvent event;
    event.site = block;
    event.kind = trace::EventKind::block_entry;
    event.active = event.executed = LaneMask::first(32);
    trace_.events.push_back(event);
  }

  const trace::Trace& trace() const { return trace_; }

 private:
  trace::Trace trace_;
};

inline compile::SassInstruction instruction(int ptx_line, std::string text) {
  compile::SassInstruction made;
  made.ptx_line = ptx_line;
  made.line = ptx_line / 10;
  made.text = std::move(text);
  return made;
}

inline compile::Sass assembled(std::vector<compile::SassInstruction> instructions) {
  compile::Sass sass;
  sass.instructions = std::move(instructions);
  return sass;
}

inline RecordComparison recorded(std::vector<std::uint32_t> regrouped, std::vector<std::uint32_t> changed = {}) {
  RecordComparison record{.pass = instrument::Pass::memory};
  record.regrouped_sites = std::move(regrouped);
  record.changed_sites = std::move(changed);
  return record;
}

inline Wording by_account(Number number, const Accesses& run, const compile::Sass& sass, std::uint64_t counted,
                          const PtxLines& lines = {}) {
  return explain_by_account(number, run.trace(), nullptr, sass, CountedBy::l1tex, counted, {}, lines);
}

inline void expect_told(const Wording& english, const char* with) {
  EXPECT_NE(english.find(with), std::string::npos) << english;
  EXPECT_NE(diagram::translated(english, diagram::Language::chinese), english) << "messages.def lacks this reason";
}

}  // namespace lanescope::job::by_hand
