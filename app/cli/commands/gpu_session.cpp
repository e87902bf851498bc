#include "cli/commands/gpu_session.h"

#include <cstdio>

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

OpeningGpu::OpeningGpu(const std::string& device, int index) {
  if (device != "cpu") opening_ = std::async(std::launch::async, open_gpu, device, index);
}

Result<gpu::Session*> OpeningGpu::session() {
  if (!opened_) opened_ = opening_.get();
  if (!*opened_) return opened_->errors();
  return (*opened_)->get();
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
