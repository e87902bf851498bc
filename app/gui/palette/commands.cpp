#include "gui/palette/commands.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <set>
#include <tuple>

#include "core/worded.h"
#include "gui/parts/exports.h"
#include "gui/parts/presenting.h"
#include "gui/parts/tabs.h"
#include "gui/parts/tour.h"
#include "gui/parts/views.h"

namespace lanescope::gui {
namespace {

Language other(Language language) {
  return language == Language::english ? Language::chinese : Language::english;
}

// What the picture shows in the words of the field.
Label words_of_field(WarpTab tab) {
  constexpr Label words[] = {Label::words_sectors, Label::words_banks,    Label::words_shuffle, Label::words_groups,
                             Label::words_atomics, Label::words_matrices, Label::words_phases,  Label::words_running};
  static_assert(std::size(words) == static_cast<std::size_t>(WarpTab::count_));
  return words[static_cast<std::size_t>(tab)];
}

class Commands {
 public:
  Commands(const Ui& ui, std::vector<Command>& into)
      : ui_(ui), s_(ui.session), window_(ui.window), into_(into), other_(other(ui.window.settings.language)) {}

  void running() {
    group(worded("run"));
    if (!s_.selection.variant().gpu_only) add(Label::run, ui_.tr(Label::space_key), [&s = s_] { s.run(); });
    if (s_.program.busy() || s_.runs.running().busy) add(Label::stop, {}, [&s = s_] { s.stop(); });
    add(Label::open_file, "Ctrl + O", [&w = window_] { w.open_asked = true; });
    into_.back().also += " program saved";
    if (s_.selection.edited()) {
      add(s_.selection.run() != nullptr ? Label::reset_to_file : Label::reset_to_lesson, {}, [&s = s_, &w = window_] {
        alone(s, w);  // in the editor, where it can be undone
        w.load_code = s.selection.original_source();
      });
      into_.back().also += " reset restore";
    }
    group(worded("view"));
    add(
        Label::present, "F5", [&w = window_] { w.present = !w.present; }, window_.present);
    if (s_.selection.compared()) add(worded("End comparing"), "Esc", [&s = s_] { s.compare(std::nullopt); });
  }

  void lessons() {
    group(s_.selection.run() != nullptr           ? worded("launch")
          : s_.selection.kernel_file() != nullptr ? worded("kernel")
                                                  : worded("variant"));
    const auto& variants = s_.selection.lesson().variants;
    for (std::size_t i = 0; i < variants.size(); ++i)
      add(
          variants[i].title, i < 9 ? std::to_string(i + 1) : std::string(), [&s = s_, i] { s.choose_variant(i); },
          i == s_.selection.variant_index());
    group(worded("lesson"));
    for (std::size_t i = 0; i < s_.selection.lessons().size(); ++i) {
      add(
          s_.selection.lessons()[i].title, {},
          [&s = s_, &w = window_, i] {
            if (i == s.selection.lesson_index() && s.selection.is_lesson()) return;
            s.choose_lesson(i);
            w.page = Page::read;
          },
          i == s_.selection.lesson_index() && s_.selection.is_lesson());
      into_.back().also += " " + s_.selection.lessons()[i].id;  // "matrix_multiply" is titled "Tiling and tensor cores"
      std::set<WarpTab> pictures;
      for (const lesson::Variant& variant : s_.selection.lessons()[i].variants)
        if (auto tab = WarpTab::sectors; find_code(variant.look.view, tab)) pictures.insert(tab);
      for (const WarpTab tab : pictures) also(words_of_field(tab));
    }
    group(worded("page of the lesson"));
    for (int i = 0; i < static_cast<int>(Page::count_); ++i)
      add(
          page_label(static_cast<Page>(i)), {},
          [&s = s_, &w = window_, i] { alone(s, w), w.page = static_cast<Page>(i); },
          window_.page == static_cast<Page>(i));
  }

  // Of the other lessons: whoever knows a variant's name need not know its lesson's.
  void variants_elsewhere() {
    group(worded("variant"));
    for (std::size_t i = 0; i < s_.selection.lessons().size(); ++i) {
      if (i == s_.selection.lesson_index() && s_.selection.is_lesson()) continue;
      const lesson::Lesson& of = s_.selection.lessons()[i];
      for (std::size_t k = 0; k < of.variants.size(); ++k) {
        const lesson::Phrase &first = of.title, &second = of.variants[k].title;
        add(lesson::Phrase{first.en + ": " + second.en, first.in("zh") + ": " + second.in("zh")}, {},
            [&s = s_, &w = window_, i, k] {
              s.choose_lesson(i);
              s.choose_variant(k);
              w.page = Page::read;
            });
      }
    }
  }

  void partners() {
    group(worded("compare with"));
    const auto& variants = s_.selection.lesson().variants;
    if (const std::size_t here = s_.selection.variant_index(); s_.selection.edited() && s_.selection.run() == nullptr)
      add(Label::compare_original, {}, [&s = s_, here] { s.compare_with({here, {}, true}); });
    if (const std::size_t here = s_.selection.variant_index(); s_.selection.versions(here))
      add(
          Label::compare_versions, {}, [&s = s_, here] { s.compare_with(version_before(here)); },
          s_.selection.comparison() != nullptr && s_.selection.comparison()->before);
    for (std::size_t i = 0; i < variants.size(); ++i)
      if (i != s_.selection.variant_index() && !variants[i].gpu_only)
        add(
            variants[i].title, {}, [&s = s_, i] { s.compare(i); }, s_.selection.compared() == i);
  }

  void controls(std::string_view typed) {
    group(worded("value"));
    for (const lesson::Control* control : s_.selection.controls()) {
      if (control->choices.size() <= 16)
        for (const std::int64_t value : control->choices) add_value(*control, value);
      for (const std::int64_t value : numbers_in(typed))
        if (control->allows(value) && (control->choices.empty() || control->choices.size() > 16))
          add_value(*control, value);
    }
    for (const lesson::Control& control : s_.selection.lesson().controls)
      for (const std::int64_t value : numbers_in(typed))
        if (control.allows(value)) add_value_elsewhere(control, value);
  }

  void pictures() {
    const RunResult* shown = s_.runs.shown();
    const trace::WarpEvent* event = s_.place.event();
    group(worded("picture"));
    for (int i = 0; i < static_cast<int>(WarpTab::count_) && shown != nullptr && event != nullptr; ++i)
      if (const auto tab = static_cast<WarpTab>(i); tab_applies(tab, *shown, *event))
        add(
            tab_label(tab), {}, [&w = window_, tab] { w.warp_tab = tab; }, window_.warp_tab == tab),
            also(words_of_field(tab));
    group(worded("code"));
    for (const auto& [name, tab] : {std::pair{"CUDA", CodeTab::cuda}, {"PTX", CodeTab::ptx}, {"SASS", CodeTab::sass}})
      add(
          Wording(std::string(name)), {}, [&s = s_, &w = window_, tab = tab] { alone(s, w), w.code_tab = tab; },
          window_.code_tab == tab);
    add(
        worded("CUDA, PTX and SASS side by side"), {},
        [&s = s_, &w = window_] { alone(s, w), w.code_tab = CodeTab::linked; }, window_.code_tab == CodeTab::linked);
    group(worded("number at each line"));
    for (const auto& [name, heat] : {std::pair{Label::heat_sectors, Heat::sectors_per_request},
                                     {Label::heat_wavefronts, Heat::wavefronts_per_request},
                                     {Label::heat_lanes, Heat::lanes},
                                     {Label::heat_executions, Heat::executions}})
      add(
          name, {}, [&w = window_, heat = heat] { w.heat = heat, w.heat_chosen = true; }, window_.heat == heat),
          also(heat == Heat::sectors_per_request      ? Label::words_sectors
               : heat == Heat::wavefronts_per_request ? Label::words_banks
               : heat == Heat::lanes                  ? Label::words_lanes
                                                      : Label::words_executions);
    group(worded("panel below"));
    for (int i = 0; i < static_cast<int>(StepsTab::count_); ++i) {
      const auto tab = static_cast<StepsTab>(i);
      add(
          tab_label(tab), {}, [&s = s_, &w = window_, tab] { alone(s, w), w.steps_tab = tab; },
          window_.steps_tab == tab);
    }
    for (const auto& [name, tab] :
         {std::pair{Label::results_time, ResultsTab::time}, {Label::results_agreement, ResultsTab::agreement}})
      add(
          name, {}, [&s = s_, &w = window_, tab = tab] { alone(s, w), w.results = tab; }, window_.results == tab);
    if (!s_.selection.is_lesson() || shown == nullptr) return;
    const auto plots = [&](const Wording& name, const std::string& control) {
      add(name, {}, [&s = s_, &w = window_, control] {
        alone(s, w), w.results = ResultsTab::time;
        w.plot_over = control;
      });
      into_.back().also += " plot 画图";
    };
    plots(worded("Times side by side"), {});
    const auto in = [](Language language, const lesson::Control& control) {
      return fill_in(label_text(Label::over_control, language),
                     control.label.empty() ? control.name : control.label.in(code_of(language)));
    };
    for (const lesson::Control* control : s_.selection.controls())
      plots(worded("Times: {}", Wording::bilingual(in(Language::english, *control), in(Language::chinese, *control))),
            control->name);
  }

  void witnesses() {
    if (s_.runs.gpu_running().busy) group(worded("run")), add(Label::stop_gpu, {}, [&s = s_] { s.runs.stop_gpu(); });
    if (s_.runs.shown() != nullptr && !s_.selection.compared()) {
      group_ = ui_.tr(Label::schedules), group_also_ = label_text(Label::schedules, other_);
      constexpr std::uint32_t count = 32;
      add(Label::schedules_run, {}, [&s = s_, &w = window_] {
        alone(s, w), w.steps_tab = StepsTab::schedules;
        s.schedules.run(count);
      });
    }
    if (s_.runs.gpu_recording() == nullptr || s_.runs.gpu_stale()) return;
    group_ = ui_.tr(Label::this_run), group_also_ = label_text(Label::this_run, other_);
    add(
        Label::interpreted, {}, [&s = s_] { s.runs.show_recorded(false); }, !s_.runs.shows_recorded());
    add(
        Label::witness_recorded, {}, [&s = s_] { s.runs.show_recorded(true); }, s_.runs.shows_recorded());
  }

  void steps() {
    const RunResult* shown = s_.runs.shown();
    if (shown == nullptr || s_.selection.compared()) return;
    constexpr std::ptrdiff_t all = 1'000'000'000;
    group(worded("step"));
    add(Label::step_first, {}, [&s = s_] { s.place.step_by(-all); });
    add(Label::step_previous, {}, [&s = s_] { s.place.step_by(-1); });
    add(Label::step_next, {}, [&s = s_] { s.place.step_by(1); });
    add(Label::step_last, {}, [&s = s_] { s.place.step_by(all); });
    if (shown->fault() != nullptr)
      add(shown->stopped ? Label::stop_go : Label::fault_go, {}, [&s = s_] { s.place.go_to_fault(); });
    for (const auto& [name, key, what] : {std::tuple{Label::seek_divergent, "D", Sought::divergent_branch},
                                          {Label::seek_worst, "W", Sought::worst_request},
                                          {Label::seek_line, "L", Sought::access_of_line}})
      add(name, key, [&s = s_, what = what] { s.summaries.go_to(what, 1); });
    for (const auto& [name, key, zoom] : {std::tuple{worded("Film closer"), "+", 1}, {worded("Film further"), "−", -1}})
      add(name, key, [&w = window_, zoom = zoom] { w.film.zoom += zoom; });
    add(worded("Whole film"), "0", [&w = window_] { w.film.whole = true; });
    const Position at = s_.place.position();
    const trace::Launch& launch = shown->outcome.first().trace.launch;
    const auto warps = static_cast<std::int64_t>(launch.warps_per_block());
    if (at.warp + 1 < warps) add(worded("Next warp"), "↓", [&s = s_, at] { s.place.set_warp(at.warp + 1); });
    if (at.warp > 0) add(worded("Previous warp"), "↑", [&s = s_, at] { s.place.set_warp(at.warp - 1); });
    if (at.block + 1 < launch.grid.count())
      add(worded("Next block"), {}, [&s = s_, at] { s.place.set_block(at.block + 1); });
    if (at.block > 0) add(worded("Previous block"), {}, [&s = s_, at] { s.place.set_block(at.block - 1); });
    if (s_.runs.launch() < s_.runs.launch_count())
      add(Label::launch_after, {}, [&s = s_] { s.runs.set_launch(s.runs.launch() + 1); });
    if (s_.runs.launch() > 1) add(Label::launch_before, {}, [&s = s_] { s.runs.set_launch(s.runs.launch() - 1); });
  }

  // Whether it is possible is checked when it is carried out.
  void saving() {
    group(worded("save"));
    group_also_ += " export 导出";
    if (!s_.selection.file_on_screen().empty())
      add(worded("Save the file"), "Ctrl + S", [&s = s_] { s.save_edit(); });
    else if (s_.selection.is_lesson() && s_.selection.edited())
      add(worded("Where your edit is kept"), "Ctrl + S", [&s = s_] { s.save_edit(); });
    const auto wish = [&](const Wording& part, const Wording& form, ExportPart of, ExportForm as) {
      add(worded("{}: {}", part, form), {}, [&w = window_, of, as] { w.exports->wish = Exports::Wish{of, as}; });
    };
    wish(worded("Whole window"), worded("Save as PNG"), ExportPart::window, ExportForm::png);
    wish(worded("Whole window"), worded("Copy the picture"), ExportPart::window, ExportForm::copy_picture);
    if (s_.selection.compared() || window_.present || s_.runs.shown() == nullptr) return;
    for (const auto& [part, of] : {std::pair{worded("Warp instruction"), ExportPart::warp},
                                   {worded("Film of steps"), ExportPart::steps},
                                   {worded("Code and numbers"), ExportPart::numbers},
                                   {worded("Times and agreement"), ExportPart::time}}) {
      wish(part, worded("Save as PNG"), of, ExportForm::png);
      wish(part, worded("Save the drawing as SVG"), of, ExportForm::svg);
      wish(part, worded("Save the table as CSV"), of, ExportForm::csv);
      wish(part, worded("Copy the picture"), of, ExportForm::copy_picture);
      wish(part, worded("Copy the drawing as SVG text"), of, ExportForm::copy_svg);
      wish(part, worded("Copy the table"), of, ExportForm::copy_table);
    }
  }

  void devices() {
    const GpuRuns& gpus = s_.runs.gpus();
    group(worded("run on"));
    add(
        Label::cpu_interpreter, {}, [&s = s_] { s.runs.choose_device("cpu"); }, gpus.chosen() == nullptr);
    for (const gpu::Device& device : gpus.devices())
      add(
          Wording(gpus.devices().size() > 1 ? GpuRuns::name(device) : device.name), {},
          [&s = s_, wish = GpuRuns::name(device)] { s.runs.choose_device(wish); }, gpus.chosen() == &device);
    if (gpus.devices().empty()) return;
    group(worded("timing"));
    for (const auto& [name, cache] : {std::pair{Label::l2_flushed, gpu::CacheState::flushed},
                                      {Label::l2_overwritten, gpu::CacheState::overwritten},
                                      {Label::l2_warm, gpu::CacheState::warm}})
      add(
          name, {}, [&s = s_, cache = cache] { s.runs.choose_cache(cache); }, gpus.cache() == cache);
  }

  void window() {
    Settings& settings = window_.settings;
    group(worded("window"));
    const bool dark = settings.theme == Theme::dark;
    add(dark ? Label::light_theme : Label::dark_theme, {},
        [&settings, dark] { settings.theme = dark ? Theme::light : Theme::dark; });
    const bool english = settings.language == Language::english;
    add(Wording(std::string(english ? "中文" : "English")), {},
        [&settings, english] { settings.language = english ? Language::chinese : Language::english; });
    into_.back().also += english ? " Chinese language" : " 语言 language";
    add(Label::zoom_in, "Ctrl + =", [&w = window_] { zoom_by(w, 1.1f); });
    add(Label::zoom_out, "Ctrl + −", [&w = window_] { zoom_by(w, 1 / 1.1f); });
    add(worded("Usual size"), "Ctrl + 0", [&w = window_] { usual_size(w); });
    add(settings.reduce_motion ? Label::motion_on : Label::motion_off, {},
        [&settings] { settings.reduce_motion = !settings.reduce_motion; });
    if (!s_.selection.compared() && !window_.present) {
      add(worded("Find in text and code"), "Ctrl + F", [&w = window_] { w.find.asked = true; });
      add(worded("Borders back to their usual places"), {}, [&w = window_] { w.borders_back = true; });
      for (const auto& [part, panel] : {std::pair{worded("Lesson"), Panel::lesson},
                                        {worded("Code and numbers"), Panel::code},
                                        {worded("Warp instruction"), Panel::warp},
                                        {worded("Film of steps"), Panel::steps},
                                        {worded("Times and agreement"), Panel::time}})
        add(
            worded("Alone in the window: {}", part), "G",
            [&w = window_, panel = panel] { w.presenting->grown = panel; }, window_.presenting->grown == panel);
      if (window_.presenting->grown) add(worded("All panels"), "Esc", [&w = window_] { w.presenting->grown.reset(); });
    }
    add(Label::keys, "F1", [&w = window_] { w.help = true; });
    add(worded("Tour of the window"), {}, [&s = s_, &w = window_] { alone(s, w), w.tour->start(); });
  }

 private:
  // Panels are not visible in present mode and with two variants side by side.
  static void alone(Session& session, WindowState& window) {
    window.present = false;
    if (session.selection.compared()) session.compare(std::nullopt);
  }

  static std::vector<std::int64_t> numbers_in(std::string_view typed) {
    std::vector<std::int64_t> numbers;
    for (std::size_t at = 0; at < typed.size();) {
      const std::size_t start = typed.find_first_not_of(' ', at), end = std::min(typed.find(' ', start), typed.size());
      if (start == std::string_view::npos) break;
      std::int64_t value = 0;
      const auto [stop, failed] = std::from_chars(typed.data() + start, typed.data() + end, value);
      if (failed == std::errc() && stop == typed.data() + end) numbers.push_back(value);
      at = end;
    }
    return numbers;
  }

  void add_value(const lesson::Control& control, std::int64_t value) {
    const std::string name = ui_.name_of(control) + " = " + std::to_string(value);
    add(
        Wording(name), {},
        [&s = s_, of = control.name, value] {
          s.selection.set_control(of, value);
          s.runs.run_if_needed();
        },
        s_.selection.control(control.name) == value);
    into_.back().also += " " + control.name + " = " + std::to_string(value);
  }

  // Of a control that the variant on screen does not have: goes to the first variant that has it.
  void add_value_elsewhere(const lesson::Control& control, std::int64_t value) {
    const auto& here = s_.selection.variant().controls;
    if (std::ranges::find(here, control.name) != here.end()) return;
    const auto& variants = s_.selection.lesson().variants;
    const auto with = std::ranges::find_if(variants, [&](const lesson::Variant& one) {
      return !one.gpu_only && !one.broken_on_purpose &&
             std::ranges::find(one.controls, control.name) != one.controls.end();
    });
    if (with == variants.end()) return;
    add(Wording(ui_.name_of(control) + " = " + std::to_string(value) + " · " + ui_.say_plain(with->title)), {},
        [&s = s_, at = static_cast<std::size_t>(with - variants.begin()), of = control.name, value] {
          s.choose_variant(at);
          s.selection.set_control(of, value);
          s.runs.run_if_needed();
        });
    into_.back().also += " " + control.name + " = " + std::to_string(value);
  }

  // More words that match the latest command, in both languages.
  void also(Label words) {
    for (const Language language : {Language::english, Language::chinese})
      into_.back().also += std::string(" ") + label_text(words, language);
  }
  void group(const Wording& name) {
    group_ = ui_.told(name);
    group_also_ = diagram::translated(name, other_);
  }
  void add(const Wording& name, std::string keys, std::function<void()> run, bool current = false) {
    into_.push_back({group_, ui_.told(name), group_also_ + " " + diagram::translated(name, other_), std::move(keys),
                     current, std::move(run)});
  }
  void add(Label name, std::string keys, std::function<void()> run, bool current = false) {
    into_.push_back(
        {group_, ui_.tr(name), group_also_ + " " + label_text(name, other_), std::move(keys), current, std::move(run)});
  }
  void add(const lesson::Phrase& name, std::string keys, std::function<void()> run, bool current = false) {
    into_.push_back({group_, ui_.say_plain(name), group_also_ + " " + name.in(code_of(other_)), std::move(keys),
                     current, std::move(run)});
  }

  const Ui& ui_;
  Session& s_;
  WindowState& window_;
  std::vector<Command>& into_;
  Language other_;
  std::string group_, group_also_;
};

}  // namespace

std::vector<Command> commands_of(const Ui& ui, std::string_view typed) {
  std::vector<Command> all;
  Commands commands(ui, all);
  commands.running();
  commands.lessons();
  if (!typed.empty()) commands.variants_elsewhere();
  commands.partners();
  commands.controls(typed);
  commands.pictures();
  commands.witnesses();
  commands.steps();
  commands.saving();
  commands.devices();
  commands.window();
  return all;
}

}  // namespace lanescope::gui
