// Makes an argument's bytes from its recipe.

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/content_rule.h"
#include "core/os/cores.h"
#include "core/os/pages.h"
#include "core/worded.h"
#include "job/values/argument.h"
#include "job/values/argument_wording.h"
#include "job/values/element_numbers.h"

namespace lanescope::job {

using sim::ElementType;

namespace {

// Filling gigabytes takes half the time with pages of 2 MiB, and half of that again if the system clears them on
// several cores. The memory must not have been touched. The system may ignore this request.
void ask_for_large_pages(void* memory, std::size_t bytes) {
  constexpr std::uintptr_t page = 2 << 20;
  const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
  if (begin >= end) return;
  pages::wish_for_large(reinterpret_cast<void*>(begin), end - begin);
  constexpr std::uintptr_t worth_a_thread = std::uintptr_t{64} << 20;
  const std::uintptr_t count = (end - begin) / page;
  const std::uintptr_t parts =
      std::clamp<std::uintptr_t>((end - begin) / worth_a_thread, 1, static_cast<std::uintptr_t>(usable_cores()));
  const auto populate = [=](std::uintptr_t part) {
    const std::uintptr_t from = count * part / parts * page, to = count * (part + 1) / parts * page;
    pages::clear_now(reinterpret_cast<void*>(begin + from), to - from);
  };
  std::vector<std::thread> others;
  for (std::uintptr_t part = 1; part < parts; ++part) others.emplace_back(populate, part);
  if (parts > 1) populate(0);
  for (std::thread& other : others) other.join();
}

ContentRule::Type rule_type(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return ContentRule::Type::f16;
    case ElementType::bf16:
      return ContentRule::Type::bf16;
    case ElementType::f32:
      return ContentRule::Type::f32;
    case ElementType::f64:
      return ContentRule::Type::f64;
    default:
      break;
  }
  switch (sim::bytes_of(type)) {
    case 1:
      return ContentRule::Type::u8;
    case 2:
      return ContentRule::Type::u16;
    case 4:
      return ContentRule::Type::u32;
    default:
      return ContentRule::Type::u64;
  }
}

// The rules of contents that only their recipe tells; content_rule_of() finds those of the others.
template <typename Fill>
std::optional<ContentRule> rule_of(ElementType, const Fill&) {
  return std::nullopt;
}
std::optional<ContentRule> rule_of(ElementType type, const Recipe::Random& random) {
  return ContentRule{.kind = ContentRule::Kind::random, .type = rule_type(type), .first = random.seed};
}
std::optional<ContentRule> rule_of(ElementType type, const Recipe::RandomReal& range) {
  return ContentRule{.kind = ContentRule::Kind::random_within,
                     .type = rule_type(type),
                     .first = range.seed,
                     .low = std::bit_cast<std::uint64_t>(range.low),
                     .high = std::bit_cast<std::uint64_t>(range.high)};
}
std::optional<ContentRule> rule_of(ElementType type, const Recipe::RandomWhole& range) {
  return ContentRule{.kind = ContentRule::Kind::random_within,
                     .type = rule_type(type),
                     .first = range.seed,
                     .low = range.low,
                     .high = range.high};
}
std::optional<ContentRule> rule_of(ElementType type, const Recipe::Permutation& shuffled) {
  return ContentRule{.kind = ContentRule::Kind::permutation, .type = rule_type(type), .first = shuffled.seed};
}

class ArgumentMaker {
 public:
  ArgumentMaker(const RequestedArgument& requested, bool fills)
      : shown_(shown(requested.text(), requested.name())), fills_(fills) {}

  Result<sim::Argument> make(const Recipe& recipe) {
    argument_.type = recipe.type;
    argument_.texture = recipe.texture;
    Diagnostics problems = std::visit([this](const auto& what) { return set(what); }, recipe.what);
    if (has_error(problems)) return problems;
    return std::move(argument_);
  }

 private:
  static Diagnostics error(const char* code, Wording message, Wording cure) {
    return {{Severity::error, code, {}, std::move(message), std::move(cure)}};
  }

  Diagnostics set(const Recipe::Scalar& scalar) {
    argument_.scalar_bits = scalar.bits;
    return {};
  }
  Diagnostics set(const Recipe::Bytes& bytes) {
    argument_.raw_parameter = bytes.bytes;
    take_pointers(bytes);
    return {};
  }
  void take_pointers(const Recipe::Bytes& bytes) {
    for (const Recipe::Bytes::Pointer& one : bytes.pointers)
      argument_.pointers.push_back({one.at, static_cast<std::uint32_t>(one.number), one.offset});
  }
  Diagnostics set(const Recipe::Same& same) {
    argument_.same_as = same.argument;
    argument_.scalar_bits = same.offset;
    return {};
  }
  Diagnostics set(const Recipe::Buffer& buffer) {
    argument_.is_buffer = true;
    argument_.base_offset = buffer.offset;
    count_ = buffer.count;
    try {
      if (fills_) make_room();
    } catch (const std::bad_alloc&) {
      return error("argument.too_large", worded("there is not enough memory for {}.", shown_), "Use fewer elements.");
    }
    return std::visit([this](const auto& contents) { return contain(contents); }, buffer.fill);
  }

  std::uint64_t bytes() const { return count_ * static_cast<std::uint64_t>(sim::bytes_of(argument_.type)); }
  void make_room() {
    argument_.contents.reserve(bytes());
    ask_for_large_pages(argument_.contents.data(), bytes());
    argument_.contents.resize(bytes());
  }

  Diagnostics contain(const Recipe::Unwritten&) {
    argument_.uninitialised_from = 0;
    return {};
  }
  Diagnostics contain(const Recipe::Filled& value) {
    if (value.bits != 0) fill([bits = value.bits](std::uint64_t) { return bits; });
    return {};
  }
  Diagnostics contain(const Recipe::Iota&) {
    if (is_floating(argument_.type))
      fill([type = argument_.type](std::uint64_t k) { return float_bits(type, static_cast<double>(k)); });
    else
      fill([](std::uint64_t k) { return k; });
    return {};
  }
  Diagnostics contain(const Recipe::Random& random) { return follow(*rule_of(argument_.type, random)); }
  Diagnostics contain(const Recipe::RandomReal& range) { return follow(*rule_of(argument_.type, range)); }
  Diagnostics contain(const Recipe::RandomWhole& range) { return follow(*rule_of(argument_.type, range)); }
  Diagnostics contain(const Recipe::Permutation& shuffled) { return follow(*rule_of(argument_.type, shuffled)); }

  Diagnostics contain(const Recipe::File& from) { return file(from.path); }
  Diagnostics contain(const Recipe::Bytes& members) {
    if (fills_) std::ranges::copy(members.bytes, argument_.contents.begin());
    take_pointers(members);
    return {};
  }

  // Calls bits_of_element from several threads at once, because full sizes have hundreds of millions of elements. It
  // must hold values, not references: a stored byte could alias what a reference reads.
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
    std::byte* const data = argument_.contents.data();
    in_parts([=](std::uint64_t begin, std::uint64_t end) {
      const Bits bits_of = bits_of_element;
      for (std::uint64_t k = begin; k < end; ++k) {
        const auto bits = static_cast<Element>(bits_of(k));
        std::memcpy(data + k * sizeof bits, &bits, sizeof bits);
      }
    });
  }

  // Fills the buffer by a rule that fits its type.
  Diagnostics follow(const ContentRule& rule) {
    if (!fills_) return {};
    const std::span<std::byte> all(argument_.contents);
    if (rule.kind == ContentRule::Kind::permutation) {
      lanescope::fill(all, rule);
      return {};
    }
    const auto element = static_cast<std::uint64_t>(sim::bytes_of(argument_.type));
    in_parts([=](std::uint64_t begin, std::uint64_t end) {
      lanescope::fill(all.subspan(begin * element, (end - begin) * element), rule, begin);
    });
    return {};
  }

  // Calls `work` for ranges of elements, on as many threads as are worth it.
  template <typename Work>
  void in_parts(const Work& work) {
    constexpr std::uint64_t worth_a_thread = 1 << 20;
    const std::uint64_t count = count_;
    const auto cores = static_cast<std::uint64_t>(usable_cores());
    const std::uint64_t parts = std::clamp<std::uint64_t>(count / worth_a_thread, 1, cores);
    const auto part = [=](std::uint64_t number) { work(count * number / parts, count * (number + 1) / parts); };
    std::vector<std::thread> others;
    for (std::uint64_t number = 1; number < parts; ++number) others.emplace_back(part, number);
    part(0);
    for (std::thread& other : others) other.join();
  }

  Diagnostics file(const std::string& path) {
    std::error_code missing;
    const bool regular = std::filesystem::is_regular_file(path, missing);
    if (!fills_ && !regular && std::filesystem::exists(path, missing) && !std::filesystem::is_directory(path, missing))
      return {};  // a pipe can be read only once
    std::ifstream in(std::filesystem::path(path), std::ios::binary);
    if (!in || std::filesystem::is_directory(path, missing))
      return error("argument.file", worded("the file `{}` of {} cannot be read.", path, shown_), "Check its name.");
    std::uint64_t there = 0;
    if (fills_) {
      in.read(reinterpret_cast<char*>(argument_.contents.data()), static_cast<std::streamsize>(bytes()));
      there = static_cast<std::uint64_t>(in.gcount());
    } else {
      there = std::filesystem::file_size(path, missing);
      if (there == 0) {  // files in /proc report size 0 but have contents
        in.ignore(static_cast<std::streamsize>(bytes()));
        there = static_cast<std::uint64_t>(in.gcount());
      }
    }
    if (there < bytes())
      return error("argument.file",
                   worded("the file `{}` of {} has {} bytes; {} are needed.", path, shown_, there, bytes()),
                   "Use a longer file or fewer elements.");
    return {};
  }

  const Wording shown_;
  const bool fills_;
  std::uint64_t count_ = 0;  // number of a buffer's elements
  sim::Argument argument_;
};

Result<sim::Argument> made(const RequestedArgument& argument, bool fills) {
  if (!argument.recipe()) return argument.recipe().errors();
  return ArgumentMaker(argument, fills).make(*argument.recipe());
}

}  // namespace

std::optional<ContentRule> content_rule(const RequestedArgument& argument) {
  if (!argument.recipe() || !argument.recipe()->buffer()) return std::nullopt;
  return std::visit([type = argument.recipe()->type](const auto& fill) { return rule_of(type, fill); },
                    argument.recipe()->buffer()->fill);
}

Result<sim::Argument> make_argument(const RequestedArgument& argument) {
  return made(argument, true);
}

Result<sim::Argument> make_argument_unfilled(const RequestedArgument& argument) {
  return made(argument, false);
}

Result<std::vector<sim::Argument>> make_arguments(std::initializer_list<const RequestedArguments*> lists,
                                                  Result<sim::Argument> (*make)(const RequestedArgument&)) {
  std::vector<sim::Argument> arguments;
  Diagnostics problems;
  for (const RequestedArguments* list : lists)
    for (const RequestedArgument& text : *list) {
      Result<sim::Argument> argument = make(text);
      if (argument) {
        argument->number = static_cast<std::int32_t>(arguments.size());
        arguments.push_back(std::move(*argument));
      } else {
        for (Diagnostic& error : argument.take_errors()) problems.push_back(std::move(error));
      }
    }
  if (has_error(problems)) return problems;
  return arguments;
}

std::vector<std::byte> parameter_bytes(const sim::Argument& argument) {
  if (!argument.raw_parameter.empty()) return argument.raw_parameter;
  std::vector<std::byte> bytes(static_cast<std::size_t>(sim::bytes_of(argument.type)));
  std::memcpy(bytes.data(), &argument.scalar_bits, bytes.size());
  return bytes;
}

}  // namespace lanescope::job
