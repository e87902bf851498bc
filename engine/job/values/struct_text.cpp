#include "job/values/struct_text.h"

#include <algorithm>
#include <cstring>

#include "core/comma_list.h"
#include "core/worded.h"

namespace lanescope::job {

namespace {

constexpr int most_nested = 16;  // structs in structs; each level reads its text again

class StructReader {
 public:
  // Diagnostics: why the member cannot be in a struct.
  Diagnostics add(const std::string& text) {
    const RequestedArgument member(text, "");
    const Result<Recipe>& recipe = member.recipe();
    if (!recipe) return recipe.errors();
    if (recipe->texture != nullptr)
      return {{Severity::error,
               "argument.syntax",
               {},
               worded("`{}` cannot be a member of a struct.", text),
               "Pass texture and surface objects as arguments of their own."}};
    if (const Recipe::Bytes* bytes = recipe->bytes())
      nested(*bytes);
    else if (const Recipe::Same* same = recipe->same())
      pointer({.own = false, .number = same->argument, .offset = same->offset});
    else if (recipe->buffer())
      buffer(text);
    else
      scalar(std::get<Recipe::Scalar>(recipe->what).bits, static_cast<std::size_t>(sim::bytes_of(recipe->type)));
    return {};
  }

  Recipe::Bytes take() {
    align(made_.alignment);
    return std::move(made_);
  }

 private:
  void align(std::size_t alignment) {
    made_.alignment = std::max(made_.alignment, alignment);
    made_.bytes.resize((made_.bytes.size() + alignment - 1) / alignment * alignment);
  }

  void scalar(std::uint64_t bits, std::size_t size) {
    align(size);
    const std::size_t at = made_.bytes.size();
    made_.bytes.resize(at + size);
    std::memcpy(made_.bytes.data() + at, &bits, size);
  }

  void pointer(Recipe::Bytes::Pointer one) {
    align(8);
    one.at = made_.bytes.size();
    made_.bytes.resize(one.at + 8);
    made_.pointers.push_back(one);
  }

  void buffer(const std::string& text) {
    pointer({.own = true, .number = static_cast<std::int32_t>(made_.buffers.size())});
    made_.buffers.push_back(text);
  }

  void nested(const Recipe::Bytes& inner) {
    align(inner.alignment);
    for (Recipe::Bytes::Pointer one : inner.pointers) {
      one.at += made_.bytes.size();
      if (one.own) one.number += static_cast<std::int32_t>(made_.buffers.size());
      made_.pointers.push_back(one);
    }
    made_.bytes.insert(made_.bytes.end(), inner.bytes.begin(), inner.bytes.end());
    made_.buffers.insert(made_.buffers.end(), inner.buffers.begin(), inner.buffers.end());
  }

  Recipe::Bytes made_;
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
  if (members.empty() || members.front().empty()) return wrong(worded("{} has no members.", shown));
  StructReader reader;
  for (const std::string& member : members)
    if (Diagnostics problems = reader.add(member); !problems.empty()) {
      for (Diagnostic& problem : problems) problem.message = worded("{}: {}", shown, problem.message);
      return problems;
    }
  return reader.take();
}

}  // namespace lanescope::job
