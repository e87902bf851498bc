#include "device/api/stream_words.h"

#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/worded.h"

namespace lanescope::device::api {

namespace {

constexpr std::chrono::seconds patience{2};

// Whether a word can be there. Managed memory is refused, as by an H200.
bool is_place(Device& device, const StreamWord& word) {
  if (word.address == 0 || word.address % word.bytes != 0) return false;
  const Allocation* memory = device.memory().find(word.address);
  return memory != nullptr && memory->kind != MemoryKind::managed && memory->holds(word.address, word.bytes);
}

template <typename Word>
bool holds_for(const StreamWord& word, const std::byte* at) {
  const Word is = std::atomic_ref(*reinterpret_cast<Word*>(const_cast<std::byte*>(at))).load();
  const auto wanted = static_cast<Word>(word.value);
  switch (word.flags) {
    case 1:
      return is == wanted;
    case 2:
      return (is & wanted) != 0;
    case 3:
      return static_cast<Word>(~(is | wanted)) != 0;
    default:
      return static_cast<std::make_signed_t<Word>>(is - wanted) >= 0;
  }
}

bool holds(const StreamWord& word, const std::byte* at) {
  return word.bytes == 4 ? holds_for<std::uint32_t>(word, at) : holds_for<std::uint64_t>(word, at);
}

std::uint64_t word_at(const StreamWord& word, const std::byte* at) {
  std::uint64_t value = 0;
  std::memcpy(&value, at, word.bytes);
  return value;
}

}  // namespace

Status check_write(Device& device, const StreamWord& word) {
  return word.flags == 0 && is_place(device, word) ? Status::success : Status::invalid_value;
}

Status check_wait(Device& device, const StreamWord& word) {
  constexpr unsigned last_comparison = 3, flush = 1u << 30;
  if (word.flags == flush || (word.flags & ~flush) > last_comparison) return Status::invalid_value;
  if ((word.flags & flush) != 0) return Status::not_supported;  // as the device's attribute says
  return is_place(device, word) ? Status::success : Status::invalid_value;
}

Status write_word(Device& device, const StreamWord& word) {
  if (!is_place(device, word)) return Status::invalid_value;  // freed since a graph was made
  Allocation* memory = device.memory().find(word.address);
  std::byte* const at = memory->at(word.address);
  if (word.bytes == 4)
    std::atomic_ref(*reinterpret_cast<std::uint32_t*>(at)).store(static_cast<std::uint32_t>(word.value));
  else
    std::atomic_ref(*reinterpret_cast<std::uint64_t*>(at)).store(word.value);
  mark_written(*memory, word.address, word.bytes);
  return Status::success;
}

Status wait_for_word(Device& device, const StreamWord& word) {
  if (!is_place(device, word)) return Status::invalid_value;
  const Allocation* memory = device.memory().find(word.address);
  const std::byte* const at = memory->at(word.address);
  const auto until = std::chrono::steady_clock::now() + patience;
  while (!holds(word, at)) {
    if (memory->on_host() && std::chrono::steady_clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::microseconds{100});
      continue;
    }
    device.say("device.endless_wait",
               worded("a stream waits for a word at 0x{:x}, byte {} of {}, which is 0x{:x}; nothing that was submitted "
                      "before writes what it waits for",
                      word.address, word.address - memory->address, memory->name, word_at(word, at)),
               "Submit what writes the word before the wait: here all work is executed when it is submitted.");
    return Status::not_supported;
  }
  return Status::success;
}

}  // namespace lanescope::device::api
