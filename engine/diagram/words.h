#pragma once
// Number formats for captions and tooltips, and estimates of text width.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/text.h"  // grouped()
#include "diagram/scene.h"

namespace lanescope::diagram {

double rounded_percent(double exact);            // to a tenth; 100 and 0 only if exact
std::string percent(double part, double whole);  // "12.5 %", rounded so
std::string hex(std::uint64_t address);          // "0x7f2000"
// "0.65 ×": at least two digits for any ratio ≥ 0, eighths in full ("0.125 ×"), and "1.00 ×" only if equal to four
// decimals.
std::string ratio_text(double ratio);

// Estimated width of a text in pixels; never less than Inter or JetBrains Mono need.
float text_width(std::string_view text, float size, Face face = Face::sans);
// The text, or as much of it as fits with an ellipsis; empty if not even the ellipsis fits.
std::string fitted(std::string_view text, float width, float size, Face face = Face::sans);

}  // namespace lanescope::diagram
