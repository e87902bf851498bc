#pragma once
// Memory at the step on screen as a grid of elements, and of one of them who wrote it before the step and who reads it
// after: found beside the frame by running a launch again. What is asked anew takes the place of what was asked.

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

  // Of the memory wanted, at the step on screen, the interpreter's: asked for on first use. Null while it is being
  // made, and of a recording; never of another step. While another part of the memory is wanted it is the one before.
  const Result<job::MemoryWindow>* window();
  // What the lesson finds wrong in that memory after the run. Null while it is being looked for.
  const job::WrongElements* wrong();

  // Of the chosen element, at the step on screen. Null without one, while it is being made, and where the window does
  // not have it yet.
  struct Told {
    std::optional<job::Writer> writer;  // before the step, in this launch or an earlier one
    job::NextReaders next;
  };
  const Result<Told>* told();

  // To a memory by its name: nothing of the one before is wanted any more.
  void choose(const std::string& name);

  bool open = false;          // instead of the lanes' values
  job::WantedWindow wanted;   // a view keeps it over what is seen
  std::int64_t element = -1;  // chosen; −1: none
  enum class Heat : std::uint8_t { value, touches, warp } heat = Heat::value;
  bool after = true;      // the step; else before it
  std::uint64_t row = 0;  // elements, as the learner chose; 0: as the memory has it

  bool drain() { return worker_.drain(); }  // true when something arrived
  bool idle() const { return worker_.idle(); }

 private:
  struct Asked {
    std::uint64_t run = 0;  // its serial
    int launch = 0;
    sim::Step step;
    std::string name;
    std::int64_t first = 0;
    std::uint64_t count = 0;
    friend bool operator==(const Asked&, const Asked&) = default;
  };
  std::optional<Asked> now() const;
  bool answers(const Asked& at) const;  // window_ does, up to the part of the memory

  const Selection& selection_;
  const Runs& runs_;
  Place& place_;
  Asked asked_, found_, asked_told_;
  std::int64_t asked_element_ = -1;
  std::optional<Result<job::MemoryWindow>> window_;  // of found_
  std::optional<Result<Told>> told_;                 // of asked_told_
  std::uint64_t wrong_run_ = 0;
  int wrong_argument_ = -1;
  std::optional<job::WrongElements> wrong_;  // of these two
  Worker worker_;                            // last: its thread ends before what its completions touch
};

}  // namespace lanescope::gui
