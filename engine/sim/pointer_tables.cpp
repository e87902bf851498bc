#include "sim/pointer_tables.h"

#include <algorithm>
#include <cstring>

namespace lanescope::sim {

namespace {

// The buffer in which the address lies, or else the one that ends there.
std::optional<std::size_t> buffer_at(const std::vector<Argument>& arguments,
                                     const std::vector<std::uint64_t>& addresses, std::uint64_t address) {
  std::optional<std::size_t> ending;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!arguments[i].is_buffer || arguments[i].number < 0 || address < addresses[i]) continue;
    const std::uint64_t offset = address - addresses[i];
    if (offset < arguments[i].contents.size()) return i;
    if (offset == arguments[i].contents.size()) ending = i;
  }
  return ending;
}

}  // namespace

std::optional<std::size_t> index_of_number(const std::vector<Argument>& arguments, std::uint32_t number) {
  const auto found = std::ranges::find(arguments, static_cast<std::int32_t>(number), &Argument::number);
  if (found == arguments.end()) return std::nullopt;
  return static_cast<std::size_t>(found - arguments.begin());
}

void put_pointers(std::vector<Argument>& arguments, const std::vector<std::uint64_t>& addresses) {
  for (Argument& table : arguments) {
    if (!holds_pointers(table)) continue;
    for (const Argument::Pointer& one : table.pointers) {
      const std::optional<std::size_t> index = index_of_number(arguments, one.argument);
      if (!index || one.at + sizeof(std::uint64_t) > table.contents.size()) continue;
      const std::uint64_t address = addresses[*index] + one.offset;
      std::memcpy(table.contents.data() + one.at, &address, sizeof address);
    }
  }
}

void take_pointers(std::vector<Argument>& arguments, const std::vector<std::uint64_t>& addresses) {
  for (Argument& table : arguments) {
    if (!holds_pointers(table)) continue;
    table.pointers.clear();
    for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= table.contents.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, table.contents.data() + at, sizeof word);
      const std::optional<std::size_t> index = buffer_at(arguments, addresses, word);
      if (!index) continue;
      table.pointers.push_back({at, static_cast<std::uint32_t>(arguments[*index].number), word - addresses[*index]});
      std::memset(table.contents.data() + at, 0, sizeof word);
    }
  }
}

}  // namespace lanescope::sim
