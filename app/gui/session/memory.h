#pragma once
// Memory at the step on screen as a grid of elements and, for one element, who wrote it before the step and who reads
// it after. Found off the frame by running a launch again. A new request replaces the current one.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "gui/session/place.h"
#include "gui/session/worker.h"
#include "job/replay/memory_window.h"
#include "job/replay/next_readers.h"
#include "job/replay/origins.h"
#include "job/run/wrong_elements.h"

namespace lanescope::gui {

class Memory {
 public:
  Memory(const Selection& selection, const Runs& runs, Place& place, const std::function<void()>& wake);

  // The wanted memory at the step on screen in the interpreter's run; computed on first use. Null while it is computed
  // and for a recording; never of another step. While another part of the memory is computed, it is the previous one.
  const Result<job::MemoryWindow>* window();
  // The elements of that memory that the lesson finds wrong after the run. Null while they are computed.
  const job::WrongElements* wrong();

  // About the chosen element at the step on screen. Null without one, while it is computed, or if the window does not
  // contain it yet.
  struct Told {
    std::optional<job::Writer> writer;  // last write before the step, in this launch or an earlier one
    job::NextReaders next;
  };
  const Result<Told>* told();

  // Selects a memory by name and discards the previous selection.
  void choose(const std::string& name);

  bool open = false;          // shown instead of the lanes' values
  job::WantedWindow wanted;   // a view keeps it around the visible part
  std::int64_t element = -1;  // the chosen element; −1: none
  enum class Heat : std::uint8_t { value, touches, warp } heat = Heat::value;
  bool after = true;      // after the step; else before it
  std::uint64_t row = 0;  // elements per row, if the learner chose it; 0: the memory's own

  bool drain() { return worker_.drain(); }  // true if a result arrived
  bool idle() const { return worker_.idle(); }

 private:
  struct Asked {
    std::uint64_t run = 0;  // the run's serial
    int launch = 0;
    sim::Step step;
    std::string name;
    std::int64_t first = 0;
    std::uint64_t count = 0;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  std::optional<Asked> now() const;
  bool answers(const Asked& at) const;  // window_ fits the request, except for the part of the memory

  const Selection& selection_;
  const Runs& runs_;
  Place& place_;
  Asked asked_, found_, asked_told_;
  std::int64_t asked_element_ = -1;
  std::optional<Result<job::MemoryWindow>> window_;  // belongs to found_
  std::optional<Result<Told>> told_;                 // belongs to asked_told_
  std::uint64_t wrong_run_ = 0;
  int wrong_argument_ = -1;
  std::optional<job::WrongElements> wrong_;  // belongs to the two above
  Worker worker_;  // declared last, so that its thread ends before the members that its completions use
};

}  // namespace lanescope::gui
