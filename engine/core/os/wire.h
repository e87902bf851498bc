#pragma once
// The two pipes between the program and one of its worker processes (core/os/child_process.h).
//
// A message is a CBOR object. Byte blocks of any length follow it unchanged, because CBOR would encode them byte by
// byte. Both ends keep the latest of these blocks, of either direction, in the same order. A block that the other end
// is known to have is named instead of sent. So the arguments of a kernel that is run, timed and recorded are
// transferred only once. Of a block that follows a rule (core/content_rule.h), only the rule is sent.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/content_rule.h"

namespace lanescope {

using Message = nlohmann::json;
using Bytes = std::vector<std::byte>;

// Bytes to send. They must stay valid until they are sent.
struct Out {
  Out(std::span<const std::byte> of, bool once = false) : bytes(of), only_once(once) {}
  Out(const Bytes& of) : bytes(of) {}
  std::span<const std::byte> bytes;
  bool only_once = false;  // they will not be sent again, so neither end keeps them
  // Sent instead of the bytes if it makes them. Without it, send() looks for one.
  std::optional<ContentRule> rule = std::nullopt;
};
using Outgoing = std::vector<Out>;

struct Parcel {
  Message head;
  std::vector<Bytes> bytes;
};

class Wire {
 public:
  Wire() = default;
  Wire(int input, int output);
  // False if the other side is gone; never raises SIGPIPE.
  bool send(const Message& head, const Outgoing& bytes = {});
  // nullopt if the other side is gone, if the data is not a message, or if its blocks that are named or made by a rule
  // have more than `most_made` bytes in all. Memory for other blocks is taken only as their bytes arrive.
  std::optional<Parcel> receive(std::uint64_t most_made = longest_message);
  // Whether there is data to receive (or the end) within this many milliseconds.
  bool readable(int milliseconds) const;
  // Keeps a copy of these bytes as if they had been sent. Both ends have to do it at the same point of their exchange.
  void remember(std::span<const std::byte> bytes);
  // How many of the bytes passed to send() were really transferred.
  std::uint64_t bytes_sent() const { return bytes_sent_; }
  // All bytes that send() wrote, messages included.
  std::uint64_t bytes_written() const { return bytes_written_; }

  // The longest text of a message, the longest block, and the most bytes in blocks that send() names or gives a rule
  // for.
  static constexpr std::uint64_t longest_message = 8ull << 30;
  // Only blocks from this length to half of the limit are kept. The oldest are dropped when all together exceed the
  // limit. Both ends have to use the same one.
  static constexpr std::size_t shortest_kept = 4096;
  static constexpr std::uint64_t most_kept_here = 64u << 20, most_kept_elsewhere = 1u << 30;
  void keep_at_most(std::uint64_t bytes) { most_kept_ = bytes; }

 private:
  using Kept = std::shared_ptr<const Bytes>;
  bool worth_keeping(std::size_t bytes) const { return bytes >= shortest_kept && bytes <= most_kept_ / 2; }
  void keep(Kept bytes);
  void touch(std::size_t index);
  std::optional<std::size_t> index_of(std::span<const std::byte> bytes) const;
  bool write(const void* data, std::size_t bytes);
  bool send_block(const Out& out, std::uint64_t& made);
  bool receive_block(std::uint64_t& most_made, Bytes& into);

  int input_ = -1, output_ = -1;
  std::deque<Kept> kept_;  // the latest is last
  std::uint64_t kept_bytes_ = 0, most_kept_ = most_kept_here;
  std::uint64_t bytes_sent_ = 0, bytes_written_ = 0;
};

}  // namespace lanescope
