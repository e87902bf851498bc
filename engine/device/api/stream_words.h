#pragma once
// Words of memory that a stream writes, or waits for (cuStreamWriteValue32, cuStreamWaitValue32). All work is executed
// when it is submitted, so a wait whose condition does not hold can only be ended by the host's own threads.

#include <cstdint>

#include "device/device.h"

namespace lanescope::device::api {

struct StreamWord {
  std::uint64_t address = 0;
  std::uint32_t bytes = 4;  // 4 or 8
  std::uint64_t value = 0;
  unsigned flags =
      0;  // of a write 0; of a wait the comparison: 0 at least (cyclically), 1 equal, 2 a common bit, 3 NOR
};

// invalid_value: not aligned, unknown flags, or memory that is not on the device or pinned.
Status check_write(Device& device, const StreamWord& word);
Status check_wait(Device& device, const StreamWord& word);

Status write_word(Device& device, const StreamWord& word);
// For a word on the host, waits a while for the host's other threads. Then not_supported, and a message.
Status wait_for_word(Device& device, const StreamWord& word);

}  // namespace lanescope::device::api
