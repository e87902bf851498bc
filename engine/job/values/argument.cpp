// --arg: from its text to a kernel argument.

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <numeric>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "core/os/cores.h"
#include "core/worded.h"
#include "job/values/argument.h"
#include "lesson/half.h"
#include "lesson/lesson.h"
#include "lesson/nearest.h"

namespace lanescope::job {

using sim::ElementType;

std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t k) {
  std::uint64_t z = seed + (k + 1) * 0x9e3779b97f4a7c15ull;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  return z ^ (z >> 31);
}

namespace {

constexpr ElementType all_types[] = {ElementType::u8,  ElementType::i8,  ElementType::u16, ElementType::i16,
                                     ElementType::f16, ElementType::i32, ElementType::u32, ElementType::f32,
                                     ElementType::i64, ElementType::u64, ElementType::f64};

constexpr ArgumentForm all_forms[] = {
    {"i32=-4", "a scalar; types: u8 i8 u16 i16 f16 i32 u32 f32 i64 u64 f64"},
    {"u64=0xff", "in hexadecimal; for a floating-point type, its bits"},
    {"bytes=0aff00", "a struct by value, two hexadecimal digits per byte"},
    {"f32[64]", "a buffer that was never written"},
    {"f32[64]=1.5", "filled with one value"},
    {"f32[64]=iota", "counts up: 0, 1, 2, …"},
    {"f32[64]=random:SEED", "floats in [0, 1), integers over their whole range"},
    {"f32[64]=random:SEED:LO:HI", "floats in [LO, HI), integers from LO to HI"},
    {"i32[64]=permutation:SEED", "0 … 63 in another order"},
    {"f32[64]=@FILE", "the file's bytes, little-endian"},
    {"f32[64]+12=iota", "passes a pointer 12 bytes past the first element; works with any contents"},
    {"f32[]=iota", "as many elements as the file's own cudaMalloc() allocates; works with any contents (trace)"},
    {"same:0", "the buffer of argument 0 again: two parameters share it"},
    {"same:0+256", "the same, 256 bytes past its pointer"},
};

constexpr const char* forms =
    "Scalars: i32=4096, f32=1.5, bytes=0aff. Buffers: f32[16384]=1, =iota, =random:7, =random:7:LO:HI, =permutation:7, "
    "=@file, or no value for an uninitialised buffer; f32[64]+12=… for a pointer into it; same:0 to pass the buffer of "
    "argument 0 again.";

std::optional<ElementType> type_named(std::string_view name) {
  for (const ElementType type : all_types)
    if (name == sim::name_of(type)) return type;
  return std::nullopt;
}

bool is_float(ElementType type) {
  return type == ElementType::f16 || type == ElementType::f32 || type == ElementType::f64;
}
bool is_signed(ElementType type) {
  return type == ElementType::i8 || type == ElementType::i16 || type == ElementType::i32 || type == ElementType::i64;
}
std::uint64_t mask_of(ElementType type) {
  return sim::bytes_of(type) == 8 ? ~0ull : (1ull << (8 * sim::bytes_of(type))) - 1;
}

// The bits of a value rounded to a floating type.
std::uint64_t float_bits(ElementType type, double value) {
  if (type == ElementType::f16) return lesson::half_bits(value);
  if (type == ElementType::f32) return std::bit_cast<std::uint32_t>(static_cast<float>(value));
  return std::bit_cast<std::uint64_t>(value);
}

template <typename T>
bool parse_whole(std::string_view text, T& value, int base) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return status == std::errc{} && end == text.data() + text.size();
}

std::optional<std::uint64_t> parse_integer(ElementType type, std::string_view text) {
  const std::uint64_t mask = mask_of(type);
  std::uint64_t bits = 0;
  if (text.starts_with("0x") || text.starts_with("0X"))
    return parse_whole(text.substr(2), bits, 16) && bits <= mask ? std::optional(bits) : std::nullopt;
  if (!is_signed(type)) return parse_whole(text, bits, 10) && bits <= mask ? std::optional(bits) : std::nullopt;
  std::int64_t value = 0;
  const auto highest = static_cast<std::int64_t>(mask >> 1);
  if (!parse_whole(text, value, 10) || value > highest || value < -highest - 1) return std::nullopt;
  return static_cast<std::uint64_t>(value) & mask;
}

std::optional<std::uint64_t> parse_float(ElementType type, std::string_view text) {
  if (text.starts_with("0x") || text.starts_with("0X")) {
    std::uint64_t bits = 0;
    return parse_whole(text.substr(2), bits, 16) && bits <= mask_of(type) ? std::optional(bits) : std::nullopt;
  }
  const char* end_of_text = text.data() + text.size();
  if (type == ElementType::f32) {  // rounded once, not through double
    float value = 0;
    const auto [end, status] = std::from_chars(text.data(), end_of_text, value);
    if (status != std::errc{} || end != end_of_text) return std::nullopt;
    return std::bit_cast<std::uint32_t>(value);
  }
  double value = 0;
  const auto [end, status] = std::from_chars(text.data(), end_of_text, value);
  if (status != std::errc{} || end != end_of_text) return std::nullopt;
  const std::uint64_t bits = float_bits(type, value);
  if (type == ElementType::f16 && std::isfinite(value) &&
      std::isinf(lesson::half_value(static_cast<std::uint16_t>(bits))))
    return std::nullopt;
  return bits;
}

std::optional<std::uint64_t> parse_number(ElementType type, std::string_view text) {
  return is_float(type) ? parse_float(type, text) : parse_integer(type, text);
}

Wording range_of(ElementType type) {
  if (is_float(type)) return worded("a number that {} can hold, such as 1.5, -2e-3, inf or nan", sim::name_of(type));
  const std::uint64_t mask = mask_of(type);
  if (is_signed(type)) return worded("an integer from -{} to {}", (mask >> 1) + 1, mask >> 1);
  return worded("an integer from 0 to {}", mask);
}

// Gigabytes are filled in half the time on pages of 2 MiB, and in half of that when the system clears them on several
// cores. The memory must be fresh; a wish that may come to nothing.
void ask_for_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = 2 << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (begin >= end) return;
  ::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#ifdef MADV_POPULATE_WRITE
  constexpr std::uintptr_t worth_a_thread = std::uintptr_t{64} << 20;
  const std::uintptr_t pages = (end - begin) / page;
  const std::uintptr_t parts =
      std::clamp<std::uintptr_t>((end - begin) / worth_a_thread, 1, static_cast<std::uintptr_t>(usable_cores()));
  const auto populate = [=](std::uintptr_t part) {
    const std::uintptr_t from = pages * part / parts * page, to = pages * (part + 1) / parts * page;
    ::madvise(reinterpret_cast<void*>(begin + from), to - from, MADV_POPULATE_WRITE);
  };
  std::vector<std::thread> others;
  for (std::uintptr_t part = 1; part < parts; ++part) others.emplace_back(populate, part);
  if (parts > 1) populate(0);
  for (std::thread& other : others) other.join();
#endif
}

class ArgumentParser {
 public:
  ArgumentParser(const ArgumentText& argument, bool fills) : text_(argument.text), fills_(fills) {
    shown_ = argument.name.empty() ? fmt::format("`{}`", text_) : worded("`{}` (argument `{}`)", text_, argument.name);
  }

  Result<sim::Argument> parse() {
    const std::size_t name_end = text_.find_first_of("=[");
    const std::string name = text_.substr(0, name_end);
    if (name == "bytes" && name_end != std::string::npos && text_[name_end] == '=')
      return raw(std::string_view(text_).substr(name_end + 1));
    if (text_.starts_with("same:")) return same(std::string_view(text_).substr(5));
    const std::optional<ElementType> type = type_named(name);
    if (!type)
      return error("argument.type", worded("{} does not begin with a known type.", shown_),
                   joined({lesson::did_you_mean(name, lesson::element_types()), forms}, "{} {}"));
    argument_.type = *type;
    if (name_end == std::string::npos) return error("argument.syntax", worded("{} gives no value.", shown_), forms);
    if (text_[name_end] == '=') return scalar(std::string_view(text_).substr(name_end + 1));
    return buffer(std::string_view(text_).substr(name_end + 1));
  }

 private:
  static Diagnostic error(const char* code, Wording message, Wording cure) {
    return {Severity::error, code, {}, std::move(message), std::move(cure)};
  }
  Diagnostic bad_number(std::string_view number) const {
    return error("argument.number", worded("`{}` in {} is not {}.", number, shown_, range_of(argument_.type)), forms);
  }

  Result<sim::Argument> raw(std::string_view digits) {
    if (digits.empty() || digits.size() % 2 != 0)
      return error("argument.number", worded("{} needs two hexadecimal digits per byte.", shown_),
                   "Write it like bytes=0aff.");
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      std::uint8_t byte = 0;
      if (!parse_whole(digits.substr(i, 2), byte, 16))
        return error("argument.number", worded("`{}` in {} is not a byte.", digits.substr(i, 2), shown_),
                     "Write it like bytes=0aff.");
      argument_.raw_parameter.push_back(static_cast<std::byte>(byte));
    }
    return std::move(argument_);
  }

  Result<sim::Argument> same(std::string_view rest) {
    const std::size_t plus = rest.find('+');
    argument_.type = ElementType::u64;
    const bool named = parse_whole(rest.substr(0, plus), argument_.same_as, 10) && argument_.same_as >= 0;
    const bool placed = plus == std::string_view::npos || parse_whole(rest.substr(plus + 1), argument_.scalar_bits, 10);
    if (!named || !placed)
      return error("argument.syntax", worded("{} does not name an argument.", shown_),
                   "Write it like same:0, or same:0+64 for a "
                   "pointer 64 bytes further. Arguments are "
                   "numbered from 0.");
    return std::move(argument_);
  }

  Result<sim::Argument> scalar(std::string_view number) {
    const std::optional<std::uint64_t> bits = parse_number(argument_.type, number);
    if (!bits) return bad_number(number);
    argument_.scalar_bits = *bits;
    return std::move(argument_);
  }

  // What follows "f32[".
  Result<sim::Argument> buffer(std::string_view rest) {
    argument_.is_buffer = true;
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos)
      return error("argument.syntax", worded("`]` is missing in {}.", shown_), forms);
    std::uint64_t count = 0;
    const auto element = static_cast<std::uint64_t>(sim::bytes_of(argument_.type));
    if (!parse_whole(rest.substr(0, close), count, 10) || count == 0)
      return error("argument.number", worded("`{}` in {} is not a number of elements.", rest.substr(0, close), shown_),
                   "Give a positive integer, for example f32[16384].");
    if (count > largest_buffer_bytes / element)
      return error("argument.too_large", worded("{} is larger than {} GiB.", shown_, largest_buffer_bytes >> 30),
                   "Use fewer elements.");
    rest.remove_prefix(close + 1);
    if (rest.starts_with('+')) {
      const std::size_t end = std::min(rest.find('='), rest.size());
      if (!parse_whole(rest.substr(1, end - 1), argument_.base_offset, 10) || argument_.base_offset >= count * element)
        return error("argument.number",
                     worded("`{}` in {} is not an offset inside the buffer.", rest.substr(0, end), shown_),
                     "Give the offset in bytes, for example f32[64]+4=iota.");
      rest.remove_prefix(end);
    }
    count_ = count;
    try {
      if (fills_) make_room();
    } catch (const std::bad_alloc&) {
      return error("argument.too_large", worded("there is not enough memory for {}.", shown_), "Use fewer elements.");
    }
    if (rest.empty()) {
      argument_.uninitialised_from = 0;
      return std::move(argument_);
    }
    if (!rest.starts_with('='))
      return error("argument.syntax", worded("`{}` in {} is not understood.", rest, shown_), forms);
    return contents(rest.substr(1));
  }

  std::uint64_t bytes() const { return count_ * static_cast<std::uint64_t>(sim::bytes_of(argument_.type)); }
  void make_room() {
    argument_.contents.reserve(bytes());
    ask_for_large_pages(argument_.contents.data(), bytes());
    argument_.contents.resize(bytes());
  }

  Result<sim::Argument> contents(std::string_view what) {
    if (what == "iota") {
      if (is_float(argument_.type))
        fill([type = argument_.type](std::uint64_t k) { return float_bits(type, static_cast<double>(k)); });
      else
        fill([](std::uint64_t k) { return k; });
    } else if (what.starts_with("random:")) {
      return random(what.substr(7));
    } else if (what.starts_with("permutation:")) {
      return permutation(what.substr(12));
    } else if (what.starts_with('@')) {
      return file(std::string(what.substr(1)));
    } else {
      const std::optional<std::uint64_t> bits = parse_number(argument_.type, what);
      if (!bits) return bad_number(what);
      if (*bits != 0) fill([bits](std::uint64_t) { return *bits; });
    }
    return std::move(argument_);
  }

  // Calls bits_of_element from several threads at a time: at full size there are hundreds of millions of elements. It
  // holds values, no references: a byte that is stored could be a part of whatever is read through one.
  template <typename Bits>
  void fill(const Bits& bits_of_element) {
    if (!fills_) return;
    switch (sim::bytes_of(argument_.type)) {
      case 1:
        return fill_as<std::uint8_t>(bits_of_element);
      case 2:
        return fill_as<std::uint16_t>(bits_of_element);
      case 4:
        return fill_as<std::uint32_t>(bits_of_element);
      default:
        return fill_as<std::uint64_t>(bits_of_element);
    }
  }

  template <typename Element, typename Bits>
  void fill_as(const Bits& bits_of_element) {
    constexpr std::uint64_t worth_a_thread = 1 << 20;
    const std::uint64_t count = count_;
    const auto cores = static_cast<std::uint64_t>(usable_cores());
    const std::uint64_t parts = std::clamp<std::uint64_t>(count / worth_a_thread, 1, cores);
    std::byte* const data = argument_.contents.data();
    const auto part = [=](std::uint64_t number) {
      const Bits bits_of = bits_of_element;
      const std::uint64_t begin = count * number / parts, end = count * (number + 1) / parts;
      for (std::uint64_t k = begin; k < end; ++k) {
        const auto bits = static_cast<Element>(bits_of(k));
        std::memcpy(data + k * sizeof bits, &bits, sizeof bits);
      }
    };
    std::vector<std::thread> others;
    for (std::uint64_t number = 1; number < parts; ++number) others.emplace_back(part, number);
    part(0);
    for (std::thread& other : others) other.join();
  }

  Result<sim::Argument> random(std::string_view parameters) {
    const std::size_t colon = parameters.find(':');
    std::uint64_t seed = 0;
    if (!parse_whole(parameters.substr(0, colon), seed, 10))
      return error("argument.number", worded("{} has no seed after `random:`.", shown_), "Write it like =random:7.");
    if (colon != std::string_view::npos) return random_in_range(seed, parameters.substr(colon + 1));
    const ElementType type = argument_.type;
    if (is_float(type))
      fill([=](std::uint64_t k) { return float_bits(type, unit(type, splitmix64(seed, k))); });
    else
      fill([seed, unused = 64 - 8 * sim::bytes_of(type)](std::uint64_t k) { return splitmix64(seed, k) >> unused; });
    return std::move(argument_);
  }

  // Uniform in [0, 1), with no more bits than the type holds, so that rounding never gives 1.
  static double unit(ElementType type, std::uint64_t x) {
    const int bits = type == ElementType::f16 ? 11 : type == ElementType::f32 ? 24 : 53;
    return static_cast<double>(x >> (64 - bits)) / static_cast<double>(std::uint64_t{1} << bits);
  }

  Result<sim::Argument> random_in_range(std::uint64_t seed, std::string_view range) {
    const std::size_t colon = range.find(':');
    const auto malformed = [this] {
      return error("argument.number", worded("the range in {} is wrong.", shown_),
                   "Write it like =random:7:0:255, the lower bound first.");
    };
    if (colon == std::string_view::npos) return malformed();
    if (is_float(argument_.type)) {
      double low = 0, high = 0;
      const std::string_view first = range.substr(0, colon), second = range.substr(colon + 1);
      const auto a = std::from_chars(first.data(), first.data() + first.size(), low);
      const auto b = std::from_chars(second.data(), second.data() + second.size(), high);
      const bool whole = a.ptr == first.data() + first.size() && b.ptr == second.data() + second.size();
      if (a.ec != std::errc{} || b.ec != std::errc{} || !whole || !(low < high) || !std::isfinite(high - low))
        return malformed();
      fill([=, type = argument_.type](std::uint64_t k) {
        return float_bits(type, low + (high - low) * unit(type, splitmix64(seed, k)));
      });
      return std::move(argument_);
    }
    const auto low = parse_integer(argument_.type, range.substr(0, colon));
    const auto high = parse_integer(argument_.type, range.substr(colon + 1));
    if (!low || !high) return malformed();
    const std::uint64_t span = (*high - *low) & mask_of(argument_.type);
    const bool ordered = is_signed(argument_.type) ? sign_extended(*low) <= sign_extended(*high) : *low <= *high;
    if (!ordered) return malformed();
    fill([seed, span, first = *low](std::uint64_t k) {
      const std::uint64_t x = splitmix64(seed, k);
      return first + (span == ~0ull ? x : x % (span + 1));
    });
    return std::move(argument_);
  }
  std::int64_t sign_extended(std::uint64_t bits) const {
    const int unused = 64 - 8 * sim::bytes_of(argument_.type);
    return static_cast<std::int64_t>(bits << unused) >> unused;
  }

  // Fisher and Yates, from the last element down, with splitmix64's numbers in order.
  Result<sim::Argument> permutation(std::string_view parameters) {
    std::uint64_t seed = 0;
    if (!parse_whole(parameters, seed, 10))
      return error("argument.number", worded("{} has no seed after `permutation:`.", shown_),
                   "Write it like =permutation:7.");
    const std::uint64_t count = count_;
    const std::uint64_t highest = is_signed(argument_.type) ? mask_of(argument_.type) >> 1 : mask_of(argument_.type);
    if (is_float(argument_.type) || count - 1 > highest)
      return error("argument.type", worded("{} cannot hold the indices 0 … {}.", shown_, count - 1),
                   "Use a wider integer type.");
    if (!fills_) return std::move(argument_);
    std::vector<std::uint64_t> order(count);
    std::iota(order.begin(), order.end(), 0);
    for (std::uint64_t k = count; k-- > 1;) std::swap(order[k], order[splitmix64(seed, count - 1 - k) % (k + 1)]);
    fill([order = order.data()](std::uint64_t k) { return order[k]; });
    return std::move(argument_);
  }

  Result<sim::Argument> file(const std::string& path) {
    std::error_code missing;
    const bool regular = std::filesystem::is_regular_file(path, missing);
    if (!fills_ && !regular && std::filesystem::exists(path, missing) && !std::filesystem::is_directory(path, missing))
      return std::move(argument_);  // what a pipe holds can be read once
    std::ifstream in(path, std::ios::binary);
    if (!in || std::filesystem::is_directory(path, missing))
      return error("argument.file", worded("the file `{}` of {} cannot be read.", path, shown_), "Check its name.");
    std::uint64_t there = 0;
    if (fills_) {
      in.read(reinterpret_cast<char*>(argument_.contents.data()), static_cast<std::streamsize>(bytes()));
      there = static_cast<std::uint64_t>(in.gcount());
    } else {
      there = std::filesystem::file_size(path, missing);
      if (there == 0) {  // files in /proc say so, and hold something
        in.ignore(static_cast<std::streamsize>(bytes()));
        there = static_cast<std::uint64_t>(in.gcount());
      }
    }
    if (there < bytes())
      return error("argument.file",
                   worded("the file `{}` of {} has {} bytes; {} are needed.", path, shown_, there, bytes()),
                   "Use a longer file or fewer elements.");
    return std::move(argument_);
  }

  std::string text_;
  const bool fills_;
  std::uint64_t count_ = 0;  // of a buffer's elements
  Wording shown_;
  sim::Argument argument_;
};

}  // namespace

std::span<const ArgumentForm> argument_forms() {
  return all_forms;
}

Result<sim::Argument> parse_argument(const ArgumentText& argument) {
  return ArgumentParser(argument, true).parse();
}

Result<sim::Argument> parse_argument_unfilled(const ArgumentText& argument) {
  return ArgumentParser(argument, false).parse();
}

}  // namespace lanescope::job
