// Draws blocks: wraps words, draws code in its own font, and fits tables or makes them scroll.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "gui/kit/line_breaks.h"
#include "gui/parts/markdown.h"
#include "gui/parts/markdown_found.h"

namespace lanescope::gui {
namespace {

// Also includes marks that end a clause in Latin text.
bool clings_to_code(unsigned c) {
  return must_not_begin_a_line(c) || (c < 0x80 && c != 0 && std::strchr(",.;:!?)]", static_cast<int>(c)) != nullptr);
}

// The width of the text that follows a span without a space and must not begin a line.
float clinging_width(const Ui& ui, const Spans& spans, std::size_t index, TypeStyle plain) {
  if (index + 1 >= spans.size() || spans[index + 1].code) return 0;
  const std::string& next = spans[index + 1].text;
  std::size_t end = 0;
  while (end < next.size() && clings_to_code(codepoint(next, end)))
    end += letter_bytes(static_cast<unsigned char>(next[end]));
  return end == 0 ? 0 : ui.look.measure(plain, std::string_view(next).substr(0, end)).x;
}

// A drawn part of a link, in pixels; a link that spans lines has several.
struct LinkPiece {
  ImVec2 from, to;
  std::string target;
};
using LinkPieces = std::vector<LinkPiece>;

// Adds items for the links drawn so far. Does not move the cursor.
void link_items(const Ui& ui, LinkPieces& links, const std::function<void(const std::string&)>& on_link) {
  if (links.empty()) return;
  const ImVec2 cursor = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const LinkPiece& link = links[i];
    ImGui::SetCursorScreenPos(link.from);
    ImGui::PushID(static_cast<int>(i));
    const bool pressed =
        pressable(link.target.c_str(), {std::max(1.0f, link.to.x - link.from.x), link.to.y - link.from.y});
    ImGui::PopID();
    if (ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      list->AddRectFilled({link.from.x, link.to.y - ui.px(3)}, {link.to.x, link.to.y - ui.px(2)}, ui.colours().accent);
    }
    if (pressed && on_link) on_link(link.target);
  }
  links.clear();
  ImGui::SetCursorScreenPos(cursor);
  ImGui::Dummy({0, 0});
}

struct FlowStyle {
  TypeStyle plain, strong, code;
  ImU32 colour, strong_colour;
  float line_height;  // pixels
  ImU32 code_ground;
  bool breaks_code = false;     // allow breaks between the words of code if space is short
  LinkPieces* links = nullptr;  // receives the drawn links
  FoundHere* found = nullptr;
};

FlowStyle flow_style(const Ui& ui, TypeStyle plain, TypeStyle strong, float alpha) {
  const Palette& p = ui.colours();
  return {plain,
          strong,
          {Face::mono, plain.em * 0.93f},
          with_alpha(p.text, alpha),
          with_alpha(p.text, alpha),
          std::round(plain.em * 1.5f * ui.look.scale()),
          with_alpha(p.raised, alpha)};
}

// Emphasised words are slightly heavier; strong words, which introduce a term, are bold.
TypeStyle style_of(const MarkdownSpan& span, const FlowStyle& style) {
  if (span.code) return style.code;
  if (span.strong) return style.strong;
  return span.emphasis && style.plain.face == Face::regular ? TypeStyle{Face::medium, style.plain.em} : style.plain;
}

// "(" stays with the text that it opens: returns the width of that text if such a mark ends a span and code or an
// emphasised word follows.
float opened_width(const Ui& ui, const Spans& spans, std::size_t index, std::string_view word, const FlowStyle& style) {
  std::size_t last = word.size();
  while (last > 0 && (static_cast<unsigned char>(word[--last]) & 0xc0) == 0x80) {
  }
  if (word.empty() || !must_not_end_a_line(codepoint(word, last)) || index + 1 >= spans.size()) return 0;
  const MarkdownSpan& next = spans[index + 1];
  if (next.text.empty() || next.text[0] == ' ' || next.text[0] == '\n') return 0;
  const std::size_t end = next.code && !style.breaks_code ? next.text.size() : piece_end(next.text, 0);
  return ui.look.measure(style_of(next, style), std::string_view(next.text).substr(0, end)).x +
         (next.code ? 2 * ui.px(3) : 0) +
         (end == next.text.size() ? clinging_width(ui, spans, index + 1, style.plain) : 0);
}

// Wraps spans to `width` pixels at `at`; returns the height. If `list` is null it only measures. `longest` receives the
// widest line.
float flow(const Ui& ui, const Spans& spans, const FlowStyle& style, ImVec2 at, float width, ImDrawList* list,
           float alpha, float* longest = nullptr) {
  float x = 0, y = 0;
  const float space = ui.look.measure(style.plain, " ").x;
  bool pending_space = false;
  std::size_t offset = 0, next_offset = 0;  // byte offset of the span in the text
  const auto new_line = [&] {
    if (longest != nullptr) *longest = std::max(*longest, x);
    x = 0, y += style.line_height, pending_space = false;
  };
  for (std::size_t index = 0; index < spans.size(); ++index) {
    const MarkdownSpan& span = spans[index];
    offset = std::exchange(next_offset, next_offset + span.text.size());
    if (span.text == "\n") {
      new_line();
      continue;
    }
    const TypeStyle type = style_of(span, style);
    // Links on numbers, of which a text has many, are only underlined.
    const bool named = !span.link.empty() && !span.link.starts_with(number_link);
    const ImU32 colour = named         ? with_alpha(ui.colours().accent, alpha)
                         : span.strong ? style.strong_colour
                                       : style.colour;
    const float pad = span.code ? ui.px(3) : 0;
    for (std::size_t at_byte = 0; at_byte < span.text.size();) {
      if (span.text[at_byte] == ' ' && (!span.code || style.breaks_code)) {
        pending_space = x > 0;
        ++at_byte;
        continue;
      }
      const std::size_t end = span.code && !style.breaks_code ? span.text.size() : piece_end(span.text, at_byte);
      std::string_view piece(span.text.data() + at_byte, end - at_byte);
      float piece_width = ui.look.measure(type, piece).x + 2 * pad;
      const float lead = pending_space ? space : 0;
      float behind = 0;
      if (end == span.text.size()) behind = clinging_width(ui, spans, index, style.plain);
      if (end == span.text.size() && !span.code) behind += opened_width(ui, spans, index, piece, style);
      const bool clung = index > 0 && at_byte == 0 && lead == 0 && clings_to_code(codepoint(span.text, 0));
      if (x > 0 && !clung && x + lead + piece_width + behind > width + 0.5f)
        new_line();
      else
        x += lead;
      pending_space = false;
      // A word that is wider than the line is broken at its end.
      const auto draw = [&](std::string_view part, float part_width) {
        if (list == nullptr) return;
        const float centre = at.y + y + style.line_height / 2;
        if (span.code)
          list->AddRectFilled({at.x + x, centre - style.line_height * 0.41f},
                              {at.x + x + part_width, centre + style.line_height * 0.41f}, style.code_ground, ui.px(3));
        mark_matches(ui, style.found, type, part, offset + static_cast<std::size_t>(part.data() - span.text.data()),
                     at.x + x + pad, centre - style.line_height * 0.44f, centre + style.line_height * 0.44f);
        draw_text(list, ui.look, type, colour, {at.x + x + pad, centre}, part);
        if (style.links == nullptr || span.link.empty()) return;
        const float half = style.line_height / 2;
        list->AddRectFilled({at.x + x + pad, centre + half - ui.px(3)},
                            {at.x + x + part_width - pad, centre + half - ui.px(2)},
                            with_alpha(ui.colours().line, alpha));
        style.links->push_back({{at.x + x, centre - half}, {at.x + x + part_width, centre + half}, span.link});
      };
      while (piece_width > width && piece.size() > 1) {
        std::size_t fits = 0;
        while (fits < piece.size()) {
          const std::size_t next = fits + letter_bytes(static_cast<unsigned char>(piece[fits]));
          if (ui.look.measure(type, piece.substr(0, next)).x + 2 * pad > width) break;
          fits = next;
        }
        if (fits == 0 || fits >= piece.size()) break;
        if (span.code) fits = code_break(piece, fits);
        const std::string_view part = piece.substr(0, fits);
        draw(part, ui.look.measure(type, part).x + 2 * pad);
        x = width;
        new_line();
        piece.remove_prefix(fits);
        piece_width = ui.look.measure(type, piece).x + 2 * pad;
      }
      draw(piece, piece_width);
      x += piece_width;
      at_byte = end;
    }
  }
  if (longest != nullptr) *longest = std::max(*longest, x);
  return y + style.line_height;
}

// Splits a line of code into pieces that fit `width`; if it must be split, its pieces leave `hanging` free.
std::vector<std::string_view> wrapped(const Look& look, TypeStyle style, std::string_view line, float width,
                                      float hanging) {
  if (look.measure(style, line).x <= width) return {line};
  width -= hanging;
  std::vector<std::string_view> pieces;
  while (look.measure(style, line).x > width && line.size() > 1) {
    std::size_t fits = 0;
    while (fits < line.size()) {
      const std::size_t next = fits + letter_bytes(static_cast<unsigned char>(line[fits]));
      if (look.measure(style, line.substr(0, next)).x > width) break;
      fits = next;
    }
    const std::size_t cut = fits == 0 ? letter_bytes(static_cast<unsigned char>(line[0])) : code_break(line, fits);
    if (cut >= line.size()) break;
    pieces.push_back(line.substr(0, cut));
    line.remove_prefix(cut);
  }
  pieces.push_back(line);
  return pieces;
}

void code_block(const Ui& ui, const MarkdownBlock& block, float alpha, FoundHere& found) {
  const std::string text = code_text(block);
  const TypeStyle style{Face::mono, 12.5f};
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, pad = ui.px(10), hanging = ui.px(16);
  const float row = ui.px(19);
  struct Row {
    std::string_view text;
    float indent;
  };
  std::vector<Row> rows;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t stop = std::min(text.find('\n', start), text.size());
    const std::string_view line = std::string_view(text).substr(start, stop - start);
    for (const std::string_view piece : wrapped(ui.look, style, line, width - 2 * pad, hanging))
      rows.push_back({piece, piece.data() == line.data() ? 0 : hanging});
    start = stop + 1;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 end{at.x + width, at.y + static_cast<float>(rows.size()) * row + 2 * pad};
  list->AddRectFilled(at, end, with_alpha(ui.colours().raised, alpha), ui.px(6));
  float y = at.y + pad + row / 2;
  for (const Row& one : rows) {
    mark_matches(ui, &found, style, one.text, static_cast<std::size_t>(one.text.data() - text.data()),
                 at.x + pad + one.indent, y - row / 2, y + row / 2);
    draw_text(list, ui.look, style, with_alpha(ui.colours().text, alpha), {at.x + pad + one.indent, y}, one.text);
    y += row;
  }
  ImGui::Dummy({width, end.y - at.y});
}

// The widest unbreakable piece.
float longest_word(const Ui& ui, const Spans& spans, const FlowStyle& style) {
  float longest = 0;
  for (const MarkdownSpan& span : spans) {
    const TypeStyle type = style_of(span, style);
    const float pad = span.code ? ui.px(3) : 0;
    if (span.code && !style.breaks_code) {
      longest = std::max(longest, ui.look.measure(type, span.text).x + 2 * pad);
      continue;
    }
    for (std::size_t at = 0; at < span.text.size();) {
      if (span.text[at] == ' ') {
        ++at;
        continue;
      }
      const std::size_t end = piece_end(span.text, at);
      longest = std::max(longest, ui.look.measure(type, std::string_view(span.text).substr(at, end - at)).x + 2 * pad);
      at = end;
    }
  }
  return longest;
}

// True for a cell with a single number, with or without unit and footnote marks.
bool is_number(const Spans& spans) {
  std::string text;
  for (const MarkdownSpan& span : spans) {
    if (span.code) return false;
    text += span.text;
  }
  for (const char* mark : {"¹", "²", "³"})
    if (const std::size_t at = text.find(mark); at != std::string::npos) text.erase(at, std::strlen(mark));
  for (const char* minus : {"−", "–", "-"})
    if (text.starts_with(minus)) {
      text.erase(0, std::strlen(minus));
      break;
    }
  if (text.empty()) return !spans.empty();      // "–": not measured
  if (text == "∞" || text == "…") return true;  // overflow of a half; not known yet
  const std::string unit = text.substr(std::min(text.find_first_not_of("0123456789,."), text.size()));
  if (unit.size() == text.size()) return false;
  for (const char* known : {"", " %", " ×", " B", " KiB", " MiB", " GB/s", " ns", " µs", " ms"})
    if (unit == known) return true;
  return false;
}

TypeStyle sized(TypeStyle style, int tight) {
  return tight < 2 ? style : TypeStyle{style.face, tight == 2 ? 11.0f : 10.0f};
}

// The column layout of a table that should fit `room`.
struct TableLayout {
  FlowStyle plain, head;
  float gap = 0, wanted = 0;
  std::vector<float> widths;
  std::vector<bool> numbers;  // columns of numbers are right-aligned

  // `tight`: from 0, roomy, to 3, as narrow as possible.
  TableLayout(const Ui& ui, const MarkdownBlock& block, std::size_t columns, float room, float alpha, int tight)
      : plain(flow_style(ui, sized(tight > 0 ? type::caption : type::small, tight),
                         sized(tight > 0 ? type::caption_strong : type::small_strong, tight), alpha)),
        head(flow_style(ui, sized(type::caption_strong, tight), sized(type::caption_strong, tight), alpha)),
        gap(ui.px(tight == 0   ? 12.0f
                  : tight == 1 ? 8.0f
                               : 6.0f)),  // with less, two numbers read as one
        widths(columns, 0),
        numbers(columns, block.rows.size() > 1) {
    head.colour = head.strong_colour = with_alpha(ui.colours().dim, alpha);
    plain.breaks_code = tight > 0;
    std::vector<float> least(columns, 0);
    for (std::size_t r = 0; r < block.rows.size(); ++r)
      for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
        const Spans& cell = block.rows[r][c];
        float longest = 0;
        flow(ui, cell, r == 0 ? head : plain, {}, 1e6f, nullptr, alpha, &longest);
        widths[c] = std::max(widths[c], longest + 1);
        least[c] = std::max(least[c], longest_word(ui, cell, r == 0 ? head : plain) + 1);
        if (r > 0 && !cell.empty() && !is_number(cell)) numbers[c] = false;
      }
    wanted = gap * static_cast<float>(columns - 1);
    for (const float w : widths) wanted += w;
    // If it is too wide, the columns with most slack wrap their text, without breaking words.
    for (int round = 0; wanted > room && round < 400; ++round) {
      std::size_t most = 0;
      for (std::size_t c = 1; c < columns; ++c)
        if (widths[c] - least[c] > widths[most] - least[most]) most = c;
      const float give = std::min({wanted - room, widths[most] - least[most], ui.px(8)});
      if (give <= 0) break;
      widths[most] -= give, wanted -= give;
    }
  }
};

void table(const Ui& ui, const MarkdownBlock& block, float alpha, FoundHere& found,
           const std::function<void(const std::string&)>& on_link) {
  std::size_t columns = 0;
  for (const auto& row : block.rows) columns = std::max(columns, row.size());
  if (columns == 0) return;
  const float room = ImGui::GetContentRegionAvail().x;
  TableLayout layout(ui, block, columns, room, alpha, 0);
  for (int tight = 1; tight <= 3 && layout.wanted > room + 1; ++tight)
    layout = TableLayout(ui, block, columns, room, alpha, tight);
  LinkPieces links;
  layout.plain.links = layout.head.links = &links;
  layout.plain.found = layout.head.found = &found;
  const auto& [plain, head, gap, wanted, widths, numbers] = layout;
  // A table that is still too wide scrolls.
  const bool scrolls = wanted > room + 1;
  const float total = std::max(room, wanted);
  if (scrolls) {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushID(&block);
    ImGui::BeginChild("table", {room, 0}, ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_NavFlattened,
                      ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t r = 0; r < block.rows.size(); ++r) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float x = at.x, height = 0;
    for (std::size_t c = 0; c < block.rows[r].size(); ++c) {
      const Spans& cell = block.rows[r][c];
      const FlowStyle& style = r == 0 ? head : plain;
      float inset = 0;
      if (numbers[c]) {
        float drawn = 0;
        flow(ui, cell, style, {}, widths[c], nullptr, alpha, &drawn);
        inset = std::max(0.0f, widths[c] - drawn - 1);
      }
      height = std::max(height, flow(ui, cell, style, {x + inset, at.y + ui.px(3)}, widths[c], list, alpha));
      ++found.unit;
      x += widths[c] + gap;
    }
    height += ui.px(6);
    list->AddRectFilled({at.x, at.y + height - ui.px(1)}, {at.x + total, at.y + height},
                        with_alpha(ui.colours().line, alpha));
    ImGui::Dummy({total, height});
  }
  link_items(ui, links, on_link);
  if (!scrolls) return;
  // If there is more on the right, the edge fades, because half a number would read as another one.
  if (const float more = ImGui::GetScrollMaxX() - ImGui::GetScrollX(); more > 1) {
    const ImVec2 corner = ImGui::GetWindowPos();
    const float right = corner.x + room, fade = ui.px(28);
    const ImU32 ground = ui.colours().panel, clear = ground & ~IM_COL32_A_MASK;
    list->AddRectFilledMultiColor({right - fade, corner.y}, {right, ImGui::GetCursorScreenPos().y}, clear, ground,
                                  ground, clear);
  }
  ImGui::EndChild();
  ImGui::PopID();
  ImGui::PopStyleVar();
}

}  // namespace

void paragraph_with_code(const Ui& ui, TypeStyle style, ImU32 colour, std::string_view text, FoundHere* found) {
  Spans spans;
  bool code = false;
  for (std::size_t start = 0, stop = 0; start <= text.size(); start = stop + 1, code = !code) {
    stop = std::min(text.find('`', start), text.size());
    MarkdownSpan span;
    span.text = text.substr(start, stop - start);
    span.code = code && stop < text.size();
    if (!span.text.empty()) spans.push_back(std::move(span));
  }
  FlowStyle how = flow_style(ui, style, style, 1);
  how.colour = how.strong_colour = colour;
  how.code_ground = ui.colours().panel;  // cards are already raised
  how.found = found;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImGui::Dummy({width, flow(ui, spans, how, at, width, ImGui::GetWindowDrawList(), 1)});
}

void MarkdownView::show(const Ui& ui, const std::string& markdown, float alpha, const std::function<void()>& after_lead,
                        const std::function<void(const std::string&)>& on_link, int page) {
  if (markdown != source_) {
    source_ = markdown;
    blocks_ = parse_markdown(markdown);
  }
  using Kind = MarkdownBlock::Kind;
  const Palette& p = ui.colours();
  LinkPieces links;
  FlowStyle body = flow_style(ui, type::body, type::body_strong, alpha);
  body.links = &links;
  FoundHere found{.page = page};
  body.found = &found;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  bool first = true, lead_shown = !after_lead, announced = false;
  Kind before = Kind::rule;
  for (const MarkdownBlock& block : blocks_) {
    // What the first paragraph announces with a colon follows it directly.
    if (announced && !lead_shown && (block.kind == Kind::heading || block.kind == Kind::paragraph))
      after_lead(), lead_shown = true;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const bool tight = block.kind == Kind::item && before == Kind::item;
    if (!first) ImGui::Dummy({0, ui.px(block.kind == Kind::heading ? 22.0f : tight ? 4.0f : 12.0f)});
    first = false, before = block.kind;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float width = ImGui::GetContentRegionAvail().x;
    float indent = block.quoted ? ui.px(14) : 0;
    float height = 0;
    switch (block.kind) {
      case Kind::heading: {
        const TypeStyle style = block.level <= 3 ? type::question : type::body_strong;
        FlowStyle head = flow_style(ui, style, style, alpha);
        head.found = &found;
        height = flow(ui, block.spans, head, at, width, list, alpha);
        break;
      }
      case Kind::paragraph: {
        FlowStyle style = body;
        if (block.quoted) style.colour = with_alpha(p.dim, alpha);
        height = flow(ui, block.spans, style, {at.x + indent, at.y}, width - indent, list, alpha);
        break;
      }
      case Kind::item: {
        indent += ui.px(20) * static_cast<float>(block.level + 1);
        const float y = at.y + body.line_height / 2;
        if (block.number > 0)
          draw_text(list, ui.look, type::body, with_alpha(p.dim, alpha), {at.x + indent - ui.px(7), y},
                    std::to_string(block.number) + ".", HAlign::right);
        else if (block.number == 0)
          list->AddCircleFilled({at.x + indent - ui.px(11), y}, ui.px(5) / 2, with_alpha(p.dim, alpha));
        height = flow(ui, block.spans, body, {at.x + indent, at.y}, width - indent, list, alpha);
        break;
      }
      case Kind::code:
        code_block(ui, block, alpha, found);
        ++found.unit;
        continue;
      case Kind::table:
        ImGui::PushID(static_cast<int>(&block - blocks_.data()));
        table(ui, block, alpha, found, on_link);
        ImGui::PopID();
        continue;
      case Kind::rule:
        list->AddRectFilled({at.x, at.y}, {at.x + width, at.y + ui.px(1)}, with_alpha(p.line, alpha));
        height = ui.px(1);
        break;
    }
    if (block.kind != Kind::rule) ++found.unit;
    if (block.quoted)
      list->AddRectFilled({at.x, at.y}, {at.x + ui.px(3), at.y + height}, with_alpha(p.accent, alpha), ui.px(1));
    ImGui::Dummy({width, height});
    ImGui::PushID(static_cast<int>(&block - blocks_.data()));
    link_items(ui, links, on_link);
    ImGui::PopID();
    if (lead_shown || block.kind != Kind::paragraph) continue;
    announced = block.spans.back().text.ends_with(':') || block.spans.back().text.ends_with("：");
    if (!announced) after_lead(), lead_shown = true;
  }
  if (!lead_shown) after_lead();
  show_match(ui, found);
  ImGui::PopStyleVar();
}

}  // namespace lanescope::gui
