#pragma once
// The window: what app/main.cpp needs to know of gui/. No ImGui, GL or GLFW type appears here. Built only when CMake's
// LANESCOPE_GUI is ON; the definition LANESCOPE_HAS_GUI=1 tells main.cpp so.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "core/result.h"

namespace lanescope::gui {

class GpuBackend;

// The GPUs of this machine, in a worker process that `command` starts (gpu/worker.h).
std::shared_ptr<GpuBackend> gpus_in_worker(std::vector<std::string> command);

struct Options {
  std::string lessons_folder;     // where lessons/ is; must exist
  std::string recordings_folder;  // of GPUs, shipped; empty: assets/recordings beside lessons
  std::string lesson,
      variant;                                   // shown first; empty = the first one (or where the learner left off)
  std::map<std::string, std::int64_t> controls;  // overrides of the lesson's defaults
  std::string run;                               // a saved run to open in the lessons' place; empty: none
  std::uint64_t run_launch = 0;                  // the launch of it that is shown, by its number; 0 = the first
  std::string theme;                             // "dark", "light"; empty = the saved choice, else dark
  std::string language;                          // "en", "zh-CN"; empty = the saved choice, else the locale's
  float scale = 0;                               // pixels a device-independent pixel; 0 = the display's
  int width = 1440, height = 900;                // of the window, in device-independent pixels
  std::shared_ptr<GpuBackend> gpus;              // null: the interpreter alone
  std::string device;      // "cpu", or "gpu": the first one; empty = the saved choice, else a GPU when there is one
  bool keep_state = true;  // false: neither read nor write edits and settings
};

// What a screenshot shows besides.
struct ShotOptions : Options {
  std::string output;         // a PNG file
  std::string page;           // "read", "predict", "run", "see", "explain", "try"; empty = see
  std::string tab;            // "sectors", "banks", "shuffle", "groups", "atomics", "matrices", "phases",
                              // "running", "values"; empty = what lesson and step suggest
  std::string code;           // "cuda", "ptx", "sass"; empty = cuda
  int step = 0;               // from 1; 0 = the step that the lesson's picture is about
  int lane = -1;              // whose values are followed back; -1 = nobody's
  int block = -1, warp = -1;  // -1 = the first
  std::string results;        // "time" or "agreement"; empty = time
  bool recorded = false;      // the GPU's recording in the interpreter's place
  int launch = 0;             // of a variant of several; 0 = the one that the lesson opens with
  int schedules = 0;          // so many are run and shown; 0 = the steps are
  std::string compare;        // a variant to show beside the first; empty = one alone
  int compare_launch = 0;     // which of its launches; 0 = the lesson's choice
  std::map<std::string, std::int64_t> compare_controls;  // values of its own; others are as on screen
  bool compare_original = false;                         // the lesson's text, not the one in `source`
  bool compare_code = false;                             // the two texts, in the pictures' place
  std::string totals;                                    // comparing: "block", "launch" or "all"; empty = block
  bool present = false;
  bool whole_film = false;  // all steps of the warp, however many
  std::string source;       // a file whose text is put into the editor and run; empty = the lesson's own
};

// "zh-CN", or "en": what the environment asks for (LC_ALL, LC_MESSAGES, LANG).
std::string language_of_locale();

// Cheap: does this process have a display to open a window on? False on a machine without one.
bool display_available();

// Opens the window and returns when it is closed. The error window.no_display (nothing was shown) means: run headless
// instead; window.no_opengl: there is a display, but no OpenGL 3.3.
Result<std::monostate> run_window(const Options& options);

// Renders the window once its job is done and nothing moves any more, and saves what it shows. Needs a display as well
// (a virtual one will do). Diagnostics window.*, lesson.*, shot.io (cannot write; disk full), and those of a run that
// failed: the picture is saved all the same, and shows them.
Result<std::monostate> take_shot(const ShotOptions& options);

}  // namespace lanescope::gui
