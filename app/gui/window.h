#pragma once
// The window: the part of gui/ that app/main.cpp uses. No ImGui, GL or GLFW type appears here. Only built if CMake's
// LANESCOPE_GUI is ON; main.cpp then has the definition LANESCOPE_HAS_GUI=1.

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
  std::string lessons_folder;     // the folder lessons/; must exist
  std::string recordings_folder;  // shipped GPU recordings; empty: assets/recordings beside lessons
  std::string lesson,
      variant;                                   // shown first; empty = the first one (or where the learner left off)
  std::map<std::string, std::int64_t> controls;  // overrides of the lesson's defaults
  std::string run;               // a saved run, a program or CUDA code to open instead of the lessons; empty: none
  std::uint64_t run_launch = 0;  // of a saved run: the launch to show, by its number; 0 = the first
  std::string run_arguments;     // of a program, as typed
  std::string run_folder;        // where a program runs; empty: in its file's folder
  // Of a program or CUDA code in `run`, as after -I (absolute) and -D of nvcc.
  std::vector<std::string> include_paths, defines;
  std::string theme;                 // "dark", "light"; empty = the saved choice, else dark
  std::string language;              // "en", "zh-CN"; empty = the saved choice, else the locale's
  float scale = 0;                   // pixels per device-independent pixel; 0 = the display's
  int width = 1440, height = 900;    // of the window, in device-independent pixels
  std::shared_ptr<GpuBackend> gpus;  // null: only the interpreter
  std::string own_program;  // the path of Lanescope itself, which runs the learner's programs; empty where it cannot
  std::string device;       // "cpu", or "gpu": the first one; empty = the saved choice, else a GPU if there is one
  bool keep_state = true;   // false: edits and settings are neither read nor written
};

// Further options of a screenshot.
struct ShotOptions : Options {
  std::string output;         // a PNG file
  std::string page;           // "read", "predict", "run", "see", "explain", "try"; empty = see
  std::string tab;            // "sectors", "banks", "shuffle", "groups", "atomics", "matrices", "memory", "phases",
                              // "running", "values"; empty = what lesson and step suggest
  std::string code;           // "cuda", "ptx", "sass"; empty = cuda
  int step = 0;               // from 1; 0 = the step that the lesson's picture shows
  int lane = -1;              // the lane whose values are followed back; -1 = none
  int block = -1, warp = -1;  // -1 = the first
  std::string results;        // "time" or "agreement"; empty = time
  bool recorded = false;      // the GPU's recording instead of the interpreter's result
  int launch = 0;             // of a variant with several launches; 0 = the lesson's choice
  int schedules = 0;          // run and show this many; 0 = show the steps
  std::string compare;        // a variant to show beside the first; empty = none
  int compare_launch = 0;     // which of its launches; 0 = the lesson's choice
  std::map<std::string, std::int64_t> compare_controls;  // its own values; others are as on screen
  bool compare_original = false;                         // use the lesson's text, not the one in `source`
  bool compare_before = false;                           // what ran before the text in `source` beside what it is now
  bool compare_code = false;                             // the two texts instead of the pictures
  std::string totals;                                    // comparing: "block", "launch" or "all"; empty = block
  bool present = false;
  bool whole_film = false;  // all steps of the warp, for any number of steps
  std::string source;       // a file whose text is put into the editor and run; empty = the lesson's own
};

// The language of the environment (LC_ALL, LC_MESSAGES, LANG): "zh-CN" or "en".
std::string language_of_locale();

// True if this process has a display to open a window on. Fast.
bool display_available();

// The fonts that the window draws with here. Reads the font folders: milliseconds.
struct Fonts {
  std::string names;         // "Inter, JetBrains Mono"; those that were found
  bool as_designed = false;  // these two
  bool chinese = false;
};
Fonts fonts_here();

// Opens the window and returns when it is closed. Errors: window.no_display (nothing was shown): run without a window
// instead; window.no_opengl: there is a display without OpenGL 3.3.
Result<std::monostate> run_window(const Options& options);

// Renders the window once its work is done and nothing moves, and saves it. Needs a display (a virtual one is enough).
// Diagnostics: window.*, lesson.*, shot.io (cannot write; disk full), and those of a failed run: the picture is still
// saved and shows them.
Result<std::monostate> take_shot(const ShotOptions& options);

}  // namespace lanescope::gui
