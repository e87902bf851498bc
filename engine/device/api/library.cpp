#include "device/api/library.h"

#include <pthread.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace lanescope::device::api {

namespace {

std::atomic<bool> forked_child{false};
std::atomic<Counted*> first_missing{nullptr};

// Where nobody collects what happened: what the learner did wrong goes to the terminal.
class Terminal : public Observer {
 public:
  void launched(const LaunchReport& report) override {
    for (const Diagnostic& one : report.result->diagnostics) say_once(one);
  }
  void copied(CopyDirection, std::uint64_t) override {}
  void missing(const std::string& name, std::uint64_t calls) override {
    if (calls == 1) std::fprintf(stderr, "lanescope: %s is not there\n", name.c_str());
  }
  void said(const Diagnostic& diagnostic) override { say_once(diagnostic); }

 private:
  void say_once(const Diagnostic& diagnostic) {
    std::string text = format(diagnostic);
    if (text == last_) return;
    std::fprintf(stderr, "%s\n", text.c_str());
    last_ = std::move(text);
  }
  std::string last_;
};

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
    return new Device(DeviceSettings{}, std::make_unique<Terminal>());
  }();
  return *only;
}

bool is_forked_child() {
  return forked_child;
}

int missing_in_driver(Counted& counted) {
  return count(counted);
}

}  // namespace lanescope::device::api
