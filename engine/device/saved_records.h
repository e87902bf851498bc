#pragma once
// The file of a saved run, as it stands on disk: a magic with the version, then records. A record is a head and a
// payload; heads and payloads have checksums, so that damage is told from an end that is missing. Records are only ever
// appended, each launch's before it runs: a program that is killed leaves a file that is whole up to there.
//
// A content is compressed bytes, which later records name by its number in the file, from 1; 0 stands for zeros. The
// other records are JSON.

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/dim3.h"
#include "core/json_fields.h"
#include "core/os/message_codec.h"
#include "sim/memory/texture.h"

namespace lanescope::device {

inline constexpr std::array<char, 14> saved_magic{'l', 'a', 'n', 'e', 's', 'c', 'o', 'p', 'e', '-', 'r', 'u', 'n', 0};
inline constexpr std::uint16_t saved_version = 1;
inline constexpr std::size_t saved_magic_bytes = 16;  // with the version, little-endian

enum class RecordKind : std::uint32_t { content = 1, module = 2, source = 3, launch = 4 };

struct RecordHead {
  RecordKind kind{};
  std::uint64_t bytes = 0;  // of the payload
  std::uint64_t hash = 0;   // of the payload

  static constexpr std::size_t size = 24;
  std::array<std::byte, size> packed() const;
  // Nothing: its checksum is another.
  static std::optional<RecordHead> unpacked(std::span<const std::byte, size> bytes);
};
std::uint64_t payload_hash(std::span<const std::byte> payload);

// Memory and texts go into the file in pieces of these many bytes.
inline constexpr std::uint64_t memory_piece = 64 << 10, text_piece = 1 << 20;

struct SavedModule {
  std::string name;                                // for messages
  std::vector<std::uint64_t> text;                 // contents: its PTX
  std::map<std::string, std::uint64_t> variables;  // their places in memory
};

struct SavedSource {
  std::string file;                 // as line information names it
  std::vector<std::uint64_t> text;  // contents
};

// The content that stands at a piece of an allocation now.
struct SavedPiece {
  std::uint64_t piece = 0, content = 0;
};

struct MadeAllocation {
  std::uint64_t bytes = 0;
  bool variable = false, constant = false;
  Wording name;
};

// What became of an allocation since the launch that was saved before.
struct SavedAllocation {
  std::uint64_t address = 0;
  std::optional<MadeAllocation> made;  // it is new: all zeros, nothing written
  bool all_written = false;
  std::vector<SavedPiece> bytes;    // its bytes
  std::vector<SavedPiece> written;  // WrittenMap::words(), of one that is not all_written
};

struct SavedTexture {
  std::uint64_t handle = 0, address = 0;
  bool in_global_memory = false;
  Wording name;
  sim::TextureDescription description;
};

struct SavedLaunch {
  std::uint64_t number = 0;     // of all launches of the program, from 1
  std::uint64_t module = 0;     // the how-manieth in the file, from 1
  std::string kernel, mangled;  // as the source writes it; as the PTX does
  std::string source_file;      // may be empty
  std::int64_t line = 0;        // of its first instruction; 0: not known
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::uint64_t> cluster;  // its three extents; none: of one block
  std::string arch;
  std::uint64_t max_steps = 0;
  std::vector<std::uint8_t> parameters;
  std::vector<std::uint64_t> gone;  // addresses of allocations that are no more
  std::vector<SavedAllocation> memory;
  std::vector<SavedTexture> textures;
};

std::string written(const SavedModule& module);
std::string written(const SavedSource& source);
std::string written(const SavedLaunch& launch);
// Nothing: the text is no such record. Bounded by its length, whatever it is.
template <typename T>
std::optional<T> read_record(std::string_view text);

}  // namespace lanescope::device
