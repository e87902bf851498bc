#pragma once
// How buffers come back from a worker after a run: only the pieces that its parent cannot have. Internal to gpu/.
//
// A buffer is cut into pieces. For each, the parent has two guesses: what the buffer held before the run, and what the
// caller expects it to hold (Argument::expected). The worker compares hashes of 128 bits, and sends the pieces that are
// neither. The buffers of a kernel that agrees with the interpreter, and the unused part of a recording, do not travel.

#include <deque>
#include <span>
#include <vector>

#include "gpu/message.h"

namespace lanescope::gpu {

// The parent's side. Hashes of each argument's expected contents, for the request; empty where they would tell nothing.
std::vector<Bytes> expected_hashes(const std::vector<Argument>& arguments);
// The arguments after the run, from the answer and its blocks. `sent` are those of the request, with their expected
// contents. The wire remembers what the worker's does. Throws Message::exception if the answer does not fit them.
std::vector<Argument> results_from(const Message& answer, std::vector<Bytes>& blocks, std::vector<Argument> sent,
                                   Wire& wire);

// The worker's side, for one run.
class Results {
 public:
  // `before`: the arguments of the request; `expected`: the hashes that came with it. Throws Message::exception if
  // those are not as many.
  Results(std::span<const Bytes> expected, const std::vector<Argument>& before);
  // The answer. It refers to `after` and to this object.
  Message to_message(const std::vector<Argument>& after, Outgoing& blocks);
  // To be called when the answer was sent.
  void remember(Wire& wire) const;

 private:
  std::vector<std::byte> pieces_of(const Argument& argument, std::size_t number) const;

  std::vector<Bytes> before_, expected_;  // hashes per argument; empty if there are none
  std::deque<Bytes> differing_;           // pieces that are sent, joined
  std::vector<std::span<const std::byte>> remembered_;
};

}  // namespace lanescope::gpu
