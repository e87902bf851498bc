#pragma once
// One launch: sets up memory, runs the blocks on one or several threads, and collects the result.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "core/diagnostic.h"
#include "sim/helper_threads.h"
#include "sim/launch.h"
#include "sim/memory/device_heap.h"
#include "sim/resident_cluster.h"
#include "sim/warp/device_printf.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

Diagnostic cancelled_diagnostic();

class LaunchRun {
 public:
  // The request must have passed check_launch(). All three must outlive this object. `result` must already have the
  // arguments.
  LaunchRun(const Program& program, const LaunchRequest& request, LaunchResult& result);
  void run();
  // Runs the blocks on this thread; if an event is watched, only up to it. The listener, if any, receives every event
  // before it. False if cancelled.
  bool replay(Recorder::Watch* watch, Recorder::Listener* listener);

 private:
  void set_up_memory();
  void set_up_arguments();
  void set_up_device_memory();
  void set_up_workspace();
  void set_up_parameters();
  void set_up_constants();
  std::vector<std::byte> initial(const VariablePlace& place) const;
  void take_variables();
  void set_up_heap();
  void take_heap();
  std::uint64_t add_argument_texture(std::size_t number);
  void set_up_sites();
  std::uint64_t add_region(Region region, std::uint64_t at);

  int threads() const;
  std::uint64_t blocks_to_record() const;
  void run_blocks(std::optional<RaceDetector>& races);
  bool all_blocks_fit() const;
  bool may_wait_for_later_blocks() const;
  void limit_steps_of(std::uint32_t block, Worker& worker) const;
  void run_all_resident(const Diagnostic* deadlock, std::optional<RaceDetector>& races);
  void watch_for_races(std::optional<RaceDetector>& races);
  void watch_no_more_races(Worker& worker);
  bool run_block(Worker& worker, BlockState& block, EventStore& store, std::uint32_t b);
  // full: the events did not fit, so their order must be known. unforeseen: a worker wrote to a buffer that was not
  // watched. conflict: anything else that depends on the order of blocks.
  enum class Attempt : std::uint8_t { done, full, unforeseen, conflict };
  Attempt run_together(bool until_full);
  class ParallelBlocks;
  Attempt run_parallel(Worker& first_worker, EventStore& first_store, std::uint32_t first);
  HelperThreads& helpers();
  bool looks_worth_threads() const;
  bool start_again();
  void run_cooperatively();
  void run_in_clusters();
  bool run_resident(Worker& worker, std::vector<BlockState*>& blocks);
  void run_in_schedule();
  std::vector<std::unique_ptr<ResidentCluster>> all_clusters() const;
  void replay_together(Worker& worker, std::vector<BlockState*>& blocks);
  void add_counts(Worker& worker);
  void take_events(EventStore& store);
  void finish(Worker& worker, EventStore& store);
  void take_printed();
  void report(const Worker& worker);
  EventStore new_store() const;
  bool records(std::uint32_t block) const {
    return request_.record.totals && request_.record.events && context_.chosen(block);
  }
  void count_block() {
    if (request_.progress != nullptr) request_.progress->blocks_done.fetch_add(1, std::memory_order_relaxed);
  }

  const Program& program_;
  const LaunchRequest& request_;
  LaunchResult& result_;
  LaunchContext context_;
  std::vector<std::vector<std::byte>> variables_;  // contents, parallel to Program::variables
  std::vector<std::uint64_t> places_;              // of the arguments: a buffer's address, a texture's handle
  std::vector<std::byte> workspace_;
  DeviceHeap heap_;
  std::map<std::size_t, WrittenMap> texture_written_;  // by argument: those that were not written from the start
  PrintedText printed_;
  std::uint32_t blocks_ = 0;
  std::int64_t event_budget_ = 0;  // bytes
  std::uint64_t events_seen_ = 0;
  std::map<std::uint32_t, Worker::Remark> remarks_;  // by site
  std::optional<HelperThreads> helpers_;
};

}  // namespace lanescope::sim
