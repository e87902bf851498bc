#pragma once
// The launches of a program as traces in a folder, each whole when its launch is over: `lanescope show` opens them.
// Their names begin with the launch's number: 0003-matmul.trace.

#include <cstdint>
#include <string>

#include "core/result.h"
#include "trace/trace.h"

namespace lanescope::device {

// "0003-matmul.trace"; of the kernel's name what a file's may hold.
std::string saved_name(std::uint64_t launch, const std::string& kernel);

class SavedTraces {
 public:
  // An empty name keeps nothing.
  explicit SavedTraces(std::string folder, std::uint64_t most_bytes = std::uint64_t{1} << 30)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  // What the events of the next launch may take.
  std::uint64_t room() const;
  // Nothing more is kept after a trace that cannot be written, and once the folder holds as much as it may: the
  // diagnostic says so, once. Codes: those of trace::save(), program.saved_enough.
  Diagnostics add(std::uint64_t launch, const std::string& kernel, const trace::Trace& trace);

  // The most that one launch's events take: what does not fit is left out of its trace, which says so.
  static constexpr std::uint64_t most_of_one = std::uint64_t{64} << 20;

 private:
  std::string folder_;
  std::uint64_t most_bytes_, bytes_ = 0;
  bool ended_ = false;
};

}  // namespace lanescope::device
