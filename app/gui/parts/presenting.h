#pragma once
// Present mode: what the teacher shows.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>

namespace lanescope::gui {

class FilmView;

struct Presenting {
  bool film = false;      // below the picture, instead of the block's warps
  bool controls = false;  // the lesson's controls, over a corner of the picture
  bool large = false;     // only the picture
  bool pointer = false;   // a large dot follows the mouse

  // Numbers and sentences are hidden until requested, at each step again.
  bool veil = false;
  using Place = std::tuple<std::string, std::uint32_t, std::uint32_t, std::size_t>;  // variant, block, warp, step
  Place revealed_at;
  bool hides(const Place& here) const { return veil && revealed_at != here; }
  // The first call hides them; later calls show those of this place.
  void reveal(const Place& here) {
    if (hides(here))
      revealed_at = here;
    else
      veil = true, revealed_at = {};
  }

  std::shared_ptr<FilmView> film_view;  // zoomed and scrolled independently of the panel's
};

}  // namespace lanescope::gui
