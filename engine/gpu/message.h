#pragma once
// The messages between parent and worker over a Wire. Internal to gpu/.

#include "core/os/wire.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

// The contents of arguments follow the message as separate byte blocks. They must stay alive until the message is sent;
// the receiver moves them out of `bytes`.
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
