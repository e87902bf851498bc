#include "compile/nvcc/nvcc_options.h"

#include <algorithm>

#include "core/text.h"

namespace lanescope::compile {
namespace {

struct Remedy {
  std::string_view said, option;
};

constexpr Remedy remedies[] = {
    {"requires --extended-lambda nvcc flag", "--extended-lambda"},
    {"The experimental flag '--expt-relaxed-constexpr' can be used", "--expt-relaxed-constexpr"},
    {"requires separate compilation mode", "-rdc=true"},
    // Names that CUDA 13 removed and that have another one, in the code of older courses.
    {"identifier \"cudaThreadSynchronize\" is undefined", "-DcudaThreadSynchronize=cudaDeviceSynchronize"},
    {"identifier \"cudaThreadExit\" is undefined", "-DcudaThreadExit=cudaDeviceReset"},
    {"identifier \"cudaThreadSetLimit\" is undefined", "-DcudaThreadSetLimit=cudaDeviceSetLimit"},
    {"identifier \"cudaThreadSetCacheConfig\" is undefined", "-DcudaThreadSetCacheConfig=cudaDeviceSetCacheConfig"},
    {"undefined reference to `omp_", "-Xcompiler=-fopenmp"},
    {"undefined reference to `GOMP_", "-Xcompiler=-fopenmp"},
};

// Names of the driver API continue with a capital letter after "cu": "undefined reference to `cuInit'".
bool is_of_the_driver(std::string_view message) {
  constexpr std::string_view begin = "undefined reference to `cu";
  const std::size_t at = message.find(begin);
  if (at == std::string_view::npos || at + begin.size() >= message.size()) return false;
  const char next = message[at + begin.size()];
  return next >= 'A' && next <= 'Z';
}

}  // namespace

std::string_view option_for(std::string_view message) {
  for (const auto& [said, option] : remedies)
    if (message.find(said) != std::string_view::npos) return option;
  return is_of_the_driver(message) ? "-lcuda" : "";
}

std::vector<std::string> options_that_help(const std::string& log, const std::vector<std::string>& given) {
  std::vector<std::string> options;
  const auto has = [](const std::vector<std::string>& all, std::string_view one) {
    return std::ranges::find(all, one) != all.end();
  };
  for (const std::string_view line : split(log, '\n'))
    if (const std::string_view option = option_for(line);
        !option.empty() && !has(given, option) && !has(options, option))
      options.emplace_back(option);
  return options;
}

}  // namespace lanescope::compile
