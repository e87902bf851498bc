#pragma once
// How values are written in a Message (core/json_fields.h): enumerations by number, wordings with their pattern and
// values, so that the reader can print them in its own language.

#include <type_traits>

#include "core/diagnostic.h"
#include "core/json_fields.h"
#include "core/os/wire.h"

namespace lanescope {

// A list: the English, then the pattern, then each value.
Message packed(const Wording& wording);
Wording unpacked(const Message& message);

struct MessageCodec : PlainCodec<Message> {
  static constexpr bool is_kept = false;
  template <typename T>
  Message written(const T& value) const {
    if constexpr (std::is_enum_v<T>)
      return static_cast<int>(value);
    else
      return value;
  }
  template <typename T>
  void read(const Message& message, T& value) const {
    if constexpr (std::is_enum_v<T>) {
      std::underlying_type_t<T> number = 0;
      read_integer(message, number);
      value = static_cast<T>(number);
    } else {
      PlainCodec::read(message, value);
    }
  }
  Message written(const Wording& wording) const { return packed(wording); }
  void read(const Message& message, Wording& wording) const { wording = unpacked(message); }
};

template <typename Visit, ConstOr<Diagnostic> T>
void fields(Visit& visit, T& diagnostic) {
  visit("severity", diagnostic.severity);
  visit("code", diagnostic.code);
  visit("file", diagnostic.place.file);
  visit("line", diagnostic.place.line);
  visit("column", diagnostic.place.column);
  visit("message", diagnostic.message);
  visit("cure", diagnostic.cure);
}

template <typename T>
Message as_message(const T& value) {
  return FieldWriter<MessageCodec>::object_of(value, {});
}
template <typename T>
T from_message(const Message& message) {
  T value;
  FieldReader<MessageCodec>::read_object(message, value, {});
  return value;
}

}  // namespace lanescope
