// Maps roles to colours after Okabe and Ito's palette for colour-blind readers. The tests compute the contrast, and the
// distance between roles as seen with each of the three common colour deficiencies.

#include "diagram/scene.h"

#include <array>

#include "words/phrases.h"

namespace lanescope::diagram {
namespace {

struct Colours {
  Role role;
  std::uint32_t dark, light;          // the fill
  std::uint32_t dark_ink, light_ink;  // text on it
};

constexpr std::uint32_t near_black = 0x12151A, near_white = 0xFFFFFF;

constexpr std::array<Colours, 20> table{{
    {Role::none, 0x12151A, 0xEEF1F5, 0xE6EAF0, 0x161B22},
    {Role::panel, 0x191D24, 0xFFFFFF, 0xE6EAF0, 0x161B22},
    {Role::raised, 0x222833, 0xF4F6F9, 0xE6EAF0, 0x161B22},
    {Role::line, 0x2C333F, 0xD8DEE7, 0xE6EAF0, 0x161B22},
    {Role::text, 0xE6EAF0, 0x161B22, near_black, near_white},
    {Role::dim, 0x98A2B3, 0x566072, near_black, near_white},
    {Role::faint, 0x586273, 0x9AA4B2, near_white, near_black},
    {Role::accent, 0x5AA9FF, 0x1467C9, near_black, near_white},
    {Role::executed, 0x56B4E9, 0x0072B2, near_black, near_white},
    {Role::guarded_off, 0x56B4E9, 0x0072B2, near_black, near_white},
    {Role::inactive, 0x2A303B, 0xE3E8EF, 0x98A2B3, 0x566072},
    {Role::exited, 0x586273, 0x9AA4B2, near_white, near_black},
    {Role::used_word, 0x56B4E9, 0x0072B2, near_black, near_white},
    {Role::wasted, 0xE69F00, 0xD98E00, near_black, near_black},
    {Role::conflict, 0xE4572E, 0xC8401B, near_black, near_white},
    {Role::broadcast, 0x2FBF8F, 0x00845F, near_black, near_white},
    {Role::better, 0x2FBF8F, 0x00845F, near_black, near_white},
    {Role::variant_a, 0x56B4E9, 0x0072B2, near_black, near_white},
    {Role::variant_b, 0xE58BB9, 0xB5487F, near_black, near_white},
    {Role::selected, 0x222F40, 0xE5EEF9, 0xE6EAF0, 0x161B22},
}};

const Colours& of(Role role) {
  for (const Colours& row : table)
    if (row.role == role) return row;
  return table[0];
}

}  // namespace

std::uint32_t colour(Role role, Theme theme) {
  return theme == Theme::dark ? of(role).dark : of(role).light;
}

std::uint32_t ink(Role role, Theme theme) {
  return theme == Theme::dark ? of(role).dark_ink : of(role).light_ink;
}

std::uint32_t text_colour(Role role, Theme theme) {
  // The amber of a fill has a contrast of 2.7 : 1 on white.
  constexpr std::uint32_t dark_amber = 0x8F5A00;
  return role == Role::wasted && theme == Theme::light ? dark_amber : colour(role, theme);
}

PatternLook look_of(Pattern pattern) {
  switch (pattern) {
    case Pattern::solid:
      return {1, 0, 0, false};
    case Pattern::hatched:
      return {0.10f, 0.55f, 0, false};
    case Pattern::outline:
      return {0, 0, 1, false};
    case Pattern::dashed:
      return {0, 0, 1, true};
    case Pattern::hatched_outline:
      return {0, 0.40f, 1, false};
  }
  return {};
}

std::string meaning_of(Role role, Language language) {
  const Say say(language);
  switch (role) {
    case Role::executed:
      return say(Phrase::role_executed);
    case Role::guarded_off:
      return say(Phrase::role_guarded_off);
    case Role::inactive:
      return say(Phrase::role_inactive);
    case Role::exited:
      return say(Phrase::role_exited);
    case Role::used_word:
      return say(Phrase::role_used_word);
    case Role::wasted:
      return say(Phrase::role_wasted);
    case Role::conflict:
      return say(Phrase::role_conflict);
    case Role::broadcast:
      return say(Phrase::role_broadcast);
    default:
      return "";
  }
}

}  // namespace lanescope::diagram
