#include "job/sass/number.h"

namespace lanescope::job {

std::uint64_t value_of(Number number, const trace::Totals& totals) {
  const trace::MemoryTotals& of_class = totals.of(number.memory_class);
  switch (number.quantity) {
    case Quantity::requests:
      return of_class.requests;
    case Quantity::sectors:
      return of_class.sectors;
    case Quantity::conflicts:
      return of_class.bank_conflicts();
  }
  return 0;
}

AccessClass class_of(Number number) {
  using enum trace::MemoryClass;
  using Kind = SassAccess::Kind;
  using Space = trace::MemorySpace;
  switch (number.memory_class) {
    case global_load:
      return {Space::global, Kind::load};
    case global_store:
      return {Space::global, Kind::store};
    case global_atomic:
      return {Space::global, Kind::atomic};
    case global_reduction:
      return {Space::global, Kind::reduction};
    case local_load:
      return {Space::local, Kind::load};
    case local_store:
      return {Space::local, Kind::store};
    case shared_load:
      return {Space::shared, Kind::load};
    case shared_store:
      return {Space::shared, Kind::store};
    case shared_atomic:
      return {Space::shared, Kind::atomic};
    case constant_load:
      return {Space::constant, Kind::load};
    case param_load:
      return {Space::param, Kind::load};
    case distributed_load:
      return {Space::distributed, Kind::load};
    case distributed_store:
      return {Space::distributed, Kind::store};
    case distributed_atomic:
      return {Space::distributed, Kind::atomic};
    case count_:
      break;
  }
  return {};
}

SassAccess::Kind kind_of(trace::Operation operation) {
  using Kind = SassAccess::Kind;
  switch (operation) {
    case trace::Operation::load:
      return Kind::load;
    case trace::Operation::store:
      return Kind::store;
    case trace::Operation::atomic:
      return Kind::atomic;
    case trace::Operation::reduction:
      return Kind::reduction;
    case trace::Operation::async_copy:
      return Kind::async_copy;
    case trace::Operation::none:
      break;
  }
  return Kind::none;
}

bool is_of_class(AccessClass wanted, SassAccess::Kind kind, trace::MemorySpace space) {
  using Kind = SassAccess::Kind;
  using Space = trace::MemorySpace;
  if (kind == Kind::none) return false;
  if (kind == Kind::async_copy) return wanted.kind == Kind::load && wanted.space == Space::global;
  if (kind == Kind::compare_and_swap) kind = Kind::atomic;
  return kind == wanted.kind && (space == wanted.space || space == Space::none);
}

}  // namespace lanescope::job
