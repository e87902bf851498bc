#include "core/os/wire.h"

#include <algorithm>
#include <cstring>

#include "core/content_rule.h"
#include "core/os/files.h"
#include "core/os/pipes.h"
#include "core/os/write_all.h"

namespace lanescope {
namespace {

bool read_all(int file, void* data, std::size_t bytes) {
  return read_some(file, data, bytes) == static_cast<std::ptrdiff_t>(bytes);
}

// Takes memory only as bytes arrive, so an announced length alone allocates nothing. False if fewer bytes arrive than
// announced.
template <typename Byte>
bool read_growing(int file, std::vector<Byte>& into, std::uint64_t bytes) {
  constexpr std::uint64_t at_once = 16u << 20;
  while (into.size() < bytes) {
    const std::size_t have = into.size(), piece = static_cast<std::size_t>(std::min<std::uint64_t>(
                                              bytes - have, std::max<std::uint64_t>(have, at_once)));
    into.resize(have + piece);
    if (!read_all(file, into.data() + have, piece)) return false;
  }
  return true;
}

// Checks that the arrays and objects of a CBOR text do not nest too deeply: the library's reader and the readers of its
// result are recursive.
class ShallowEnough : public nlohmann::json_sax<Message> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return ++depth_ <= deepest; }
  bool start_array(std::size_t) override { return ++depth_ <= deepest; }
  bool end_object() override { return --depth_, true; }
  bool end_array() override { return --depth_, true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  static constexpr int deepest = 64;
  int depth_ = 0;
};

// Precedes each of the byte blocks after a message.
struct Announced {
  std::uint64_t length = 0;
  std::uint64_t known = none;  // its position among the blocks that both sides keep, counted from the latest
  static constexpr std::uint64_t none = ~0ull, only_once = ~1ull;
  static constexpr std::uint64_t made_by_rule = ~2ull;  // a ContentRule follows instead of the bytes
  bool is_kept() const { return known < made_by_rule; }
};

// Makes a block from its rule, which comes from the other side.
bool receive_rule(int file, std::uint64_t length, Bytes& into) {
  ContentRule rule;
  if (!read_all(file, &rule, sizeof rule)) return false;
  try {
    into.resize(length);
  } catch (const std::exception&) {
    return false;
  }
  return fill(into, rule);
}

}  // namespace

Wire::Wire(int input, int output) : input_(input), output_(output) {
  make_roomy(output_);
}

void Wire::keep(Kept bytes) {
  kept_bytes_ += bytes->size();
  kept_.push_back(std::move(bytes));
  while (kept_bytes_ > most_kept) {
    kept_bytes_ -= kept_.front()->size();
    kept_.pop_front();
  }
}

void Wire::touch(std::size_t index) {
  Kept used = kept_[index];
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(index));
  kept_.push_back(std::move(used));
}

bool Wire::send(const Message& head, const Outgoing& bytes) {
  const BrokenPipesAreErrors quiet;
  const std::vector<std::uint8_t> text = Message::to_cbor(head);
  const std::uint64_t lengths[2] = {text.size(), bytes.size()};
  if (write_all(output_, lengths, sizeof lengths) != 0 || write_all(output_, text.data(), text.size()) != 0)
    return false;
  std::uint64_t made = 0;  // bytes of blocks that the other side has or makes
  for (const Out& out : bytes) {
    const std::span<const std::byte> one = out.bytes;
    const bool keeps = !out.only_once && worth_keeping(one.size());
    Announced announced{.length = one.size(), .known = out.only_once ? Announced::only_once : Announced::none};
    std::optional<ContentRule> rule;
    if (one.size() >= shortest_kept && one.size() <= longest_message - made) rule = content_rule_of(one);
    if (rule) {
      made += one.size();
      announced.known = Announced::made_by_rule;
      if (write_all(output_, &announced, sizeof announced) != 0 || write_all(output_, &*rule, sizeof *rule) != 0)
        return false;
      continue;
    }
    std::size_t index = one.size() <= longest_message - made ? kept_.size() : 0;
    while (keeps && index-- > 0) {
      if (kept_[index]->size() != one.size() || std::memcmp(kept_[index]->data(), one.data(), one.size()) != 0)
        continue;
      announced.known = kept_.size() - 1 - index;
      made += one.size();
      touch(index);
      break;
    }
    if (write_all(output_, &announced, sizeof announced) != 0) return false;
    if (announced.is_kept()) continue;
    if (write_all(output_, one.data(), one.size()) != 0) return false;
    bytes_sent_ += one.size();
    if (keeps) keep(std::make_shared<const Bytes>(one.begin(), one.end()));
  }
  return true;
}

std::optional<Parcel> Wire::receive(std::uint64_t most_made) {
  std::uint64_t lengths[2] = {};
  if (!read_all(input_, lengths, sizeof lengths) || lengths[0] > longest_message) return std::nullopt;
  std::vector<std::uint8_t> text;
  if (!read_growing(input_, text, lengths[0])) return std::nullopt;
  // As char, because not every standard library has char_traits of unsigned characters, which the reader needs.
  const auto* begin = reinterpret_cast<const char*>(text.data());
  const auto* end = begin + text.size();
  ShallowEnough shallow;
  if (!Message::sax_parse(begin, end, &shallow, Message::input_format_t::cbor)) return std::nullopt;
  Parcel parcel{.head = Message::from_cbor(begin, end, true, false), .bytes = {}};
  if (parcel.head.is_discarded()) return std::nullopt;
  for (std::uint64_t i = 0; i < lengths[1]; ++i) {
    Announced announced;
    if (!read_all(input_, &announced, sizeof announced) || announced.length > longest_message) return std::nullopt;
    if (announced.is_kept() || announced.known == Announced::made_by_rule) {
      if (announced.length > most_made) return std::nullopt;
      most_made -= announced.length;
    }
    if (announced.known == Announced::made_by_rule) {
      if (!receive_rule(input_, announced.length, parcel.bytes.emplace_back())) return std::nullopt;
      continue;
    }
    if (announced.is_kept()) {
      if (announced.known >= kept_.size()) return std::nullopt;
      const std::size_t index = kept_.size() - 1 - announced.known;
      if (kept_[index]->size() != announced.length) return std::nullopt;
      parcel.bytes.push_back(*kept_[index]);
      touch(index);
      continue;
    }
    Bytes& one = parcel.bytes.emplace_back();
    if (!read_growing(input_, one, announced.length)) return std::nullopt;
    if (announced.known == Announced::none && worth_keeping(one.size())) keep(std::make_shared<const Bytes>(one));
  }
  return parcel;
}

bool Wire::readable(int milliseconds) const {
  return lanescope::readable(input_, milliseconds);
}

}  // namespace lanescope
