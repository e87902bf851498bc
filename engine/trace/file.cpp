// Saves and opens traces. A file is a header of 40 bytes and the payload of codec.h.

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/os/files.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "trace/checksum.h"
#include "trace/codec.h"
#include "trace/trace.h"

namespace lanescope::trace {
namespace {

constexpr std::array<std::uint8_t, 8> magic{0x89, 'L', 'A', 'N', 'E', '\r', '\n', 0x1a};
// Bytes 0–15 (magic, version, check of both) keep their meaning in every future version, so that an older program can
// tell "newer" from "damaged".
constexpr std::size_t version_at = 8, version_check_at = 12, size_at = 16, payload_check_at = 24, header_check_at = 32,
                      header_bytes = 40;

constexpr std::uint64_t first_with_turns = 4;

using Header = std::array<std::byte, header_bytes>;

void put(Header& header, std::size_t at, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) header[at + i] = static_cast<std::byte>(value >> (8 * i));
}
std::uint64_t get(const Header& header, std::size_t at, int bytes) {
  std::uint64_t value = 0;
  for (int i = 0; i < bytes; ++i) value |= std::uint64_t{std::to_integer<std::uint8_t>(header[at + i])} << (8 * i);
  return value;
}

std::uint32_t version_check(const Header& header) {
  return static_cast<std::uint32_t>(checksum(std::span(header).first(version_check_at)));
}

bool can_take_turns(const Site& site) {
  return is_atomic(site.operation) && (site.space == MemorySpace::shared || site.space == MemorySpace::none);
}

std::uint64_t version_of(const Trace& trace) {
  if (trace.turns_known && std::ranges::any_of(trace.sites, can_take_turns)) return first_with_turns;
  return !trace.ended ? 3 : trace.launch.cluster.count() > 1 ? 2 : 1;
}

Header make_header(const Trace& trace, std::span<const std::byte> payload) {
  Header header{};
  std::memcpy(header.data(), magic.data(), magic.size());
  put(header, version_at, version_of(trace), 4);
  put(header, version_check_at, version_check(header), 4);
  put(header, size_at, payload.size(), 8);
  put(header, payload_check_at, checksum(payload), 8);
  put(header, header_check_at, checksum(std::span(header).first(header_check_at)), 8);
  return header;
}

Diagnostic error(const std::string& path, const char* code, Wording message, Wording cure) {
  return {Severity::error, code, {path, 0, 0}, std::move(message), std::move(cure)};
}
Diagnostic cannot_write(const std::string& path, int reason) {
  return error(path, "trace.io", worded("The trace could not be saved: {}.", system_error(reason)),
               is_about_room(reason) ? "Free some space or save to another disk, then save again."
                                     : "Choose a file name in a folder that exists and that you may write to.");
}
Diagnostic cannot_read(const std::string& path, int reason) {
  return error(path, "trace.cannot_read", worded("The trace could not be read: {}.", system_error(reason)),
               "Check the file's name and that you may read it.");
}
Diagnostic truncated(const std::string& path) {
  return error(path, "trace.truncated", "The trace file ends too early.",
               "Copy the file again from its source, or record the trace again.");
}
Diagnostic corrupt(const std::string& path, Wording message) {
  return error(path, "trace.corrupt", std::move(message),
               "Copy the file again from its source, or record the trace again.");
}

// Reads the payload piece by piece, so that a wrong size does not allocate that much memory.
Result<std::vector<std::byte>> read_payload(int descriptor, std::uint64_t size, const std::string& path) {
  std::vector<std::byte> payload;
  while (payload.size() < size) {
    const std::size_t have = payload.size();
    const std::uint64_t piece = std::min<std::uint64_t>(size - have, std::max<std::size_t>(have, 1u << 16));
    payload.resize(have + piece);
    const std::ptrdiff_t got = read_some(descriptor, payload.data() + have, piece);
    if (got < 0) return cannot_read(path, errno);
    if (static_cast<std::uint64_t>(got) < piece) return truncated(path);
  }
  std::byte surplus{};
  const std::ptrdiff_t more = read_some(descriptor, &surplus, 1);
  if (more < 0) return cannot_read(path, errno);
  if (more > 0) return corrupt(path, "The trace file is damaged: something follows its end.");
  return payload;
}

}  // namespace

Result<std::monostate> save(const Trace& trace, const std::string& path) {
  const std::vector<std::byte> payload = encode(trace);
  const Header header = make_header(trace, payload);
  if (const int reason = replace_file(path, {header, payload}, Flush::to_disk)) return cannot_write(path, reason);
  return std::monostate{};
}

Result<Trace> open(const std::string& path) {
  Descriptor file;
  if (const int reason = open_to_read(path, file)) return cannot_read(path, reason);
  Header header{};
  const std::ptrdiff_t got = read_some(file.get(), header.data(), header.size());
  if (got < 0) return cannot_read(path, errno);
  const std::size_t of_magic = std::min<std::size_t>(static_cast<std::size_t>(got), magic.size());
  if (std::memcmp(header.data(), magic.data(), of_magic) != 0) return corrupt(path, "This is not a trace file.");
  if (static_cast<std::size_t>(got) < size_at) return truncated(path);
  if (get(header, version_check_at, 4) != version_check(header))
    return corrupt(path, "The trace file is damaged: its version does not match its check.");
  const std::uint64_t version = get(header, version_at, 4);
  if (version > format_version) {
    return error(
        path, "trace.newer",
        worded("The trace file has format version {}; this program knows versions up to {}.", version, format_version),
        "Open it with a newer version of Lanescope.");
  }
  if (static_cast<std::size_t>(got) < header_bytes) return truncated(path);
  if (version == 0 || get(header, header_check_at, 8) != checksum(std::span(header).first(header_check_at)))
    return corrupt(path, "The trace file is damaged: its header does not match its check.");

  Result<std::vector<std::byte>> payload = read_payload(file.get(), get(header, size_at, 8), path);
  if (!payload) return payload.take_errors();
  if (checksum(*payload) != get(header, payload_check_at, 8))
    return corrupt(path, "The trace file is damaged: its contents do not match their checksum.");
  Result<Trace> trace = decode(*payload);
  if (trace) {
    trace->turns_known = version >= first_with_turns || std::ranges::none_of(trace->sites, can_take_turns);
    return trace;
  }
  Diagnostics errors = trace.take_errors();
  for (Diagnostic& each : errors) each.place.file = path;
  return errors;
}

}  // namespace lanescope::trace
