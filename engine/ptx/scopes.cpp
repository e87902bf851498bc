#include "ptx/scopes.h"

#include <charconv>

namespace lanescope::ptx {
namespace {

// Splits "%r12" into "%r" and 12; nullopt without a number or with leading zeros.
struct Numbered {
  std::string_view prefix;
  std::uint32_t number = 0;
};
std::optional<Numbered> split_number(std::string_view name) {
  std::size_t begin = name.size();
  while (begin > 0 && name[begin - 1] >= '0' && name[begin - 1] <= '9') --begin;
  if (begin == name.size() || (name[begin] == '0' && begin + 1 != name.size())) return std::nullopt;
  Numbered result{name.substr(0, begin)};
  const auto [end, error] = std::from_chars(name.data() + begin, name.data() + name.size(), result.number);
  if (error != std::errc{}) return std::nullopt;
  return result;
}

}  // namespace

Scopes::Scopes(Function& function, const Names& module_names) : function_(function), module_names_(module_names) {
  scopes_.emplace_back();
}

void Scopes::open() {
  scopes_.emplace_back().parent = current_;
  current_ = static_cast<std::int32_t>(scopes_.size()) - 1;
}

bool Scopes::close() {
  if (!nested()) return false;
  current_ = scopes_[current_].parent;
  return true;
}

bool Scopes::declare_register(std::string_view name, Type type) {
  Scope& scope = scopes_[current_];
  const auto [place, is_new] = scope.names.try_emplace(name);
  if (!is_new) return false;
  place->second.entity.is_register = true;
  place->second.type = type;
  // Call sequences declare many unused registers, so nested scopes add a register at its first use. Those of the
  // outermost scope keep their order.
  if (!nested()) place->second.entity.index = add_register(unique_name(name), type);
  return true;
}

bool Scopes::declare_range(std::string_view prefix, Type type, std::uint32_t count) {
  const auto [place, is_new] = scopes_[current_].ranges.try_emplace(prefix);
  if (!is_new) return false;
  Range& range = place->second;
  range.count = count;

  if (nested() || overlaps_used(prefix, count)) {
    for (std::uint32_t i = 0; i < count; ++i)
      range.indices.push_back(add_register(unique_name(std::string(prefix) + std::to_string(i)), type));
    return true;
  }
  range.first = static_cast<std::int32_t>(function_.registers.size());
  function_.registers.reserve(function_.registers.size() + count);
  for (std::uint32_t i = 0; i < count; ++i) add_register(std::string(prefix) + std::to_string(i), type);
  used_ranges_[prefix] = count;
  return true;
}

bool Scopes::declare_label(std::string_view name) {
  const auto index = static_cast<std::int32_t>(function_.labels.size());
  if (!scopes_[current_].labels.try_emplace(name, index).second) return false;
  function_.labels.push_back({unique_name(name), static_cast<std::int32_t>(function_.instructions.size())});
  return true;
}

bool Scopes::declare(std::string_view name, Entity entity) {
  return scopes_[current_].names.try_emplace(name, Local{entity, Type::none}).second;
}

void Scopes::declare_parameter(std::string_view name, Entity entity) {
  declare(name, entity);
  used_.insert(std::string(name));
}

std::optional<Entity> Scopes::find(std::string_view name) {
  const auto numbered = split_number(name);
  for (std::int32_t at = current_; at >= 0; at = scopes_[at].parent) {
    Scope& scope = scopes_[at];
    if (const auto found = scope.names.find(name); found != scope.names.end()) {
      Entity& entity = found->second.entity;
      if (entity.is_register && entity.index < 0) entity.index = add_register(unique_name(name), found->second.type);
      return entity;
    }
    if (!numbered) continue;
    if (const auto found = scope.ranges.find(numbered->prefix);
        found != scope.ranges.end() && numbered->number < found->second.count) {
      const Range& range = found->second;
      Entity entity;
      entity.is_register = true;
      entity.index = range.first >= 0 ? range.first + static_cast<std::int32_t>(numbered->number)
                                      : range.indices[numbered->number];
      return entity;
    }
  }
  const auto found = module_names_.find(name);
  if (found == module_names_.end()) return std::nullopt;
  return found->second;
}

std::optional<Entity> Scopes::find_symbol(std::int32_t scope, std::string_view name) const {
  for (std::int32_t at = scope; at >= 0; at = scopes_[at].parent)
    if (const auto found = scopes_[at].names.find(name); found != scopes_[at].names.end()) {
      if (found->second.entity.is_register) return std::nullopt;
      return found->second.entity;
    }
  const auto found = module_names_.find(name);
  if (found == module_names_.end()) return std::nullopt;
  return found->second;
}

std::int32_t Scopes::find_label(std::int32_t scope, std::string_view name) const {
  for (std::int32_t at = scope; at >= 0; at = scopes_[at].parent)
    if (const auto found = scopes_[at].labels.find(name); found != scopes_[at].labels.end()) return found->second;
  return -1;
}

std::string Scopes::unique_name(std::string_view name) {
  std::string result(name);
  if (is_used(result)) {
    std::uint32_t& suffix = last_suffix_[result];
    do {
      result = std::string(name) + "$" + std::to_string(++suffix);
    } while (is_used(result));
  }
  used_.insert(result);
  return result;
}

bool Scopes::is_used(std::string_view name) const {
  if (used_.contains(std::string(name)) || module_names_.contains(name)) return true;
  const auto numbered = split_number(name);
  if (!numbered) return false;
  const auto range = used_ranges_.find(numbered->prefix);
  return range != used_ranges_.end() && numbered->number < range->second;
}

bool Scopes::overlaps_used(std::string_view prefix, std::uint32_t count) const {
  if (used_ranges_.contains(prefix)) return true;
  for (const std::string& used : used_) {
    const auto numbered = split_number(used);
    if (numbered && numbered->prefix == prefix && numbered->number < count) return true;
  }
  return false;
}

std::int32_t Scopes::add_register(std::string name, Type type) {
  function_.registers.push_back({std::move(name), type});
  return static_cast<std::int32_t>(function_.registers.size()) - 1;
}

}  // namespace lanescope::ptx
