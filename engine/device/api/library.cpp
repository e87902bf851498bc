#include "device/api/library.h"

#include <pthread.h>

#include <cstdlib>
#include <memory>

#include "core/worded.h"
#include "device/exec_options.h"
#include "device/log_observer.h"

namespace lanescope::device::api {

namespace {

std::atomic<bool> forked_child{false};
std::atomic<Counted*> first_missing{nullptr};

int count(Counted& counted) {
  const std::uint64_t before = counted.calls++;
  if (before == 0) {
    counted.next = first_missing.load();
    for (Counted* head = counted.next; !first_missing.compare_exchange_weak(head, &counted);) counted.next = head;
    Call call;
    device().observer().missing(counted.name, 1);
  }
  return static_cast<int>(Status::not_supported);
}

// The later calls of what was missing, when the program ends.
void tell_the_rest() {
  for (Counted* one = first_missing; one != nullptr; one = one->next)
    if (one->calls > 1) device().observer().missing(one->name, one->calls);
}

}  // namespace

Device& device() {
  static Device* const only = [] {
    pthread_atfork(nullptr, nullptr, [] { forked_child = true; });
    std::atexit([] {
      if (!forked_child) tell_the_rest();
    });
    const ExecOptions options = exec_options_from_environment();
    DeviceSettings settings;
    settings.arch = options.arch;
    settings.max_steps = options.max_steps;
    settings.threads = options.threads;
    settings.totals = options.totals;
    settings.races = options.races;
    return new Device(settings, std::make_unique<LogObserver>(options));
  }();
  return *only;
}

bool is_forked_child() {
  return forked_child;
}

Status no_such_texture(const char* call, const Wording& what) {
  device().say("device.texture_not_there", worded("{}: the device does not have {}", std::string(call), what),
               "Use an array of one to three dimensions, or one with layers.");
  return Status::not_supported;
}

int missing_in_driver(Counted& counted) {
  return count(counted);
}

}  // namespace lanescope::device::api
