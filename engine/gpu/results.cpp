#include "gpu/results.h"

#include <algorithm>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "core/json_fields.h"

namespace lanescope::gpu {
namespace {

constexpr std::size_t hash_bytes = sizeof(XXH128_canonical_t);

// What a piece is, as the answer says it.
constexpr std::byte differs{0}, as_before{1}, as_expected{2};

std::uint64_t size_of(const Argument& argument) {
  return std::max<std::uint64_t>(argument.bytes.size(), argument.zero_bytes);
}

// The pieces of a buffer: at least 4 KiB each, and few enough that their hashes are short. A recording needs none.
struct Pieces {
  explicit Pieces(const Argument& argument) : size(size_of(argument)) {
    const std::uint64_t most = argument.zero_bytes ? 16384 : 1024;
    while (size / length > most) length *= 2;
    count = static_cast<std::size_t>((size + length - 1) / length);
  }
  std::uint64_t begin(std::size_t number) const { return number * length; }
  std::uint64_t bytes(std::size_t number) const { return std::min(length, size - begin(number)); }
  std::span<const std::byte> of(std::span<const std::byte> whole, std::size_t number) const {
    return whole.subspan(begin(number), bytes(number));
  }
  std::uint64_t size = 0, length = Wire::shortest_kept;
  std::size_t count = 0;
};

// Smaller buffers are sent whole.
bool has_pieces(const Argument& argument) {
  return argument.is_buffer && size_of(argument) >= Wire::shortest_kept;
}

void append_hash(std::vector<std::byte>& hashes, std::span<const std::byte> piece) {
  XXH128_canonical_t hash;
  XXH128_canonicalFromHash(&hash, XXH3_128bits(piece.data(), piece.size()));
  const auto* first = reinterpret_cast<const std::byte*>(hash.digest);
  hashes.insert(hashes.end(), first, first + sizeof hash.digest);
}

std::vector<std::byte> hashes_of(const Pieces& pieces, std::span<const std::byte> bytes) {
  std::vector<std::byte> hashes;
  for (std::size_t i = 0; i < pieces.count; ++i) append_hash(hashes, pieces.of(bytes, i));
  return hashes;
}

bool is_zero(std::span<const std::byte> bytes) {
  return bytes.front() == std::byte{0} && std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0;
}

bool same_hash(std::span<const std::byte> hashes, std::size_t number, const std::vector<std::byte>& one) {
  return !hashes.empty() && std::memcmp(hashes.data() + number * hash_bytes, one.data(), hash_bytes) == 0;
}

[[noreturn]] void damaged(const Message& what) {
  throw Message::out_of_range::create(401, "results", &what);
}

std::span<const std::byte> bytes_in(const Message& binary) {
  return std::as_bytes(std::span(binary.get_binary()));
}

Bytes put_together(const Message& list, const Argument& sent, const Bytes& differing) {
  const Pieces pieces(sent);
  const std::span<const std::byte> said = bytes_in(list);
  if (!has_pieces(sent) || said.size() != pieces.count) damaged(list);
  Bytes whole = sent.bytes;
  whole.resize(pieces.size);
  std::size_t taken = 0;
  for (std::size_t i = 0; i < said.size(); ++i) {
    if (said[i] == as_before) continue;
    std::span<const std::byte> from;
    if (said[i] == as_expected && sent.expected.size() == pieces.size) {
      from = pieces.of(sent.expected, i);
    } else {
      if (said[i] != differs || differing.size() - taken < pieces.bytes(i)) damaged(list);
      from = std::span(differing).subspan(taken, pieces.bytes(i));
      taken += from.size();
    }
    std::ranges::copy(from, whole.begin() + static_cast<std::ptrdiff_t>(pieces.begin(i)));
  }
  if (taken != differing.size()) damaged(list);
  return whole;
}

// Whether both ends keep what was not sent whole. A recording is read once, and unchanged contents are known already.
bool is_worth_remembering(const Argument& argument, std::span<const std::byte> pieces) {
  return argument.zero_bytes == 0 && std::ranges::any_of(pieces, [](std::byte one) { return one != as_before; });
}

Bytes pieces_that_differ(const Argument& argument, std::span<const std::byte> said) {
  const Pieces pieces(argument);
  Bytes list;
  for (std::size_t k = 0; k < said.size(); ++k) {
    if (said[k] != differs) continue;
    const std::span<const std::byte> piece = pieces.of(argument.bytes, k);
    list.insert(list.end(), piece.begin(), piece.end());
  }
  return list;
}

}  // namespace

std::vector<Bytes> expected_hashes(const std::vector<Argument>& arguments) {
  std::vector<Bytes> hashes;
  for (const Argument& argument : arguments) {
    Bytes& of = hashes.emplace_back();
    if (!has_pieces(argument) || argument.expected.size() != size_of(argument)) continue;
    if (argument.bytes.size() == argument.expected.size() &&
        std::memcmp(argument.bytes.data(), argument.expected.data(), argument.bytes.size()) == 0)
      continue;  // the worker has these contents
    of = hashes_of(Pieces(argument), argument.expected);
  }
  return hashes;
}

std::vector<Argument> results_from(const Message& answer, std::vector<Bytes>& blocks, std::vector<Argument> sent,
                                   Wire& wire) {
  if (!answer.is_array() || answer.size() != sent.size()) damaged(answer);
  for (std::size_t i = 0; i < sent.size(); ++i) {
    const Message& one = answer[i];
    read_integer(one.at("address"), sent[i].address);
    if (!sent[i].is_buffer) continue;
    std::size_t index = 0;
    read_integer(one.at("bytes"), index);
    if (index >= blocks.size()) damaged(one);
    const auto pieces = one.find("pieces");
    Bytes whole = pieces == one.end() ? std::move(blocks[index]) : put_together(*pieces, sent[i], blocks[index]);
    if (whole.size() != size_of(sent[i])) damaged(one);
    if (pieces != one.end() && is_worth_remembering(sent[i], bytes_in(*pieces))) wire.remember(whole);
    sent[i].bytes = std::move(whole);
    sent[i].expected = {};
  }
  return sent;
}

Results::Results(std::span<const Bytes> expected, const std::vector<Argument>& before)
    : before_(before.size()), expected_(expected.begin(), expected.end()) {
  if (expected.size() != before.size()) throw Message::out_of_range::create(401, "expected", nullptr);
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (!has_pieces(before[i])) continue;
    const Pieces pieces(before[i]);
    if (before[i].zero_bytes == 0) before_[i] = hashes_of(pieces, before[i].bytes);
    if (expected_[i].size() != pieces.count * hash_bytes) expected_[i].clear();
  }
}

// What each piece of a buffer is; empty for one that is sent whole.
std::vector<std::byte> Results::pieces_of(const Argument& argument, std::size_t number) const {
  std::vector<std::byte> said, hash;
  if (!has_pieces(argument)) return said;
  const Pieces pieces(argument);
  for (std::size_t k = 0; k < pieces.count; ++k) {
    const std::span<const std::byte> piece = pieces.of(argument.bytes, k);
    if (argument.zero_bytes > 0 && is_zero(piece)) {
      said.push_back(as_before);
      continue;
    }
    hash.clear();
    append_hash(hash, piece);
    said.push_back(same_hash(before_[number], k, hash)     ? as_before
                   : same_hash(expected_[number], k, hash) ? as_expected
                                                           : differs);
  }
  const bool all_differ = std::ranges::all_of(said, [](std::byte one) { return one == differs; });
  return all_differ ? std::vector<std::byte>() : said;
}

Message Results::to_message(const std::vector<Argument>& after, Outgoing& blocks) {
  Message list = Message::array();
  for (std::size_t i = 0; i < after.size(); ++i) {
    const Argument& argument = after[i];
    Message one{{"address", argument.address}};
    if (argument.is_buffer) {
      one["bytes"] = blocks.size();
      const std::vector<std::byte> said = pieces_of(argument, i);
      if (said.empty()) {
        blocks.emplace_back(argument.bytes, argument.zero_bytes > 0);  // a buffer of zeros is a recording
      } else {
        one["pieces"] = to_binary(said);
        blocks.emplace_back(differing_.emplace_back(pieces_that_differ(argument, said)), true);
        if (is_worth_remembering(argument, said)) remembered_.emplace_back(argument.bytes);
      }
    }
    list.push_back(std::move(one));
  }
  return list;
}

void Results::remember(Wire& wire) const {
  for (const std::span<const std::byte> bytes : remembered_) wire.remember(bytes);
}

}  // namespace lanescope::gpu
