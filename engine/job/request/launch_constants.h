#pragma once
// The constants of a source and of the headers that it includes. Internal to job/request.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/host/host_constants.h"
#include "compile/source.h"

namespace lanescope::job {

class LaunchConstants {
 public:
  // `text`: as compile::with_definitions() gives that of `source`, or of a header of it. Keeps copies.
  LaunchConstants(const std::string& text, const compile::Source& source);

  // See compile::HostConstants. The text's own constants come first; headers are read when these do not suffice.
  compile::HostEvaluation evaluate(std::string_view expression, std::size_t offset) const;
  void know(std::string_view name, std::size_t offset, std::int64_t value);

 private:
  // The headers' text, then the text itself.
  const compile::HostConstants* with_headers() const;

  const std::string text_;
  const compile::Source source_;
  compile::HostConstants own_;
  struct Known {
    std::string name;
    std::size_t offset = 0;
    std::int64_t value = 0;
  };
  std::vector<Known> known_;
  mutable bool looked_ = false;
  mutable std::size_t shift_ = 0;  // of the text behind the headers
  mutable std::optional<compile::HostConstants> with_headers_;
};

}  // namespace lanescope::job
