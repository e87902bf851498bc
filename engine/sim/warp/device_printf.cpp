#include "sim/warp/device_printf.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/source_types.h"

namespace lanescope::sim {

namespace {

// Formats one value with the host's printf. `specification` is "%-08.3" or similar, without length and letter.
template <typename T>
void append(std::string& out, const std::string& specification, const char* letter, T value) {
  if (out.size() > printf_buffer_bytes) return;  // it does not fit anyway
  const std::string format = specification + letter;
  std::vector<char> buffer(64);
  for (int attempt = 0; attempt < 2; ++attempt) {
    const int length = std::snprintf(buffer.data(), buffer.size(), format.c_str(), value);
    if (length < 0) return;
    if (static_cast<std::size_t>(length) < buffer.size()) {
      out.append(buffer.data(), static_cast<std::size_t>(length));
      return;
    }
    buffer.resize(static_cast<std::size_t>(length) + 1);
  }
}

// The same for a number with a fraction: the C libraries of systems differ in whether they print the sign of a NaN.
void append_real(std::string& out, std::string specification, char letter, double value) {
  if (!std::isnan(value)) {
    const char name[] = {letter, '\0'};
    return append(out, specification, name, value);
  }
  std::string text = std::signbit(value)                            ? "-nan"
                     : specification.find('+') != std::string::npos ? "+nan"
                     : specification.find(' ') != std::string::npos ? " nan"
                                                                    : "nan";
  if (std::isupper(static_cast<unsigned char>(letter)) != 0)
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  specification.resize(std::min(specification.find('.'), specification.size()));
  const std::size_t first_digit = std::min(specification.find_first_of("123456789"), specification.size());
  const bool left = specification.find('-') != std::string::npos;
  append(out, std::string(left ? "%-" : "%") + specification.substr(first_digit), "s", text.c_str());
}

// As glibc prints it, on every system.
void append_pointer(std::string& out, const std::string& specification, std::uint64_t value) {
  if (value == 0) return append(out, specification, "s", "(nil)");
  append(out, "%#" + specification.substr(1), "llx", static_cast<unsigned long long>(value));
}

// The text of a width or precision. One that exceeds every buffer is reduced to one that just does not fit.
std::string width_text(std::uint64_t width) {
  return std::to_string(std::min<std::uint64_t>(width, printf_buffer_bytes + 1));
}

// Reads the arguments of one call in order.
class ArgumentList {
 public:
  ArgumentList(const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& read) : read_(read) {}
  std::uint64_t next(std::uint64_t bytes) {
    offset_ = (offset_ + bytes - 1) / bytes * bytes;
    const std::uint64_t value = read_(offset_, bytes);
    offset_ += bytes;
    ++count_;
    return value;
  }
  int count() const { return count_; }

 private:
  const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& read_;
  std::uint64_t offset_ = 0;
  int count_ = 0;
};

// What stands between the '%' and the letter of a conversion.
struct Specification {
  std::string text = "%";  // without lengths
  bool wide = false;       // ll, j, z, t; l where `long` has 64 bits
  int halves = 0;          // how many h: one is short
};

bool is_digit(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

// `i` is behind the '%' before the call, and at the letter or at the end after it.
Specification read_specification(const std::string& format, std::size_t& i, ArgumentList& arguments) {
  Specification result;
  for (; i < format.size(); ++i) {
    const char c = format[i];
    if (c == '*') {
      const int width = static_cast<int>(arguments.next(4));
      if (width < 0) result.text.push_back('-');
      result.text += width_text(static_cast<std::uint64_t>(std::abs(std::int64_t{width})));
    } else if (is_digit(c) && c != '0') {
      std::uint64_t width = 0;
      for (; i < format.size() && is_digit(format[i]); ++i)
        width =
            std::min<std::uint64_t>(width * 10 + static_cast<std::uint64_t>(format[i] - '0'), printf_buffer_bytes + 1);
      --i;
      result.text += width_text(width);
    } else if (std::string_view("-+ #0.").find(c) != std::string_view::npos) {
      if (result.text.size() < 64) result.text.push_back(c);
    } else if (c == 'l') {
      const bool twice = i + 1 < format.size() && format[i + 1] == 'l';
      result.wide = twice || result.wide || bytes_of_long == 8;
      i += twice ? 1 : 0;
    } else if (c == 'j' || c == 'z' || c == 't') {
      result.wide = true;
    } else if (c == 'h') {
      ++result.halves;
    } else {
      break;
    }
  }
  return result;
}

// Without the flags for a sign, which numbers without one ignore in glibc and not on every system.
std::string unsigned_specification(std::string text) {
  std::erase_if(text, [](char c) { return c == '+' || c == ' '; });
  return text;
}

// False if `letter` is not a conversion.
bool append_conversion(std::string& out, const Specification& specification, char letter, ArgumentList& arguments,
                       const std::function<std::string(std::uint64_t)>& text) {
  const std::string& beginning = specification.text;
  const bool wide = specification.wide, is_short = specification.halves == 1 && !wide;
  switch (letter) {
    case 'd':
    case 'i': {
      long long value = wide ? static_cast<long long>(arguments.next(8)) : static_cast<std::int32_t>(arguments.next(4));
      if (is_short) value = static_cast<std::int16_t>(value);
      append(out, beginning, "lld", value);
      return true;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      const char name[] = {'l', 'l', letter, '\0'};
      unsigned long long value = arguments.next(wide ? 8 : 4);
      if (is_short) value = static_cast<std::uint16_t>(value);
      append(out, unsigned_specification(beginning), name, value);
      return true;
    }
    case 'c':
      append(out, beginning, "c", static_cast<int>(arguments.next(4)));
      return true;
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case 'a':
    case 'A':
      append_real(out, beginning, letter, std::bit_cast<double>(arguments.next(8)));
      return true;
    case 'p':
      append_pointer(out, beginning, arguments.next(8));
      return true;
    case 's':
      append(out, beginning, "s", text(arguments.next(8)).c_str());
      return true;
    case '%':
      out.push_back('%');
      return true;
    default:
      return false;
  }
}

// Behind the characters from `i` on that are in `any`.
std::size_t behind(std::string_view format, std::size_t i, std::string_view any) {
  return std::min(format.find_first_not_of(any, i), format.size());
}

constexpr std::string_view digits = "0123456789";

// Behind what may stand between the '%' at `i` and a letter; `length`: "", "h", "l" or "ll".
std::size_t behind_specification(std::string_view format, std::size_t i, std::string_view& length) {
  i = behind(format, i + 1, "-+ #0");
  i = i < format.size() && format[i] == '*' ? i + 1 : behind(format, i, digits);
  if (i < format.size() && format[i] == '.') i = behind(format, i + 1, digits);
  length = {};
  for (const std::string_view one : {"ll", "l", "h"})
    if (length.empty() && format.substr(i).starts_with(one)) length = format.substr(i, one.size());
  return i + length.size();
}

}  // namespace

std::string_view undefined_conversion(std::string_view format) {
  constexpr std::string_view letters = "cdiouxXpeEfFgGaAs%";
  for (std::size_t i = format.find('%'); i < format.size(); i = format.find('%', i + 1)) {
    std::string_view length;
    const std::size_t at = behind_specification(format, i, length);
    if (at >= format.size()) break;
    const bool of_wide_text = length == "l" && (format[at] == 'c' || format[at] == 's');
    if (letters.find(format[at]) == std::string_view::npos || of_wide_text) {
      const std::size_t letter = behind(format, at, "*.'$hljztLqI0123456789");
      if (letter < format.size() && std::isalpha(static_cast<unsigned char>(format[letter])) != 0)
        return format.substr(i, letter - i + 1);
      continue;  // a '%' before a space or the like, which is printed as it is
    }
    i = at;
  }
  return {};
}

void PrintedText::add(const std::string& more, bool more_is_full) {
  if (full) return;
  const std::size_t room = most - text.size();
  text.append(more, 0, room);
  full = more_is_full || more.size() > room;
}

void PrintedText::end_at_a_line() {
  if (const std::size_t newline = text.rfind('\n'); full && newline != std::string::npos) text.resize(newline + 1);
}

int format_device_text(const std::string& format, std::string& out,
                       const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& argument,
                       const std::function<std::string(std::uint64_t)>& text) {
  ArgumentList arguments(argument);
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out.push_back(format[i]);
      continue;
    }
    const std::size_t start = i++;
    if (i < format.size() && format[i] == '%') {
      out.push_back('%');
      continue;
    }
    const Specification specification = read_specification(format, i, arguments);
    const char letter = i < format.size() ? format[i] : '\0';
    if (!append_conversion(out, specification, letter, arguments, text))
      out.append(format, start, i - start + 1);  // copied as it is
  }
  return arguments.count();
}

}  // namespace lanescope::sim
