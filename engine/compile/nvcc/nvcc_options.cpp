#include "compile/nvcc/nvcc_options.h"

#include <algorithm>
#include <iterator>
#include <regex>

namespace lanescope::compile {
namespace {

struct Remedy {
  const char* said;  // a regular expression
  const char* option;
};

constexpr Remedy remedies[] = {
    {"requires --extended-lambda nvcc flag", "--extended-lambda"},
    {"The experimental flag '--expt-relaxed-constexpr' can be used", "--expt-relaxed-constexpr"},
    {"requires separate compilation mode", "-rdc=true"},
    {"undefined reference to `cu[A-Z]", "-lcuda"},
    {"undefined reference to `(omp_|GOMP_)", "-Xcompiler=-fopenmp"},
};

}  // namespace

std::vector<std::string> options_that_help(const std::string& log, const std::vector<std::string>& given) {
  std::vector<std::string> options;
  for (const auto& [said, option] : remedies)
    if (std::find(given.begin(), given.end(), option) == given.end() && std::regex_search(log, std::regex(said)))
      options.push_back(option);
  return options;
}

}  // namespace lanescope::compile
