#pragma once
// The messages between parent and worker over a Wire (results.h has the answer to a run). Internal to gpu/.

#include <span>
#include <vector>

#include "core/os/wire.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

// The contents of arguments follow the message as separate byte blocks, and so do their addresses. They must stay alive
// until the message is sent; the receiver moves them out of `bytes`.
Message to_message(const std::vector<Argument>& arguments, Outgoing& bytes);
std::vector<Argument> arguments_from(const Message& message, std::vector<Bytes>& bytes);
Message to_binary(std::span<const std::byte> bytes);
Message to_message(const std::vector<Launch>& launches);
std::vector<Launch> launches_from(const Message& message);
Message to_message(const TimingOptions& options);
TimingOptions timing_options_from(const Message& message);
Message to_message(const Timing& timing);
Timing timing_from(const Message& message);
Message to_message(const CountedInstructions& counted);  // without the metrics' names, which the receiver has
CountedInstructions counted_instructions_from(const Message& message);
Message to_message(const Device& device);
Device device_from(const Message& message);
Message to_message(const KernelAttributes& attributes);
KernelAttributes attributes_from(const Message& message);
Message to_message(const Diagnostics& diagnostics);
Diagnostics diagnostics_from(const Message& message);

}  // namespace lanescope::gpu
