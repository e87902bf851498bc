#pragma once
// Reads and writes structs as JSON objects by a single list of their fields:
//
//   template <typename Visit, ConstOr<Device> T>
//   void fields(Visit& visit, T& device) {
//     visit("name", device.name);                                           // "name": "NVIDIA H200"
//     visit("compute_capability", std::tie(device.major, device.minor));    // [9, 0]
//   }
//
// Fields may be values, structs with their own fields(), std::vector, std::map by name, and std::optional, which is
// left out if empty. A struct with columns(), which returns std::tie(…), becomes an array. A Codec defines how other
// values are written (PlainCodec is the simplest). If a struct needs more than its fields, completed(T&) is called
// after reading. Reading throws Json::exception if something is missing or has the wrong type.

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace lanescope {

template <typename T, typename Of>
concept ConstOr = std::same_as<std::remove_const_t<T>, Of>;

// A float or a number that the type cannot hold is of the wrong type too: converting it would give any number.
template <typename Json, std::integral T>
void read_integer(const Json& json, T& value) {
  const bool fits = json.is_number_unsigned()  ? std::in_range<T>(json.template get<std::uint64_t>())
                    : json.is_number_integer() ? std::in_range<T>(json.template get<std::int64_t>())
                                               : false;
  if (!fits) throw Json::type_error::create(302, "number", &json);
  json.get_to(value);
}

template <typename JsonOf>
struct PlainCodec {
  using Json = JsonOf;
  static constexpr bool is_kept = true;  // for a file; false: transient fields are written too
  template <typename T>
  Json written(const T& value) const {
    return value;
  }
  template <typename T>
  void read(const Json& json, T& value) const {
    if constexpr (std::integral<T> && !std::same_as<T, bool>)
      read_integer(json, value);
    else
      json.get_to(value);
  }
  void write_seconds(Json& json, const std::string& key, const std::vector<double>& seconds) const {
    json[key] = seconds;
  }
  void read_seconds(const Json& json, const std::string& key, std::vector<double>& seconds) const {
    json.at(key).get_to(seconds);
  }
};

template <typename Codec>
class FieldWriter {
 public:
  using Json = typename Codec::Json;

  // An object with the value's fields after those already in `json`.
  template <typename T>
  static Json object_of(const T& value, const Codec& codec, Json json = Json::object()) {
    FieldWriter writer(codec, std::move(json));
    fields(writer, value);
    return std::move(writer.json_);
  }

  template <typename T>
  void operator()(const char* key, const T& value) {
    json_[key] = written(value);
  }
  template <typename T>
  void operator()(const char* key, const std::optional<T>& value) {
    if (value) json_[key] = written(*value);
  }
  template <typename... T>
  void operator()(const char* key, std::tuple<T&...> values) {
    json_[key] = written(values);
  }
  // Left out if empty.
  template <typename T>
  void if_any(const char* key, const T& values) {
    if (!values.empty()) json_[key] = written(values);
  }
  // A value that is meaningless after this run of the program; never written to a file.
  template <typename T>
  void transient(const char* key, const T& value) {
    if constexpr (!Codec::is_kept) json_[key] = written(value);
  }
  void seconds(const char* key, const std::vector<double>& values) { codec_.write_seconds(json_, key, values); }

 private:
  FieldWriter(const Codec& codec, Json json) : codec_(codec), json_(std::move(json)) {}

  template <typename T>
  Json written(const T& value) const {
    if constexpr (requires(FieldWriter & writer) { fields(writer, value); })
      return object_of(value, codec_);
    else if constexpr (requires { columns(value); })
      return written(columns(value));
    else
      return codec_.written(value);
  }
  template <typename... T>
  Json written(const std::tuple<T&...>& values) const {
    Json list = Json::array();
    std::apply([&](const T&... each) { (list.push_back(written(each)), ...); }, values);
    return list;
  }
  template <typename T>
  Json written(const std::vector<T>& values) const {
    Json list = Json::array();
    for (const T& value : values) list.push_back(written(value));
    return list;
  }
  template <typename T>
  Json written(const std::map<std::string, T>& values) const {
    Json object = Json::object();
    for (const auto& [key, value] : values) object[key] = written(value);
    return object;
  }

  const Codec& codec_;
  Json json_;
};

template <typename Codec>
class FieldReader {
 public:
  using Json = typename Codec::Json;

  template <typename T>
  static void read_object(const Json& json, T& value, const Codec& codec) {
    FieldReader reader(codec, json);
    fields(reader, value);
    if constexpr (requires { completed(value); }) completed(value);
  }

  template <typename T>
  void operator()(const char* key, T& value) {
    read(json_.at(key), value);
  }
  template <typename T>
  void operator()(const char* key, std::optional<T>& value) {
    if (json_.contains(key)) read(json_.at(key), value.emplace());
  }
  template <typename... T>
  void operator()(const char* key, std::tuple<T&...> values) {
    read(json_.at(key), values);
  }
  template <typename T>
  void if_any(const char* key, T& values) {
    if (json_.contains(key)) read(json_.at(key), values);
  }
  template <typename T>
  void transient(const char* key, T& value) {
    if constexpr (!Codec::is_kept) read(json_.at(key), value);
  }
  void seconds(const char* key, std::vector<double>& values) { codec_.read_seconds(json_, key, values); }

 private:
  FieldReader(const Codec& codec, const Json& json) : codec_(codec), json_(json) {}

  template <typename T>
  void read(const Json& json, T& value) const {
    if constexpr (requires(FieldReader & reader) { fields(reader, value); })
      read_object(json, value, codec_);
    else if constexpr (requires { columns(value); })
      read(json, columns(value));
    else
      codec_.read(json, value);
  }
  template <typename... T>
  void read(const Json& json, std::tuple<T&...> values) const {
    std::size_t at = 0;
    std::apply([&](T&... each) { (read(json.at(at++), each), ...); }, values);
  }
  template <typename T>
  void read(const Json& json, std::vector<T>& values) const {
    for (const Json& one : json) read(one, values.emplace_back());
  }
  template <typename T>
  void read(const Json& json, std::map<std::string, T>& values) const {
    for (const auto& [key, one] : json.template get_ref<const typename Json::object_t&>()) read(one, values[key]);
  }

  const Codec& codec_;
  const Json& json_;
};

}  // namespace lanescope
