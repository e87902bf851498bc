#include "sim/pointer_tables.h"

#include <algorithm>
#include <cstring>

#include "sim/memory/address_space.h"

namespace lanescope::sim {

namespace {

bool has_a_number(const Argument& argument) {
  return argument.is_buffer && argument.number >= 0;
}

bool is_in_memory(const Argument& argument) {
  return argument.is_buffer && argument.texture == nullptr;
}

// The buffer, of those that `counts` accepts, in which the address lies, or else the one that ends there.
std::optional<std::size_t> buffer_at(const std::vector<Argument>& arguments,
                                     const std::vector<std::uint64_t>& addresses, std::uint64_t address,
                                     bool (*counts)(const Argument&)) {
  std::optional<std::size_t> ending;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!counts(arguments[i]) || address < addresses[i]) continue;
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

std::vector<std::uint64_t> addresses_of(const std::vector<Argument>& arguments) {
  std::vector<std::uint64_t> addresses(arguments.size());
  std::uint64_t next = address_space::buffers;
  for (const Argument& one : arguments)
    if (one.address != 0) next = std::max(next, address_space::after(one.address + one.contents.size()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!is_in_memory(arguments[i])) continue;
    addresses[i] = arguments[i].address;
    if (addresses[i] != 0) continue;
    addresses[i] = next;
    next = address_space::after(next + arguments[i].contents.size());
  }
  return addresses;
}

void keep_addresses(std::vector<Argument>& arguments) {
  const std::vector<std::uint64_t> addresses = addresses_of(arguments);
  for (std::size_t i = 0; i < arguments.size(); ++i) arguments[i].address = addresses[i];
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
      const std::optional<std::size_t> index = buffer_at(arguments, addresses, word, has_a_number);
      if (!index) continue;
      table.pointers.push_back({at, static_cast<std::uint32_t>(arguments[*index].number), word - addresses[*index]});
      std::memset(table.contents.data() + at, 0, sizeof word);
    }
  }
}

std::vector<Argument::Pointer> pointers_in(std::span<const std::byte> contents, const std::vector<Argument>& arguments,
                                           const std::vector<std::uint64_t>& addresses) {
  std::vector<Argument::Pointer> found;
  for (std::uint64_t at = 0; at + sizeof(std::uint64_t) <= contents.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, contents.data() + at, sizeof word);
    if (!address_space::could_be_mapped(word)) continue;
    if (const std::optional<std::size_t> index = buffer_at(arguments, addresses, word, is_in_memory))
      found.push_back({at, static_cast<std::uint32_t>(*index), word - addresses[*index]});
  }
  return found;
}

}  // namespace lanescope::sim
