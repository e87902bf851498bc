#include <algorithm>
#include <array>

#include "gpu/gpu.h"

namespace lanescope::gpu {
namespace {

constexpr std::array<std::pair<CacheState, std::string_view>, 3> names{
    {{CacheState::flushed, "flushed"}, {CacheState::warm, "warm"}, {CacheState::overwritten, "overwritten"}}};

}  // namespace

std::string_view to_string(CacheState cache) {
  return std::ranges::find(names, cache, &std::pair<CacheState, std::string_view>::first)->second;
}

std::optional<CacheState> cache_state_from(std::string_view text) {
  const auto found = std::ranges::find(names, text, &std::pair<CacheState, std::string_view>::second);
  return found == names.end() ? std::nullopt : std::optional(found->first);
}

}  // namespace lanescope::gpu
