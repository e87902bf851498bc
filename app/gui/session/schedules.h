#pragma once
// The code on screen under many legal orders of warps and lanes, and every two accesses held to happens-before: of each
// variant the last that was asked for. Runs beside everything else.

#include <atomic>
#include <map>
#include <memory>

#include "gui/session/selection.h"
#include "gui/session/worker.h"
#include "job/run/schedules.h"

namespace lanescope::gui {

class Schedules {
 public:
  Schedules(const Selection& selection, Changes& changes, const std::function<void()>& wake)
      : selection_(selection), changes_(changes), worker_(wake) {}

  struct Orders {
    RunKey key;
    std::uint32_t asked = 0;
    bool known = false;                                 // false: under way
    std::shared_ptr<const job::ScheduleReport> report;  // when it is known
    std::shared_ptr<std::atomic<std::uint32_t>> done;   // while it is under way
  };
  void run(std::uint32_t count);
  void stop() { worker_.stop("orders"); }  // what was done until then is kept
  const Orders* orders() const;            // null: not asked for
  bool stale() const;                      // of another text or other values than those on screen
  bool running() const { return worker_.status("orders").busy; }

  void drain() { worker_.drain(); }
  bool idle() const { return worker_.idle(); }

 private:
  const Selection& selection_;
  Changes& changes_;
  std::map<VariantId, Orders> orders_;
  Worker worker_;  // last: its thread ends before what its completions touch
};

}  // namespace lanescope::gui
