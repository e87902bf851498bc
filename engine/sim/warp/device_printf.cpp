#include "sim/warp/device_printf.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <vector>

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
  bool wide = false;       // l, ll, j, z, t
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
    } else if (c == 'l' || c == 'j' || c == 'z' || c == 't') {
      result.wide = true;
    } else if (c != 'h') {
      break;
    }
  }
  return result;
}

// False if `letter` is not a conversion.
bool append_conversion(std::string& out, const Specification& specification, char letter, ArgumentList& arguments,
                       const std::function<std::string(std::uint64_t)>& text) {
  const std::string& beginning = specification.text;
  const bool wide = specification.wide;
  switch (letter) {
    case 'd':
    case 'i': {
      const long long value =
          wide ? static_cast<long long>(arguments.next(8)) : static_cast<std::int32_t>(arguments.next(4));
      append(out, beginning, "lld", value);
      return true;
    }
    case 'u':
    case 'o':
    case 'x':
    case 'X': {
      const char name[] = {'l', 'l', letter, '\0'};
      append(out, beginning, name, static_cast<unsigned long long>(arguments.next(wide ? 8 : 4)));
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
    case 'A': {
      const char name[] = {letter, '\0'};
      append(out, beginning, name, std::bit_cast<double>(arguments.next(8)));
      return true;
    }
    case 'p':
      append(out, beginning, "p", reinterpret_cast<void*>(arguments.next(8)));
      return true;
    case 's':
      append(out, beginning, "s", text(arguments.next(8)).c_str());
      return true;
    default:
      return false;
  }
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
