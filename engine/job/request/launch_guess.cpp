#include "job/request/launch_guess.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "compile/host/launch_scan.h"
#include "core/text.h"
#include "job/request/launch_completion.h"
#include "job/request/launch_options.h"
#include "job/request/name_hints.h"
#include "job/request/texture_guess.h"
#include "lesson/lesson.h"

namespace lanescope::job {

namespace {

constexpr std::int64_t all_elements = 4096;
// Not a whole number of blocks: the guard of a kernel has something to do.
constexpr std::int64_t guarded_elements = 4000;
constexpr std::int64_t most_threads = 1024;

class Guess {
 public:
  Guess(const KernelSignature& kernel, const std::vector<KernelParameter>& parameters, const LaunchConstants& constants,
        const std::vector<std::string>& template_arguments, const std::vector<std::string>& known)
      : kernel_(kernel),
        parameters_(flat(parameters)),
        constants_(constants),
        given_(template_arguments),
        code_(without_blanks(kernel.body)) {
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const std::size_t members = std::max<std::size_t>(1, parameters[i].members.size());
      groups_.push_back({members, !parameters[i].members.empty(), i < known.size() ? known[i] : ""});
      known_.resize(known_.size() + members);
      if (!groups_.back().is_struct) known_.back() = groups_.back().known;
    }
  }

  LaunchForm run() {
    LaunchForm form;
    form.kernel = kernel_.name;
    form.template_arguments = given_;
    look_at_dimensions();
    choose_sizes();
    choose_block();
    choose_grid();
    form.grid = grid_.text();
    form.block = block_.text();
    form.shared = shared_bytes();
    form.cooperative = has_words(code_, "this_grid") || has_words(code_, "grid_group");
    std::size_t i = 0;
    for (const Group& group : groups_) {
      std::string members;
      for (std::size_t k = 0; group.is_struct && k < group.count; ++k)
        members += (k > 0 ? "," : "") + argument(i + k).text();
      form.arguments.push_back(!group.known.empty() ? FormArgument::from(group.known)
                               : group.is_struct ? FormArgument{FormArgument::Kind::text, "", "", "{" + members + "}"}
                                                 : argument(i));
      i += group.count;
    }
    return form;
  }

 private:
  // A parameter of the kernel: one of parameters_, or several, the members of a struct.
  struct Group {
    std::size_t count = 1;
    bool is_struct = false;
    std::string known;
  };
  // With the members of structs in their place, as the code names them: "A.width".
  static std::vector<KernelParameter> flat(const std::vector<KernelParameter>& parameters) {
    std::vector<KernelParameter> made;
    for (const KernelParameter& one : parameters) {
      if (one.members.empty()) made.push_back(one);
      for (KernelParameter member : one.members) {
        member.name.insert(0, one.name + ".");
        made.push_back(std::move(member));
      }
    }
    return made;
  }

  struct Extent {
    std::int64_t x = 1, y = 1, z = 1;
    std::int64_t count() const { return x * y * z; }
    std::string text() const {
      return extent_text({static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(z)});
    }
  };

  // A constant of the file or a template argument.
  std::optional<std::int64_t> value_of(std::string_view expression) const {
    for (std::size_t i = 0; i < std::min(given_.size(), kernel_.template_parameters.size()); ++i)
      if (!expression.empty() && kernel_.template_parameters[i].name == expression && given_[i] != expression)
        return value_of(given_[i]);
    const compile::HostEvaluation made =
        constants_.evaluate(with_template_arguments(expression, kernel_, given_), kernel_.offset);
    if (!made.value || made.value->kind != compile::HostValue::Kind::whole) return std::nullopt;
    return made.value->whole;
  }

  // The name or number in the code that begins here; empty if there is none.
  std::string word_at(std::size_t at) const {
    std::size_t end = at;
    while (end < code_.size() && is_name_char(code_[end])) ++end;
    return code_.substr(at, end - at);
  }

  bool is_number(std::size_t i) const {
    const KernelParameter& one = parameters_[i];
    return !one.pointer && one.elements_each() == 1 && !one.element().empty() && !lesson::is_real_type(one.element()) &&
           one.type != "bool";
  }
  // Something in the code is compared with it.
  bool is_a_bound(const std::string& name) const {
    return std::ranges::any_of(std::initializer_list<const char*>{"<", "<=", ">=", "<(", ">"},
                               [&](const char* sign) { return has_words(code_, sign + name); }) ||
           has_words(code_, name + "<=") || has_words(code_, name + ">");
  }
  bool is_a_size(std::size_t i) const {
    const std::string& name = parameters_[i].name;
    if (!is_number(i) || name.empty()) return false;
    const std::string small = short_name(parameters_[i]);
    if (names_a_distance(small) || names_a_place(small) || names_a_small_size(small)) return false;
    return names_a_size(small) || is_a_bound(name);
  }

  // Of threads or blocks. A grid of two dimensions may only number its blocks.
  bool has_rows() const {
    return flat_ || (has_words(code_, "blockIdx.y") && !has_words(code_, "blockIdx.y*gridDim.x") &&
                     !has_words(code_, "gridDim.x*blockIdx.y"));
  }

  void look_at_dimensions() {
    deep_ = has_words(code_, "threadIdx.z");
    flat_ = deep_ || has_words(code_, "threadIdx.y");
    std::set<std::string> sizes;  // those of several structs may have one name
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (is_a_size(i)) sizes.insert(short_name(parameters_[i]));
    sizes_ = static_cast<int>(sizes.size());
    dimensions_ = std::max({sizes_, deep_ ? 3 : 1, has_rows() ? 2 : 1});
    // A single n by which something is multiplied is the width of a matrix.
    if (sizes_ == 1 && dimensions_ == 1)
      for (std::size_t i = 0; i < parameters_.size(); ++i)
        if (is_a_size(i) &&
            (has_words(code_, "*" + parameters_[i].name) || has_words(code_, parameters_[i].name + "*")))
          dimensions_ = 2;
    if (sizes_ == 3 && !deep_ && is_a_product()) dimensions_ = 2;
  }

  // The sizes are those of a matrix product.
  bool is_a_product() const {
    if (flat_ || template_value("BM")) return true;
    return std::ranges::all_of(std::initializer_list<std::string_view>{"m", "n", "k"}, [&](std::string_view wanted) {
      return std::ranges::any_of(parameters_, [&](const KernelParameter& one) { return short_name(one) == wanted; });
    });
  }
  std::optional<std::int64_t> template_value(std::string_view name) const {
    for (std::size_t i = 0; i < std::min(given_.size(), kernel_.template_parameters.size()); ++i)
      if (kernel_.template_parameters[i].name == name) return value_of(given_[i]);
    return std::nullopt;
  }

  // The largest constant that bounds an index, for a kernel without sizes among its parameters.
  std::int64_t constant_bound() const {
    std::int64_t most = 0;
    for (std::size_t at = 0; at + 1 < code_.size(); ++at) {
      if (code_[at] != '<' && code_.substr(at, 2) != ">=") continue;
      const std::size_t begin = at + (code_[at + 1] == '=' ? 2 : 1);
      const std::string word = word_at(begin);
      if (word.empty()) continue;
      const std::optional<std::int64_t> value = value_of(word);
      if (value && *value > most && *value <= (1 << 24)) most = *value;
    }
    return most;
  }

  // An index is compared with the only size, so threads beyond it are expected.
  bool is_guarded() const {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (is_a_size(i)) return is_a_bound(parameters_[i].name) && !only_counts_to(parameters_[i].name);
    return false;
  }
  // Each comparison with it is that of a loop from a number on: "for (int k = 0; k < n; ++k)".
  bool only_counts_to(const std::string& name) const {
    bool counts = false;
    for (std::size_t at = code_.find(name); at != std::string::npos; at = code_.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if (at == 0 || is_name_char(code_[at - 1]) || (end < code_.size() && is_name_char(code_[end]))) continue;
      const std::string_view before = std::string_view(code_).substr(0, at);
      const bool less = before.ends_with('<') || before.ends_with("<=");
      if (!less && !before.ends_with(">=") && !before.ends_with('>') && code_[end] != '<' && code_[end] != '>')
        continue;
      std::size_t begin = before.find_last_of('<');
      const std::size_t sign = begin;
      while (less && begin > 0 && is_name_char(code_[begin - 1])) --begin;
      if (!less || begin == sign || code_[begin - 1] != ';') return false;
      const std::string start = code_.substr(begin, sign - begin) + "=";  // "k="
      const std::size_t set = before.rfind(start, begin - 1);
      if (set == std::string_view::npos || set + start.size() >= begin - 1) return false;
      const std::string_view from = before.substr(set + start.size(), begin - 1 - set - start.size());
      if (from.find_first_not_of("0123456789u") != std::string_view::npos) return false;
      counts = true;
    }
    return counts;
  }

  void choose_sizes() {
    std::int64_t largest = 0, product = 1;
    for (std::size_t i = 0; i < parameters_.size(); ++i) {
      if (!is_a_size(i) || known_[i].empty()) continue;
      const std::optional<std::int64_t> value = value_of(FormArgument::from(known_[i]).value);
      if (!value || *value < 1 || *value > (1 << 26)) continue;
      largest = std::max(largest, *value);
      if (product * *value <= (1 << 26)) product *= *value;
    }
    if (sizes_ == 0) largest = constant_bound();
    if (largest > 1) {
      each_ = largest;
      elements_ = dimensions_ == 1 || largest > 8192 ? largest : std::max(product, largest * largest);
      return;
    }
    static constexpr std::int64_t sides[] = {4096, 64, 16, 8, 4};
    if (const std::optional<std::int64_t> tile = template_value("BM"); tile && *tile > 0 && *tile <= 256) {
      each_ = 2 * *tile;
      elements_ = each_ * each_;
      return;
    }
    each_ = sides[std::min<std::size_t>(static_cast<std::size_t>(dimensions_), std::size(sides)) - 1];
    elements_ = all_elements;
    if (dimensions_ == 1 && is_guarded()) each_ = elements_ = guarded_elements;
  }

  // The extents of the first shared array: "__shared__ float tile[32][33]" → 32 and 33.
  std::vector<std::int64_t> shared_array() const {
    const std::string_view body = kernel_.body;
    for (std::size_t at = body.find("__shared__"); at != std::string_view::npos; at = body.find("__shared__", at + 1)) {
      std::string_view declared = body.substr(at, body.find(';', at) - at);
      std::vector<std::int64_t> extents;
      for (std::size_t open = declared.find('['); open != std::string_view::npos; open = declared.find('[', open + 1)) {
        const std::size_t close = declared.find(']', open);
        if (close == std::string_view::npos || contains(declared.substr(0, open), ",")) break;
        if (const std::optional<std::int64_t> value = value_of(trimmed(declared.substr(open + 1, close - open - 1))))
          extents.push_back(*value);
      }
      if (!extents.empty()) return extents;
    }
    return {};
  }

  // "j += 8" with a divisor of the tile's side: each thread does several rows.
  std::int64_t rows_of_a_tile(std::int64_t side) const {
    for (std::size_t at = code_.find("+="); at != std::string::npos; at = code_.find("+=", at + 2)) {
      const std::optional<std::int64_t> value = value_of(word_at(at + 2));
      if (value && *value > 1 && *value < side && side % *value == 0) return *value;
    }
    return side;
  }

  void choose_block() {
    const std::optional<std::int64_t> bounds =
        kernel_.bounds.empty() ? std::nullopt : value_of(trimmed(kernel_.bounds));
    const bool bounded = bounds && *bounds > 0 && *bounds <= most_threads;
    const std::vector<std::int64_t> tile = shared_array();
    if (const std::optional<std::int64_t> threads = threads_of_tiles(); threads && !bounded) {
      block_ = {*threads, 1, 1};
      return;
    }
    if (deep_) {
      block_ = {8, 8, 4};
    } else if (flat_) {
      block_ = {16, 16, 1};
      if (tile.size() == 2 && tile[0] >= 4 && tile[0] * tile[0] <= most_threads)
        block_ = {tile[0], rows_of_a_tile(tile[0]), 1};
    } else {
      block_ = {bounded ? *bounds : 256, 1, 1};
      // A row for each warp, and partial sums of a block, are not as large as a block. An array may be larger than its
      // block by the neighbours of the first and the last thread.
      if (!bounded && tile.size() == 1 && tile[0] >= 64 && tile[0] <= most_threads) block_.x = tile[0] / 32 * 32;
    }
    if (const std::int64_t x = required_width(); x > 0)
      block_ = {x, flat_ ? std::min<std::int64_t>(8, most_threads / x) : 1, 1};
    while (bounded && block_.count() > *bounds && block_.y > 1) block_.y /= 2;
    if (bounded && block_.count() > *bounds) block_ = {*bounds, 1, 1};
  }

  // A block of tile × tile whose threads have one number: "threadIdx.x / TILE"; and tiles of a matrix product with TM ×
  // TN results for each thread.
  std::optional<std::int64_t> threads_of_tiles() const {
    if (flat_) return std::nullopt;
    const auto m = template_value("BM"), n = template_value("BN");
    std::int64_t threads = 0;
    if (m && n)
      threads =
          *m * *n / std::max<std::int64_t>(1, template_value("TM").value_or(1) * template_value("TN").value_or(1));
    for (std::size_t at = code_.find("threadIdx.x/"); at != std::string::npos && threads == 0;
         at = code_.find("threadIdx.x/", at + 1)) {
      const std::optional<std::int64_t> side = value_of(word_at(at + 12));
      const bool of_block = share('x', 0) == side && share('y', 0) == side;
      if (side && of_block && *side * *side <= most_threads) threads = *side * *side;
    }
    return threads > 0 && threads <= most_threads ? std::optional(threads) : std::nullopt;
  }

  // "blockDim.x == 32", as in an assert(); 0: nothing is required.
  std::int64_t required_width() const {
    constexpr std::string_view equals = "blockDim.x==";
    const std::size_t at = code_.find(equals);
    if (at == std::string::npos) return 0;
    const std::string text = word_at(at + equals.size());
    const std::optional<std::int64_t> value = value_of(text);
    if (!value && contains(lower(text), "warp")) return 32;
    return value && *value > 0 && *value <= most_threads ? *value : 0;
  }

  // The factor of blockIdx.x in an index: a block's share. 0: there is none, so a block does one row.
  std::int64_t share(char axis, std::int64_t threads) const {
    const std::string index = std::string("blockIdx.") + axis;
    if (const std::int64_t found = share_of(index, axis, threads); found != 0) return found;
    // "const int row = blockIdx.x;"
    const std::size_t at = code_.find("=" + index + ";");
    if (at == std::string::npos) return 0;
    std::size_t begin = at;
    while (begin > 0 && is_name_char(code_[begin - 1])) --begin;
    std::string name = code_.substr(begin, at - begin);
    for (const char* type : {"constint", "constuint", "constunsignedint", "constunsigned", "unsignedint", "unsigned",
                             "uint", "int", "constauto", "auto", "size_t", "constsize_t"})
      if (name.starts_with(type) && name.size() > std::string_view(type).size()) {
        name.erase(0, std::string_view(type).size());
        break;
      }
    return share_of(name, axis, threads);
  }
  std::int64_t share_of(const std::string& index, char axis, std::int64_t threads) const {
    for (std::size_t at = code_.find(index); at != std::string::npos; at = code_.find(index, at + 1)) {
      std::size_t begin = at, end = at + index.size();
      if (begin > 0 && is_name_char(code_[begin - 1])) continue;
      if (end < code_.size() && code_[end] == '*') {
        const std::size_t from = ++end;
        while (end < code_.size() && (is_name_char(code_[end]) || code_[end] == '.' || code_[end] == '(')) ++end;
        if (const std::int64_t found = factor(code_.substr(from, end - from), axis, threads)) return found;
      } else if (begin > 0 && code_[begin - 1] == '*') {
        const std::size_t to = --begin;
        while (begin > 0 && (is_name_char(code_[begin - 1]) || code_[begin - 1] == '.')) --begin;
        if (const std::int64_t found = factor(code_.substr(begin, to - begin), axis, threads)) return found;
      }
    }
    return 0;
  }
  std::int64_t factor(std::string text, char axis, std::int64_t threads) const {
    std::erase(text, '(');
    if (text == std::string("blockDim.") + axis) return threads;
    const std::optional<std::int64_t> value = value_of(text);
    return value && *value > 0 ? *value : text.empty() || contains(text, "blockDim") ? threads : 0;
  }

  static std::int64_t blocks_for(std::int64_t elements, std::int64_t each) {
    return std::clamp<std::int64_t>((elements + each - 1) / each, 1, 65535);
  }

  void choose_grid() {
    const bool two = has_rows();
    if (const auto m = template_value("BM"), n = template_value("BN"); m && n && *m > 0 && *n > 0) {
      grid_ = {blocks_for(each_, *n), blocks_for(each_, *m), 1};
      return;
    }
    const std::int64_t x = share('x', block_.x);
    // A block for each row; or, where a thread's index is one number, for each part of all elements.
    const bool one_number = !two && x == block_.x;
    const std::int64_t rows = std::min<std::int64_t>(dimensions_ > 1 ? each_ : 16, 65535);
    if (x != 0)
      grid_.x = blocks_for(one_number ? elements_ : each_, x);
    else if (has_words(code_, "blockIdx.x"))
      grid_.x = !two && has_words(code_, "blockIdx.y") ? blocks_for(elements_, block_.x) : rows;
    if (!two) return;
    if (const std::int64_t y = share('y', block_.y); has_words(code_, "blockIdx.y"))
      grid_.y = y == 0 ? std::min<std::int64_t>(each_, 65535) : blocks_for(each_, y);
    if (const std::int64_t z = share('z', block_.z); has_words(code_, "blockIdx.z"))
      grid_.z = z == 0 ? (dimensions_ > 2 ? std::min<std::int64_t>(each_, 64) : 1) : blocks_for(each_, z);
  }
  std::string shared_bytes() const {
    const std::string_view body = kernel_.body;
    const std::size_t at = body.find("extern __shared__");
    if (at == std::string_view::npos) return {};
    KernelParameter one;
    std::string declared(body.substr(at + 17, body.find('[', at) - at - 17));
    if (const std::size_t align = declared.find("__align__"); align != std::string::npos)
      declared.erase(align, declared.find(')', align) - align + 1);
    const std::string_view type = trimmed(declared);
    one.type = without_blanks(type.substr(0, type.find_last_of(blanks)));
    for (std::size_t i = 0; i < std::min(given_.size(), kernel_.template_parameters.size()); ++i)
      if (kernel_.template_parameters[i].name == one.type) one.type = given_[i];
    const std::string element = one.element();
    const std::int64_t bytes = element.empty() || element == "u8" || element == "i8" ? 4
                               : element.ends_with("64")                             ? 8
                               : element.ends_with("16")                             ? 2
                                                                                     : 4;
    return std::to_string(block_.count() * bytes * one.elements_each());
  }

  FormArgument buffer(const KernelParameter& one) const {
    const std::string name = short_name(one);
    if (one.type.ends_with('*')) {  // a pointer to pointers
      KernelParameter row = one;
      row.type.pop_back();
      return {FormArgument::Kind::text, "", "", fmt::format("&{{{}*{}}}", guessed_rows, buffer(row).text())};
    }
    std::string element = one.element();
    if (one.layout.bytes > 0)
      return {FormArgument::Kind::buffer, "u8", std::to_string(elements_ * one.layout.bytes), "0"};
    if (element.empty()) {  // a struct, or a type from a header: often one for each thread
      const std::int64_t each = bytes_of_random_state(one.type);
      const std::int64_t count = std::max(elements_, std::min<std::int64_t>(grid_.count() * block_.count(), 1 << 20));
      return {FormArgument::Kind::buffer, "u8",
              std::to_string(count * (each > 0 ? each : static_cast<std::int64_t>(guessed_bytes_each))), "0"};
    }
    const std::int64_t count = elements_ * one.elements_each() + (names_row_starts(name) ? 1 : 0);
    std::string value = one.constant || !is_only_written(code_, one.name) ? "iota" : "0";
    const bool whole = !lesson::is_real_type(element);
    if (whole && one.elements_each() == 1 && value == "iota" && names_indices(name) && !names_row_starts(name))
      value = fmt::format("random:1:0:{}", each_ - 1);
    if (element == "u8" && one.type == "bool") value = value == "0" ? "0" : "1";
    return {FormArgument::Kind::buffer, element, std::to_string(count), value};
  }

  FormArgument argument(std::size_t index) const {
    const KernelParameter& one = parameters_[index];
    const std::string name = short_name(one);
    if (one.pointer) return buffer(one);
    if (const bool surface = one.type == "cudaSurfaceObject_t"; surface || one.type == "cudaTextureObject_t")
      return FormArgument::from(guessed_texture(code_, one.name, surface, dimensions_ > 1 && sizes_ > 0 ? each_ : 64));
    const std::string element = one.element();
    if (element.empty() || one.elements_each() > 1) return {FormArgument::Kind::text, "", "", "bytes="};
    const auto scalar = [&](const std::string& value) {
      return FormArgument{FormArgument::Kind::scalar, element, "", value};
    };
    if (lesson::is_real_type(element))
      return scalar(name == "beta" ? "0" : has_one_of(name, {"eps"}) ? "1e-5" : has_one_of(name, {"dt"}) ? "0.1" : "1");
    if (is_a_size(index)) return scalar(std::to_string(each_));
    if (name.starts_with("inc")) return scalar("1");
    if (names_a_distance(name)) return scalar(std::to_string(dimensions_ > 1 ? each_ : 1));
    if (names_a_place(name)) return scalar("0");
    return scalar(names_a_small_size(name) && !is_one_of(name, {"p", "pad", "padding"}) ? "3" : "1");
  }

  const KernelSignature& kernel_;
  const std::vector<KernelParameter> parameters_;
  const LaunchConstants& constants_;
  const std::vector<std::string>& given_;
  std::vector<Group> groups_;
  std::vector<std::string> known_;  // of each of parameters_
  const std::string code_;
  bool flat_ = false, deep_ = false;  // a thread's index has a y; a z
  int sizes_ = 0, dimensions_ = 1;
  std::int64_t each_ = 0, elements_ = 0;  // a side, and all elements of an array
  Extent grid_, block_;
};

}  // namespace

LaunchForm guessed_launch(const SourceKernels& kernels, const KernelSignature& kernel, const LaunchConstants& constants,
                          const std::vector<std::string>& template_arguments, const std::vector<std::string>& known) {
  return Guess(kernel, kernels.parameters(kernel, template_arguments), constants, template_arguments, known).run();
}

}  // namespace lanescope::job
