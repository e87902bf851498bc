#include "gui/session/gpu_backend.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>

#include "gpu/worker.h"

namespace lanescope::gui {
namespace {

class GpusInWorker final : public GpuBackend {
 public:
  explicit GpusInWorker(std::vector<std::string> command) : command_(std::move(command)) {}

  Result<std::vector<gpu::Device>> devices() override {
    return gpu::devices_in_worker(command_, [this] { return wish(); });
  }

  Result<std::vector<gpu::Device>> devices_at(const std::string& place,
                                              const std::function<void(const std::string&)>& tell,
                                              const std::function<bool()>& keep_going) override {
    const Result<gpu::Where> where = gpu::where_from(place);
    if (!where) return where.errors();
    keep_going_ = keep_going;
    reached_.reset();
    Result<gpu::Reached> found = gpu::Reached::reach(*where, tell, [this] { return wish(); });
    keep_going_ = {};
    if (!found) return found.take_errors();
    reached_ = std::move(*found);
    return reached_->devices();
  }

  void warm_up(const gpu::Device& device) override {
    if (!closed_) (void)session(device);  // the run will report errors
  }

  Result<job::GpuReport> run(const job::Outcome& interpreted, const gpu::Device& device,
                             const job::GpuStageOptions& options, const std::function<void(const job::GpuSoFar&)>& tell,
                             const std::function<bool()>& keep_going) override {
    return on_session<job::GpuReport>(
        device, keep_going, [&] { return job::run_in_stages(interpreted, *session_, options, tell, keep_going); });
  }

  Result<job::LaunchReport> run_launch(const job::Outcome& whole, std::size_t execution, const gpu::Device& device,
                                       const std::function<void(const job::LaunchReport&)>& tell,
                                       const std::function<bool()>& keep_going) override {
    return on_session<job::LaunchReport>(device, keep_going, [&] {
      job::VerifyOptions options;
      options.keep_going = keep_going;
      return job::verify_launch(whole, execution, *session_, options, tell);
    });
  }

  void close() override { closed_ = true; }

 private:
  template <typename T, typename Work>
  Result<T> on_session(const gpu::Device& device, const std::function<bool()>& keep_going, Work&& work) {
    keep_going_ = keep_going;
    const auto done = [&](Result<T> result) {
      keep_going_ = {};
      return result;
    };
    if (auto opened = session(device); !opened) return done(opened.take_errors());
    try {
      return done(work());
    } catch (const std::exception& error) {  // not enough memory for the GPU's data
      session_.reset();
      return done(Diagnostic{Severity::error, "gpu.worker_lost", {}, error.what(), "Run again with smaller buffers."});
    }
  }

  gpu::Wish wish() const {
    if (closed_) return gpu::Wish::end_now;
    return keep_going_ && !keep_going_() ? gpu::Wish::end_soon : gpu::Wish::go_on;
  }

  // The session and its worker stay open. The session itself replaces a lost worker.
  Result<std::monostate> session(const gpu::Device& device) {
    if (session_ && index_ == device.index && place_ == device.where) return std::monostate{};
    session_.reset();
    const Result<gpu::Where> where = gpu::where_from(device.where.empty() ? "gpu" : device.where);
    if (!where) return where.errors();
    std::optional<gpu::Reached> reached = std::exchange(reached_, std::nullopt);
    const auto is_here = [&](const gpu::Device& one) { return one.where == device.where && one.index == device.index; };
    const bool is_reached = reached && std::ranges::any_of(reached->devices(), is_here);
    auto opened = where->is_here() ? gpu::open_in_worker(command_, device.index, [this] { return wish(); })
                  : is_reached     ? std::move(*reached).open(device.index)
                                   : gpu::open_elsewhere(*where, device.index, {}, [this] { return wish(); });
    if (!opened) return opened.take_errors();
    session_ = std::move(*opened);
    index_ = device.index;
    place_ = device.where;
    return std::monostate{};
  }

  std::vector<std::string> command_;
  std::atomic<bool> closed_{false};
  std::function<bool()> keep_going_;     // of the current run
  std::optional<gpu::Reached> reached_;  // until a session is opened
  std::unique_ptr<gpu::Session> session_;
  int index_ = -1;
  std::string place_;
};

}  // namespace

std::shared_ptr<GpuBackend> gpus_in_worker(std::vector<std::string> command) {
  return std::make_shared<GpusInWorker>(std::move(command));
}

}  // namespace lanescope::gui
