#include "job/values/struct_text.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/comma_list.h"
#include "core/worded.h"
#include "job/values/element_numbers.h"

namespace lanescope::job {

namespace {

constexpr int most_nested = 16;              // structs in structs; each level reads its text again
constexpr std::size_t most_bytes = 1 << 20;  // of a struct
constexpr std::size_t most_buffers = 4096;   // to which its pointers point

struct Member {
  std::size_t times = 1;
  std::string text;
};
// "8*f32[64]" is eight times f32[64]; a number too large for a count is the largest one.
Member member_of(const std::string& text) {
  const std::size_t digits = text.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string::npos || text[digits] != '*') return {1, text};
  Member made{std::numeric_limits<std::size_t>::max(), text.substr(digits + 1)};
  parse_whole(std::string_view(text).substr(0, digits), made.times);
  return made;
}

class StructReader {
 public:
  // Diagnostics: why the member cannot be in a struct.
  Diagnostics add(const Member& member) {
    const RequestedArgument parsed(member.text, "");
    const Result<Recipe>& recipe = parsed.recipe();
    if (!recipe) return recipe.errors();
    if (recipe->texture != nullptr)
      return {{Severity::error,
               "argument.syntax",
               {},
               worded("`{}` cannot be a member of a struct.", member.text),
               "Pass texture and surface objects as arguments of their own."}};
    for (std::size_t i = 0; i < member.times; ++i) {
      add(*recipe, member.text);
      if (made_.bytes.size() > most_bytes || made_.buffers.size() > most_buffers)
        return {{Severity::error,
                 "argument.too_large",
                 {},
                 worded("a struct of more than {} bytes, or with more than {} buffers", most_bytes, most_buffers),
                 "Use fewer members."}};
    }
    return {};
  }

  Recipe::Bytes take() {
    align(made_.alignment);
    if (has_raw_bytes_) made_.numbers.clear();
    return std::move(made_);
  }

 private:
  void add(const Recipe& recipe, const std::string& text) {
    if (const Recipe::Bytes* bytes = recipe.bytes())
      nested(*bytes);
    else if (const Recipe::Same* same = recipe.same())
      pointer({.own = false, .number = same->argument, .offset = same->offset});
    else if (recipe.buffer())
      buffer(text);
    else
      scalar(std::get<Recipe::Scalar>(recipe.what).bits, recipe.type);
  }

  void align(std::size_t alignment) {
    made_.alignment = std::max(made_.alignment, alignment);
    made_.bytes.resize((made_.bytes.size() + alignment - 1) / alignment * alignment);
  }

  void note(sim::ElementType type) {
    if (std::ranges::find(made_.types, type) == made_.types.end()) made_.types.push_back(type);
  }

  void scalar(std::uint64_t bits, sim::ElementType type) {
    const auto size = static_cast<std::size_t>(sim::bytes_of(type));
    note(type);
    align(size);
    const std::size_t at = made_.bytes.size();
    made_.bytes.resize(at + size);
    made_.numbers.push_back({at, size});
    std::memcpy(made_.bytes.data() + at, &bits, size);
  }

  void pointer(Recipe::Bytes::Pointer one) {
    note(sim::ElementType::u64);
    align(8);
    one.at = made_.bytes.size();
    made_.bytes.resize(one.at + 8);
    made_.numbers.push_back({one.at, 8});
    made_.pointers.push_back(one);
  }

  void buffer(const std::string& text) {
    pointer({.own = true, .number = static_cast<std::int32_t>(made_.buffers.size())});
    made_.buffers.push_back(text);
  }

  void nested(const Recipe::Bytes& inner) {
    align(inner.alignment);
    for (const sim::ElementType type : inner.types) note(type);
    has_raw_bytes_ = has_raw_bytes_ || inner.numbers.empty();
    for (const Recipe::Bytes::Number& one : inner.numbers)
      made_.numbers.push_back({made_.bytes.size() + one.at, one.bytes});
    for (Recipe::Bytes::Pointer one : inner.pointers) {
      one.at += made_.bytes.size();
      if (one.own) one.number += static_cast<std::int32_t>(made_.buffers.size());
      made_.pointers.push_back(one);
    }
    made_.bytes.insert(made_.bytes.end(), inner.bytes.begin(), inner.bytes.end());
    made_.buffers.insert(made_.buffers.end(), inner.buffers.begin(), inner.buffers.end());
  }

  Recipe::Bytes made_;
  bool has_raw_bytes_ = false;
};

int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  for (const char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    deepest = std::max(deepest, depth);
  }
  return depth == 0 ? deepest : -1;
}

}  // namespace

Result<Recipe::Bytes> read_struct_text(const std::string& text, const Wording& shown) {
  const int depth = depth_of(text);
  const auto wrong = [&](Wording message) {
    return Diagnostic{
        Severity::error, "argument.syntax", {}, std::move(message), "Write it like {i32=16,f32[256]=iota}."};
  };
  if (depth < 0 || !text.ends_with('}')) return wrong(worded("`}}` is missing in {}.", shown));
  if (depth > most_nested) return wrong(worded("{} has structs nested more than {} deep.", shown, most_nested));
  const std::vector<std::string> members = comma_list(std::string_view(text).substr(1, text.size() - 2));
  if (members.empty() || (members.size() == 1 && members.front().empty())) {
    Recipe::Bytes one;  // a struct without members, as C++ has it
    one.bytes.resize(1);
    return one;
  }
  if (members.front().empty()) return wrong(worded("{} has no members.", shown));
  StructReader reader;
  for (const std::string& member : members)
    if (Diagnostics problems = reader.add(member_of(member)); !problems.empty()) {
      for (Diagnostic& problem : problems) problem.message = worded("{}: {}", shown, problem.message);
      return problems;
    }
  Recipe::Bytes made = reader.take();
  if (made.bytes.empty()) return wrong(worded("{} has no members.", shown));
  return made;
}

sim::ElementType element_type_of(const Recipe::Bytes& members) {
  using enum sim::ElementType;
  const auto size = [&] { return static_cast<std::size_t>(sim::bytes_of(members.types.front())); };
  if (members.types.size() == 1 && members.bytes.size() % size() == 0) return members.types.front();
  switch (members.alignment) {
    case 8:
      return u64;
    case 4:
      return u32;
    case 2:
      return u16;
    default:
      return u8;
  }
}

}  // namespace lanescope::job
