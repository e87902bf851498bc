#pragma once
// Numbers and sets of lanes as the captions and tooltips write them, and how wide a text will be.

#include <cstdint>
#include <string>
#include <string_view>

#include "core/lane_mask.h"
#include "diagram/scene.h"

namespace lanescope::diagram {

std::string grouped(std::uint64_t number);  // "1,024"
std::string counted(std::uint64_t number,
                    std::string_view thing);     // "1 sector", "32 sectors", "2 branches"
std::string percent(double part, double whole);  // "12.5 %"; 100 and 0 only when exact
std::string hex(std::uint64_t address);          // "0x7f2000"

// "0–31", "0, 4 and 8–11"; "" when empty. More than four runs: how many, "12 lanes".
std::string lane_set(LaneMask lanes);
// The same with its noun: "lane 5", "lanes 0–7", "12 lanes".
std::string lanes_named(LaneMask lanes);
// For the start of a sentence: "Lane 5", "Lanes 0–7", "12 lanes".
std::string capitalised(std::string text);

// About how wide a text is, in pixels: never less than Inter or JetBrains Mono need.
float text_width(std::string_view text, float size, Face face = Face::sans);
// The text, or as much of it as fits with an ellipsis; empty when not even that.
std::string fitted(std::string_view text, float width, float size, Face face = Face::sans);

}  // namespace lanescope::diagram
