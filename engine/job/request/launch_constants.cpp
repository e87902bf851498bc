#include "job/request/launch_constants.h"

#include "compile/host/include_tree.h"
#include "core/text.h"

namespace lanescope::job {

LaunchConstants::LaunchConstants(const std::string& text, const compile::Source& source)
    : text_(text), source_(source), own_(text) {}

const compile::HostConstants* LaunchConstants::with_headers() const {
  if (!looked_) {
    looked_ = true;
    constexpr std::size_t most = 1 << 20;  // bytes: constants of a program are in small headers
    std::string all;
    for (const compile::IncludedFile& header : compile::user_includes(source_, {}).files)
      if (all.size() + header.content.size() <= most) all += header.content + "\n";
    shift_ = all.size();
    if (!all.empty()) with_headers_.emplace(all + text_);
    // A header's constant of such a name would be another one.
    if (with_headers_)
      for (const Known& one : known_) with_headers_->know(one.name, one.offset + shift_, one.value);
  }
  return with_headers_ ? &*with_headers_ : nullptr;
}

compile::HostEvaluation LaunchConstants::evaluate(std::string_view expression, std::size_t offset) const {
  compile::HostEvaluation own = own_.evaluate(expression, offset);
  const compile::HostConstants* const all = own.value ? nullptr : with_headers();
  if (all == nullptr) return own;
  compile::HostEvaluation made = all->evaluate(expression, offset + shift_);
  const bool names_a_line = contains(made.why.pattern(), "line");  // of the headers and the text together
  return made.value || !names_a_line ? made : own;
}

void LaunchConstants::know(std::string_view name, std::size_t offset, std::int64_t value) {
  own_.know(name, offset, value);
  known_.push_back({std::string(name), offset, value});
  if (with_headers_) with_headers_->know(name, offset + shift_, value);
}

}  // namespace lanescope::job
