#pragma once
// Result<T>: a value, or the diagnostics that tell why there is none.

#include <cassert>
#include <utility>
#include <variant>

#include "core/diagnostic.h"

namespace lanescope {

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Diagnostics errors) : state_(std::in_place_index<1>, std::move(errors)) {
    assert(has_error(std::get<1>(state_)));
  }
  Result(Diagnostic error) : Result(Diagnostics{std::move(error)}) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // Only if !ok(). At least one of them is an error.
  const Diagnostics& errors() const { return std::get<1>(state_); }
  Diagnostics take_errors() { return std::move(std::get<1>(state_)); }

 private:
  std::variant<T, Diagnostics> state_;
};

}  // namespace lanescope
