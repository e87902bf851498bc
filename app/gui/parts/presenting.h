#pragma once
// What is shown larger than usual: present mode, and a panel alone in the window.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

namespace lanescope::gui {

class FilmView;
struct WindowState;

enum class Panel : std::uint8_t { lesson, code, warp, steps, time };

struct Presenting {
  bool film = false;      // below the picture, instead of the block's warps
  bool controls = false;  // the lesson's controls, below the picture
  bool large = false;     // only the picture
  bool times = false;     // the times in the picture's place
  bool pointer = false;   // a large dot follows the mouse
  // Chosen by keys while presenting; 0: the window's, as far as everything has room. `applied`: the one on screen.
  float zoom = 0, applied_zoom = 1;
  // The lesson and variant whose questions stay on screen after an answer, until the picture is asked for.
  std::string asked;

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

  // Outside present mode: the panel that takes the place of all, until Esc. Asked for by a key: the one that has the
  // focus or is under the pointer.
  std::optional<Panel> grown;
  bool grow_asked = false;

  std::shared_ptr<FilmView> film_view;  // zoomed and scrolled independently of the panel's
};

// Makes everything larger or smaller; in present mode only what is presented.
void zoom_by(WindowState& state, float factor);
void usual_size(WindowState& state);

}  // namespace lanescope::gui
