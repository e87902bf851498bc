#pragma once
// The options of each subcommand as plain values, set by command_line.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "job/request/launch_options.h"

#if LANESCOPE_HAS_GUI
#include "gui/window.h"
#endif

namespace lanescope::cli {

// Options that `run`, `compare` and `trace` share.
struct RunnerOptions {
  std::string device = "cpu";
  int gpu = 0;                  // its index, with device "gpu"
  std::string l2 = "flushed";   // with device "gpu": the state of L2 before each sample, by gpu::CacheState's name
  bool lines = false;           // with device "gpu": also what each source line's machine instructions do
  std::string blocks = "all";   // whose events are kept: "all", "none", "0", "0-3", "0,5,9-12"
  std::uint64_t max_steps = 0;  // 0 = the interpreter's default
  std::optional<std::uint64_t> event_megabytes;  // none = the request's own, 256
  std::uint64_t heap_megabytes = 0;              // heap for malloc() in kernels; 0 = CUDA's default
  int threads = 0;                               // 0 = all cores
  std::string svg_folder;                        // empty = no pictures
  std::string language = "en";                   // of the pictures
  bool sass = false;                             // also draw the machine code beside its source
  std::string save_file;                         // empty = the trace is not saved
  std::vector<std::string>
      write_buffers;                 // "1=result.bin": an argument, from 0, and a file for its contents after the run
  std::vector<std::string> values;   // "0,1,6": print the values of these steps
  std::vector<std::string> writers;  // "out[37]": print the last writers of these elements
  bool races = false;                // look for data races
  std::uint32_t schedules = 0;       // also run under this many other orders of warps and lanes
  bool nsight = false;               // also print Nsight Compute's names
  bool json = false;
};

struct ListOptions {
  bool json = false;
};

struct RunOptions {
  std::string lesson, variant;        // empty variant = the first one
  std::string task;                   // instead of a variant
  std::string source_file;            // replaces the lesson's own text of a kernel
  bool questions = false;             // print the questions with their right answers
  std::vector<std::string> settings;  // "stride=8"
  bool full_size = false;
  bool check = false;  // the exit code tells whether the checks passed
  RunnerOptions runner;
};

struct CompareOptions {
  std::string lesson, first, second;
  int launch_a = 0, launch_b = 0;  // of a variant with several launches: the compared one; 0 = all together
  std::vector<std::string> settings, second_settings;  // of both; of B alone
  bool full_size = false;
  RunnerOptions runner;
};

struct TraceOptions : job::LaunchOptions {
  std::string file;
  std::vector<std::string> include_paths;
  std::vector<std::string> defines;  // "NAME=VALUE"
  RunnerOptions runner;
};

struct OpenOptions {
  std::string file;                                 // a saved run, or a program to run first
  std::vector<std::string> arguments;               // of the program
  std::vector<std::string> include_paths, defines;  // for a .cu file
  bool list = false;                                // list in the terminal even if there is a display
  std::optional<std::uint64_t> launch;              // the launch to run, by its number in the program
  RunnerOptions runner;
};

struct ShowOptions {
  std::string file;
  std::string svg_folder;
  std::string language = "en";
  bool nsight = false;
  bool json = false;
};

// Options of `parse`, `cfg` and `instrument`.
struct FileOptions {
  std::string file;
  std::string kernel;          // in the source or mangled; may be empty
  std::string arch = "sm_90";  // architecture for compiling CUDA C++
  std::vector<std::string> include_paths;
  std::vector<std::string> defines;
};

struct CheckOptions {
  std::string folder;
  bool json = false;
};

struct BenchOptions {
  bool gpu = false;  // measure the cost of recording on the GPU instead
  bool json = false;
  bool peers = false;                // also measure other interpreters
  std::vector<std::string> kernels;  // empty = all
  int threads = 0;                   // 0 = one, two and all cores
  int times = 1;                     // as many blocks as usual
  double seconds = 0.5;              // per figure
};

struct DoctorOptions {
  std::string device = "gpu";  // or another place: "ssh:HOST", "slurm"
  bool install = false;        // first copy this program there
  bool json = false;
};

struct DesktopOptions {
  bool remove = false;
};

struct VerifyOptions {
  std::vector<std::string> targets;                 // lessons, and .cu files with `// run:` lines
  std::vector<std::string> include_paths, defines;  // for .cu files
  bool calibrate = false;                           // also the calibration kernels
  bool lines = false;                               // also what each source line's machine instructions do
  std::string device = "gpu";
  int gpu = 0;
  bool json = false;
};

struct RecordOptions {
  std::string lesson, file;
  std::string device = "gpu";
  int gpu = 0;
  double seconds = 0.3;        // the longest time for a run's samples
  int samples = 200;           // the largest number of samples
  double sweep_seconds = 1e9;  // no run of a sweep starts after this time
  std::string l2 = "flushed";  // the state of L2 before each sample, by gpu::CacheState's name
  int array = 0;               // spread over a Slurm job array of this many tasks; 0 = one GPU does all
  int share = 0;               // this process is a task of the array that was sent off at this time (from 1)
};

struct InstrumentOptions : FileOptions {
  std::string pass = "memory";
};

#if LANESCOPE_HAS_GUI
struct ShotOptions {
  gui::ShotOptions window;
  std::vector<std::string> settings;          // "stride=8"
  std::vector<std::string> compare_settings;  // for the other variant
  std::string size;                           // "1440x900"; empty = the window's default
};
#endif

}  // namespace lanescope::cli
