#pragma once
// The two pipes between the program and a worker process of its own (core/os/child_process.h).
//
// A message is a CBOR object; bytes of any length travel behind it as they are, since CBOR would take them one by one.
// Both ends keep the latest of those bytes, whichever way they went, in the same order: what one end knows the other to
// hold is named instead of sent, so that the arguments of a kernel that is run, timed and recorded go over once.

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

// Bytes on their way out: they must stay where they are until they are sent.
struct Out {
  Out(std::span<const std::byte> of, bool once = false) : bytes(of), only_once(once) {}
  Out(const Bytes& of) : bytes(of) {}
  std::span<const std::byte> bytes;
  bool only_once = false;  // they will not come again: neither end keeps them
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
  // False when the other side is gone; no SIGPIPE comes of it.
  bool send(const Message& head, const Outgoing& bytes = {});
  // Nothing when the other side is gone or what came is no message.
  std::optional<Parcel> receive();
  // Something to receive (or the end) within so many milliseconds.
  bool readable(int milliseconds) const;
  // Of all bytes that were handed to send(), those that went over.
  std::uint64_t bytes_sent() const { return bytes_sent_; }

  // Shorter ones are sent each time, longer ones too; the latest are kept until together they are too long.
  static constexpr std::size_t shortest_kept = 4096, longest_kept = 32u << 20, most_kept = 64u << 20;

 private:
  using Kept = std::shared_ptr<const Bytes>;
  static bool worth_keeping(std::size_t bytes) { return bytes >= shortest_kept && bytes <= longest_kept; }
  void keep(Kept bytes);
  void touch(std::size_t index);

  int input_ = -1, output_ = -1;
  std::deque<Kept> kept_;  // the latest last
  std::size_t kept_bytes_ = 0;
  std::uint64_t bytes_sent_ = 0;
};

}  // namespace lanescope
