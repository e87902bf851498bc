#pragma once
// Passed to every part of the window while it paints: the look, the session, and the window's settings.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gui/kit/labels.h"
#include "gui/kit/look.h"
#include "gui/kit/widgets.h"
#include "gui/parts/find_state.h"
#include "gui/parts/went_to.h"
#include "gui/session/session.h"
#include "gui/state/state_store.h"
#include "words/messages.h"

namespace lanescope::gui {

struct Exports;     // gui/parts/exports.h
struct Presenting;  // gui/parts/presenting.h
struct Tour;        // gui/parts/tour.h

enum class Page : std::uint8_t { read, predict, run, see, explain, try_, count_ };
enum class WarpTab : std::uint8_t {
  sectors,
  banks,
  shuffle,
  groups,
  atomics,
  matrices,
  phases,  // of the whole run, like the next
  running,
  count_
};
enum class CodeTab : std::uint8_t { cuda, ptx, sass, linked, count_ };  // linked: the three beside each other
enum class ResultsTab : std::uint8_t { time, agreement };
enum class StepsTab : std::uint8_t { steps, schedules, count_ };
enum class TotalsTab : std::uint8_t { block, launch, all, count_ };  // comparing: what is summed

const char* code_of(Page page);  // "read": as on the command line
Label page_label(Page page);
const char* code_of(WarpTab tab);
const char* code_of(CodeTab tab);
const char* code_of(StepsTab tab);
const char* code_of(TotalsTab tab);

// Sets `into` to the value with this code. Returns false, and leaves `into` unchanged, for an unknown code.
template <typename Enum>
bool find_code(std::string_view code, Enum& into) {
  for (int i = 0; i < static_cast<int>(Enum::count_); ++i)
    if (code == code_of(static_cast<Enum>(i))) {
      into = static_cast<Enum>(i);
      return true;
    }
  return code.empty();
}

// The window's own state; Settings are saved.
struct Settings {
  Theme theme = Theme::dark;
  Language language = Language::english;
  float zoom = 1;
  bool reduce_motion = false;
};
struct WindowState {
  Settings settings;
  Page page = Page::see;
  WarpTab warp_tab = WarpTab::sectors;
  CodeTab code_tab = CodeTab::cuda;
  ResultsTab results = ResultsTab::time;
  StepsTab steps_tab = StepsTab::steps;
  TotalsTab totals = TotalsTab::block;
  Heat heat = Heat::sectors_per_request;  // follows the lesson's picture until the learner chooses
  bool heat_chosen = false;
  bool all_numbers = false;  // also show numbers outside the lesson's point
  bool present = false;
  bool help = false;
  bool compare_code = false;     // comparing: the two texts instead of the pictures
  bool other_languages = false;  // language names will be shown, each in its own script
  bool typing = false;           // an editor or field has the keyboard; set while painting
  bool moving = false;           // an animation needs another frame; set while painting
  bool quit = false;
  bool borders_back = false;  // reset the borders, once
  // Where the frame is larger than the window: moves the part that is seen, in steps of the wheel; once.
  ImVec2 move_part{0, 0};
  FindState find;
  // Requests for the film by keys and commands; carried out where it is painted.
  struct FilmAsked {
    int zoom = 0, scroll = 0;  // zoom steps in; scroll in halves of the visible part to the right
    bool whole = false;
  } film;
  // The line of the source that a film's column under the pointer, or else the pinned one, comes from; 0: none. It
  // lights up in the code in the next frame.
  struct LinkedLine {
    int shown = 0, next = 0;
  } linked_line;
  // Over which control the times are to be plotted, once; "": the variants side by side.
  std::optional<std::string> plot_over;
  std::string load_code;  // replaces the editor's text, once; can be undone there
  // Predicting: pictures that would reveal an answer are covered (see covers()).
  bool uncovered = false;    // the learner has turned covers off
  bool to_question = false;  // go to the first open question of the page, once
  // What was answered, by answer_key(): with other values a question is open again.
  std::set<std::string> answered;
  std::map<std::string, std::string> answers;  // of those, as QuestionCards writes and reads them; saved
  std::set<std::string> passed;                // tasks whose rules have all held, "lesson/id"; saved
  std::string revealed;                  // the answer whose place in the picture is shown until another is started
  int show_line = 0;                     // line of the editor to scroll to, from 1; once
  std::vector<std::string> recent_runs;  // files of saved runs, and programs; latest first
  std::map<std::string, KeptProgram> programs;  // of those that are programs, by path
  std::optional<WentFrom> went_from;            // a link was followed, and where it led is not yet told
  bool open_asked = false;                      // show the overlay that opens a file, once

  // State of parts that few others use. Null before the window is first painted.
  std::shared_ptr<Exports> exports;
  std::shared_ptr<Presenting> presenting;
  std::shared_ptr<Tour> tour;

  // Changes to what the parts show (lesson, variant, comparing, language, …) that are requested while painting run
  // after all parts are painted, so that each frame shows one state.
  void afterwards(std::function<void()> change) { changes.push_back(std::move(change)); }
  std::vector<std::function<void()>> changes;
};

struct Ui {
  const Look& look;
  Session& session;
  WindowState& window;

  const Palette& colours() const { return look.colours(); }
  const char* tr(Label label) const { return label_text(label, window.settings.language); }
  // A lesson's text in the current language.
  const std::string& say(const lesson::Phrase& phrase) const { return phrase.in(code_of(window.settings.language)); }
  // The same for a place without markup: without backticks around code.
  std::string say_plain(const lesson::Phrase& phrase) const {
    std::string text = say(phrase);
    std::erase(text, '`');
    return text;
  }
  const std::string& name_of(const lesson::Control& control) const {
    return control.label.empty() ? control.name : say(control.label);
  }
  // An engine message in the current language.
  std::string told(const Wording& wording) const { return diagram::translated(wording, window.settings.language); }
  // The message followed by its cure.
  std::string told(const Diagnostic& diagnostic, const char* between) const {
    const std::string cure = told(diagnostic.cure);
    return told(diagnostic.message) + (cure.empty() ? "" : between + cure);
  }
  // Options for a picture of this size, in device-independent pixels.
  diagram::Options picture(float width, float max_height = 0) const {
    return {width, max_height, window.settings.language};
  }
  bool motion() const { return !window.settings.reduce_motion; }
  float px(float dip) const { return look.px(dip); }
};

// Fills a fixed phrase with values: "{} of {}", "{0} {0|sector|sectors}" (diagram::filled()).
std::string fill_in(const char* pattern, const std::string& a, const std::string& b = {}, const std::string& c = {});

// A small label with its right edge at `right`. It tells why the results on screen are out of date, that they end in a
// fault or, if neither, that the GPU recorded them. Uses a single word if the text is wider than `room`. Returns its
// width; 0 if there is nothing to tell. With `variant`: for the interpreter's result only.
float stale_badge(const Ui& ui, float right, float centre_y, float room = 1e9f);
float stale_badge(const Ui& ui, float right, float centre_y, std::size_t variant, float room = 1e9f);
// For any run: whether it is out of date, and why it, or the newer run, failed.
float stale_badge(const Ui& ui, float right, float centre_y, const RunResult* run, bool stale,
                  const Diagnostics& problems, float room = 1e9f);
// The width of the badge of the variant on screen as a single word; 0 if there is nothing to tell.
float least_stale_badge(const Ui& ui);

// The title of the lesson or the file on screen; marked if its text differs from the file on the disk.
std::string title_on_screen(const Ui& ui);

// Why there is nothing to show for this variant: nothing ran yet, it runs, it failed, it needs a GPU.
std::string why_nothing(const Ui& ui);
// That the interpreter runs, and how far it is.
std::string running_text(const Ui& ui);

// The ground of a match of Ctrl + F, drawn below its text.
void draw_found(const Ui& ui, ImDrawList* list, ImVec2 from, ImVec2 to, bool current);

// The alpha of pictures, which are faded while stale.
inline float picture_alpha(const Ui& ui) {
  return ui.session.runs.stale() ? 0.5f : 1.0f;
}

// "4,096", "12.5 %", "1.00": a number as in tables; "–" if it is not applicable.
std::string number_text(const metrics::Measurement& number);
std::string number_text(double value, const std::string& unit);
// "12.3 µs", "1.20 ms": seconds as they are read.
std::string time_text(double seconds);

}  // namespace lanescope::gui
