// The matrices of a tensor-core product, and the lanes whose registers hold them.

#include <algorithm>

#include "diagram/builder.h"
#include "diagram/views.h"

namespace lanescope::diagram {
namespace {

bool same(HeldMatrix::Place one, HeldMatrix::Place other) {
  return one.lane == other.lane && one.reg == other.reg;
}

// Number of neighbouring elements that share a register, in a row or in a column.
struct Together {
  int across = 1, down = 1;
};

Together run_of(const HeldMatrix& matrix) {
  const auto at = [&](int row, int column) {
    return matrix.places[static_cast<std::size_t>(row * matrix.columns + column)];
  };
  Together run;
  while (run.across < matrix.columns && same(at(0, 0), at(0, run.across))) ++run.across;
  while (run.across == 1 && run.down < matrix.rows && same(at(0, 0), at(run.down, 0))) ++run.down;
  return run;
}

int held_by_lane_zero(const HeldMatrix& matrix) {
  return static_cast<int>(std::ranges::count(matrix.places, 0, &HeldMatrix::Place::lane));
}

std::string from_to(int first, int count) {
  return count == 1 ? std::to_string(first) : std::to_string(first) + "–" + std::to_string(first + count - 1);
}

struct Corner {
  float x = 0, y = 0, width = 0, height = 0;  // the last two are the size of an element
};

void draw(Builder& builder, const HeldMatrix& matrix, const char* name, const Corner& corner) {
  const Together run = run_of(matrix);
  for (int row = 0; row < matrix.rows; row += run.down)
    for (int column = 0; column < matrix.columns; column += run.across) {
      const HeldMatrix::Place place = matrix.places[static_cast<std::size_t>(row * matrix.columns + column)];
      Tag tag;
      tag.lane = place.lane;
      tag.text = builder.say(Phrase::tag_matrix, static_cast<int>(place.lane), static_cast<int>(place.reg), name,
                             from_to(row, run.down), from_to(column, run.across));
      const Rect cell = builder.rect(
          corner.x + corner.width * static_cast<float>(column) + 0.5f,
          corner.y + corner.height * static_cast<float>(row) + 0.5f, corner.width * static_cast<float>(run.across) - 1,
          corner.height * static_cast<float>(run.down) - 1, place.lane == 0 ? Role::broadcast : Role::executed,
          Pattern::solid, builder.tag(std::move(tag)));
      builder.in_cell(cell, std::to_string(place.lane), 11, widest_lane);
    }
  // "f16x2", as in PTX: a cell is a register, which holds two of the matrix's elements.
  const int in_cell = run.across * run.down;
  const std::string element = matrix.element + (in_cell == 1 ? "" : "x" + std::to_string(in_cell));
  const std::string whole = builder.say(Phrase::matrix_name, name, matrix.rows, matrix.columns, element);
  const bool fits = text_width(whole, 11) <= corner.width * static_cast<float>(matrix.columns);
  builder.label(corner.x, corner.y - 8, fits ? whole : name, 11);
}

constexpr float gap = 14, name_height = 18, most_height = 15;
constexpr float readable_cell = 11;  // cell size at which a number is readable

// Draws A left of C and B above C or, if that is too high, all three side by side. Registers of A and B get the same
// size. Returns the height.
float lay_out(Builder& builder, const HeldMatrices& held, float max_height) {
  const Together a = run_of(held.a), b = run_of(held.b);
  const int a_cells = held.a.columns / a.across, b_cells = held.b.columns / b.across;
  const int k_cells = held.b.rows / b.down, m_cells = held.a.rows / a.down;
  const auto high = [&](int cells, float names) {
    return max_height > 0 ? std::min(most_height, (max_height - names) / static_cast<float>(cells)) : most_height;
  };
  const bool beside = high(k_cells + m_cells, 2 * name_height) < readable_cell;
  const float height =
      std::max(beside ? high(std::max(k_cells, m_cells), name_height) : high(k_cells + m_cells, 2 * name_height), 3.0f);
  const int across = a_cells + (beside ? 2 : 1) * b_cells;
  const float width = std::min((builder.width() - (beside ? 2 : 1) * gap) / static_cast<float>(across), 40.0f);
  const float k_width = width / static_cast<float>(a.across), n_width = width / static_cast<float>(b.across);
  const float k_height = height / static_cast<float>(b.down), m_height = height / static_cast<float>(a.down);
  const float after_a = width * static_cast<float>(a_cells) + gap, after_b = width * static_cast<float>(b_cells) + gap;
  const float b_height = height * static_cast<float>(k_cells), c_height = height * static_cast<float>(m_cells);
  const float top = beside ? name_height : name_height + b_height + name_height;
  draw(builder, held.a, "A", {0, top, k_width, m_height});
  draw(builder, held.b, "B", {after_a, name_height, n_width, k_height});
  draw(builder, held.c, "C", {beside ? after_a + after_b : after_a, top, n_width, m_height});
  return std::max(top + c_height, name_height + b_height);
}

}  // namespace

Scene matrices(const HeldMatrices& held, const Options& options) {
  Builder builder(options);
  const Say& say = builder.say;
  if (held.a.places.empty()) return sentence_only(options, say(Phrase::matrices_title), Phrase::no_matrices);
  builder.scene().title = say(Phrase::matrices_title);
  builder.scene().subtitle = say(Phrase::matrices_size, held.a.rows, held.a.columns, held.b.rows, held.b.columns);
  builder.scene().caption = say(Phrase::matrices_caption, held.a.rows * held.a.columns * held.b.columns,
                                held_by_lane_zero(held.a), held_by_lane_zero(held.b), held_by_lane_zero(held.c));
  builder.legend({{Role::executed, Pattern::solid, say(Phrase::legend_register)},
                  {Role::broadcast, Pattern::solid, say(Phrase::legend_lane_zero)}});

  return builder.finish(lay_out(builder, held, options.max_height));
}

}  // namespace lanescope::diagram
