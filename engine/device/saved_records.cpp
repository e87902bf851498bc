#include "device/saved_records.h"

#include <cstring>
#include <stdexcept>
#include <tuple>
#include <type_traits>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "sim/memory/texture_fields.h"

namespace lanescope::device {
namespace {

constexpr std::size_t deepest = 16;  // nesting of lists

// A file may contain anything. Reading ends at a value that is not a number or does not fit.
struct SavedCodec : MessageCodec {
  using MessageCodec::read;
  using MessageCodec::written;

  template <typename T>
  Message written(const T& value) const {
    if constexpr (std::is_enum_v<T>)
      return static_cast<std::uint64_t>(value);
    else if constexpr (std::is_same_v<T, float>)  // preserves the exact value, and infinity
      return bits_of(value);
    else
      return value;
  }
  template <typename T>
  void read(const Message& message, T& value) const {
    if constexpr (std::is_same_v<T, float>) {
      std::uint32_t bits = 0;
      read_integer(message, bits);
      std::memcpy(&value, &bits, sizeof value);
    } else {
      MessageCodec::read(message, value);
    }
  }

 private:
  static std::uint32_t bits_of(float value) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
  }
};

}  // namespace

template <ConstOr<SavedPiece> T>
auto columns(T& piece) {
  return std::tie(piece.piece, piece.content);
}

template <typename Visit, ConstOr<MadeAllocation> T>
void fields(Visit& visit, T& made) {
  visit("bytes", made.bytes);
  visit("variable", made.variable);
  visit("constant", made.constant);
  visit("name", made.name);
}

template <typename Visit, ConstOr<SavedAllocation> T>
void fields(Visit& visit, T& one) {
  visit("address", one.address);
  visit("made", one.made);
  visit("all_written", one.all_written);
  visit.if_any("bytes", one.bytes);
  visit.if_any("written", one.written);
}

template <typename Visit, ConstOr<SavedTexture> T>
void fields(Visit& visit, T& one) {
  visit("handle", one.handle);
  visit("address", one.address);
  visit("in_global_memory", one.in_global_memory);
  visit("name", one.name);
  visit("description", one.description);
}

template <typename Visit, ConstOr<SavedModule> T>
void fields(Visit& visit, T& module) {
  visit("name", module.name);
  visit("text", module.text);
  visit("variables", module.variables);
}

template <typename Visit, ConstOr<SavedSource> T>
void fields(Visit& visit, T& source) {
  visit("file", source.file);
  visit("text", source.text);
}

template <typename Visit, ConstOr<SavedLaunch> T>
void fields(Visit& visit, T& launch) {
  visit("number", launch.number);
  visit("module", launch.module);
  visit("kernel", launch.kernel);
  visit("mangled", launch.mangled);
  visit("source_file", launch.source_file);
  visit("line", launch.line);
  visit("grid", std::tie(launch.grid.x, launch.grid.y, launch.grid.z));
  visit("block", std::tie(launch.block.x, launch.block.y, launch.block.z));
  visit("dynamic_shared", launch.dynamic_shared_bytes);
  visit("cooperative", launch.cooperative);
  visit("arch", launch.arch);
  visit("max_steps", launch.max_steps);
  visit("parameters", launch.parameters);
  visit.if_any("cluster", launch.cluster);
  visit.if_any("event_budget", launch.event_budget);
  visit.if_any("limits", launch.limits);
  visit.if_any("gone", launch.gone);
  visit.if_any("memory", launch.memory);
  visit.if_any("textures", launch.textures);
}

namespace {

template <typename T>
std::string text_of(const T& record) {
  return FieldWriter<SavedCodec>::object_of(record, {}).dump(-1, ' ', false, Message::error_handler_t::replace);
}

std::uint32_t check_of(const std::array<std::byte, RecordHead::size>& head) {
  std::array<std::byte, RecordHead::size> without = head;
  std::memset(without.data() + 4, 0, 4);
  return static_cast<std::uint32_t>(XXH3_64bits(without.data(), without.size()));
}

}  // namespace

std::array<std::byte, RecordHead::size> RecordHead::packed() const {
  std::array<std::byte, size> made{};
  std::memcpy(made.data(), &kind, 4);
  std::memcpy(made.data() + 8, &bytes, 8);
  std::memcpy(made.data() + 16, &hash, 8);
  const std::uint32_t check = check_of(made);
  std::memcpy(made.data() + 4, &check, 4);
  return made;
}

std::optional<RecordHead> RecordHead::unpacked(std::span<const std::byte, size> from) {
  std::array<std::byte, size> copy{};
  std::memcpy(copy.data(), from.data(), size);
  std::uint32_t check = 0, kind = 0;
  std::memcpy(&kind, copy.data(), 4);
  std::memcpy(&check, copy.data() + 4, 4);
  if (check != check_of(copy)) return std::nullopt;
  RecordHead head;
  head.kind = static_cast<RecordKind>(kind);
  std::memcpy(&head.bytes, copy.data() + 8, 8);
  std::memcpy(&head.hash, copy.data() + 16, 8);
  return head;
}

std::uint64_t payload_hash(std::span<const std::byte> payload) {
  return XXH3_64bits(payload.data(), payload.size());
}

std::string written(const SavedModule& module) {
  return text_of(module);
}
std::string written(const SavedSource& source) {
  return text_of(source);
}
std::string written(const SavedLaunch& launch) {
  return text_of(launch);
}

template <typename T>
std::optional<T> read_record(std::string_view text) {
  try {
    const Message message = Message::parse(text, [](int depth, Message::parse_event_t, Message&) {
      if (depth > static_cast<int>(deepest)) throw std::out_of_range("depth");
      return true;
    });
    T record;
    FieldReader<SavedCodec>::read_object(message, record, {});
    return record;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}
template std::optional<SavedModule> read_record<SavedModule>(std::string_view text);
template std::optional<SavedSource> read_record<SavedSource>(std::string_view text);
template std::optional<SavedLaunch> read_record<SavedLaunch>(std::string_view text);

}  // namespace lanescope::device
