#include "compile/nvjitlink_run.h"

#include <algorithm>
#include <memory>

namespace lanescope::compile {
namespace {

std::string text_of(NvJitLink::Handle handle, NvJitLink::Code (*size_of)(NvJitLink::Handle, std::size_t*),
                    NvJitLink::Code (*get)(NvJitLink::Handle, char*)) {
  std::size_t size = 0;
  if (size_of(handle, &size) != NvJitLink::success || size == 0) return "";
  std::string text(size, '\0');
  if (get(handle, text.data()) != NvJitLink::success) return "";
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

LinkOutcome ended(LinkOutcome::End end, int code = 0) {
  LinkOutcome outcome;
  outcome.end = end;
  outcome.code = code;
  return outcome;
}

}  // namespace

LinkOutcome run_nvjitlink(const NvJitLink& linker, const LinkJob& job) {
  const std::string arch_option = "-arch=" + job.arch;
  std::vector<const char*> options{arch_option.c_str(), "-lineinfo", "-verbose"};
  NvJitLink::Handle handle = nullptr;
  const auto created = linker.create(&handle, static_cast<std::uint32_t>(options.size()), options.data());
  const auto destroy = [&](NvJitLink::Handle used) { linker.destroy(&used); };
  const std::unique_ptr<std::remove_pointer_t<NvJitLink::Handle>, decltype(destroy)> owner(handle, destroy);
  if (created == NvJitLink::unrecognised_option || created == NvJitLink::unrecognised_arch ||
      created == NvJitLink::unsupported_arch)
    return ended(LinkOutcome::End::unknown_arch);
  if (created != NvJitLink::success) return ended(LinkOutcome::End::not_created, created);
  LinkOutcome outcome;
  // The terminating zero is part of the data.
  if (linker.add_data(handle, NvJitLink::input_ptx, job.ptx.c_str(), job.ptx.size() + 1, "PTX") != NvJitLink::success ||
      linker.complete(handle) != NvJitLink::success) {
    outcome.end = LinkOutcome::End::refused;
    outcome.errors = text_of(handle, linker.error_log_size, linker.error_log);
    return outcome;
  }
  outcome.info = text_of(handle, linker.info_log_size, linker.info_log);
  std::size_t size = 0;
  if (linker.cubin_size(handle, &size) != NvJitLink::success) return outcome;
  outcome.cubin.resize(size);
  if (size > 0 && linker.cubin(handle, outcome.cubin.data()) != NvJitLink::success) outcome.cubin.clear();
  return outcome;
}

}  // namespace lanescope::compile
