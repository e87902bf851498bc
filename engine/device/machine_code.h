#pragma once
// What ptxas makes of a program's PTX, of which a program may ask: registers and local memory are nowhere in PTX.

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::device {

class Device;
struct Kernel;

// As cudaFuncGetAttributes tells them.
struct MachineCode {
  int registers = 0;       // per thread
  int local_bytes = 0;     // per thread: its stack frame
  int constant_bytes = 0;  // of the module's __constant__ variables
};

// How linked PTX says that its kernels may take so many registers at most: a first line of this and the number.
inline constexpr const char* most_registers_line = "// -maxrregcount=";

// ptxas (DeviceSettings::ptxas) runs when a module is first asked for. Nothing where there is no ptxas, or where it
// refuses the PTX: the device says so once a module (device.no_machine_code).
std::optional<MachineCode> machine_code_of(Device& device, const Kernel& kernel);

}  // namespace lanescope::device
