#include "core/architecture.h"

#include <algorithm>
#include <cstdlib>

namespace lanescope {
namespace {

constexpr std::uint64_t kib = 1024;

struct Generation {
  int first, last;  // compute capability × 10
  MultiprocessorLimits limits;
};
constexpr Generation table[] = {{70, 72, {64, 32, 65536, 96 * kib, 96 * kib, 0, 256}},
                                {75, 75, {32, 16, 65536, 64 * kib, 64 * kib, 0, 256}},
                                {80, 80, {64, 32, 65536, 164 * kib, 163 * kib, kib, 128}},
                                {86, 86, {48, 16, 65536, 100 * kib, 99 * kib, kib, 128}},
                                {87, 87, {48, 16, 65536, 164 * kib, 163 * kib, kib, 128}},
                                {88, 88, {48, 16, 65536, 100 * kib, 99 * kib, kib, 128}},
                                {89, 89, {48, 24, 65536, 100 * kib, 99 * kib, kib, 128}},
                                {90, 90, {64, 32, 65536, 228 * kib, 227 * kib, kib, 128, 64}},
                                {100, 103, {64, 32, 65536, 228 * kib, 227 * kib, kib, 128, 64}},
                                {110, 110, {48, 24, 65536, 228 * kib, 227 * kib, kib, 128, 24}},
                                {120, 121, {48, 24, 65536, 100 * kib, 99 * kib, kib, 128, 24}}};

}  // namespace

std::optional<MultiprocessorLimits> multiprocessor_limits(const std::string& arch) {
  if (!arch.starts_with("sm_")) return std::nullopt;
  const int number = std::atoi(arch.c_str() + 3);
  for (const Generation& row : table)
    if (number >= row.first && number <= row.last) return row.limits;
  return std::nullopt;
}

ArchitectureName parts_of_architecture(std::string_view text) {
  for (const std::string_view prefix : {"sm_", "compute_"})
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  return {text.substr(0, digits), text.substr(digits)};
}

std::string real_architecture(std::string_view text) {
  const auto [digits, suffix] = parts_of_architecture(text);
  const bool is_one = (digits.size() == 2 || digits.size() == 3) && (suffix.empty() || suffix == "a" || suffix == "f");
  return is_one ? "sm_" + std::string(digits) + std::string(suffix) : "";
}

}  // namespace lanescope
