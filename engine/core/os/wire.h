#pragma once
// The two pipes between the program and one of its worker processes (core/os/child_process.h).
//
// A message is a CBOR object. Byte blocks of any length follow it unchanged, because CBOR would encode them byte by
// byte. Both ends keep the latest of these blocks, of either direction, in the same order. A block that the other end
// is known to have is named instead of sent. So the arguments of a kernel that is run, timed and recorded are
// transferred only once.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <nlohmann/json.hpp>

namespace lanescope {

using Message = nlohmann::json;
using Bytes = std::vector<std::byte>;

// Bytes to send. They must stay valid until they are sent.
struct Out {
  Out(std::span<const std::byte> of, bool once = false) : bytes(of), only_once(once) {}
  Out(const Bytes& of) : bytes(of) {}
  std::span<const std::byte> bytes;
  bool only_once = false;  // they will not be sent again, so neither end keeps them
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
  // How many of the bytes passed to send() were really transferred.
  std::uint64_t bytes_sent() const { return bytes_sent_; }

  // The longest text of a message, the longest block, and the most bytes in blocks that send() names or gives a rule
  // for.
  static constexpr std::uint64_t longest_message = 8ull << 30;
  // Only blocks with lengths in this range are kept. The oldest are dropped when all together exceed most_kept.
  static constexpr std::size_t shortest_kept = 4096, longest_kept = 32u << 20, most_kept = 64u << 20;

 private:
  using Kept = std::shared_ptr<const Bytes>;
  static bool worth_keeping(std::size_t bytes) { return bytes >= shortest_kept && bytes <= longest_kept; }
  void keep(Kept bytes);
  void touch(std::size_t index);

  int input_ = -1, output_ = -1;
  std::deque<Kept> kept_;  // the latest is last
  std::size_t kept_bytes_ = 0;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace lanescope
