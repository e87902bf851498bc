#include "compile/host/gxx_macros.h"

#include <algorithm>
#include <set>

#include "core/source_types.h"
#include "core/text.h"

namespace lanescope::compile {
namespace {

// The macros of g++ 12 for x86-64 Linux and C++17, and keywords and functions of its own: name, optional parameters,
// replacement.
constexpr std::string_view table = R"(__GNUX__ 12
__NVCX__ 1
_GNU_SOURCE 1
_LP64 1
_STDC_PREDEF_H 1
__ATOMIC_ACQUIRE 2
__ATOMIC_ACQ_REL 4
__ATOMIC_CONSUME 1
__ATOMIC_HLE_ACQUIRE 65536
__ATOMIC_HLE_RELEASE 131072
__ATOMIC_RELAXED 0
__ATOMIC_RELEASE 3
__ATOMIC_SEQ_CST 5
__BIGGEST_ALIGNMENT__ 16
__BYTE_ORDER__ __ORDER_LITTLE_ENDIAN__
__CHAR16_TYPE__ short unsigned int
__CHAR32_TYPE__ unsigned int
__CHAR_BIT__ 8
__DBL_DECIMAL_DIG__ 17
__DBL_DENORM_MIN__ 4.94065645841246544176568792868221372e-324
__DBL_DIG__ 15
__DBL_EPSILON__ 2.22044604925031308084726333618164062e-16
__DBL_HAS_DENORM__ 1
__DBL_HAS_INFINITY__ 1
__DBL_HAS_QUIET_NAN__ 1
__DBL_IS_IEC_60559__ 2
__DBL_MANT_DIG__ 53
__DBL_MAX_10_EXP__ 308
__DBL_MAX_EXP__ 1024
__DBL_MAX__ 1.79769313486231570814527423731704357e+308
__DBL_MIN_10_EXP__ (-307)
__DBL_MIN_EXP__ (-1021)
__DBL_MIN__ 2.22507385850720138309023271733240406e-308
__DBL_NORM_MAX__ 1.79769313486231570814527423731704357e+308
__DEPRECATED 1
__ELF__ 1
__FLOAT_WORD_ORDER__ __ORDER_LITTLE_ENDIAN__
__FLT_DECIMAL_DIG__ 9
__FLT_DENORM_MIN__ 1.40129846432481707092372958328991613e-45F
__FLT_DIG__ 6
__FLT_EPSILON__ 1.19209289550781250000000000000000000e-7F
__FLT_EVAL_METHOD_TS_18661_3__ 0
__FLT_EVAL_METHOD__ 0
__FLT_HAS_DENORM__ 1
__FLT_HAS_INFINITY__ 1
__FLT_HAS_QUIET_NAN__ 1
__FLT_IS_IEC_60559__ 2
__FLT_MANT_DIG__ 24
__FLT_MAX_10_EXP__ 38
__FLT_MAX_EXP__ 128
__FLT_MAX__ 3.40282346638528859811704183484516925e+38F
__FLT_MIN_10_EXP__ (-37)
__FLT_MIN_EXP__ (-125)
__FLT_MIN__ 1.17549435082228750796873653722224568e-38F
__FLT_NORM_MAX__ 3.40282346638528859811704183484516925e+38F
__FLT_RADIX__ 2
__GCC_ASM_FLAG_OUTPUTS__ 1
__GCC_ATOMIC_BOOL_LOCK_FREE 2
__GCC_ATOMIC_CHAR16_T_LOCK_FREE 2
__GCC_ATOMIC_CHAR32_T_LOCK_FREE 2
__GCC_ATOMIC_CHAR_LOCK_FREE 2
__GCC_ATOMIC_INT_LOCK_FREE 2
__GCC_ATOMIC_LLONG_LOCK_FREE 2
__GCC_ATOMIC_LONG_LOCK_FREE 2
__GCC_ATOMIC_POINTER_LOCK_FREE 2
__GCC_ATOMIC_SHORT_LOCK_FREE 2
__GCC_ATOMIC_TEST_AND_SET_TRUEVAL 1
__GCC_ATOMIC_WCHAR_T_LOCK_FREE 2
__GCC_CONSTRUCTIVE_SIZE 64
__GCC_DESTRUCTIVE_SIZE 64
__GCC_IEC_559 2
__GCC_IEC_559_COMPLEX 2
__GNUC_MINOR__ 2
__GNUC_PATCHLEVEL__ 0
__GNUC_STDC_INLINE__ 1
__GNUG__ 12
__GXX_EXPERIMENTAL_CXX0X__ 1
__GXX_RTTI 1
__GXX_WEAK__ 1
__HAVE_SPECULATION_SAFE_VALUE 1
__INT16_C(c) c
__INT16_MAX__ 0x7fff
__INT16_TYPE__ short int
__INT32_C(c) c
__INT32_MAX__ 0x7fffffff
__INT32_TYPE__ int
__INT64_C(c) c ## L
__INT64_MAX__ 0x7fffffffffffffffL
__INT64_TYPE__ long int
__INT8_C(c) c
__INT8_MAX__ 0x7f
__INT8_TYPE__ signed char
__INTMAX_C(c) c ## L
__INTMAX_MAX__ 0x7fffffffffffffffL
__INTMAX_TYPE__ long int
__INTMAX_WIDTH__ 64
__INTPTR_MAX__ 0x7fffffffffffffffL
__INTPTR_TYPE__ long int
__INTPTR_WIDTH__ 64
__INT_FAST16_MAX__ 0x7fffffffffffffffL
__INT_FAST16_TYPE__ long int
__INT_FAST16_WIDTH__ 64
__INT_FAST32_MAX__ 0x7fffffffffffffffL
__INT_FAST32_TYPE__ long int
__INT_FAST32_WIDTH__ 64
__INT_FAST64_MAX__ 0x7fffffffffffffffL
__INT_FAST64_TYPE__ long int
__INT_FAST64_WIDTH__ 64
__INT_FAST8_MAX__ 0x7f
__INT_FAST8_TYPE__ signed char
__INT_FAST8_WIDTH__ 8
__INT_LEAST16_MAX__ 0x7fff
__INT_LEAST16_TYPE__ short int
__INT_LEAST16_WIDTH__ 16
__INT_LEAST32_MAX__ 0x7fffffff
__INT_LEAST32_TYPE__ int
__INT_LEAST32_WIDTH__ 32
__INT_LEAST64_MAX__ 0x7fffffffffffffffL
__INT_LEAST64_TYPE__ long int
__INT_LEAST64_WIDTH__ 64
__INT_LEAST8_MAX__ 0x7f
__INT_LEAST8_TYPE__ signed char
__INT_LEAST8_WIDTH__ 8
__INT_MAX__ 0x7fffffff
__INT_WIDTH__ 32
__LONG_LONG_MAX__ 0x7fffffffffffffffLL
__LONG_LONG_WIDTH__ 64
__LONG_MAX__ 0x7fffffffffffffffL
__LONG_WIDTH__ 64
__ORDER_BIG_ENDIAN__ 4321
__ORDER_LITTLE_ENDIAN__ 1234
__ORDER_PDP_ENDIAN__ 3412
__PTRDIFF_MAX__ 0x7fffffffffffffffL
__PTRDIFF_TYPE__ long int
__PTRDIFF_WIDTH__ 64
__SCHAR_MAX__ 0x7f
__SCHAR_WIDTH__ 8
__SHRT_MAX__ 0x7fff
__SHRT_WIDTH__ 16
__SIG_ATOMIC_MAX__ 0x7fffffff
__SIG_ATOMIC_MIN__ (-__SIG_ATOMIC_MAX__ - 1)
__SIG_ATOMIC_TYPE__ int
__SIG_ATOMIC_WIDTH__ 32
__SIZEOF_DOUBLE__ 8
__SIZEOF_FLOAT__ 4
__SIZEOF_INT__ 4
__SIZEOF_LONG_DOUBLE__ 16
__SIZEOF_LONG_LONG__ 8
__SIZEOF_LONG__ 8
__SIZEOF_POINTER__ 8
__SIZEOF_PTRDIFF_T__ 8
__SIZEOF_SHORT__ 2
__SIZEOF_SIZE_T__ 8
__SIZEOF_WCHAR_T__ 4
__SIZEOF_WINT_T__ 4
__SIZE_MAX__ 0xffffffffffffffffUL
__SIZE_TYPE__ long unsigned int
__SIZE_WIDTH__ 64
__STDCPP_THREADS__ 1
__STDC_IEC_559_COMPLEX__ 1
__STDC_IEC_559__ 1
__STDC_IEC_60559_BFP__ 201404L
__STDC_IEC_60559_COMPLEX__ 201404L
__STDC_ISO_10646__ 201706L
__STDC_UTF_16__ 1
__STDC_UTF_32__ 1
__UINT16_C(c) c
__UINT16_MAX__ 0xffff
__UINT16_TYPE__ short unsigned int
__UINT32_C(c) c ## U
__UINT32_MAX__ 0xffffffffU
__UINT32_TYPE__ unsigned int
__UINT64_C(c) c ## UL
__UINT64_MAX__ 0xffffffffffffffffUL
__UINT64_TYPE__ long unsigned int
__UINT8_C(c) c
__UINT8_MAX__ 0xff
__UINT8_TYPE__ unsigned char
__UINTMAX_C(c) c ## UL
__UINTMAX_MAX__ 0xffffffffffffffffUL
__UINTMAX_TYPE__ long unsigned int
__UINTPTR_MAX__ 0xffffffffffffffffUL
__UINTPTR_TYPE__ long unsigned int
__UINT_FAST16_MAX__ 0xffffffffffffffffUL
__UINT_FAST16_TYPE__ long unsigned int
__UINT_FAST32_MAX__ 0xffffffffffffffffUL
__UINT_FAST32_TYPE__ long unsigned int
__UINT_FAST64_MAX__ 0xffffffffffffffffUL
__UINT_FAST64_TYPE__ long unsigned int
__UINT_FAST8_MAX__ 0xff
__UINT_FAST8_TYPE__ unsigned char
__UINT_LEAST16_MAX__ 0xffff
__UINT_LEAST16_TYPE__ short unsigned int
__UINT_LEAST32_MAX__ 0xffffffffU
__UINT_LEAST32_TYPE__ unsigned int
__UINT_LEAST64_MAX__ 0xffffffffffffffffUL
__UINT_LEAST64_TYPE__ long unsigned int
__UINT_LEAST8_MAX__ 0xff
__UINT_LEAST8_TYPE__ unsigned char
__WCHAR_MAX__ 0x7fffffff
__WCHAR_MIN__ (-__WCHAR_MAX__ - 1)
__WCHAR_TYPE__ int
__WCHAR_WIDTH__ 32
__WINT_MAX__ 0xffffffffU
__WINT_MIN__ 0U
__WINT_TYPE__ unsigned int
__WINT_WIDTH__ 32
__amd64 1
__amd64__ 1
__asm asm
__asm__ asm
__extension__
__builtin_bswap32(x) __byte_perm(x, 0, 0x0123)
__builtin_clz(x) __clz(static_cast<int>(x))
__builtin_clzl(x) __clzll(static_cast<long long>(x))
__builtin_clzll(x) __clzll(static_cast<long long>(x))
__builtin_ctz(x) (__ffs(static_cast<int>(x)) - 1)
__builtin_ctzl(x) (__ffsll(static_cast<long long>(x)) - 1)
__builtin_ctzll(x) (__ffsll(static_cast<long long>(x)) - 1)
__builtin_ffs(x) __ffs(x)
__builtin_ffsll(x) __ffsll(x)
__builtin_parity(x) (__popc(x) & 1)
__builtin_parityll(x) (__popcll(x) & 1)
__builtin_popcount(x) __popc(x)
__builtin_popcountl(x) __popcll(x)
__builtin_popcountll(x) __popcll(x)
__gnu_linux__ 1
__linux 1
__linux__ 1
__unix 1
__unix__ 1
__volatile volatile
__volatile__ volatile
__x86_64 1
__x86_64__ 1
)";

// Rows of g++ for Windows, where `long` has 32 bits and `wchar_t` 16.
constexpr std::string_view rows_of_short_long = R"(__LONG_MAX__ 0x7fffffffL
__LONG_WIDTH__ 32
__SIZEOF_LONG__ 4
__SIZEOF_LONG_DOUBLE__ 8
__SIZEOF_WCHAR_T__ 2
__WCHAR_MAX__ 0xffff
__WCHAR_MIN__ 0
__WCHAR_TYPE__ short unsigned int
__WCHAR_WIDTH__ 16
)";

std::string_view name_of(std::string_view row) {
  return row.substr(0, static_cast<std::size_t>(std::find_if_not(row.begin(), row.end(), is_name_char) - row.begin()));
}

// Adds the names that begin with an underscore, as all macros of the table do.
void add_underscored(std::set<std::string_view>& names, std::string_view text) {
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at)) {
    const std::string_view name = name_of(text.substr(at));
    if (at == 0 || !is_name_char(text[at - 1])) names.insert(name);
    at += name.size();
  }
}

// The row with the sizes of this system: 64-bit types are `long long` where `long` is shorter.
std::string on_this_system(std::string_view row) {
  std::string text(row);
  if (bytes_of_long == 8) return text;
  for (const std::string_view other : split(rows_of_short_long, '\n'))
    if (name_of(other) == name_of(row)) return std::string(other);
  for (const std::string_view type : {"long int", "long unsigned int"})
    if (text.ends_with(type)) return text.insert(text.size() - type.size(), "long ");
  const bool is_64_bits = text.find(" 0x7fffffffffffffff") != std::string::npos ||
                          text.find(" 0xffffffffffffffff") != std::string::npos ||
                          text.find(" ## ") != std::string::npos;
  if (is_64_bits && text.ends_with('L') && !text.ends_with("LL")) text += 'L';
  return text;
}

bool is_of_long_pointers(std::string_view name) {
  return name == "_LP64" || name == "__LP64__";
}

}  // namespace

std::string gxx_definitions(const std::vector<std::string_view>& texts) {
  std::set<std::string_view> named, written;
  for (const std::string_view text : texts) add_underscored(named, text);
  std::string definitions;
  for (bool more = !named.empty(); more;) {  // a replacement may name other macros
    more = false;
    for (const std::string_view row : split(table, '\n')) {
      const std::string_view name = name_of(row);
      if (!named.contains(name) || !written.insert(name).second) continue;
      if (bytes_of_long != 8 && is_of_long_pointers(name)) continue;
      definitions.append("#ifndef ").append(name).append("\n#define ").append(on_this_system(row)).append("\n#endif\n");
      add_underscored(named, row.substr(name.size()));
      more = true;
    }
  }
  return definitions;
}

bool names_hidden_macro(std::string_view text) {
  return std::ranges::any_of(hidden_macros, [&](const HiddenMacro& one) { return contains(text, one.name); });
}

void replace_hidden_macros(std::string& text) {
  for (const auto& [name, of_user] : hidden_macros)
    for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + name.size())) {
      const std::size_t end = at + name.size();
      if ((at == 0 || !is_name_char(text[at - 1])) && (end == text.size() || !is_name_char(text[end])))
        text.replace(at, name.size(), of_user);
    }
}

}  // namespace lanescope::compile
