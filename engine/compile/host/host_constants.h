#pragma once
// Evaluates host expressions of a CUDA source without running it: literals, constexpr, const, #define, variables that
// are set only once, dim3, sizeof, arithmetic, and functions that only return such an expression.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/dim3.h"
#include "core/wording.h"

namespace lanescope::compile {

struct HostValue {
  enum class Kind : std::uint8_t { whole, real, extent } kind = Kind::whole;
  std::int64_t whole = 0;
  double real = 0;
  Dim3 extent{1, 1, 1};
};

struct HostEvaluation {
  std::optional<HostValue> value;
  Wording why;  // why there is no value: "`n` is a parameter of the function around it"
};

class HostConstants {
 public:
  // Keeps a copy of the text.
  explicit HostConstants(std::string_view text);
  ~HostConstants();
  HostConstants(const HostConstants&) = delete;
  HostConstants& operator=(const HostConstants&) = delete;

  // Evaluates `expression` as if it stood at this byte of the text; names that are not visible there are unknown.
  HostEvaluation evaluate(std::string_view expression, std::size_t offset) const;
  // From now on, the variable of this name that is visible at `offset` has this value, unless the text gives it one or
  // may change it.
  void know(std::string_view name, std::size_t offset, std::int64_t value);

 private:
  struct Facts;
  std::unique_ptr<Facts> facts_;
};

}  // namespace lanescope::compile
