#include "sim/warp/device_printf.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "core/long_type.h"

namespace lanescope::sim {

namespace {

// Formats one value with the host's printf. `specification` is "%-08.3" or similar, without length and letter.
template <typename T>
void append(std::string& out, const std::string& specification, const char* letter, T value) {
  if (out.size() > printf_buffer_bytes) return;  // the buffer has no space for it anyway
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

}  // namespace

void PrintedText::add(const std::string& more, bool more_is_full) {
  if (full) return;
  const std::size_t room = printf_buffer_bytes - text.size();
  text.append(more, 0, room);
  full = more_is_full || more.size() > room;
}

void PrintedText::end_at_a_line() {
  if (const std::size_t newline = text.rfind('\n'); full && newline != std::string::npos) text.resize(newline + 1);
}

int format_device_text(const std::string& format, std::string& out,
                       const std::function<std::uint64_t(std::uint64_t, std::uint64_t)>& argument,
                       const std::function<std::string(std::uint64_t)>& text) {
  std::uint64_t offset = 0;
  int count = 0;
  const auto next = [&](std::uint64_t bytes) {
    offset = (offset + bytes - 1) / bytes * bytes;
    const std::uint64_t value = argument(offset, bytes);
    offset += bytes;
    ++count;
    return value;
  };
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
    std::string specification = "%";
    bool wide = false;
    for (; i < format.size(); ++i) {
      const char c = format[i];
      if (c == '*') {
        const int width = static_cast<int>(next(4));
        if (width < 0) specification.push_back('-');
        specification += width_text(static_cast<std::uint64_t>(std::abs(std::int64_t{width})));
      } else if (std::isdigit(static_cast<unsigned char>(c)) != 0 && c != '0') {
        std::uint64_t width = 0;
        for (; i < format.size() && std::isdigit(static_cast<unsigned char>(format[i])) != 0; ++i)
          width = std::min<std::uint64_t>(width * 10 + static_cast<std::uint64_t>(format[i] - '0'),
                                          printf_buffer_bytes + 1);
        --i;
        specification += width_text(width);
      } else if (std::string_view("-+ #0.").find(c) != std::string_view::npos) {
        if (specification.size() < 64) specification.push_back(c);
      } else if (c == 'l') {
        const bool twice = i + 1 < format.size() && format[i + 1] == 'l';
        wide = twice || wide || bytes_of_long == 8;
        i += twice ? 1 : 0;
      } else if (c == 'j' || c == 'z' || c == 't') {
        wide = true;
      } else if (c != 'h') {
        break;
      }
    }
    const char letter = i < format.size() ? format[i] : '\0';
    switch (letter) {
      case 'd':
      case 'i': {
        const long long value = wide ? static_cast<long long>(next(8)) : static_cast<std::int32_t>(next(4));
        append(out, specification, "lld", value);
        break;
      }
      case 'u':
      case 'o':
      case 'x':
      case 'X': {
        const char name[] = {'l', 'l', letter, '\0'};
        append(out, specification, name, static_cast<unsigned long long>(next(wide ? 8 : 4)));
        break;
      }
      case 'c':
        append(out, specification, "c", static_cast<int>(next(4)));
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        append_real(out, specification, letter, std::bit_cast<double>(next(8)));
        break;
      case 'p':
        append_pointer(out, specification, next(8));
        break;
      case 's':
        append(out, specification, "s", text(next(8)).c_str());
        break;
      default:  // not a conversion: copied as it is
        out.append(format, start, i - start + 1);
        break;
    }
  }
  return count;
}

}  // namespace lanescope::sim
