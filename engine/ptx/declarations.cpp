#include "ptx/declarations.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "core/worded.h"

namespace lanescope::ptx {
namespace {

// No GPU has more memory. A larger array is a mistake, and its bytes would not fit the tables below.
constexpr std::uint64_t max_variable_bytes = std::uint64_t{1} << 40;
// Initialisers are stored byte by byte.
constexpr std::uint64_t max_initialiser_bytes = std::uint64_t{1} << 28;

// `.reg .v2 .u32 a` after `.reg`: one parameter for each element, as of a vector register of a body.
bool parse_register_parameter(Reader& reader, std::vector<Parameter>& list) {
  const int elements = reader.accept_dotted("v2") ? 2 : reader.accept_dotted("v4") ? 4 : 1;
  const auto type = reader.type();
  if (!type) return false;
  const auto name = reader.identifier("a parameter's name");
  if (!name) return false;
  for (int i = 0; i < elements; ++i) {
    Parameter& parameter = list.emplace_back();
    parameter.in_register = true;
    parameter.type = *type;
    parameter.alignment = std::max(1u, static_cast<std::uint32_t>(bytes_of(*type)));
    parameter.name = elements == 1 ? std::string(name->text) : element_name(name->text, "xyzw"[i]);
  }
  return true;
}

bool parse_parameter(Reader& reader, Parameter& parameter) {
  if (!reader.accept_dotted("param")) return reader.unexpected("'.param'");
  if (reader.accept_dotted("align") && !reader.alignment(parameter.alignment)) return false;
  const auto type = reader.type();
  if (!type) return false;
  parameter.type = *type;
  if (reader.accept_dotted("align") && !reader.alignment(parameter.alignment)) return false;
  parameter.alignment = std::max(parameter.alignment, static_cast<std::uint32_t>(bytes_of(*type)));
  if (reader.accept_dotted("ptr")) {
    parameter.pointer = ".ptr";
    while (reader.token().kind == Token::Kind::dotted && !reader.token().is_dotted("align")) {
      parameter.pointer.append(" .").append(reader.token().text);
      reader.advance();
    }
    if (reader.accept_dotted("align")) {
      std::uint32_t pointee = 0;
      if (!reader.alignment(pointee)) return false;
      parameter.pointer += fmt::format(" .align {}", pointee);
    }
  }
  const auto name = reader.identifier("a parameter's name");
  if (!name) return false;
  parameter.name = name->text;
  if (!reader.accept('[')) return true;
  parameter.is_array = true;
  parameter.elements = 0;
  if (reader.accept(']')) return true;
  const auto elements = reader.unsigned_number("a number of elements");
  if (!elements) return false;
  if (*elements > max_variable_bytes) return reader.fail(*name, "syntax", worded("'{}' is too large", name->text));
  parameter.elements = *elements;
  return reader.expect(']');
}

std::uint64_t float_bits(const Constant& value, Type type) {
  const double real = !value.is_real    ? (value.is_unsigned ? static_cast<double>(value.bits)
                                                             : static_cast<double>(static_cast<std::int64_t>(value.bits)))
                      : value.is_double ? std::bit_cast<double>(value.bits)
                                        : std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
  if (value.is_real && value.is_double == (type == Type::f64)) return value.bits;  // keeps the payload of a NaN
  return type == Type::f64 ? std::bit_cast<std::uint64_t>(real)
                           : std::bit_cast<std::uint32_t>(static_cast<float>(real));
}

class Initialiser {
 public:
  Initialiser(Reader& reader, Variable& variable) : reader_(reader), variable_(variable) {
    element_bytes_ = static_cast<std::uint64_t>(bytes_of(variable.type));
    unsized_ = variable.elements == 0;
    if (!unsized_) variable.initial.resize(variable.bytes());
  }

  bool parse() {
    std::uint64_t at = 0;
    if (!level(0, at, unsized_ ? max_initialiser_bytes : variable_.bytes())) return false;
    if (!unsized_) return true;
    variable_.elements = variable_.initial.size() / element_bytes_;
    std::uint64_t rest = 1;
    for (std::size_t i = 1; i < variable_.dimensions.size(); ++i) rest *= variable_.dimensions[i];
    rest *= variable_.vector_width;
    variable_.dimensions[0] = (variable_.elements + rest - 1) / rest;
    variable_.elements = variable_.dimensions[0] * rest;
    variable_.initial.resize(variable_.bytes());
    return true;
  }

 private:
  // Bytes of one entry at dimension `depth`; after the last dimension, of a scalar.
  std::uint64_t entry_bytes(std::size_t depth) const {
    std::uint64_t bytes = element_bytes_;
    for (std::size_t i = depth; i < variable_.dimensions.size(); ++i) bytes *= variable_.dimensions[i];
    if (depth <= variable_.dimensions.size()) bytes *= variable_.vector_width;
    return bytes;
  }

  // Reads an element or a braced list of elements at byte `at`, and advances `at`.
  bool level(std::size_t depth, std::uint64_t& at, std::uint64_t end) {
    if (!reader_.at('{')) {
      if (at + element_bytes_ > end)
        return reader_.fail(reader_.token(), "syntax", worded("too many values for '{}'", variable_.name));
      if (!element(at)) return false;
      at += element_bytes_;
      return true;
    }
    if (depth > variable_.dimensions.size())
      return reader_.fail(reader_.token(), "syntax", "these braces are nested too deeply");
    const std::uint64_t inner = entry_bytes(depth + 1);
    const std::uint64_t own_end = depth == 0 ? end : std::min(end, at + entry_bytes(depth));
    reader_.advance();
    std::uint64_t cursor = at;
    while (!reader_.at('}')) {
      const bool braced = reader_.at('{');
      const std::uint64_t begin = cursor;
      if (!level(depth + 1, cursor, own_end)) return false;
      if (braced) cursor = std::max(cursor, begin + inner);
      if (!reader_.accept(',')) break;
    }
    if (depth > 0) at = own_end;
    return reader_.expect('}');
  }

  bool element(std::uint64_t at) {
    if (variable_.initial.size() < at + element_bytes_) variable_.initial.resize(at + element_bytes_);
    if (reader_.token().kind == Token::Kind::identifier && reader_.token().text != "WARP_SZ") return reference(at, 0);
    const Token begin = reader_.token();
    const auto value = reader_.constant();
    if (!value) return false;
    if (reader_.at('(')) {  // 0xff00(symbol)
      if (value->is_real || value->bits == 0)
        return reader_.fail(begin, "syntax", "the mask of an address must be a positive integer");
      reader_.advance();
      return reference(at, value->bits) && reader_.expect(')');
    }
    std::uint64_t bits = value->bits;
    if (variable_.type == Type::f32 || variable_.type == Type::f64) {
      bits = float_bits(*value, variable_.type);
    } else if (value->is_real && (variable_.type == Type::b32 || variable_.type == Type::b64) &&
               value->is_double == (variable_.type == Type::b64)) {
      // The bits of a number of this width.
    } else if (value->is_real) {
      return reader_.fail(begin, "syntax", worded("'{}' cannot hold real numbers", variable_.name));
    }
    std::memcpy(variable_.initial.data() + at, &bits, std::min<std::size_t>(element_bytes_, 8));
    return true;
  }

  bool reference(std::uint64_t at, std::uint64_t mask) {
    Variable::Reference reference;
    reference.offset = at;
    reference.mask = mask;
    reference.bytes = static_cast<std::uint8_t>(element_bytes_);
    auto name = reader_.identifier("the name of a variable or function");
    if (!name) return false;
    if (name->text == "generic" && reader_.accept('(')) {
      reference.generic = true;
      name = reader_.identifier("the name of a variable");
      if (!name || !reader_.expect(')')) return false;
    }
    reference.symbol = name->text;
    if (reader_.at('+') || reader_.at('-')) {
      const auto addend = reader_.constant();
      if (!addend) return false;
      if (addend->is_real) return reader_.fail(*name, "syntax", "an offset must be an integer");
      reference.addend = static_cast<std::int64_t>(addend->bits);
    }
    variable_.references.push_back(std::move(reference));
    return true;
  }

  Reader& reader_;
  Variable& variable_;
  std::uint64_t element_bytes_ = 1;
  bool unsized_ = false;
};

bool parse_dimensions(Reader& reader, const Token& name, Variable& variable) {
  variable.elements = variable.vector_width;
  while (reader.accept('[')) {
    std::uint64_t extent = 0;
    if (!reader.at(']')) {
      const auto value = reader.constant();
      if (!value) return false;
      if (value->is_real) return reader.fail(name, "syntax", "a number of elements must be an integer");
      extent = value->bits;
    } else if (!variable.dimensions.empty()) {
      return reader.unexpected("a number of elements");
    }
    variable.dimensions.push_back(extent);
    if (extent != 0 && variable.elements > max_variable_bytes / extent)
      return reader.fail(name, "syntax", worded("'{}' is too large", name.text));
    variable.elements *= extent;
    if (!reader.expect(']')) return false;
  }
  return true;
}

bool parse_initialiser(Reader& reader, const Token& name, Variable& variable) {
  if (variable.space != Space::global && variable.space != Space::constant)
    return reader.fail(name, "syntax",
                       worded("a .{} variable cannot have initial values", std::string(name_of(variable.space))));
  if (variable.type == Type::other)
    return reader.fail(name, "syntax",
                       worded("'{}' is a texture reference, which cannot have initial values here", name.text),
                       "CUDA 12 removed texture references: read by a texture object (cudaTextureObject_t), whose "
                       "settings cudaCreateTextureObject() takes.");
  if (bytes_of(variable.type) == 0)
    return reader.fail(name, "syntax", worded("'{}' has no type that can be initialised", name.text));
  if (variable.bytes() > max_initialiser_bytes)
    return reader.fail(name, "syntax", worded("'{}' is too large to be initialised", name.text));
  bool inner_unsized = false;
  for (std::size_t i = 1; i < variable.dimensions.size(); ++i) inner_unsized |= variable.dimensions[i] == 0;
  if (inner_unsized || (variable.elements == 0 && !reader.at('{')))
    return reader.fail(name, "syntax", worded("'{}' has no size", name.text));
  return Initialiser(reader, variable).parse();
}

}  // namespace

std::string element_name(std::string_view vector, char element) {
  return fmt::format("{}${}", vector, element);
}

std::uint64_t bytes_of(const std::vector<Parameter>& list) {
  return list.empty() ? 0 : list.back().offset + list.back().bytes();
}

bool parse_parameters(Reader& reader, std::vector<Parameter>& list) {
  if (!reader.expect('(')) return false;
  if (reader.accept(')')) return true;
  std::uint64_t end = 0;
  do {
    std::size_t next = list.size();
    if (!(reader.accept_dotted("reg") ? parse_register_parameter(reader, list)
                                      : parse_parameter(reader, list.emplace_back())))
      return false;
    for (; next < list.size(); ++next) {
      const std::uint64_t alignment = list[next].alignment;
      list[next].offset = (end + alignment - 1) / alignment * alignment;
      end = list[next].offset + list[next].bytes();
    }
  } while (reader.accept(','));
  return reader.expect(')');
}

bool parse_variables(Reader& reader, Space space, const std::string& linkage, std::vector<Variable>& list,
                     std::vector<Token>& names) {
  Variable common;
  common.space = space;
  common.linkage = linkage;
  common.is_extern = linkage == ".extern";
  for (;;) {
    if (reader.accept_dotted("align")) {
      if (!reader.alignment(common.alignment)) return false;
    } else if (reader.accept_dotted("attribute")) {
      common.attribute = ".attribute";
      if (!reader.parenthesised(common.attribute)) return false;
    } else if (reader.token().is_dotted("v2") || reader.token().is_dotted("v4")) {
      common.vector_width = reader.token().is_dotted("v2") ? 2 : 4;
      reader.advance();
    } else {
      break;
    }
  }
  if (const Token& word = reader.token();
      word.is_dotted("texref") || word.is_dotted("samplerref") || word.is_dotted("surfref")) {
    common.type_name = word.text;
    common.type = Type::other;
    reader.advance();
  } else {
    const auto type = reader.type();
    if (!type) return false;
    common.type = *type;
  }
  common.alignment =
      std::max(common.alignment, static_cast<std::uint32_t>(bytes_of(common.type)) * common.vector_width);
  do {
    const auto name = reader.identifier("a variable's name");
    if (!name) return false;
    Variable variable = common;
    variable.name = name->text;
    if (!parse_dimensions(reader, *name, variable)) return false;
    if (reader.accept('=') && !parse_initialiser(reader, *name, variable)) return false;
    if (variable.elements == 0 && !variable.is_extern && space != Space::param)
      return reader.fail(*name, "syntax", worded("'{}' has no size", name->text));
    list.push_back(std::move(variable));
    names.push_back(*name);
  } while (reader.accept(','));
  return reader.expect(';');
}

}  // namespace lanescope::ptx
