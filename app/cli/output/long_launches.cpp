#include "cli/output/long_launches.h"

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "cli/output/output.h"
#include "core/launch_extent.h"
#include "core/os/machine.h"
#include "core/worded.h"
#include "device/launch_watch.h"

namespace lanescope::cli {

Wording about_long_launch(const device::RunningRow& launch) {
  const std::string file = std::filesystem::path(launch.source_file).filename().generic_string();
  const std::string place = file.empty() || launch.line == 0 ? "" : fmt::format(" ({}:{})", file, launch.line);
  return worded(
      "lanescope: {}<<<{}, {}>>>{} has run for {:.0f} s, {} of {} blocks are done. To end the program: Ctrl+C or `kill "
      "{}`; `--max-steps N` ends such a launch.",
      launch.kernel, launch_extent(launch.grid), launch_extent(launch.block), place, launch.seconds, launch.blocks_done,
      launch.grid.count(), own_process());
}

LongLaunches::LongLaunches(const std::string& log) : launches_(log) {
  if (!log.empty()) thread_ = std::thread([this] { loop(); });
}

LongLaunches::~LongLaunches() {
  {
    const std::lock_guard lock(guard_);
    over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void LongLaunches::loop() {
  const auto start = std::chrono::steady_clock::now();
  device::RareLines lines;
  std::unique_lock lock(guard_);
  while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; })) {
    const std::optional<device::RunningRow> launch = launches_.latest();
    const auto now = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
    if (launch && lines.allow(now)) std::fprintf(stderr, "%s\n", told(about_long_launch(*launch)).c_str());
  }
}

}  // namespace lanescope::cli
