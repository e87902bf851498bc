// Makes an argument's recipe from text, or from the values of a lesson's formulas.

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/source_types.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/values/argument.h"
#include "job/values/argument_wording.h"
#include "job/values/element_numbers.h"
#include "job/values/struct_text.h"
#include "job/values/texture_text.h"
#include "lesson/lesson.h"
#include "lesson/nearest.h"

namespace lanescope::job {

using sim::ElementType;

namespace {

constexpr ArgumentForm all_forms[] = {
    {"i32=-4", "a scalar; types: u8 i8 u16 i16 f16 bf16 i32 u32 f32 i64 u64 f64"},
    {"u64=0xff", "in hexadecimal; for a floating-point type, its bits"},
    {"bytes=0aff00", "a struct by value, two hexadecimal digits per byte"},
    {"{i32=16,f32[256]=iota}", "a struct by value, as its members; a buffer in it is a pointer, and so is same:0"},
    {"&{8*f32[64]=iota,f32[16]}", "a buffer of members: a table of 9 pointers, each to a buffer of its own"},
    {"&{4*{i32=1,f32=2.5}}", "an array of 4 structs"},
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
    {"tex:f32[64,32]=iota", "a texture object of 64 × 32 texels, u8 to f32 or with channels: u8x4; any contents"},
    {"tex:linear,wrap,normalized:…",
     "its settings: point linear, clamp wrap mirror border, normalized (coordinates), float "
     "(cudaReadModeNormalizedFloat)"},
    {"tex:layered:f32[64,32,4]", "the last size is the number of layers"},
    {"tex:memory:f32[1024]", "linear memory, for tex1Dfetch()"},
    {"surf:f32x4[64,32]", "a surface object; after the run its contents are a buffer's"},
};

constexpr const char* forms =
    "Scalars: i32=4096, f32=1.5, bytes=0aff. Buffers: f32[16384]=1, =iota, =random:7, =random:7:LO:HI, =permutation:7, "
    "=@file, or no value for an uninitialised buffer; f32[64]+12=… for a pointer into it; same:0 to pass the buffer of "
    "argument 0 again.";

// A type as CUDA C++ names it is told as an argument names it.
Wording meant_by(const std::string& name) {
  if (name.find("bf16") != std::string::npos || name.find("bfloat") != std::string::npos)
    return worded("Did you mean `{}`?", "bf16");
  const std::string tight = without_blanks(name);
  if (const std::string_view type = element_of_type(vector_type(tight).first); !type.empty())
    return worded("Did you mean `{}`?", type);
  return lesson::did_you_mean(name, lesson::element_types());
}

std::optional<std::uint64_t> unsigned_in(std::string_view text) {
  std::uint64_t value = 0;
  return parse_whole(text, value) ? std::optional(value) : std::nullopt;
}

// A number and its text.
struct Written {
  std::optional<std::uint64_t> value;
  std::string text;
};
Written written(std::int64_t value) {
  return {value < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(value)), std::to_string(value)};
}

class RecipeReader {
 public:
  RecipeReader(const std::string& text, const std::string& name) : shown_(shown(text, name)) {}

  Result<Recipe> read(const std::string& text) {
    const std::size_t name_end = text.find_first_of("=[");
    const std::string name = text.substr(0, name_end);
    const std::string_view rest = std::string_view(text).substr(std::min(name_end, text.size()));
    if (name == "bytes" && rest.starts_with('=')) return bytes(rest.substr(1));
    if (text.starts_with("same:")) return same(std::string_view(text).substr(5));
    if (is_struct_text(text)) return structure(text);
    if (is_members_text(text)) return members(text);
    if (is_texture_text(text)) return texture(text);
    const std::optional<ElementType> type = type_named(name);
    if (!type)
      return error("argument.type", worded("{} does not begin with a known type.", shown_),
                   joined({meant_by(name), forms}, "{} {}"));
    type_ = *type;
    if (rest.empty()) return error("argument.syntax", worded("{} gives no value.", shown_), forms);
    if (rest.starts_with('=')) return scalar(rest.substr(1));
    return buffer(rest.substr(1));
  }

  Result<Recipe> scalar(ElementType type, std::int64_t value) {
    type_ = type;
    return scalar(std::to_string(value));
  }
  Result<Recipe> buffer(ElementType type, std::int64_t count, std::int64_t offset, std::string_view fill) {
    type_ = type;
    Written behind = written(offset);
    behind.text.insert(0, "+");
    return buffer(written(count), behind, fill.empty() ? std::nullopt : std::optional(fill));
  }

 private:
  static Diagnostic error(const char* code, Wording message, Wording cure) {
    return {Severity::error, code, {}, std::move(message), std::move(cure)};
  }
  Diagnostic bad_number(std::string_view number) const {
    return error("argument.number", worded("`{}` in {} is not {}.", number, shown_, range_of(type_)), forms);
  }

  Result<Recipe> bytes(std::string_view digits) const {
    if (digits.empty() || digits.size() % 2 != 0)
      return error("argument.number", worded("{} needs two hexadecimal digits per byte.", shown_),
                   "Write it like bytes=0aff.");
    Recipe::Bytes made;
    for (std::size_t i = 0; i < digits.size(); i += 2) {
      std::uint8_t byte = 0;
      if (!parse_whole(digits.substr(i, 2), byte, 16))
        return error("argument.number", worded("`{}` in {} is not a byte.", digits.substr(i, 2), shown_),
                     "Write it like bytes=0aff.");
      made.bytes.push_back(static_cast<std::byte>(byte));
    }
    return Recipe{type_, nullptr, std::move(made)};
  }

  Result<Recipe> structure(const std::string& text) const {
    Result<Recipe::Bytes> made = read_struct_text(text, shown_);
    if (!made) return made.take_errors();
    return Recipe{type_, nullptr, std::move(*made)};
  }

  Result<Recipe> members(const std::string& text) const {
    if (without_blanks(text) == "&{}")
      return error("argument.syntax", worded("{} has no members.", shown_), "Write it like {i32=16,f32[256]=iota}.");
    Result<Recipe::Bytes> made = read_struct_text(text.substr(1), shown_);
    if (!made) return made.take_errors();
    const ElementType type = element_type_of(*made);
    const std::uint64_t count = made->bytes.size() / static_cast<std::size_t>(sim::bytes_of(type));
    return Recipe{type, nullptr, Recipe::Buffer{count, 0, std::move(*made)}};
  }

  Result<Recipe> same(std::string_view rest) const {
    const std::size_t plus = rest.find('+');
    Recipe::Same made;
    const bool named = parse_whole(rest.substr(0, plus), made.argument) && made.argument >= 0;
    const bool placed = plus == std::string_view::npos || parse_whole(rest.substr(plus + 1), made.offset);
    if (!named || !placed)
      return error("argument.syntax", worded("{} does not name an argument.", shown_),
                   "Write it like same:0, or same:0+64 for a pointer 64 bytes further. Arguments are numbered from 0.");
    return Recipe{ElementType::u64, nullptr, made};
  }

  Result<Recipe> scalar(std::string_view number) const {
    const std::optional<std::uint64_t> bits = parse_number(type_, number);
    if (!bits) return bad_number(number);
    return Recipe{type_, nullptr, Recipe::Scalar{*bits}};
  }

  Result<Recipe> texture(std::string_view text) {
    Result<TextureText> read = read_texture_text(text, shown_);
    if (!read) return read.take_errors();
    type_ = read->type;
    const bool is_filled = read->rest.starts_with('=');
    if (!is_filled && !read->rest.empty())
      return error("argument.syntax", worded("`{}` in {} is not understood.", read->rest, shown_), forms);
    Result<Recipe> made = buffer({read->count, std::to_string(read->count)}, {0, ""},
                                 is_filled ? std::optional(read->rest.substr(1)) : std::nullopt);
    if (made) made->texture = read->description;
    return made;
  }

  // Parses what follows "f32[".
  Result<Recipe> buffer(std::string_view rest) const {
    const std::size_t close = rest.find(']');
    if (close == std::string_view::npos)
      return error("argument.syntax", worded("`]` is missing in {}.", shown_), forms);
    const Written count{unsigned_in(rest.substr(0, close)), std::string(rest.substr(0, close))};
    rest.remove_prefix(close + 1);
    Written offset{0, ""};
    if (rest.starts_with('+')) {
      const std::size_t end = std::min(rest.find('='), rest.size());
      offset = {unsigned_in(rest.substr(1, end - 1)), std::string(rest.substr(0, end))};
      rest.remove_prefix(end);
    }
    const bool is_filled = rest.starts_with('=');
    Result<Recipe> made = buffer(count, offset, is_filled ? std::optional(rest.substr(1)) : std::nullopt);
    if (made && !is_filled && !rest.empty())
      return error("argument.syntax", worded("`{}` in {} is not understood.", rest, shown_), forms);
    return made;
  }

  Result<Recipe> buffer(const Written& count, const Written& offset, std::optional<std::string_view> fill) const {
    const auto element = static_cast<std::uint64_t>(sim::bytes_of(type_));
    if (!count.value || *count.value == 0)
      return error("argument.number", worded("`{}` in {} is not a number of elements.", count.text, shown_),
                   "Give a positive integer, for example f32[16384].");
    if (*count.value > largest_buffer_bytes / element)
      return error("argument.too_large", worded("{} is larger than {} GiB.", shown_, largest_buffer_bytes >> 30),
                   "Use fewer elements.");
    if (!offset.value || *offset.value >= *count.value * element)
      return error("argument.number", worded("`{}` in {} is not an offset inside the buffer.", offset.text, shown_),
                   "Give the offset in bytes, for example f32[64]+4=iota.");
    Recipe::Buffer made{*count.value, *offset.value, Recipe::Unwritten{}};
    if (fill) {
      Result<Recipe::Fill> contents = fill_in(*fill, made.count);
      if (!contents) return contents.take_errors();
      made.fill = std::move(*contents);
    }
    return Recipe{type_, nullptr, std::move(made)};
  }

  Result<Recipe::Fill> fill_in(std::string_view what, std::uint64_t count) const {
    if (what == "iota") return Recipe::Fill{Recipe::Iota{}};
    if (what.starts_with("random:")) return random(what.substr(7));
    if (what.starts_with("permutation:")) return permutation(what.substr(12), count);
    if (what.starts_with('@')) return Recipe::Fill{Recipe::File{std::string(what.substr(1))}};
    const std::optional<std::uint64_t> bits = parse_number(type_, what);
    if (!bits) return bad_number(what);
    return Recipe::Fill{Recipe::Filled{*bits}};
  }

  Result<Recipe::Fill> random(std::string_view parameters) const {
    const std::size_t colon = parameters.find(':');
    const std::optional<std::uint64_t> seed = unsigned_in(parameters.substr(0, colon));
    if (!seed)
      return error("argument.number", worded("{} has no seed after `random:`.", shown_), "Write it like =random:7.");
    if (colon == std::string_view::npos) return Recipe::Fill{Recipe::Random{*seed}};
    const std::string_view range = parameters.substr(colon + 1);
    const std::size_t second = range.find(':');
    std::optional<Recipe::Fill> made;
    if (second != std::string_view::npos)
      made = is_floating(type_) ? real_range(*seed, range.substr(0, second), range.substr(second + 1))
                                : whole_range(*seed, range.substr(0, second), range.substr(second + 1));
    if (!made)
      return error("argument.number", worded("the range in {} is wrong.", shown_),
                   "Write it like =random:7:0:255, the lower bound first.");
    return *made;
  }

  static std::optional<Recipe::Fill> real_range(std::uint64_t seed, std::string_view first, std::string_view second) {
    Recipe::RandomReal made{seed, 0, 0};
    const auto a = std::from_chars(first.data(), first.data() + first.size(), made.low);
    const auto b = std::from_chars(second.data(), second.data() + second.size(), made.high);
    const bool whole = a.ptr == first.data() + first.size() && b.ptr == second.data() + second.size();
    if (a.ec != std::errc{} || b.ec != std::errc{} || !whole || !(made.low < made.high) ||
        !std::isfinite(made.high - made.low))
      return std::nullopt;
    return made;
  }

  std::optional<Recipe::Fill> whole_range(std::uint64_t seed, std::string_view first, std::string_view second) const {
    const auto low = parse_integer(type_, first), high = parse_integer(type_, second);
    if (!low || !high) return std::nullopt;
    const bool ordered = is_signed(type_) ? sign_extended(*low) <= sign_extended(*high) : *low <= *high;
    return ordered ? std::optional<Recipe::Fill>(Recipe::RandomWhole{seed, *low, *high}) : std::nullopt;
  }
  std::int64_t sign_extended(std::uint64_t bits) const {
    const int unused = 64 - 8 * sim::bytes_of(type_);
    return static_cast<std::int64_t>(bits << unused) >> unused;
  }

  Result<Recipe::Fill> permutation(std::string_view parameters, std::uint64_t count) const {
    const std::optional<std::uint64_t> seed = unsigned_in(parameters);
    if (!seed)
      return error("argument.number", worded("{} has no seed after `permutation:`.", shown_),
                   "Write it like =permutation:7.");
    const std::uint64_t highest = is_signed(type_) ? mask_of(type_) >> 1 : mask_of(type_);
    if (is_floating(type_) || count - 1 > highest)
      return error("argument.type", worded("{} cannot hold the indices 0 … {}.", shown_, count - 1),
                   "Use a wider integer type.");
    return Recipe::Fill{Recipe::Permutation{*seed}};
  }

  const Wording shown_;
  ElementType type_ = ElementType::i32;
};

}  // namespace

Wording shown(const std::string& text, const std::string& name) {
  return name.empty() ? Wording(fmt::format("`{}`", text)) : worded("`{}` (argument `{}`)", text, name);
}

RequestedArgument::RequestedArgument(std::string text, std::string name)
    : text_(std::move(text)),
      name_(std::move(name)),
      recipe_(std::make_shared<const Result<Recipe>>(RecipeReader(text_, name_).read(text_))) {}

RequestedArgument RequestedArgument::scalar(std::string_view type, std::int64_t value, std::string name) {
  RequestedArgument made;
  made.text_ = fmt::format("{}={}", type, value);
  made.name_ = std::move(name);
  made.recipe_ = std::make_shared<const Result<Recipe>>(
      RecipeReader(made.text_, made.name_).scalar(type_named(type).value_or(ElementType::i32), value));
  return made;
}

RequestedArgument RequestedArgument::buffer(std::string_view type, std::int64_t count, std::int64_t offset,
                                            std::string_view fill, std::string name) {
  RequestedArgument made;
  made.text_ =
      fmt::format("{}[{}]{}{}{}", type, count, offset ? fmt::format("+{}", offset) : "", fill.empty() ? "" : "=", fill);
  made.name_ = std::move(name);
  made.recipe_ = std::make_shared<const Result<Recipe>>(
      RecipeReader(made.text_, made.name_).buffer(type_named(type).value_or(ElementType::i32), count, offset, fill));
  return made;
}

RequestedArgument RequestedArgument::with(Recipe::Bytes members) const {
  Recipe recipe = *this->recipe();
  if (Recipe::Buffer* buffer = std::get_if<Recipe::Buffer>(&recipe.what))
    buffer->count = members.bytes.size() / static_cast<std::uint64_t>(sim::bytes_of(recipe.type));
  *recipe.members() = std::move(members);
  RequestedArgument made = *this;
  made.recipe_ = std::make_shared<const Result<Recipe>>(std::move(recipe));
  return made;
}

RequestedArgument RequestedArgument::with(std::vector<Recipe::Bytes::Pointer> pointers) const {
  Recipe::Bytes members = *recipe()->members();
  members.pointers = std::move(pointers);
  return with(std::move(members));
}

const Result<Recipe>& RequestedArgument::recipe() const {
  static const Result<Recipe> of_no_text = RecipeReader("", "").read("");
  return recipe_ ? *recipe_ : of_no_text;
}

std::span<const ArgumentForm> argument_forms() {
  return all_forms;
}

}  // namespace lanescope::job
