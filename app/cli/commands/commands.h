#pragma once
// The subcommands. Each chains the engine's stages, prints, and returns the exit code:
//   0 done; 1 the kernel did not compile or complete, or a check failed;
//   2 the command line is wrong; 3 something that is needed is missing on this machine.

#include "cli/input/options.h"

namespace lanescope::cli {

int list(const ListOptions& options);
int run(const RunOptions& options);
int compare(const CompareOptions& options);
int trace(const TraceOptions& options);
int show(const ShowOptions& options);
int open(const OpenOptions& options);
int parse(const FileOptions& options);
int cfg(const FileOptions& options);
int check(const CheckOptions& options);
int bench(const BenchOptions& options);
int bench_gpu(const BenchOptions& options);
int doctor(const DoctorOptions& options);
int install_desktop(const DesktopOptions& options);
int verify(const VerifyOptions& options);
int record(const RecordOptions& options);
int instrument_file(const InstrumentOptions& options);
#if LANESCOPE_HAS_GUI
int shot(const ShotOptions& options);
#endif

// Without arguments and without a display: the first lesson as a table and pictures.
int first_lesson_headless();

}  // namespace lanescope::cli
