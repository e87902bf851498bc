#include "gpu/message.h"

namespace lanescope::gpu {
namespace {

Message binary(std::span<const std::byte> bytes) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  return Message::binary(std::vector<std::uint8_t>(first, first + bytes.size()));
}

Message dim(Dim3 extent) {
  return {extent.x, extent.y, extent.z};
}
Dim3 dim_from(const Message& message) {
  return {message.at(0).get<std::uint32_t>(), message.at(1).get<std::uint32_t>(), message.at(2).get<std::uint32_t>()};
}

// A list: the English, then the pattern, then each value.
Message packed(const Wording& wording) {
  Message list = Message::array();
  list.push_back(std::string(wording));
  list.push_back(wording.pattern());
  for (const Wording& value : wording.values()) list.push_back(packed(value));
  return list;
}
Wording unpacked(const Message& message) {
  std::vector<Wording> values;
  for (std::size_t i = 2; i < message.size(); ++i) values.push_back(unpacked(message.at(i)));
  return {message.at(0).get<std::string>(), message.at(1).get<std::string>(), std::move(values)};
}

}  // namespace

Message to_message(const trace::Launch& launch) {
  return {{"grid", dim(launch.grid)},
          {"block", dim(launch.block)},
          {"dynamic", launch.dynamic_shared_bytes},
          {"static", launch.static_shared_bytes},
          {"cooperative", launch.cooperative}};
}

trace::Launch launch_from(const Message& message) {
  return {.grid = dim_from(message.at("grid")),
          .block = dim_from(message.at("block")),
          .dynamic_shared_bytes = message.at("dynamic"),
          .static_shared_bytes = message.at("static"),
          .cooperative = message.at("cooperative")};
}

Message to_message(const std::vector<Argument>& arguments, Outgoing& bytes) {
  Message list = Message::array();
  for (const Argument& argument : arguments) {
    list.push_back({{"buffer", argument.is_buffer},
                    {"bytes", bytes.size()},
                    {"offset", argument.base_offset},
                    {"passed", argument.passed},
                    {"address", argument.address},
                    {"zeros", argument.zero_bytes},
                    {"restored", argument.restored}});
    bytes.emplace_back(argument.bytes, argument.zero_bytes > 0);  // what begins as zeros is a recording
  }
  return list;
}

std::vector<Argument> arguments_from(const Message& message, std::vector<Bytes>& bytes) {
  std::vector<Argument> arguments;
  for (const Message& one : message) {
    Argument& argument = arguments.emplace_back();
    argument.is_buffer = one.at("buffer");
    argument.base_offset = one.at("offset");
    argument.passed = one.at("passed");
    argument.address = one.at("address");
    argument.zero_bytes = one.at("zeros");
    argument.restored = one.at("restored");
    argument.bytes = std::move(bytes.at(one.at("bytes").get<std::size_t>()));
  }
  return arguments;
}

Message to_message(const std::vector<Program>& programs) {
  Message list = Message::array();
  for (const Program& program : programs)
    list.push_back({{"cubin", binary(std::as_bytes(std::span(program.cubin)))}, {"kernel", program.kernel}});
  return list;
}

std::vector<Program> programs_from(const Message& message) {
  std::vector<Program> programs;
  for (const Message& one : message) {
    const auto& cubin = one.at("cubin").get_binary();
    programs.push_back({{cubin.begin(), cubin.end()}, one.at("kernel")});
  }
  return programs;
}

Message to_message(const std::vector<FurtherLaunch>& launches) {
  Message list = Message::array();
  for (const FurtherLaunch& launch : launches) {
    Message parameters = Message::array();
    for (const FurtherLaunch::Parameter& parameter : launch.parameters)
      parameters.push_back({{"argument", parameter.argument}, {"bytes", binary(parameter.bytes)}});
    list.push_back({{"program", launch.program}, {"launch", to_message(launch.launch)}, {"parameters", parameters}});
  }
  return list;
}

std::vector<FurtherLaunch> further_from(const Message& message) {
  std::vector<FurtherLaunch> launches;
  for (const Message& one : message) {
    FurtherLaunch& launch = launches.emplace_back(FurtherLaunch{one.at("program"), launch_from(one.at("launch")), {}});
    for (const Message& parameter : one.at("parameters")) {
      const auto& bytes = parameter.at("bytes").get_binary();
      const auto* first = reinterpret_cast<const std::byte*>(bytes.data());
      launch.parameters.push_back({parameter.at("argument"), {first, first + bytes.size()}});
    }
  }
  return launches;
}

Message to_message(const TimingOptions& options) {
  return {{"cache", static_cast<int>(options.cache)},
          {"warm_up", options.warm_up},
          {"min", options.min_samples},
          {"max", options.max_samples},
          {"width", options.target_relative_half_width},
          {"limit", options.time_limit_seconds},
          {"least", options.least_seconds},
          {"restore", options.restore_buffers}};
}

TimingOptions timing_options_from(const Message& message) {
  return {.cache = static_cast<CacheState>(message.at("cache").get<int>()),
          .warm_up = message.at("warm_up"),
          .min_samples = message.at("min"),
          .max_samples = message.at("max"),
          .target_relative_half_width = message.at("width"),
          .time_limit_seconds = message.at("limit"),
          .least_seconds = message.at("least"),
          .restore_buffers = message.at("restore")};
}

Message to_message(const Timing& timing) {
  return {
      {"samples", timing.samples},      {"discarded", timing.discarded},    {"cache", static_cast<int>(timing.cache)},
      {"low", timing.sm_clock_khz_low}, {"high", timing.sm_clock_khz_high}, {"stop", timing.stop_reason}};
}

Timing timing_from(const Message& message) {
  Timing timing;
  timing.samples = message.at("samples").get<std::vector<double>>();
  timing.seconds = metrics::median_interval(timing.samples);
  timing.discarded = message.at("discarded");
  timing.cache = static_cast<CacheState>(message.at("cache").get<int>());
  timing.sm_clock_khz_low = message.at("low");
  timing.sm_clock_khz_high = message.at("high");
  timing.stop_reason = message.at("stop");
  return timing;
}

Message to_message(const Device& device) {
  return {{"index", device.index},
          {"name", device.name},
          {"major", device.major},
          {"minor", device.minor},
          {"multiprocessors", device.multiprocessors},
          {"threads", device.max_threads_per_multiprocessor},
          {"registers", device.registers_per_multiprocessor},
          {"shared", device.shared_bytes_per_multiprocessor},
          {"memory", device.memory_bytes},
          {"l2", device.l2_bytes},
          {"memory_clock", device.memory_clock_khz},
          {"bus", device.memory_bus_bits},
          {"sm_clock", device.sm_clock_khz},
          {"cuda", device.driver_version},
          {"driver", device.kernel_driver_version},
          {"cooperative", device.supports_cooperative_launch}};
}

Device device_from(const Message& message) {
  return {.index = message.at("index"),
          .name = message.at("name"),
          .major = message.at("major"),
          .minor = message.at("minor"),
          .multiprocessors = message.at("multiprocessors"),
          .max_threads_per_multiprocessor = message.at("threads"),
          .registers_per_multiprocessor = message.at("registers"),
          .shared_bytes_per_multiprocessor = message.at("shared"),
          .memory_bytes = message.at("memory"),
          .l2_bytes = message.at("l2"),
          .memory_clock_khz = message.at("memory_clock"),
          .memory_bus_bits = message.at("bus"),
          .sm_clock_khz = message.at("sm_clock"),
          .driver_version = message.at("cuda"),
          .kernel_driver_version = message.at("driver"),
          .supports_cooperative_launch = message.at("cooperative")};
}

Message to_message(const KernelAttributes& attributes) {
  return {{"registers", attributes.registers},
          {"static", attributes.static_shared_bytes},
          {"local", attributes.local_bytes},
          {"threads", attributes.max_threads_per_block},
          {"resident", attributes.resident_blocks_per_multiprocessor},
          {"occupancy", attributes.occupancy}};
}

KernelAttributes attributes_from(const Message& message) {
  return {.registers = message.at("registers"),
          .static_shared_bytes = message.at("static"),
          .local_bytes = message.at("local"),
          .max_threads_per_block = message.at("threads"),
          .resident_blocks_per_multiprocessor = message.at("resident"),
          .occupancy = message.at("occupancy")};
}

Message to_message(const Diagnostics& diagnostics) {
  Message list = Message::array();
  for (const Diagnostic& one : diagnostics)
    list.push_back({{"severity", static_cast<int>(one.severity)},
                    {"code", one.code},
                    {"file", one.place.file},
                    {"line", one.place.line},
                    {"column", one.place.column},
                    {"message", packed(one.message)},
                    {"cure", packed(one.cure)}});
  return list;
}

Diagnostics diagnostics_from(const Message& message) {
  Diagnostics diagnostics;
  for (const Message& one : message)
    diagnostics.push_back({.severity = static_cast<Severity>(one.at("severity").get<int>()),
                           .code = one.at("code"),
                           .place = {one.at("file"), one.at("line"), one.at("column")},
                           .message = unpacked(one.at("message")),
                           .cure = unpacked(one.at("cure"))});
  return diagnostics;
}

}  // namespace lanescope::gpu
