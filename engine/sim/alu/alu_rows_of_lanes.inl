// Everything that is compiled once for each instruction set.
#include "sim/alu/alu_lanes.inl"
//
#include "sim/alu/alu_integer.inl"
//
#include "sim/alu/alu_float.inl"
//
#include "sim/alu/alu_compare.inl"
//
#include "sim/alu/alu_convert.inl"
//
#include "sim/alu/alu_half.inl"
//
#include "sim/alu/alu_sfu.inl"
//
#include "sim/alu/alu_approximate.inl"

static void add_rows(AluTable& table) {
  add_integer_rows(table);
  add_float_rows(table);
  add_compare_rows(table);
  add_convert_rows(table);
  add_half_rows(table);
  add_approximate_rows(table);
}
