#include "gui/lesson/lesson_panel.h"

// The lesson's text, page by page, with numbers of its runs.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "gui/kit/scene_painter.h"
#include "gui/parts/markdown.h"
#include "gui/parts/views.h"
#include "imgui_internal.h"
#include "lesson/text.h"
#include "metrics/request_cost.h"

namespace lanescope::gui {

struct LessonPanel::Cache {
  std::string lesson, language;  // for `text`
  Result<lesson::Text> text = lesson::Text{};
  std::string variant;  // for `markdown`
  Page page = Page::count_;
  std::uint64_t revision = 0;
  std::string markdown;
  std::vector<lesson::NumberReference> numbers;  // targets of the links in `markdown`, by index
  // The number whose place to go to when its run is available.
  std::optional<lesson::NumberReference> wanted;
  std::string wanted_in;  // the lesson
  MarkdownView view;
  // For Ctrl + F: the texts of all pages, and the key that they were made for.
  std::vector<std::string> texts[static_cast<std::size_t>(Page::count_)];
  std::string texts_of;
  std::size_t first_question = 0;  // index in the texts of the page with questions
};

namespace {

// Turns a variant's name in the text into a link to the variant: `pairs apart`, “成对分开”. Fenced code stays
// unchanged.
std::string with_variant_links(const Ui& ui, const std::string& markdown) {
  std::string out;
  bool fenced = false;
  for (std::size_t start = 0; start < markdown.size();) {
    const std::size_t stop = std::min(markdown.find('\n', start), markdown.size() - 1) + 1;
    std::string line = markdown.substr(start, stop - start);
    start = stop;
    if (line.starts_with("```")) fenced = !fenced;
    if (!fenced)
      for (const lesson::Variant& variant : ui.session.selection.lesson().variants)
        for (const auto& [open, close] : {std::pair{"`", "`"}, {"“", "”"}}) {
          const std::string name = open + ui.say(variant.title) + close,
                            link = "[" + name + "](" + std::string(variant_link) + variant.id + ")";
          for (std::size_t at = 0; (at = line.find(name, at)) != std::string::npos; at += link.size())
            line.replace(at, name.size(), link);
        }
    out += line;
  }
  return out;
}

std::string rendered(const Ui& ui, const lesson::Text& text, Page page,
                     std::vector<lesson::NumberReference>& numbers_linked) {
  const auto index = static_cast<std::size_t>(page);
  if (index >= text.sections.size()) return {};
  Session& s = ui.session;
  const auto numbers = [&](const lesson::NumberReference& reference) { return s.details.number(reference); };
  lesson::ControlValues controls;
  for (const lesson::Control& control : s.selection.lesson().controls)
    controls[control.name] = s.selection.control(control.name);
  const auto labels = [&](const lesson::NumberReference& reference) {
    return ui.told(s.recordings.label_of(reference));
  };
  numbers_linked.clear();
  const auto links = [&](const lesson::NumberReference& reference) {
    const lesson::Variant* of =
        reference.variant == "current" ? &s.selection.variant() : s.selection.lesson().find_variant(reference.variant);
    if (of == nullptr || of->gpu_only || lesson::is_measured(reference)) return std::string();
    numbers_linked.push_back(reference);
    return std::string(number_link) + std::to_string(numbers_linked.size() - 1);
  };
  return with_variant_links(
      ui, lesson::render(text.sections[index], numbers, controls, labels, code_of(ui.window.settings.language), links));
}

// The step on screen in three numbers: bytes requested, bytes moved, the fraction used.
void access_card(const Ui& ui) {
  const trace::WarpEvent* event = ui.session.place.event();
  if (event == nullptr || !tab_applies(WarpTab::sectors, *ui.session.runs.shown(), *event)) return;
  if (is_failed_access(*ui.session.runs.shown(), *event)) return;
  const metrics::RequestCost cost = metrics::cost(ui.session.runs.shown()->outcome.first().trace, *event);
  if (cost.sectors == 0) return;
  const Palette& p = ui.colours();
  const float alpha = picture_alpha(ui);
  const double used = static_cast<double>(cost.bytes_requested) / cost.bytes_moved();
  const bool waste = cost.sectors > cost.ideal_sectors;
  ImGui::Dummy({0, ui.px(12)});
  begin_card(ui.look, "access", p.raised);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  struct Cell {
    Label label;
    std::string value;
    ImU32 colour;
  };
  const Cell cells[] = {
      {Label::asked, grouped(std::uint64_t{cost.bytes_requested}) + " B", p.text},
      {Label::moved, grouped(std::uint64_t{cost.bytes_moved()}) + " B", waste ? p.wasted_text : p.text},
      {Label::used, number_text(used * 100, "%"), p.text}};
  const auto wide = [&](const Cell& cell) { return ui.look.measure({Face::semibold, 17}, cell.value).x; };
  // The one in the middle is half in each half.
  const float needed = std::max(wide(cells[0]), wide(cells[2])) + wide(cells[1]) / 2;
  const TypeStyle big{Face::semibold, needed + ui.px(12) > width / 2 ? 13.5f : 17.0f};
  for (int i = 0; i < 3; ++i) {
    const HAlign align = i == 0 ? HAlign::left : i == 1 ? HAlign::centre : HAlign::right;
    const float x = at.x + width * static_cast<float>(i) / 2;
    draw_text(list, ui.look, type::caption, with_alpha(p.dim, alpha), {x, at.y + ui.px(8)}, ui.tr(cells[i].label),
              align);
    draw_text(list, ui.look, big, with_alpha(cells[i].colour, alpha), {x, at.y + ui.px(30)}, cells[i].value, align);
  }
  const float y = at.y + ui.px(52), h = ui.px(8);
  paint_cell(list, ui.look, Role::wasted, diagram::Pattern::hatched, {at.x, y}, {at.x + width, y + h}, h / 2, alpha);
  list->AddRectFilled({at.x, y}, {at.x + std::max(h, width * static_cast<float>(used)), y + h},
                      with_alpha(p.executed, alpha), h / 2);
  ImGui::Dummy({width, ui.px(70)});
  paragraph(ui.look, type::caption, p.dim,
            fill_in(ui.tr(waste               ? Label::sectors_would_do
                          : cost.sectors == 1 ? Label::sector_is_least
                                              : Label::sectors_is_least),
                    grouped(std::uint64_t{cost.sectors}), grouped(std::uint64_t{cost.ideal_sectors})));
  end_card(ui.look);
}

}  // namespace

LessonPanel::LessonPanel() : cache_(std::make_unique<Cache>()) {}
LessonPanel::~LessonPanel() = default;

void LessonPanel::load(const Ui& ui) {
  const Session& s = ui.session;
  Cache& c = *cache_;
  std::string language = code_of(ui.window.settings.language);
  if (!s.selection.lesson().text.contains(language)) language = "en";
  if (c.lesson != s.selection.lesson().id || c.language != language) {
    c.lesson = s.selection.lesson().id, c.language = language;
    c.text = lesson::parse_text(s.selection.lesson(), language);
    c.page = Page::count_;
  }
}

void LessonPanel::find(const Ui& ui, std::string_view wanted, std::vector<FoundText>& into) {
  if (!ui.session.selection.is_lesson()) return;
  load(ui);
  Cache& c = *cache_;
  if (!c.text.ok()) return;
  const Session& s = ui.session;
  const std::string of = fmt::format("{}/{}/{}/{}", c.lesson, c.language, s.selection.variant().id, s.revision());
  constexpr int pages = static_cast<int>(Page::count_);
  for (int i = 0; i < pages && c.texts_of != of; ++i) {
    std::vector<lesson::NumberReference> numbers;
    c.texts[i] = texts_of(parse_markdown(rendered(ui, c.text.value(), static_cast<Page>(i), numbers)));
    if (static_cast<Page>(i) != Page::predict) continue;
    c.first_question = c.texts[i].size();
    std::ranges::move(QuestionCards::texts(ui), std::back_inserter(c.texts[i]));
  }
  c.texts_of = of;
  for (int i = 0; i < pages; ++i)
    for (std::size_t unit = 0; unit < c.texts[i].size(); ++unit) find_in(c.texts[i][unit], wanted, i, unit, into);
}

void LessonPanel::page(const Ui& ui) {
  load(ui);
  Session& s = ui.session;
  Cache& c = *cache_;
  if (!c.text.ok()) {
    for (const Diagnostic& d : c.text.errors())
      paragraph(ui.look, type::small, ui.colours().dim,
                fmt::format("{}:{}: {}\n{}", d.place.file, d.place.line, ui.told(d.message), ui.told(d.cure)));
    return;
  }
  if (c.page != ui.window.page || c.revision != s.revision() || c.variant != s.selection.variant().id) {
    if (c.page != ui.window.page) ImGui::SetScrollY(0);  // the text is the same for all variants
    c.page = ui.window.page, c.revision = s.revision(), c.variant = s.selection.variant().id;
    c.markdown = rendered(ui, c.text.value(), ui.window.page, c.numbers);
  }
  const auto card = [&] {
    if (ui.window.page == Page::see) access_card(ui);
  };
  c.view.show(
      ui, c.markdown, 1, card, [&](const std::string& link) { follow(ui, link); }, static_cast<int>(c.page));
  if (ui.window.page == Page::predict) questions_.draw(ui, c.first_question);
  if (ui.window.page == Page::try_) tasks_.draw(ui);
}

// Text, variant, values, step and picture change together.
void LessonPanel::follow(const Ui& ui, const std::string& link) {
  Session& s = ui.session;
  going(ui);
  const auto& variants = s.selection.lesson().variants;
  if (link.starts_with(variant_link)) {
    const auto of = std::ranges::find(variants, link.substr(variant_link.size()), &lesson::Variant::id);
    if (of != variants.end())
      ui.window.afterwards([&s, index = static_cast<std::size_t>(of - variants.begin())] { s.choose_variant(index); });
  } else if (link.starts_with(number_link)) {
    const std::size_t index = std::stoul(link.substr(number_link.size()));
    if (index >= cache_->numbers.size()) return;
    cache_->wanted = cache_->numbers[index];
    cache_->wanted_in = s.selection.lesson().id;
    ui.window.afterwards([&s, number = cache_->numbers[index]] { s.show_run_of(number); });
  }
}

bool LessonPanel::arriving() const {
  return cache_->wanted.has_value();
}

// Goes to the origin of the followed number once its run is shown, unless the learner has gone elsewhere meanwhile.
void LessonPanel::arrive(const Ui& ui) {
  Session& s = ui.session;
  std::optional<lesson::NumberReference>& wanted = cache_->wanted;
  if (!wanted) return;
  const bool elsewhere = cache_->wanted_in != s.selection.lesson().id ||
                         (wanted->variant != "current" && wanted->variant != s.selection.variant().id) ||
                         !s.runs.problems().empty();
  if (!elsewhere && (s.runs.shown() == nullptr || s.runs.stale())) return;
  if (!elsewhere) ui.window.afterwards([&s, number = *wanted] { s.place.go_to(number); });
  wanted.reset();
}

void LessonPanel::draw(const Ui& ui, const PanelRect& rect) {
  arrive(ui);
  begin_panel(ui.look, "lesson", rect);
  const Strip strip = panel_strip(ui.look);
  TabItem tabs[static_cast<std::size_t>(Page::count_)];
  for (int i = 0; i < static_cast<int>(Page::count_); ++i)
    tabs[i] = {code_of(static_cast<Page>(i)), ui.tr(page_label(static_cast<Page>(i)))};
  ImGui::SetCursorScreenPos({strip.x0, strip.y0});
  Page& page_on = ui.window.page;
  page_on = static_cast<Page>(tab_strip(ui.look, "pages", tabs, static_cast<int>(page_on)));

  const float foot = ui.px(44);
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(14)));
  ImGui::BeginChild("page", {rect.width - ui.px(1), rect.y + rect.height - strip.y1 - foot},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  page_window_ = ImGui::GetCurrentWindow();
  page(ui);
  ImGui::Dummy({0, ui.px(8)});
  ImGui::EndChild();
  ImGui::PopStyleVar();

  const float centre = rect.y + rect.height - foot / 2;
  const int index = static_cast<int>(page_on);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto go = [&](const char* id, const std::string& name, bool forward, float room, const auto& act) {
    const TypeStyle style = forward ? type::small_strong : type::small;
    const float width = std::min(ui.look.measure(style, name).x + ui.px(16), room);
    const float x = forward ? strip.x1 - width : strip.x0;
    ImGui::SetCursorScreenPos({x - ui.px(6), centre - ui.px(14)});
    if (pressable(id, {width + ui.px(12), ui.px(28)})) act();
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const ImU32 colour = forward ? ui.colours().accent : hovered ? ui.colours().text : ui.colours().dim;
    draw_icon(list, ui.look, forward ? Icon::next : Icon::previous,
              {forward ? strip.x1 - ui.px(5) : x + ui.px(4), centre}, colour, 7);
    draw_text(list, ui.look, style, colour, {forward ? x : x + ui.px(14), centre}, name, HAlign::left,
              width - ui.px(15));
    return width;
  };
  float left = strip.x0, right = strip.x1;
  const auto turn = [&](const char* id, int to, bool forward) {
    return go(id, ui.tr(page_label(static_cast<Page>(to))), forward, right - left,
              [&] { page_on = static_cast<Page>(to); }) +
           ui.px(12);
  };
  if (index > 0) left += turn("page back", index - 1, false);
  const std::size_t next = ui.session.selection.lesson_index() + 1;
  if (index + 1 < static_cast<int>(Page::count_)) {
    right -= turn("page on", index + 1, true);
  } else if (next < ui.session.selection.lessons().size()) {
    const lesson::Lesson& lesson = ui.session.selection.lessons()[next];
    const float badge = least_stale_badge(ui), room = right - left - (badge > 0 ? badge + ui.px(12) : 0);
    right -= go("lesson on", std::to_string(lesson.order) + "  " + ui.say_plain(lesson.title), true, room,
                [&] {
                  ui.window.afterwards([&s = ui.session, &window = ui.window, next] {
                    s.choose_lesson(next);
                    window.page = Page::read;
                  });
                }) +
             ui.px(12);
  }
  stale_badge(ui, right, centre, ui.session.selection.variant_index(), right - left);
  end_panel();
}

}  // namespace lanescope::gui
