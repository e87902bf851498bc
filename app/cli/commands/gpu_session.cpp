#include "cli/commands/gpu_session.h"

#include <chrono>
#include <cstdio>
#include <filesystem>

#include "core/os/environment.h"
#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "gpu/worker.h"

namespace lanescope::cli {
namespace {

void print_wait(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
}

}  // namespace

Result<std::unique_ptr<gpu::Session>> open_gpu(const std::string& device, int index) {
  const Result<gpu::Where> where = gpu::where_from(device);
  if (!where) return where.errors();
  return where->is_here() ? gpu::open_in_worker(gpu::own_worker_command(), index)
                          : gpu::open_elsewhere(*where, index, print_wait);
}

namespace {

// A file with the architecture of the last GPU at a place elsewhere; empty for a GPU of this machine, which opens as
// fast as the file. A place has no `/` in its name.
std::string file_of_arch(const std::string& device) {
  const Result<gpu::Where> where = gpu::where_from(device);
  const std::string folder = cache_folder();
  if (!where || where->is_here() || folder.empty()) return {};
  return folder + "/elsewhere/" + device;
}

std::string remembered_arch(const std::string& device) {
  std::string arch;
  constexpr std::size_t most = 32;
  const std::string file = file_of_arch(device);
  if (file.empty() || read_file(file, arch, most) != 0 || !arch.starts_with("sm_")) return {};
  return arch;
}

void remember_arch(const std::string& device, const std::string& arch) {
  const std::string file = file_of_arch(device);
  if (file.empty() || remembered_arch(device) == arch) return;
  std::error_code failed;  // then the next command compiles later
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
  if (!failed) (void)replace_file(file, arch);
}

}  // namespace

OpeningGpu::OpeningGpu(const std::string& device, int index) : device_(device) {
  if (device != "cpu") opening_ = std::async(std::launch::async, open_gpu, device, index);
}

Result<std::unique_ptr<gpu::Session>>& OpeningGpu::opened() {
  if (!opened_) {
    opened_ = opening_.get();
    if (*opened_) remember_arch(device_, (**opened_)->device().arch());
  }
  return *opened_;
}

Result<gpu::Session*> OpeningGpu::session() {
  if (!opened()) return opened().errors();
  return opened()->get();
}

std::string OpeningGpu::likely_arch() {
  const bool is_ready =
      opened_ || (opening_.valid() && opening_.wait_for(std::chrono::seconds(0)) == std::future_status::ready);
  if (!is_ready) return remembered_arch(device_);
  return opened() ? (*opened())->device().arch() : std::string();
}

Result<std::vector<gpu::Device>> devices_at(const std::string& device) {
  const Result<gpu::Where> where = gpu::where_from(device);
  if (!where) return where.errors();
  return where->is_here() ? gpu::devices() : gpu::devices_elsewhere(*where, print_wait);
}

Diagnostics no_gpu(const std::string& device) {
  if (device == "cpu") return {};
  const Result<gpu::Where> where = gpu::where_from(device);
  if (!where) return where.errors();
  if (!where->is_here()) return {};
  const auto devices = gpu::devices();
  return devices ? Diagnostics{} : devices.errors();
}

}  // namespace lanescope::cli
