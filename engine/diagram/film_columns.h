#pragma once
// The columns of a film: the steps that each stands for, its position, and what each lane does in it.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "diagram/film.h"
#include "words/phrases.h"

namespace lanescope::diagram {

enum class FilmLane : std::uint8_t {
  gone,         // exited, or does not exist
  waits,        // inactive in every step
  guarded_off,  // active, but executes in no step
  sometimes,    // executes in some of the steps
  executes      // in every step
};

struct FilmColumn {
  std::size_t first = 0, last = 0;  // steps; `last` is excluded
  float x = 0, width = 0;
  std::uint8_t group = 0;  // as in metrics::StepSummary
  std::array<FilmLane, MemoryModel::lanes> lanes{};
};

class FilmColumns {
 public:
  // `part` must come from film_part().
  FilmColumns(const trace::Trace& trace, std::span<const trace::WarpEvent> events, LaneMask there, const FilmPart& part,
              float width);

  const std::vector<FilmColumn>& all() const { return columns_; }
  bool of_one_step() const { return per_column_ == 1; }
  float gap() const { return gap_; }  // at the right side of each column, part of its width

  std::string name(const Say& say, std::size_t step) const;       // "ld.global"
  std::string told_step(const Say& say, std::size_t step) const;  // "step 5 · ld.global · line 7"
  std::string told_steps(const Say& say, const FilmColumn& column) const;

 private:
  void one_by_one(float pitch);
  void summaries(float pitch);

  const trace::Trace& trace_;
  std::span<const trace::WarpEvent> events_;
  LaneMask there_;
  FilmPart part_;
  std::size_t per_column_ = 1;
  float gap_ = 0;
  std::vector<FilmColumn> columns_;
};

}  // namespace lanescope::diagram
