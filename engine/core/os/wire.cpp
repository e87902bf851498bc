#include "core/os/wire.h"

#include <algorithm>
#include <cstring>

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

// For a length that comes from the other side.
bool make_room(Bytes& into, std::uint64_t length) {
  try {
    into.resize(length);
  } catch (const std::exception&) {
    return false;
  }
  return true;
}

// Both ends keep what takes longer to make than to compare, so that it is made once.
bool is_slow(const ContentRule& rule) {
  return rule.kind == ContentRule::Kind::permutation;
}

std::optional<ContentRule> rule_of(const Out& out) {
  if (out.rule && makes(*out.rule, out.bytes)) return out.rule;
  return content_rule_of(out.bytes);
}

}  // namespace

Wire::Wire(int input, int output) : input_(input), output_(output) {
  make_roomy(output_);
}

void Wire::keep(Kept bytes) {
  kept_bytes_ += bytes->size();
  kept_.push_back(std::move(bytes));
  while (kept_bytes_ > most_kept_) {
    kept_bytes_ -= kept_.front()->size();
    kept_.pop_front();
  }
}

void Wire::touch(std::size_t index) {
  Kept used = kept_[index];
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(index));
  kept_.push_back(std::move(used));
}

std::optional<std::size_t> Wire::index_of(std::span<const std::byte> bytes) const {
  for (std::size_t index = kept_.size(); index-- > 0;)
    if (kept_[index]->size() == bytes.size() && std::memcmp(kept_[index]->data(), bytes.data(), bytes.size()) == 0)
      return index;
  return std::nullopt;
}

void Wire::remember(std::span<const std::byte> bytes) {
  if (!worth_keeping(bytes.size())) return;
  if (const std::optional<std::size_t> index = index_of(bytes))
    touch(*index);
  else
    keep(std::make_shared<const Bytes>(bytes.begin(), bytes.end()));
}

bool Wire::write(const void* data, std::size_t bytes) {
  bytes_written_ += bytes;
  return write_all(output_, data, bytes) == 0;
}

bool Wire::send(const Message& head, const Outgoing& bytes) {
  const BrokenPipesAreErrors quiet;
  const std::vector<std::uint8_t> text = Message::to_cbor(head);
  const std::uint64_t lengths[2] = {text.size(), bytes.size()};
  if (!write(lengths, sizeof lengths) || !write(text.data(), text.size())) return false;
  std::uint64_t made = 0;
  for (const Out& out : bytes)
    if (!send_block(out, made)) return false;
  return true;
}

// `made`: the bytes of earlier blocks that the other side has or makes.
bool Wire::send_block(const Out& out, std::uint64_t& made) {
  const std::span<const std::byte> bytes = out.bytes;
  const bool keeps = !out.only_once && worth_keeping(bytes.size());
  Announced announced{.length = bytes.size(), .known = out.only_once ? Announced::only_once : Announced::none};
  if (bytes.size() >= shortest_kept && bytes.size() <= longest_message - made) {
    if (const std::optional<std::size_t> index = keeps ? index_of(bytes) : std::nullopt) {
      announced.known = kept_.size() - 1 - *index;
      made += bytes.size();
      touch(*index);
      return write(&announced, sizeof announced);
    }
    if (const std::optional<ContentRule> rule = rule_of(out)) {
      announced.known = Announced::made_by_rule;
      made += bytes.size();
      if (is_slow(*rule)) remember(bytes);
      return write(&announced, sizeof announced) && write(&*rule, sizeof *rule);
    }
  }
  if (!write(&announced, sizeof announced) || !write(bytes.data(), bytes.size())) return false;
  bytes_sent_ += bytes.size();
  if (keeps) keep(std::make_shared<const Bytes>(bytes.begin(), bytes.end()));
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
  for (std::uint64_t i = 0; i < lengths[1]; ++i)
    if (!receive_block(most_made, parcel.bytes.emplace_back())) return std::nullopt;
  return parcel;
}

// `most_made`: the most bytes that may yet be named or made by a rule.
bool Wire::receive_block(std::uint64_t& most_made, Bytes& into) {
  Announced announced;
  if (!read_all(input_, &announced, sizeof announced) || announced.length > longest_message) return false;
  if (announced.is_kept() || announced.known == Announced::made_by_rule) {
    if (announced.length > most_made) return false;
    most_made -= announced.length;
  }
  if (announced.known == Announced::made_by_rule) {
    ContentRule rule;
    if (!read_all(input_, &rule, sizeof rule) || !make_room(into, announced.length) || !fill(into, rule)) return false;
    if (is_slow(rule)) remember(into);
    return true;
  }
  if (announced.is_kept()) {
    if (announced.known >= kept_.size()) return false;
    const std::size_t index = kept_.size() - 1 - announced.known;
    if (kept_[index]->size() != announced.length) return false;
    into = *kept_[index];
    touch(index);
    return true;
  }
  if (!read_growing(input_, into, announced.length)) return false;
  if (announced.known == Announced::none && worth_keeping(into.size())) keep(std::make_shared<const Bytes>(into));
  return true;
}

bool Wire::readable(int milliseconds) const {
  return lanescope::readable(input_, milliseconds);
}

}  // namespace lanescope
