#pragma once
// Operand values for tests by PTX type name, and words as numbers.

#include <cstdint>
#include <string>
#include <vector>

#include "alu_cases.h"

namespace lanescope::sim {

__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 UInt128;

// Interesting values of a type (edges, zeros, infinities, NaNs, subnormals), followed by `random` others, the same in
// every run. Also "amount": shift amounts and bit positions.
std::vector<std::uint64_t> values_of(const std::string& type, int random);

Inputs singles_of(const std::string& type, int random);
// Every pair of edge values, and random pairs.
Inputs pairs_of(const std::string& a, const std::string& b, int random);
Inputs triples_of(const std::string& a, const std::string& b, const std::string& c, int random);
Inputs all16();  // a = 0 … 65535
// About `count` of them, evenly spaced.
Inputs thinned(const Inputs& inputs, std::size_t count);

int width_of(const std::string& type);         // bits: "s32" 32, "f16x2" 32, "pred" 1
bool is_signed_type(const std::string& type);  // integers only
bool is_float_type(const std::string& type);
char register_letter(const std::string& type);  // of the registers in alu_cases.h: 'h', 'r', 'd', 'q', 'p'

std::uint64_t low(std::uint64_t bits, int width);
// The low bits as a number, signed if the type is.
Int128 as_integer(std::uint64_t bits, const std::string& type);
// The number that the bits encode in f16, bf16, f32 or f64, exactly, including infinities; NaN for a NaN.
double number_of(std::uint64_t bits, const std::string& type);
float f32(std::uint64_t bits);
double f64(std::uint64_t bits);
std::uint64_t bits_of(float x);
std::uint64_t bits_of(double x);

}  // namespace lanescope::sim
