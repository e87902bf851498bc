#pragma once
// What the name of a kernel's parameter hints at. Internal to job/request.

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "job/request/kernel_signature.h"

namespace lanescope::job {

std::string lower(std::string_view text);  // of ASCII letters
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words);
bool has_one_of(std::string_view word, std::initializer_list<std::string_view> parts);
// In small letters, without the struct: "A.Width" → "width".
std::string short_name(const KernelParameter& one);
// True if `code`, which has no blanks, has `text` as whole words.
bool has_words(std::string_view code, std::string_view text);
// True if `code`, which has no blanks, stores to what has this name and loads nothing from it, as far as this can be
// seen. Atomics and other uses of its address are stores.
bool is_only_written(std::string_view code, std::string_view name);

// What one of cuRAND's states takes, by its type: "curandState_t". 0: it is none.
std::int64_t bytes_of_random_state(std::string_view type);

// The following take a short name.
bool names_a_distance(const std::string& name);  // between rows or elements
bool names_a_place(const std::string& name);
bool names_a_size(const std::string& name);
bool names_a_small_size(const std::string& name);
bool names_indices(const std::string& name);
bool names_row_starts(const std::string& name);
bool names_elements_of_a_thread(const std::string& name);  // of a template parameter

}  // namespace lanescope::job
