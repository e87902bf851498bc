#pragma once
// Present mode: what of it the teacher has on screen.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

namespace lanescope::gui {

class FilmView;

struct Presenting {
  bool film = false;      // below the picture, in the place of the block's warps
  bool controls = false;  // the lesson's controls, over the picture's corner
  bool large = false;     // the picture alone
  bool pointer = false;   // a dot that is seen from the last row follows the mouse

  // Numbers and sentences are hidden until they are asked for, at each step anew.
  bool veil = false;
  using Place = std::tuple<std::string, std::uint32_t, std::uint32_t, std::size_t>;  // variant, block, warp, step
  Place revealed_at;
  bool hides(const Place& here) const { return veil && revealed_at != here; }
  // First hides them, then shows those of this place.
  void reveal(const Place& here) {
    if (hides(here))
      revealed_at = here;
    else
      veil = true, revealed_at = {};
  }

  std::shared_ptr<FilmView> film_view;  // its own: zoomed and scrolled apart from the panel's
};

}  // namespace lanescope::gui
