#pragma once
// What the launches of an open saved run waste: each runs once in the interpreter, off the frame and after what is on
// screen, for its totals alone.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/wording.h"
#include "gui/session/session.h"

namespace lanescope::gui {

// The number of a launch with most sectors or wavefronts beyond its ideal.
struct LaunchCost {
  Wording label;                // "global load sectors per request"
  double value = 0, ideal = 0;  // per request
  bool of_sectors = false;      // of sectors, or of wavefronts
  std::uint64_t excess = 0;     // sectors or wavefronts of the launch beyond the ideal; 0: there are none
  double ratio() const { return ideal > 0 ? value / ideal : 1; }
};
// nullopt: the launch makes no request of which an ideal is known.
std::optional<LaunchCost> launch_cost_of(const trace::Trace& trace);

class LaunchCosts {
 public:
  // Call once per frame while a saved run is on screen: goes on with the next launch while nothing else runs.
  void update(Session& session);

  // Of a launch of that run; null: not known (yet), or there is none.
  const LaunchCost* cost(std::size_t launch) const;
  // Whether the launch has most excess so far among those with an excess of the same unit; false if only one launch is
  // known. Sectors and wavefronts cannot be compared.
  bool is_worst(std::size_t launch) const;

 private:
  struct Found {
    std::string of;        // the lesson id of the run
    double seconds = 0;    // spent on it so far
    bool working = false;  // a launch is being run
    std::map<std::size_t, std::optional<LaunchCost>> costs;
  };
  std::shared_ptr<Found> found_ = std::make_shared<Found>();  // also of the work off the frame
  std::size_t next_ = 0;                                      // launch to look at
};

}  // namespace lanescope::gui
