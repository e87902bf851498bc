#include "sim/launch.h"

namespace lanescope::sim {

int bytes_of(ElementType type) {
  switch (type) {
    case ElementType::u8:
    case ElementType::i8:
      return 1;
    case ElementType::u16:
    case ElementType::i16:
    case ElementType::f16:
    case ElementType::bf16:
      return 2;
    case ElementType::i32:
    case ElementType::u32:
    case ElementType::f32:
      return 4;
    case ElementType::i64:
    case ElementType::u64:
    case ElementType::f64:
      return 8;
  }
  return 0;
}

bool is_floating(ElementType type) {
  return type == ElementType::f16 || type == ElementType::bf16 || type == ElementType::f32 || type == ElementType::f64;
}

const char* name_of(ElementType type) {
  switch (type) {
    case ElementType::u8:
      return "u8";
    case ElementType::i8:
      return "i8";
    case ElementType::u16:
      return "u16";
    case ElementType::i16:
      return "i16";
    case ElementType::f16:
      return "f16";
    case ElementType::i32:
      return "i32";
    case ElementType::u32:
      return "u32";
    case ElementType::f32:
      return "f32";
    case ElementType::i64:
      return "i64";
    case ElementType::u64:
      return "u64";
    case ElementType::f64:
      return "f64";
    case ElementType::bf16:
      return "bf16";
  }
  return "";
}

}  // namespace lanescope::sim
