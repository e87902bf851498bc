#pragma once
// What ptxas makes of a program's PTX. Programs may query registers and local memory, which PTX does not have.

#include <cstdint>
#include <optional>
#include <string>

namespace lanescope::device {

class Device;
struct Kernel;

// As reported by cudaFuncGetAttributes.
struct MachineCode {
  int registers = 0;       // per thread
  int local_bytes = 0;     // per thread: the stack frame
  int constant_bytes = 0;  // of the module's __constant__ variables
  int barriers = 0;        // the highest number of a barrier that a block uses, plus 1
};

// The first line of linked PTX that limits the registers of its kernels: this text and the number.
inline constexpr const char* most_registers_line = "// -maxrregcount=";

// Runs ptxas (DeviceSettings::ptxas) when a module, or a kernel of a large module, is first queried. nullopt if there
// is no ptxas or if it refuses the PTX; the device reports this each time that it runs ptxas (device.no_machine_code).
std::optional<MachineCode> machine_code_of(Device& device, const Kernel& kernel);

}  // namespace lanescope::device
