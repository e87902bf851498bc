#pragma once
// Arguments of a kernel as text, and what they stand for.

#include <cstdint>
#include <span>
#include <string>

#include "core/result.h"
#include "sim/launch_request.h"

namespace lanescope::job {

// An argument as the command line writes it: "i32=4096", "f32[16384]=iota", "f32[64]=@file"; see parse_argument().
struct ArgumentText {
  std::string text;
  std::string name;  // for messages and lesson checks; may be empty
};

// Parses one --arg:
//   i32=-4  u64=0xff  f32=1.5  f16=0.1  f64=nan      scalars; 0x… of a floating type is its bit pattern
//   f32[64]             a buffer never written        f32[64]=1.5          filled
//   f32[64]=iota        0, 1, 2, … (integers wrap, floats round)
//   f32[64]=random:7    splitmix64 from seed 7: floats uniform in [0, 1), integers over their whole range;
//                       random:7:LO:HI: floats in [LO, HI) and then rounded to the type, integers in [LO, HI]
//   i32[64]=permutation:7   0 … 63 in an order shuffled from seed 7
//   f32[64]=@file       raw little-endian bytes, from the file's beginning
//   f32[64]+4=…         the pointer passed lies 4 bytes behind the first element
//   bytes=0aff…         a struct by value, in hexadecimal
//   same:0, same:0+64   the pointer that argument 0 passes, or one so many bytes behind it: one buffer under two names
// argument_forms() lists them for help. Diagnostics: argument.syntax, argument.type, argument.number, argument.file,
// argument.too_large.
Result<sim::Argument> parse_argument(const ArgumentText& argument);
// The same without a buffer's contents, of which it takes no memory: what can be said against it before there is memory
// for them.
Result<sim::Argument> parse_argument_unfilled(const ArgumentText& argument);

// The grammar of an argument, a form in each line: what --help shows and README repeats.
struct ArgumentForm {
  const char* form;
  const char* meaning;
};
std::span<const ArgumentForm> argument_forms();

// The kth number (from 0) of the generator behind random:SEED.
std::uint64_t splitmix64(std::uint64_t seed, std::uint64_t k);

// Buffers of at most this many bytes are accepted.
inline constexpr std::uint64_t largest_buffer_bytes = 4ull << 30;

}  // namespace lanescope::job
