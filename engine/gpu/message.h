#pragma once
// The messages between parent and worker over a Wire. Internal to gpu/.

#include "core/os/wire.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

// The arguments' own bytes go behind the message: they must stay where they are until it is sent, and are moved out at
// the other end.
Message to_message(const std::vector<Argument>& arguments, Outgoing& bytes);
std::vector<Argument> arguments_from(const Message& message, std::vector<Bytes>& bytes);
Message to_message(const std::vector<Launch>& launches);
std::vector<Launch> launches_from(const Message& message);
Message to_message(const TimingOptions& options);
TimingOptions timing_options_from(const Message& message);
Message to_message(const Timing& timing);
Timing timing_from(const Message& message);
Message to_message(const Device& device);
Device device_from(const Message& message);
Message to_message(const KernelAttributes& attributes);
KernelAttributes attributes_from(const Message& message);
Message to_message(const Diagnostics& diagnostics);
Diagnostics diagnostics_from(const Message& message);

}  // namespace lanescope::gpu
