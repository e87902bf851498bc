#pragma once
// Functions for kernels that CUDA's device runtime (libcudadevrt) defines only in machine code.

#include <cstdint>
#include <string>
#include <string_view>

namespace lanescope::device {

// The PTX with definitions for the device runtime's functions that it declares. Line numbers do not change.
//
// cudaGraphSetConditional(handle, value): a handle is the address of four bytes on the device; the function stores the
// value there.
//
// A kernel that launches a kernel calls __cudaCDP2GetParameterBufferV2(), writes the parameters into the buffer, and
// passes the buffer to __cudaCDP2LaunchDeviceV2(). The buffers are in a variable of the module, named
// `child_launches::variable`, as ChildLaunch describes. Streams and events of kernels are numbers: the launches are
// executed in the order of the calls, which is one that CUDA allows.
std::string with_device_runtime(std::string_view ptx);

// Whether this is CUDA's own device runtime: libcudadevrt has PTX for sm_121.
bool is_device_runtime(std::string_view ptx);

// One launch by a kernel, as it lies in memory. Its parameters follow. Copies and fills by a kernel are in order with
// its launches, so they are entries too: destination, source or value, and bytes are 64-bit parameters.
struct ChildLaunch {
  std::uint64_t function;  // its address, as in Module::kernel_at(); or child_launches::copy or fill
  std::uint32_t grid[3], block[3];
  std::uint32_t dynamic_shared_bytes;
  std::uint32_t number;  // from 1 on in the order of the launches; 0: not launched
  std::uint64_t stream;
};

namespace child_launches {

inline constexpr const char* variable = "lanescope_child_launches";
inline constexpr std::uint64_t parameters_at = 128;  // from the beginning of a ChildLaunch
inline constexpr std::uint64_t each = 128 + 4096;    // with its parameters
inline constexpr std::uint32_t most = 8192;          // buffers
inline constexpr std::uint64_t first_at = 128;       // in the variable, behind Head
inline constexpr std::uint64_t copy = 1, fill = 2;   // in place of a function
inline constexpr std::uint64_t tail_stream = 3;      // cudaStreamTailLaunch

struct Head {
  std::uint32_t buffers;   // asked for, which may be more than `most`
  std::uint32_t launches;  // the last number
  std::uint32_t handles;   // of streams and events
};

}  // namespace child_launches

}  // namespace lanescope::device
