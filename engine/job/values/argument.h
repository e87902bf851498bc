#pragma once
// A kernel's arguments: their description in a request, and the arguments made from it.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/content_rule.h"
#include "core/result.h"
#include "sim/launch_request.h"

namespace lanescope::job {

// How an argument is made. `bits` are a value of the argument's type, in the low bytes.
struct Recipe {
  struct Scalar {
    std::uint64_t bits = 0;
  };
  struct Bytes {  // a struct by value, or what a buffer of members holds
    std::vector<std::byte> bytes;
    std::size_t alignment = 1;  // as a member of another struct
    // A pointer in it, 8 bytes at `at`: to its own buffer of this number, if `own`, else the pointer that this argument
    // passes; plus `offset` bytes. place_pointed_buffers() turns all into arguments: in a struct by value those of the
    // launch; in a buffer those of the request, and `offset` counts from the buffer's beginning.
    struct Pointer {
      std::uint64_t at = 0;
      bool own = false;
      std::int32_t number = 0;
      std::uint64_t offset = 0;
    };
    std::vector<Pointer> pointers;
    // Its scalars and pointers, in order; none if it has bytes=… among its members.
    struct Number {
      std::uint64_t at = 0, bytes = 0;
    };
    std::vector<Number> numbers;
    std::vector<std::string> buffers;     // its own, each in the form that --arg takes
    std::vector<sim::ElementType> types;  // of its scalars, u64 for a pointer; each once
  };
  struct Same {  // the pointer that another argument passes, plus this many bytes
    std::int32_t argument = 0;
    std::uint64_t offset = 0;
  };

  // The contents of a buffer before the launch; README and argument_forms() describe each.
  struct Unwritten {};
  struct Filled {
    std::uint64_t bits = 0;
  };
  struct Iota {};
  struct Random {
    std::uint64_t seed = 0;
  };
  struct RandomReal {
    std::uint64_t seed = 0;
    double low = 0, high = 1;
  };
  struct RandomWhole {
    std::uint64_t seed = 0;
    std::uint64_t low = 0, high = 0;  // bits
  };
  struct Permutation {
    std::uint64_t seed = 0;
  };
  struct File {
    std::string path;
  };
  using Fill = std::variant<Unwritten, Filled, Iota, Random, RandomReal, RandomWhole, Permutation, File, Bytes>;
  struct Buffer {
    std::uint64_t count = 0;   // elements
    std::uint64_t offset = 0;  // bytes between the first element and the passed pointer
    Fill fill;
  };

  sim::ElementType type = sim::ElementType::i32;  // for Scalar and Buffer
  // For a buffer: the kernel receives a texture or surface object of these texels.
  std::shared_ptr<const sim::TextureDescription> texture;
  std::variant<Scalar, Bytes, Same, Buffer> what;

  const Bytes* bytes() const { return std::get_if<Bytes>(&what); }
  // The members of a struct, or of a buffer that is given as its members.
  const Bytes* members() const { return buffer() ? std::get_if<Bytes>(&buffer()->fill) : bytes(); }
  Bytes* members() { return const_cast<Bytes*>(std::as_const(*this).members()); }
  const Same* same() const { return std::get_if<Same>(&what); }
  const Buffer* buffer() const { return std::get_if<Buffer>(&what); }
  bool reads_a_file() const { return buffer() && std::holds_alternative<File>(buffer()->fill); }
};

// An argument of a request. It is parsed once, here: from the text of --arg, or from values that a lesson's formulas
// gave. Wrong text is kept together with its errors, which make_argument() returns.
class RequestedArgument {
 public:
  RequestedArgument() = default;  // no text, which is an error
  // `text` as --arg takes it:
  //   i32=-4  u64=0xff  f32=1.5  f16=0.1  f64=nan      scalars; 0x… of a floating type is its bit pattern
  //   f32[64]             a buffer never written        f32[64]=1.5          filled
  //   f32[64]=iota        0, 1, 2, … (integers wrap, floats round)
  //   f32[64]=random:7    splitmix64 from seed 7: floats uniform in [0, 1), integers over their whole range;
  //                       random:7:LO:HI: floats in [LO, HI) and then rounded to the type, integers in [LO, HI]
  //   i32[64]=permutation:7   0 … 63 in an order shuffled from seed 7
  //   f32[64]=@file       raw little-endian bytes, from the file's beginning
  //   f32[64]+4=…         the passed pointer is 4 bytes after the first element
  //   bytes=0aff…         a struct by value, in hexadecimal
  //   {i32=16,f32[256]=iota,same:0}   a struct by value, its members in order, each aligned as in C++; a buffer is a
  //                       pointer to memory of its own; structs and bytes=… (not aligned) may be members
  //   &{f32[64]=iota,8*f32[64]}   a buffer that holds these members, laid out like a struct: a table of pointers, or an
  //                       array of structs; 8* repeats a member, each time with a buffer of its own
  //   same:0, same:0+64   the pointer of argument 0, or 64 bytes after it: one buffer under two names
  //   tex:f32[64,32]=…, surf:…   a texture or surface object with these texels; read_texture_text() lists the options
  // argument_forms() lists them for help. `name` is for messages and lesson checks; it may be empty. Errors:
  // argument.syntax, argument.type, argument.number, argument.too_large.
  RequestedArgument(std::string text, std::string name);

  // A scalar; `type` is one of lesson::element_types(). The same errors.
  static RequestedArgument scalar(std::string_view type, std::int64_t value, std::string name);
  // A buffer; `fill` is what --arg takes after '=', empty = never written. The same errors.
  static RequestedArgument buffer(std::string_view type, std::int64_t count, std::int64_t offset, std::string_view fill,
                                  std::string name);

  // The same argument, which has members, with other members, or with these pointers in place of its own.
  RequestedArgument with(Recipe::Bytes members) const;
  RequestedArgument with(std::vector<Recipe::Bytes::Pointer> pointers) const;

  const std::string& text() const { return text_; }  // in the form that --arg takes
  const std::string& name() const { return name_; }
  const Result<Recipe>& recipe() const;

 private:
  std::string text_, name_;
  std::shared_ptr<const Result<Recipe>> recipe_;  // null if there is no text
};

// Makes the argument. Errors: those of its recipe, argument.file, argument.too_large (not enough memory).
Result<sim::Argument> make_argument(const RequestedArgument& argument);
// The same without the contents of a buffer and their memory: reports all errors that can be found without them.
Result<sim::Argument> make_argument_unfilled(const RequestedArgument& argument);

// The rule of a buffer's contents if only its recipe tells it: random numbers and permutations (core/content_rule.h).
std::optional<ContentRule> content_rule(const RequestedArgument& argument);

using RequestedArguments = std::vector<RequestedArgument>;
// Makes the arguments of each list in turn, and numbers them (sim::Argument::number). Errors: those of every argument
// that cannot be made.
Result<std::vector<sim::Argument>> make_arguments(
    std::initializer_list<const RequestedArguments*> lists,
    Result<sim::Argument> (*make)(const RequestedArgument&) = make_argument);

// The bytes of a scalar or a struct by value in the kernel's parameters, little-endian.
std::vector<std::byte> parameter_bytes(const sim::Argument& argument);

// The grammar of an argument, one form per row: --help shows it and README repeats it.
struct ArgumentForm {
  const char* form;
  const char* meaning;
};
std::span<const ArgumentForm> argument_forms();

// Buffers of at most this many bytes are accepted.
inline constexpr std::uint64_t largest_buffer_bytes = 4ull << 30;

}  // namespace lanescope::job
