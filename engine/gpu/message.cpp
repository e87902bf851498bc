#include "gpu/message.h"

#include "core/os/message_codec.h"
#include "gpu/fields.h"

namespace lanescope {

namespace trace {

template <typename Visit, ConstOr<Launch> T>
void fields(Visit& visit, T& launch) {
  visit("grid", std::tie(launch.grid.x, launch.grid.y, launch.grid.z));
  visit("block", std::tie(launch.block.x, launch.block.y, launch.block.z));
  visit("dynamic", launch.dynamic_shared_bytes);
  visit("static", launch.static_shared_bytes);
  visit("cooperative", launch.cooperative);
  visit("cluster", std::tie(launch.cluster.x, launch.cluster.y, launch.cluster.z));
}

}  // namespace trace

namespace gpu {

template <typename Visit, ConstOr<Argument::Address> T>
void fields(Visit& visit, T& address) {
  visit("at", address.at);
  visit("argument", address.argument);
  visit("offset", address.offset);
}

// All fields except the bytes, which follow the message.
template <typename Visit, ConstOr<Argument> T>
void fields(Visit& visit, T& argument) {
  visit("buffer", argument.is_buffer);
  visit("offset", argument.base_offset);
  visit("address", argument.address);
  visit("zeros", argument.zero_bytes);
  visit("restored", argument.restored);
  visit("addresses", argument.addresses);
  visit("variable", argument.variable);
}

template <typename Visit, ConstOr<TimingOptions> T>
void fields(Visit& visit, T& options) {
  visit("cache", options.cache);
  visit("warm_up", options.warm_up);
  visit("min", options.min_samples);
  visit("max", options.max_samples);
  visit("width", options.target_relative_half_width);
  visit("limit", options.time_limit_seconds);
  visit("least", options.least_seconds);
  visit("restore", options.restore_buffers);
}

namespace {

Message binary(std::span<const std::byte> bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return Message::binary(std::vector<std::uint8_t>(first, first + bytes.size()));
}

}  // namespace

Message to_message(const std::vector<Argument>& arguments, Outgoing& bytes) {
  Message list = Message::array();
  for (const Argument& argument : arguments) {
    list.push_back(as_message(argument));
    list.back()["bytes"] = bytes.size();
    bytes.emplace_back(argument.bytes, argument.zero_bytes > 0);  // a buffer of zeros is a recording
  }
  return list;
}

std::vector<Argument> arguments_from(const Message& message, std::vector<Bytes>& bytes) {
  std::vector<Argument> arguments;
  for (const Message& one : message) {
    std::size_t index = 0;
    read_integer(one.at("bytes"), index);
    if (index >= bytes.size()) throw Message::out_of_range::create(401, "bytes", &one);
    arguments.emplace_back(from_message<Argument>(one)).bytes = std::move(bytes[index]);
  }
  return arguments;
}

Message to_message(const std::vector<Launch>& launches) {
  Message list = Message::array();
  for (const Launch& launch : launches) {
    Message parameters = Message::array();
    for (const Launch::Parameter& parameter : launch.parameters)
      parameters.push_back(
          {{"argument", parameter.argument}, {"offset", parameter.offset}, {"bytes", binary(parameter.bytes)}});
    list.push_back({{"kernel", launch.kernel}, {"shape", as_message(launch.shape)}, {"parameters", parameters}});
  }
  return list;
}

std::vector<Launch> launches_from(const Message& message) {
  std::vector<Launch> launches;
  for (const Message& one : message) {
    Launch& launch = launches.emplace_back(Launch{one.at("kernel"), from_message<trace::Launch>(one.at("shape")), {}});
    for (const Message& parameter : one.at("parameters")) {
      const auto& bytes = parameter.at("bytes").get_binary();
      const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
      launch.parameters.push_back({parameter.at("argument"), parameter.at("offset"), {first, first + bytes.size()}});
    }
  }
  return launches;
}

Message to_message(const TimingOptions& options) {
  return as_message(options);
}
TimingOptions timing_options_from(const Message& message) {
  return from_message<TimingOptions>(message);
}

Message to_message(const Timing& timing) {
  return as_message(timing);
}
Timing timing_from(const Message& message) {
  return from_message<Timing>(message);
}

Message to_message(const Device& device) {
  return as_message(device);
}
Device device_from(const Message& message) {
  return from_message<Device>(message);
}

Message to_message(const KernelAttributes& attributes) {
  return as_message(attributes);
}
KernelAttributes attributes_from(const Message& message) {
  return from_message<KernelAttributes>(message);
}

Message to_message(const Diagnostics& diagnostics) {
  Message list = Message::array();
  for (const Diagnostic& one : diagnostics) list.push_back(as_message(one));
  return list;
}
Diagnostics diagnostics_from(const Message& message) {
  Diagnostics diagnostics;
  for (const Message& one : message) diagnostics.push_back(from_message<Diagnostic>(one));
  return diagnostics;
}

}  // namespace gpu
}  // namespace lanescope
