// Contrast of every text with its background, and roles that people with any colour vision can tell apart.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "diagram/words.h"
#include "gallery.h"
#include "scene_text.h"

namespace lanescope::diagram {
namespace {

using Linear = std::array<double, 3>;

Linear linear(std::uint32_t rgb) {
  Linear result{};
  for (int i = 0; i < 3; ++i) {
    const double channel = static_cast<double>((rgb >> (16 - 8 * i)) & 255u) / 255;
    result[i] = channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
  }
  return result;
}

// WCAG 2: relative luminance and contrast ratio.
double luminance(const Linear& c) {
  return 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
}
double contrast(std::uint32_t a, std::uint32_t b) {
  const double x = luminance(linear(a)), y = luminance(linear(b));
  return (std::max(x, y) + 0.05) / (std::min(x, y) + 0.05);
}

std::uint32_t blend(std::uint32_t top, std::uint32_t bottom, float alpha) {
  std::uint32_t result = 0;
  for (int shift = 0; shift < 24; shift += 8) {
    const float mixed =
        alpha * static_cast<float>((top >> shift) & 255u) + (1 - alpha) * static_cast<float>((bottom >> shift) & 255u);
    result |= static_cast<std::uint32_t>(std::lround(mixed)) << shift;
  }
  return result;
}

// Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB.
using Matrix = std::array<std::array<double, 3>, 3>;
constexpr Matrix normal{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix protanopia{
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia{
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritanopia{
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};

Linear seen(const Matrix& eye, const Linear& c) {
  Linear result{};
  for (int i = 0; i < 3; ++i) result[i] = std::clamp(eye[i][0] * c[0] + eye[i][1] * c[1] + eye[i][2] * c[2], 0.0, 1.0);
  return result;
}

// CIE L*a*b* under D65, and the 1976 distance: about 2.3 is just noticeable.
Linear lab(const Linear& c) {
  const double x = (0.4124564 * c[0] + 0.3575761 * c[1] + 0.1804375 * c[2]) / 0.95047;
  const double y = 0.2126729 * c[0] + 0.7151522 * c[1] + 0.0721750 * c[2];
  const double z = (0.0193339 * c[0] + 0.1191920 * c[1] + 0.9503041 * c[2]) / 1.08883;
  const auto f = [](double t) { return t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116; };
  return {116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))};
}
double distance(std::uint32_t a, std::uint32_t b, const Matrix& eye) {
  const Linear p = lab(seen(eye, linear(a))), q = lab(seen(eye, linear(b)));
  return std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
}

class Palette : public testing::TestWithParam<Theme> {};
INSTANTIATE_TEST_SUITE_P(Themes, Palette, testing::Values(Theme::dark, Theme::light),
                         [](const auto& each) { return each.param == Theme::dark ? "dark" : "light"; });

TEST(PaletteTokens, AreThoseOfTheDesign) {
  EXPECT_EQ(colour(Role::panel, Theme::dark), 0x191D24u);
  EXPECT_EQ(colour(Role::panel, Theme::light), 0xFFFFFFu);
  EXPECT_EQ(colour(Role::executed, Theme::dark), 0x56B4E9u);
  EXPECT_EQ(colour(Role::wasted, Theme::light), 0xD98E00u);
  EXPECT_EQ(colour(Role::conflict, Theme::dark), 0xE4572Eu);
  EXPECT_EQ(colour(Role::variant_b, Theme::light), 0xB5487Fu);
}

TEST_P(Palette, InkIsReadableOnEveryFill) {
  for (int i = 0; i <= static_cast<int>(Role::selected); ++i) {
    const Role role = static_cast<Role>(i);
    EXPECT_GE(contrast(ink(role, GetParam()), colour(role, GetParam())), 4.5) << test::name_of(role);
  }
}

TEST_P(Palette, TextIsReadableOnEveryGround) {
  for (const Role ground : {Role::none, Role::panel, Role::raised, Role::selected})
    for (const Role text : {Role::text, Role::dim})
      EXPECT_GE(contrast(colour(text, GetParam()), colour(ground, GetParam())), 4.5)
          << test::name_of(text) << " on " << test::name_of(ground);
}

TEST_P(Palette, NumbersThatAreWorseThanIdealAreReadable) {
  const auto text = text_colour(Role::wasted, GetParam());
  for (const Role role : {Role::none, Role::panel, Role::raised, Role::selected}) {
    const std::uint32_t ground = colour(role, GetParam());
    EXPECT_GE(contrast(text, ground), 4.5) << test::name_of(role);
    // The ground of a warning, and of a badge.
    for (const float tint : {0.12f, 0.2f})
      if (role == Role::panel) {
        EXPECT_GE(contrast(text, blend(colour(Role::wasted, GetParam()), ground, tint)), 4.5) << tint;
      }
  }
  EXPECT_EQ(text_colour(Role::conflict, GetParam()), colour(Role::conflict, GetParam()));
}

// Every label of every example, on the colour that is really under it.
TEST_P(Palette, EveryLabelOfEveryPictureIsReadable) {
  const Theme theme = GetParam();
  for (const test::Example& example : test::gallery()) {
    for (const float width : {360.f, 900.f}) {
      const Scene scene = example.draw({width, 0});
      for (const Label& label : scene.labels) {
        std::uint32_t ground = colour(Role::panel, theme);
        for (const Rect& rect : scene.rects) {
          const bool under = label.x >= rect.x && label.x <= rect.x + rect.width && label.y >= rect.y &&
                             label.y <= rect.y + rect.height;
          const bool bar = rect.height < 3;  // the mark of a shared word, below its number
          if (under && !bar)
            ground = blend(colour(rect.role, theme), ground, rect.alpha * look_of(rect.pattern).ground);
        }
        const std::uint32_t text = label.on_role ? ink(label.role, theme) : text_colour(label.role, theme);
        ASSERT_GE(contrast(text, ground), 4.5) << example.name << ": \"" << label.text << "\" "
                                               << test::name_of(label.role) << fmt::format(" on {:06x}", ground);
      }
    }
  }
}

// How a role is drawn where another one is beside it.
struct Appearance {
  Role role;
  Pattern pattern;
};

TEST_P(Palette, RolesAreToldApartByEveryEye) {
  constexpr Appearance shown[] = {{Role::executed, Pattern::solid},  {Role::guarded_off, Pattern::hatched_outline},
                                  {Role::inactive, Pattern::solid},  {Role::exited, Pattern::dashed},
                                  {Role::wasted, Pattern::hatched},  {Role::conflict, Pattern::solid},
                                  {Role::broadcast, Pattern::solid}, {Role::variant_b, Pattern::solid}};
  for (const Appearance& a : shown) {
    for (const Appearance& b : shown) {
      if (a.role >= b.role || a.pattern != b.pattern) continue;
      for (const Matrix* eye : {&normal, &protanopia, &deuteranopia, &tritanopia}) {
        EXPECT_GE(distance(colour(a.role, GetParam()), colour(b.role, GetParam()), *eye), 10)
            << test::name_of(a.role) << " and " << test::name_of(b.role);
      }
    }
    // They must also differ from the background.
    for (const Matrix* eye : {&normal, &protanopia, &deuteranopia, &tritanopia})
      EXPECT_GE(distance(colour(a.role, GetParam()), colour(Role::panel, GetParam()), *eye), 8)
          << test::name_of(a.role);
  }
}

TEST(PaletteMethod, CanFail) {
  EXPECT_LT(contrast(0x777777, 0xFFFFFF), 4.5);
  EXPECT_NEAR(contrast(0x000000, 0xFFFFFF), 21, 0.01);
  // Red and green of equal lightness: the classic pair.
  EXPECT_GT(distance(0xC04040, 0x408040, normal), 60);
  EXPECT_LT(distance(0xA06020, 0x708020, deuteranopia), 15);
}

}  // namespace
}  // namespace lanescope::diagram
