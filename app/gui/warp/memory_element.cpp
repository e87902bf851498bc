// Below the grid: the chosen element, who wrote it and who reads it next.

#include <fmt/format.h>

#include "core/worded.h"
#include "gui/kit/widgets.h"
#include "gui/warp/memory_view.h"
#include "gui/warp/values_rows.h"

namespace lanescope::gui {

namespace {

struct Leads {
  int launch = 1;
  sim::Step step;
  int lane = 0, line = 0;
  std::uint32_t block = 0, thread = 0;
  std::string what;
};

void step_row(const Ui& ui, const std::string& id, const Leads& to, bool leads) {
  Session& s = ui.session;
  std::string what = step_name(ui, to.step) + of_line(ui, to.line);
  if (to.launch != s.runs.launch()) what = ui.told(worded("launch {}", to.launch)) + " · " + what;
  const std::string who =
      fill_in(ui.tr(Label::memory_thread), std::to_string(to.block), std::to_string(to.thread)) + " · " + to.what;
  if (origin_row(ui, id.c_str(), what, who, leads))
    ui.window.afterwards([&s, to] { s.replays.follow(to.launch, to.step, to.lane); });
}

Leads leads_to(const job::Reader& one) {
  return {one.launch, one.step, one.lane, one.line, one.block, one.thread, one.opcode};
}

}  // namespace

void MemoryView::element(const Ui& ui) {
  const Palette& p = ui.colours();
  Memory& memory = ui.session.memory;
  const Result<job::MemoryWindow>* found = memory.window();
  if (memory.element < 0) return paragraph(ui.look, type::small, p.dim, ui.tr(Label::memory_pick));
  if (found == nullptr) return paragraph(ui.look, type::small, p.dim, ui.tr(Label::values_wait));
  if (!*found) return;
  const job::MemoryWindow& window = **found;
  std::string said = window.memory().element(memory.element);
  if (window.has(memory.element) && window.state.known) {
    const auto value = [&](bool after) {
      return window.has_contents(memory.element, after)
                 ? job::value_text(window.bits(memory.element, after), window.memory().type, ui.session.replays.base)
                 : ui.told("never written");
    };
    said += " = " + (value(false) == value(true) ? value(true) : value(false) + " → " + value(true));
  }
  said += fmt::format(" · 0x{:x}", window.bytes_of(memory.element).address);
  const job::WrongElements* wrong = memory.wrong();
  if (const job::WrongOne* bad = wrong == nullptr ? nullptr : wrong->at(memory.element))
    said += " · " + fill_in(ui.tr(Label::memory_expected), ui.told(bad->got), bad->expected);
  paragraph(ui.look, type::number_strong, p.text, said);
  const Result<Memory::Told>* told = memory.told();
  if (told == nullptr) return paragraph(ui.look, type::small, p.dim, ui.tr(Label::values_wait));
  if (!*told) return paragraph(ui.look, type::small, p.dim, ui.told(told->errors().front().message));
  const Memory::Told& known = **told;
  const auto title = [&](Label label) { line_of_text(ui.look, type::caption_strong, p.dim, ui.tr(label), 0, 20); };
  if (known.writer) {
    title(Label::memory_last_writer);
    const job::Writer& one = *known.writer;
    step_row(ui, "writer",
             {one.launch, one.values.step, one.lane, one.line, one.block, one.thread, one.values.instruction},
             !one.last_repeat);
  } else {
    paragraph(ui.look, type::small, p.dim, ui.tr(Label::memory_no_writer));
  }
  const job::NextReaders& next = known.next;
  if (next.readers.empty()) {
    paragraph(ui.look, type::small, p.dim,
              ui.tr(next.overwrite ? Label::memory_no_reader_until : Label::memory_no_reader));
  } else {
    title(Label::memory_next_readers);
    for (std::size_t i = 0; i < next.readers.size(); ++i)
      step_row(ui, fmt::format("reader-{}", i), leads_to(next.readers[i]), true);
    if (next.more) paragraph(ui.look, type::caption, p.dim, ui.tr(Label::memory_more_readers));
  }
  if (!next.overwrite) return;
  title(Label::memory_overwritten);
  step_row(ui, "overwrite", leads_to(*next.overwrite), true);
}

}  // namespace lanescope::gui
