// Summarises what a run left in its buffers.

#include <cmath>
#include <cstring>

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/half.h"
#include "job/run/job.h"
#include "sim/never_written.h"
#include "sim/pointer_tables.h"

namespace lanescope::job {

namespace {

template <typename Read>
double sum_of(const sim::Argument& buffer, std::size_t element_bytes, Read&& read) {
  double sum = 0;
  const std::byte* end = buffer.contents.data() + buffer.count() * element_bytes;
  for (const std::byte* at = buffer.contents.data(); at < end; at += element_bytes) sum += read(at);
  return sum;
}

template <typename T>
double as_double(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return static_cast<double>(value);
}

template <typename T>
double sum_as(const sim::Argument& buffer) {
  return sum_of(buffer, sizeof(T), [](const std::byte* at) { return as_double<T>(at); });
}

double sum_of_halves(const sim::Argument& buffer, double (*value)(std::uint16_t bits)) {
  return sum_of(buffer, 2, [value](const std::byte* at) {
    std::uint16_t bits;
    std::memcpy(&bits, at, sizeof bits);
    return value(bits);
  });
}

double sum(const sim::Argument& buffer) {
  using sim::ElementType;
  switch (buffer.type) {
    case ElementType::u8:
      return sum_as<std::uint8_t>(buffer);
    case ElementType::i8:
      return sum_as<std::int8_t>(buffer);
    case ElementType::u16:
      return sum_as<std::uint16_t>(buffer);
    case ElementType::i16:
      return sum_as<std::int16_t>(buffer);
    case ElementType::f16:
      return sum_of_halves(buffer, half_value);
    case ElementType::bf16:
      return sum_of_halves(buffer, bfloat_value);
    case ElementType::i32:
      return sum_as<std::int32_t>(buffer);
    case ElementType::u32:
      return sum_as<std::uint32_t>(buffer);
    case ElementType::f32:
      return sum_as<float>(buffer);
    case ElementType::i64:
      return sum_as<std::int64_t>(buffer);
    case ElementType::u64:
      return sum_as<std::uint64_t>(buffer);
    case ElementType::f64:
      return sum_as<double>(buffer);
  }
  return 0;
}

std::string hash(std::span<const std::byte> bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::uint64_t never_written(const sim::Argument& buffer) {
  if (buffer.written.empty()) return 0;
  const auto bytes = static_cast<std::uint64_t>(sim::bytes_of(buffer.type));
  std::uint64_t elements = 0;
  for (std::uint64_t i = 0; i < buffer.count(); ++i) elements += sim::never_written(buffer, i * bytes, bytes);
  return elements;
}

}  // namespace

std::vector<BufferSummary> summaries(const Request& request, const std::vector<sim::Argument>& arguments) {
  std::vector<BufferSummary> made;
  const std::size_t own = request.arguments.size();
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const sim::Argument& buffer = arguments[i];
    if (!buffer.is_buffer) continue;
    const std::string& name = i < own ? request.arguments[i].name() : request.buffers[i - own].name();
    // The words of pointers are 0 between launches: their sum says nothing.
    const bool pointers = sim::holds_pointers(buffer);
    made.push_back({static_cast<int>(i), name, pointers ? "pointers" : sim::name_of(buffer.type), buffer.count(),
                    pointers ? std::nan("") : sum(buffer), hash(buffer.contents), never_written(buffer)});
  }
  return made;
}

}  // namespace lanescope::job
