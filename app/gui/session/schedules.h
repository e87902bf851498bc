#pragma once
// The code on screen under many legal orders of warps and lanes, with every two accesses checked for happens-before.
// Keeps the last request per variant. Runs beside everything else.

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
    bool known = false;                                 // false: still running
    std::shared_ptr<const job::ScheduleReport> report;  // if known
    std::shared_ptr<std::atomic<std::uint32_t>> done;   // while running
  };
  void run(std::uint32_t count);
  void stop() { worker_.stop("orders"); }  // results so far are kept
  const Orders* orders() const;            // null: not requested
  bool stale() const;                      // for another text or other values than those on screen
  bool running() const { return worker_.status("orders").busy; }

  void drain() { worker_.drain(); }
  bool idle() const { return worker_.idle(); }

 private:
  const Selection& selection_;
  Changes& changes_;
  std::map<VariantId, Orders> orders_;
  Worker worker_;  // declared last, so that its thread ends before the members that its completions use
};

}  // namespace lanescope::gui
