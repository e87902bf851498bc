#pragma once
// The file format of a saved run: a magic with the version, then records. A record is a head and a payload. Both have
// checksums, so that damage can be distinguished from a missing end. Records are only appended, those of a launch
// before it runs. So the file of a killed program is complete up to that point.
//
// A content record has compressed bytes. Later records refer to it by its number in the file, starting with 1; 0 means
// zeros. The other records are JSON.

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
inline constexpr std::size_t saved_magic_bytes = 16;  // including the version, little-endian

enum class RecordKind : std::uint32_t { content = 1, module = 2, source = 3, launch = 4 };

struct RecordHead {
  RecordKind kind{};
  std::uint64_t bytes = 0;  // of the payload
  std::uint64_t hash = 0;   // of the payload

  static constexpr std::size_t size = 24;
  std::array<std::byte, size> packed() const;
  // nullopt: wrong checksum.
  static std::optional<RecordHead> unpacked(std::span<const std::byte, size> bytes);
};
std::uint64_t payload_hash(std::span<const std::byte> payload);

// Memory and texts are stored in pieces of this many bytes.
inline constexpr std::uint64_t memory_piece = 64 << 10, text_piece = 1 << 20;

struct SavedModule {
  std::string name;                                // for messages
  std::vector<std::uint64_t> text;                 // contents of its PTX
  std::map<std::string, std::uint64_t> variables;  // their addresses
};

struct SavedSource {
  std::string file;                 // as in the line information
  std::vector<std::uint64_t> text;  // contents
};

// The new content of a piece of an allocation.
struct SavedPiece {
  std::uint64_t piece = 0, content = 0;
};

struct MadeAllocation {
  std::uint64_t bytes = 0;
  bool variable = false, constant = false;
  Wording name;
};

// The changes of an allocation since the previous saved launch.
struct SavedAllocation {
  std::uint64_t address = 0;
  std::optional<MadeAllocation> made;  // new: all zeros, nothing written
  bool all_written = false;
  std::vector<SavedPiece> bytes;    // its bytes
  std::vector<SavedPiece> written;  // WrittenMap::words(), unless all_written
};

struct SavedTexture {
  std::uint64_t handle = 0, address = 0;
  bool in_global_memory = false;
  Wording name;
  sim::TextureDescription description;
};

struct SavedLaunch {
  std::uint64_t number = 0;     // among all launches of the program, from 1
  std::uint64_t module = 0;     // number of the module in the file, from 1
  std::string kernel, mangled;  // as in the source; as in the PTX
  std::string source_file;      // may be empty
  std::int64_t line = 0;        // of its first instruction; 0: not known
  Dim3 grid, block;
  std::uint32_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::vector<std::uint64_t> cluster;  // its three extents; empty: one block
  std::string arch;
  std::uint64_t max_steps = 0;
  std::vector<std::uint64_t> event_budget;  // its bytes; empty: the opener's own
  std::vector<std::uint64_t> limits;        // bytes of the heap and of printf's buffer; empty: sim::LaunchRequest's
  std::vector<std::uint8_t> parameters;
  std::vector<std::uint64_t> gone;  // addresses of freed allocations
  std::vector<SavedAllocation> memory;
  std::vector<SavedTexture> textures;
};

std::string written(const SavedModule& module);
std::string written(const SavedSource& source);
std::string written(const SavedLaunch& launch);
// nullopt: the text is not such a record. Accepts any text.
template <typename T>
std::optional<T> read_record(std::string_view text);

}  // namespace lanescope::device
