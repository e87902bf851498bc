#pragma once
// The names of template parameters in a source. Internal to job/request.

#include <set>
#include <string>
#include <string_view>

namespace lanescope::job {

using TemplateNames = std::set<std::string, std::less<>>;

// The template parameters of the file: a launch in a host template may hand them on, and the compiler does not know
// them elsewhere. PyTorch's dispatchers call theirs scalar_t.
TemplateNames template_names(const std::string& text);

bool mentions_one_of(std::string_view argument, const TemplateNames& names);

}  // namespace lanescope::job
