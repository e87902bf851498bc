#include "cli/output/waiting.h"

#include <cstdio>
#include <string>
#include <utility>

#include "cli/output/output.h"
#include "core/os/environment.h"

namespace lanescope::cli {

Waiting::Waiting(std::function<Wording()> doing, std::chrono::milliseconds quiet) : doing_(std::move(doing)) {
  thread_ = std::thread([this, quiet] { errors_go_to_a_terminal() ? loop() : rarely(quiet); });
}

Waiting::~Waiting() {
  {
    const std::lock_guard lock(guard_);
    over_ = true;
  }
  ended_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Waiting::rarely(std::chrono::milliseconds quiet) {
  std::unique_lock lock(guard_);
  for (; !ended_.wait_for(lock, quiet, [this] { return over_; }); quiet *= 2)
    std::fprintf(stderr, "%s\n", told(doing_()).c_str());
}

void Waiting::loop() {
  std::string said, seen = doing_();
  std::unique_lock lock(guard_);
  while (!ended_.wait_for(lock, std::chrono::seconds(1), [this] { return over_; })) {
    const Wording now = doing_();
    if (now == seen && now != said) std::fprintf(stderr, "%s\n", told(now).c_str()), said = now;
    seen = now;
  }
}

}  // namespace lanescope::cli
