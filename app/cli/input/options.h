#pragma once
// The options of each subcommand: plain values, filled in by command_line.cpp.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#if LANESCOPE_HAS_GUI
#include "gui/window.h"
#endif

namespace lanescope::cli {

// What `run`, `compare` and `trace` have in common.
struct RunnerOptions {
  std::string device = "cpu";
  int gpu = 0;                  // which one, with device "gpu"
  std::string l2 = "flushed";   // with device "gpu", before each sample: gpu::CacheState's name
  std::string blocks = "all";   // whose events are kept: "all", "none", "0", "0-3", "0,5,9-12"
  std::uint64_t max_steps = 0;  // 0 = the interpreter's own limit
  std::uint64_t event_megabytes = 256;
  std::uint64_t heap_megabytes = 0;  // of malloc() in kernels; 0 = CUDA's default
  int threads = 0;                   // 0 = all cores
  std::string svg_folder;            // empty = no pictures
  std::string language = "en";       // of the pictures
  bool sass = false;                 // with the pictures: the machine code next to its source
  std::string save_file;             // empty = the trace is not saved
  std::vector<std::string>
      write_buffers;                 // "1=result.bin": an argument, from 0, and a file for its contents after the run
  std::vector<std::string> values;   // "0,1,6": steps whose operands' values are printed
  std::vector<std::string> writers;  // "out[37]": elements whose last writer is printed
  bool races = false;                // look for data races
  std::uint32_t schedules = 0;       // run under this many other orders of warps and lanes
  bool nsight = false;               // also print Nsight Compute's names
  bool json = false;
};

struct ListOptions {
  bool json = false;
};

struct RunOptions {
  std::string lesson, variant;        // no variant = the first
  std::string task;                   // instead of a variant
  std::string source_file;            // a kernel's text in place of the lesson's own
  bool questions = false;             // print the questions with their right answers
  std::vector<std::string> settings;  // "stride=8"
  bool full_size = false;
  bool check = false;  // the exit code tells whether the checks hold
  RunnerOptions runner;
};

struct CompareOptions {
  std::string lesson, first, second;
  int launch_a = 0, launch_b = 0;  // of a variant of several: which one's numbers; 0 = all together
  std::vector<std::string> settings;
  bool full_size = false;
  RunnerOptions runner;
};

struct TraceOptions {
  std::string file, kernel;
  std::string grid, block;  // "64", "8,8,1"; empty = as the file launches it
  std::string cluster;      // likewise; empty = as the kernel declares it
  std::vector<std::string> arguments;
  std::vector<std::string> symbols;  // "filter=f32[64]=iota"
  std::vector<std::string> then;     // launches that follow: "scale<<<4,256>>>(same:0)"
  std::vector<std::string> include_paths;
  std::optional<std::uint32_t> shared_bytes;
  bool cooperative = false;
  std::string arch = "sm_90";
  RunnerOptions runner;
};

struct OpenOptions {
  std::string file;
  bool list = false;                    // in the terminal, though there is a display
  std::optional<std::uint64_t> launch;  // the one to run, by its number in the program
  RunnerOptions runner;
};

struct ShowOptions {
  std::string file;
  std::string svg_folder;
  std::string language = "en";
  bool nsight = false;
  bool json = false;
};

// Of `parse`, `cfg` and `instrument`.
struct FileOptions {
  std::string file;
  std::string kernel;          // as the source names it, or mangled; may be empty
  std::string arch = "sm_90";  // to compile CUDA C++ for
  std::vector<std::string> include_paths;
};

struct CheckOptions {
  std::string folder;
  bool json = false;
};

struct BenchOptions {
  bool gpu = false;  // what recording costs on the GPU, instead
  bool json = false;
  bool peers = false;                // other interpreters too
  std::vector<std::string> kernels;  // empty = all
  int threads = 0;                   // 0 = one, two and all cores
  double seconds = 0.5;              // for each figure
};

struct DoctorOptions {
  std::string device = "gpu";  // or where else: "ssh:HOST", "slurm"
  bool install = false;        // copy this program there first
  bool json = false;
};

struct DesktopOptions {
  bool remove = false;
};

struct VerifyOptions {
  std::vector<std::string> targets;  // lessons and .cu files with `// run:` lines
  bool calibrate = false;            // the calibration kernels too
  std::string device = "gpu";
  int gpu = 0;
  bool json = false;
};

struct RecordOptions {
  std::string lesson, file;
  std::string device = "gpu";
  int gpu = 0;
  double seconds = 0.3;        // the most that one run's samples may take
  int samples = 200;           // and how many they may be
  double sweep_seconds = 1e9;  // after so long no run of a sweep begins
  std::string l2 = "flushed";  // before each sample: gpu::CacheState's name
};

struct InstrumentOptions : FileOptions {
  std::string pass = "memory";
};

#if LANESCOPE_HAS_GUI
struct ShotOptions {
  gui::ShotOptions window;
  std::vector<std::string> settings;          // "stride=8"
  std::vector<std::string> compare_settings;  // of the other variant
  std::string size;                           // "1440x900"; empty = the window's own choice
};
#endif

}  // namespace lanescope::cli
