#include "job/request/name_hints.h"

#include <algorithm>

#include "core/text.h"

namespace lanescope::job {

std::string lower(std::string_view text) {
  std::string made;
  for (const char c : text) made += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return made;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}
bool has_one_of(std::string_view word, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return contains(word, part); });
}

std::string short_name(const KernelParameter& one) {
  return lower(std::string_view(one.name).substr(one.name.rfind('.') + 1));
}

bool has_words(std::string_view code, std::string_view text) {
  for (std::size_t at = code.find(text); at != std::string_view::npos; at = code.find(text, at + 1)) {
    const bool begins = at == 0 || !is_name_char(code[at - 1]) || !is_name_char(text.front());
    const std::size_t end = at + text.size();
    if (begins && (end == code.size() || !is_name_char(code[end]) || !is_name_char(text.back()))) return true;
  }
  return false;
}

namespace {

// "atomicAdd(&sum[0], …)", "atomicAdd(&(sum[i]), …)", "atomicAdd(sum + i, …)"; not "a & sum[i]" or "a && sum[i]".
bool is_updated_behind(std::string_view before) {
  while (before.ends_with('(')) before.remove_suffix(1);
  if (before.ends_with('&')) {
    before.remove_suffix(1);
    return before.empty() ||
           (!is_name_char(before.back()) && std::string_view(")]&").find(before.back()) == std::string_view::npos);
  }
  std::size_t word = before.size();
  while (word > 0 && is_name_char(before[word - 1])) --word;
  return before.substr(word).starts_with("atomic");
}

// "a[i]=…", "*a=…", "a[i]++", with `behind` from the end of the name on.
bool is_stored_to(bool dereferenced, std::string_view behind) {
  std::size_t end = 0;
  int depth = 0;
  while (end < behind.size() && (depth > 0 || behind[end] == '[')) {
    depth += behind[end] == '[' ? 1 : behind[end] == ']' ? -1 : 0;
    ++end;
    if (depth == 0) break;
  }
  if (end == 0 && !dereferenced) return false;
  behind.remove_prefix(end);
  return (behind.starts_with('=') && !behind.starts_with("==")) || behind.starts_with("+=") || behind.starts_with("++");
}

}  // namespace

bool is_only_written(std::string_view code, std::string_view name) {
  bool written = false;
  for (std::size_t at = code.find(name); at != std::string_view::npos; at = code.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at > 0 && is_name_char(code[at - 1])) || (end < code.size() && is_name_char(code[end]))) continue;
    const std::string_view before = code.substr(0, at);
    written = is_updated_behind(before) || is_stored_to(before.ends_with('*'), code.substr(end));
    if (!written) return false;
  }
  return written;
}

std::int64_t bytes_of_random_state(std::string_view type) {
  if (type.ends_with("_t")) type.remove_suffix(2);
  struct State {
    std::string_view type;
    std::int64_t bytes;
  };
  for (const State& one : {State{"curandState", 48}, State{"curandStateXORWOW", 48}, State{"curandStateMRG32k3a", 48},
                           State{"curandStatePhilox4_32_10", 64}, State{"curandStateSobol32", 140},
                           State{"curandStateScrambledSobol32", 140}, State{"curandStateSobol64", 536},
                           State{"curandStateScrambledSobol64", 536}, State{"curandStateMtgp32", 4112}})
    if (type == one.type) return one.bytes;
  return 0;
}

bool names_a_distance(const std::string& name) {
  return has_one_of(name, {"stride", "pitch"}) || (name.size() <= 3 && name.starts_with("ld")) ||
         name.starts_with("inc");
}
bool names_a_place(const std::string& name) {
  // The size of an index: `new_line_index_size`, `num_offsets`.
  if (name.starts_with("num") || is_one_of(name.substr(name.rfind('_') + 1), {"size", "count", "length", "len", "num"}))
    return false;
  return has_one_of(name, {"offset", "start", "begin", "seed", "shift", "index", "first"}) ||
         is_one_of(name, {"idx", "id", "step", "i", "j", "pos", "iter"});
}
bool names_a_size(const std::string& name) {
  return is_one_of(name, {"n",  "m",  "k",  "h",  "w",  "c",  "b",     "t",      "d",   "v",   "oc",
                          "nx", "ny", "nz", "nh", "hs", "np", "width", "height", "row", "col", "depth"}) ||
         has_one_of(name, {"num", "size", "len", "count", "rows", "cols", "columns", "dim", "total", "elements",
                           "width", "height", "channels", "batch"}) ||
         name.ends_with("_n") || name.starts_with("n_");
}
bool names_a_small_size(const std::string& name) {
  return has_one_of(name, {"radius", "ksize", "kernel", "filter", "mask", "window", "iters", "iterations", "steps",
                           "k_size", "taps", "halo", "stencil"}) ||
         is_one_of(name, {"r", "p", "pad", "padding", "kh", "kw", "kd", "fh", "fw", "ks", "k_h", "k_w"});
}
bool names_elements_of_a_thread(const std::string& name) {
  return has_one_of(name, {"per_thread", "perthread"}) || name.starts_with("thread_size");
}
bool names_indices(const std::string& name) {
  return has_one_of(name, {"idx", "index", "indices", "ids", "tokens", "targets", "labels", "cols", "columns", "edges",
                           "neighbors", "perm", "map"}) ||
         is_one_of(name, {"col", "row", "ix", "inp"});
}
bool names_row_starts(const std::string& name) {
  return has_one_of(name, {"ptr", "offsets", "starts", "rowstart", "row_start"});
}

}  // namespace lanescope::job
