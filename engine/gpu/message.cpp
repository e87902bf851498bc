#include "gpu/message.h"

#include <cstring>
#include <type_traits>

#include "core/os/message_codec.h"
#include "gpu/fields.h"
#include "sim/memory/texture_fields.h"

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

// All fields except the bytes and the addresses, which follow the message, and what only this process needs.
template <typename Visit, ConstOr<Argument> T>
void fields(Visit& visit, T& argument) {
  visit("buffer", argument.is_buffer);
  visit("offset", argument.base_offset);
  visit("address", argument.address);
  visit("zeros", argument.zero_bytes);
  visit("restored", argument.restored);
  visit("variable", argument.variable);
  visit("texture", argument.texture);
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

template <typename Visit, ConstOr<CountedInstructions::Instruction> T>
void fields(Visit& visit, T& instruction) {
  visit("function", instruction.function);
  visit("address", instruction.address);
  visit("values", instruction.values);
}

template <typename Visit, ConstOr<CountedInstructions> T>
void fields(Visit& visit, T& counted) {
  visit("instructions", counted.instructions);
}

namespace {

using Address = Argument::Address;
static_assert(std::has_unique_object_representations_v<Address>);  // they are sent as they lie in memory

// Throws if there is no such block.
Bytes& block_of(const Message& one, const char* name, std::vector<Bytes>& blocks) {
  std::size_t index = 0;
  read_integer(one.at(name), index);
  if (index >= blocks.size()) throw Message::out_of_range::create(401, name, &one);
  return blocks[index];
}

std::vector<Address> addresses_in(const Message& one, std::vector<Bytes>& blocks) {
  if (!one.contains("addresses")) return {};
  const Bytes& bytes = block_of(one, "addresses", blocks);
  if (bytes.size() % sizeof(Address) != 0) throw Message::out_of_range::create(401, "addresses", &one);
  std::vector<Address> addresses(bytes.size() / sizeof(Address));
  if (!bytes.empty()) std::memcpy(addresses.data(), bytes.data(), bytes.size());
  return addresses;
}

}  // namespace

Message to_binary(std::span<const std::byte> bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return Message::binary(std::vector<std::uint8_t>(first, first + bytes.size()));
}

Message to_message(const std::vector<Argument>& arguments, Outgoing& bytes) {
  Message list = Message::array();
  for (const Argument& argument : arguments) {
    Message& one = list.emplace_back(as_message(argument));
    one["bytes"] = bytes.size();
    bytes.emplace_back(argument.bytes).rule = argument.rule;
    if (argument.addresses.empty()) continue;
    one["addresses"] = bytes.size();
    bytes.emplace_back(std::as_bytes(std::span(argument.addresses)));
  }
  return list;
}

std::vector<Argument> arguments_from(const Message& message, std::vector<Bytes>& bytes) {
  std::vector<Argument> arguments;
  for (const Message& one : message) {
    Argument& argument = arguments.emplace_back(from_message<Argument>(one));
    argument.bytes = std::move(block_of(one, "bytes", bytes));
    argument.addresses = addresses_in(one, bytes);
  }
  return arguments;
}

Message to_message(const std::vector<Launch>& launches) {
  Message list = Message::array();
  for (const Launch& launch : launches) {
    Message parameters = Message::array();
    for (const Launch::Parameter& parameter : launch.parameters)
      parameters.push_back(
          {{"argument", parameter.argument}, {"offset", parameter.offset}, {"bytes", to_binary(parameter.bytes)}});
    list.push_back({{"kernel", launch.kernel},
                    {"shape", as_message(launch.shape)},
                    {"parameters", parameters},
                    {"stack", launch.stack_bytes}});
  }
  return list;
}

std::vector<Launch> launches_from(const Message& message) {
  std::vector<Launch> launches;
  for (const Message& one : message) {
    Launch& launch =
        launches.emplace_back(Launch{one.at("kernel"), from_message<trace::Launch>(one.at("shape")), {}, {}});
    read_integer(one.at("stack"), launch.stack_bytes);
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

Message to_message(const CountedInstructions& counted) {
  return as_message(counted);
}
CountedInstructions counted_instructions_from(const Message& message) {
  return from_message<CountedInstructions>(message);
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
