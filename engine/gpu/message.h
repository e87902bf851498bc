#pragma once
// What parent and worker say to each other: CBOR objects, each behind its length in eight little-endian bytes.
// Internal to gpu/.

#include <optional>

#include <nlohmann/json.hpp>

#include "gpu/gpu.h"

namespace lanescope::gpu {

using Message = nlohmann::json;

// False when the other side is gone. SIGPIPE must be ignored by the caller's process.
bool send(int file, const Message& message);
// Nothing when the other side is gone or what came is no message.
std::optional<Message> receive(int file);
// Something to read (or the end) within so many milliseconds.
bool readable(int file, int milliseconds);

Message to_message(const trace::Launch& launch);
trace::Launch launch_from(const Message& message);
Message to_message(const std::vector<Argument>& arguments);
std::vector<Argument> arguments_from(const Message& message);
Message to_message(const std::vector<Program>& programs);
std::vector<Program> programs_from(const Message& message);
Message to_message(const std::vector<FurtherLaunch>& launches);
std::vector<FurtherLaunch> further_from(const Message& message);
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
