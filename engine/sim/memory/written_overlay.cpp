#include "sim/memory/written_overlay.h"

#include <span>

namespace lanescope::sim {

WrittenOverlay& WrittenOverlay::operator=(const WrittenOverlay& other) {
  if (this == &other) return *this;
  before_ = other.before_;
  words_ = other.words_;
  unwritten_ = other.unwritten_;
  folders_.clear();
  last_ = none;
  other.each_page(
      [&](std::uint64_t number, const Page& words) { std::copy(words.begin(), words.end(), own_page(number)); });
  return *this;
}

template <typename Visit>
void WrittenOverlay::each_page(Visit&& visit) const {
  for (std::size_t f = 0; f < folders_.size(); ++f)
    for (std::size_t p = 0; folders_[f] != nullptr && p < pages_of_folder; ++p)
      if (const Page* const own = (*folders_[f])[p].get()) visit(f * pages_of_folder + p, *own);
}

std::uint64_t* WrittenOverlay::make_page(std::uint64_t number) {
  const std::uint64_t pages = (words_ + page_words - 1) / page_words;
  if (folders_.empty()) folders_.resize((pages + pages_of_folder - 1) / pages_of_folder);
  std::unique_ptr<Folder>& folder = folders_[number / pages_of_folder];
  if (folder == nullptr) folder = std::make_unique<Folder>();
  std::unique_ptr<Page>& own = (*folder)[number % pages_of_folder];
  if (own != nullptr) return own->data();
  own = std::make_unique<Page>();  // zeros
  const std::uint64_t first = number * page_words;
  if (before_ != nullptr) std::copy_n(before_ + first, std::min(page_words, words_ - first), own->data());
  return own->data();
}

void WrittenOverlay::add_to(WrittenMap& to) const {
  constexpr std::uint64_t step = 32;  // a small launch changes little of a page: what is equal is passed over
  const std::span<const std::uint64_t> there = to.words();
  each_page([&](std::uint64_t number, const Page& words) {
    const std::uint64_t from = number * page_words;
    for (std::uint64_t at = 0; at < page_words && from + at < there.size(); at += step) {
      const std::uint64_t count = std::min(step, there.size() - from - at);
      if (std::equal(&words[at], &words[at] + count, &there[from + at])) continue;
      to.merge({&words[at], count}, from + at);
    }
  });
}

void WrittenOverlay::add_to(std::vector<std::uint64_t>& words) const {
  words.resize(words_);
  if (before_ != nullptr)
    for (std::uint64_t i = 0; i < words_; ++i) words[i] |= before_[i];
  each_page([&](std::uint64_t number, const Page& own) {
    const std::uint64_t first = number * page_words;
    for (std::uint64_t i = 0; i < std::min(page_words, words_ - first); ++i) words[first + i] |= own[i];
  });
}

}  // namespace lanescope::sim
