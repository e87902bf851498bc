#pragma once
// Runs blocks on one thread, one after the other or by turns.

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/diagnostic.h"
#include "sim/memory/slabs.h"
#include "sim/memory/stack_use.h"
#include "sim/races/races.h"
#include "sim/warp/access_sets.h"
#include "sim/warp/block_state.h"
#include "sim/warp/launch_context.h"
#include "sim/warp/recorder.h"
#include "sim/warp/schedule.h"
#include "sim/warp/warp.h"
#include "trace/fault_place.h"

namespace lanescope::sim {

struct HeapCall;
struct WarpgroupInput;
struct TexelPlace;
struct TensorRow;
struct SparseColumns;

class Worker {
 public:
  // `sets`: where accesses to global memory are marked. nullptr if this worker is alone; else reductions are deferred.
  Worker(const LaunchContext& context, AccessSets* sets);
  ~Worker();

  Recorder& recorder() { return recorder_; }
  // The bytes that are written so far, by region.
  const std::vector<WrittenOverlay>& written() const { return written_; }
  // The bytes that another worker's blocks have written also count as written.
  void copy_written_from(const Worker& other) { written_ = other.written_; }
  void start(BlockState& block, std::uint32_t index, bool record);
  // For blocks that have been started and run together: makes their turns independent of what ran before. `first`: the
  // block that unfinished_diagnostic() names if no steps are left; then returns false.
  bool begin_turns(BlockState& first);
  // Gives one turn to every warp that can run. False if a fault ended the launch.
  bool advance(BlockState& block);
  // Runs a block from start to end.
  bool run(BlockState& block, std::uint32_t index, bool record);

  // Warp instructions issued so far.
  std::uint64_t steps() const { return steps_ - static_cast<std::uint64_t>(credit_); }
  // Call it between two blocks. Accesses of later blocks are not checked for races.
  void watch_no_races() { races_ = nullptr; }
  void limit_steps(std::uint64_t limit) { step_limit_ = limit; }
  // Whether a warp did more than wait since the last call.
  bool progressed() { return std::exchange(progressed_, false); }
  // Whether a warp can run. If none can, lanes that wait for lanes at a barrier may leave them behind.
  bool any_runnable(BlockState& block) const;
  void diagnose_stuck(const BlockState& block);
  void diagnose_deadlock(const BlockState& block);

  // Call after a stopped launch, for each block that has started and not ended. Subtracts what its warps did not
  // execute.
  void discount_unexecuted(const BlockState& block);

  // Why advance() or run() returned false: at most one of these. None if the watched event was reached.
  const std::optional<Diagnostic>& fault() const { return fault_; }
  // Warnings, by site: each with the first block that caused it.
  struct Remark {
    std::uint32_t block = 0;
    Diagnostic diagnostic;
  };
  const std::map<std::uint32_t, Remark>& remarks() const { return remarks_; }
  const StackUse& stack() const { return stack_; }
  bool out_of_steps() const { return out_of_steps_; }
  bool cancelled() const { return cancelled_; }
  // Where the launch stood when the steps were used up, or when it was cancelled with a warp started.
  Diagnostic unfinished_diagnostic() const;
  // Where advance() or run() stopped, if a warp had started.
  std::optional<trace::FaultPlace> fault_place() const;
  std::vector<DeferredReduction>& deferred() { return deferred_; }
  bool too_many_deferred() const { return deferred_.size() > max_deferred; }
  static constexpr std::size_t max_deferred = 4u << 20;
  // Marks the accesses that are not in the sets yet. Call it after the last block.
  void finish_sets();
  bool wrote_unforeseen() const { return sets_ != nullptr && sets_->unforeseen(); }
  static constexpr std::int64_t quantum = 1 << 16;  // warp instructions of a turn
  // Passes over all resident warps in which each warp only saw what it had seen before.
  static constexpr std::uint32_t max_idle_passes = 100'000;

  // The frame in which the watched event (Recorder::watch) was about to happen.
  const Frame* watched_frame() const { return watched_; }
  // For a watched access to local memory: the offset in the memory of that lane.
  std::uint64_t watched_offset(int lane, std::uint32_t executed) const;
  // Executes the instruction of the watched event, of which nothing has been executed yet. False if its warp has to
  // wait for other threads first, or after a fault.
  bool finish_watched(const Recorder::Heard& event);
  // Reads bytes at a lane's generic address, in the running block. Not a request of the kernel. False if nothing is
  // mapped there.
  bool peek(int lane, std::uint64_t address, std::uint64_t bytes, std::byte* to);
  // Whether some of these bytes were written, or had contents before the launch. False also if nothing is mapped there.
  bool ever_written(int lane, std::uint64_t address, std::uint64_t bytes) const;
  // The generic address of the first byte of the block's shared memory.
  std::uint64_t shared_memory() const;

 private:
  enum class Turn : std::uint8_t { finished, blocked, spinning, over, stop };

  // What follows an operation, or how a path's part in a turn ends.
  enum class Then : std::uint8_t {
    next,       // the next operation
    jump,       // another basic block
    resume,     // the path that is now topmost
    again,      // the same once more: in a later turn, or on another path first
    preempted,  // the schedule ends the turn before operation_
    blocked,    // all paths of the warp wait at a barrier
    over,       // the turn's instructions are used up
    stop        // a fault, or the watched event
  };

  // (worker.cpp)
  template <Mode mode>
  Turn run_warp(Warp& warp);
  template <Mode mode>
  Then run_path(Path& path);
  template <Mode mode>
  Then run_other(const Operation& operation, Path& path, std::uint32_t active);
  // Operations that neither jump nor wait. False: Then::stop.
  template <Mode mode>
  bool run_simple(const Operation& operation, std::uint32_t active);
  template <Mode mode>
  bool run_guarded_alu(const Operation& operation, std::uint32_t active);
  template <Mode mode>
  bool refused_or_trap(const Operation& operation, std::uint32_t active);
  // Then::jump: all lanes go to block `target`. Then::resume: they have diverged.
  template <Mode mode>
  Then branch(const Operation& operation, Path& path, std::uint32_t active, std::int32_t& target);
  template <Mode mode>
  Then branch_indexed(const Operation& operation, std::uint32_t active, std::int32_t& target);
  // As above, for the lanes of `path` that stay in their function.
  template <Mode mode>
  Then lanes_leave(const Operation& operation, Path& path, std::int32_t& target);
  // Then::jump: the path goes on with `target`.
  Then leave_block(Path& path, std::int32_t target, std::uint32_t lanes);
  template <Mode mode>
  Then enter_block(Path& path, std::int32_t target, std::uint32_t lanes, const Operation*& next);

  // Turns (worker_schedule.cpp).
  template <Mode mode>
  bool take_turn(BlockState& block, Warp& warp);
  template <Mode mode>
  bool advance_in(BlockState& block);

  // Frames.
  Frame* acquire(const FunctionCode& code, Frame* caller, const CallOp* call);
  void release(Frame* frame);
  Frame* kernel_frame();
  void fill_frame(Frame& frame, const Warp& warp);
  void fill_of_block(Frame& frame);
  void fill_shared(Frame& frame, const Warp& warp);
  void start_warp(Warp& warp);
  void stop_behind_fault(Warp& warp);
  void arrive_at_watched();

  // Paths. All functions work on the running warp.
  struct Way {
    std::int32_t block = function_end;
    std::uint32_t lanes = 0;
  };
  [[gnu::always_inline]] void pop_path() {
    Frame* const frame = warp_->stack.back().frame;
    warp_->stack.pop_back();
    if (frame->users > 1)
      --frame->users;
    else
      release(frame);
  }
  // Removes paths that have no lanes left or have reached their reconvergence point; false if none is left.
  bool settle_paths();
  bool settle_below();
  void diverge(std::int32_t reconvergence, const Way* ways, std::size_t count);
  bool diverge_around(const BranchOp& branch, Path& path, std::uint32_t taken, std::uint32_t others);
  Path* path_that_enters();
  void leave_function(const Path& path, std::uint32_t lanes);
  void lanes_exit(const Path& path, std::uint32_t lanes);
  void copy_results(const Frame& frame, std::uint32_t lanes);
  // Here and below: false if the watched event is reached.
  template <Mode mode>
  bool guarded_event(std::uint32_t site, std::uint32_t active, std::uint32_t executed);

  std::uint32_t executed_lanes(const Operation& operation, std::uint32_t active) const {
    if (operation.guard == 0) return active;
    std::uint32_t predicate;
    __builtin_memcpy(&predicate, registers_ + operation.guard, 4);
    return active & (operation.guard_negated ? ~predicate : predicate);
  }

  // Memory (worker_memory.cpp). False on a fault.
  template <Mode mode>
  bool memory_access(const Operation& operation, std::uint32_t active);
  template <Mode mode>
  bool access(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed);
  template <Mode mode>
  bool access_simple(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed);
  template <Mode mode>
  bool access_generic(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed);
  template <Mode mode>
  bool access_global(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed, bool constant);
  template <Mode mode>
  bool access_shared(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed);
  // Shared memory of the blocks of a cluster (worker_cluster.cpp).
  template <Mode mode>
  bool access_in_cluster(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed);
  template <Mode mode>
  bool access_shared_of_block(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed);
  template <Mode mode>
  bool access_shared_of_others(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed,
                               const std::array<std::uint64_t, 32>& addresses);
  // Sets *pattern_ to the addresses of these lanes within the owner's memory.
  void find_shared_pattern(const BlockState& owner, const std::array<std::uint64_t, 32>& addresses,
                           std::uint32_t lanes);
  // Of *pattern_, addresses within the owner's shared memory. Checks an access and marks what it writes; makes it.
  bool check_shared_of(BlockState& owner, const MemoryOp& memory, std::uint32_t executed);
  void transfer_shared_of(BlockState& owner, const MemoryOp& memory, std::uint32_t executed);
  BlockState* owner_of(std::uint32_t site, trace::Operation operation, std::uint64_t bytes, bool whole_cluster,
                       int lane, std::uint64_t address);
  void remark_distributed(std::uint32_t site);
  void block_ended(BlockState& block);
  // The host address of bytes of a region, for a copy or for a change of a tensor map. Notes the access for the
  // comparison with other workers. `bytes` is not 0.
  std::byte* take_global(const Region& region, std::uint64_t address, std::uint64_t bytes, bool reads, bool writes);
  bool check_local_bounds(const MemoryOp& memory, std::uint32_t executed);
  bool check_local_written(const MemoryOp& memory, std::uint32_t executed);
  void mark_local_written(const MemoryOp& memory, std::uint32_t executed);
  void transfer_local_words(const MemoryOp& memory, std::uint32_t executed);
  void transfer_local_copied(const MemoryOp& memory, std::uint32_t executed);
  template <Mode mode>
  bool access_local(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed);
  template <Mode mode>
  bool access_parameters(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed);
  template <Mode mode>
  bool async_copy(const Operation& operation, std::uint32_t active);
  template <Mode mode>
  bool parameter_load(const Operation& operation, std::uint32_t active);
  // Call it where an access has failed: keeps its event, which is not counted, and the lanes that failed. `pattern` as
  // for record(). Returns false.
  template <Mode mode>
  bool failed_access(const MemoryOp& memory, trace::MemorySpace space, std::uint32_t active, std::uint32_t executed,
                     const AddressPattern& pattern);
  bool lane_fails(const MemoryOp& memory, trace::MemorySpace space, std::uint64_t address) const;
  template <Mode mode>
  bool record_new(std::uint32_t site, trace::MemorySpace space, std::uint32_t active, std::uint32_t executed,
                  const AddressPattern& pattern, int width);
  bool record_counted(std::uint32_t site, trace::MemorySpace space, std::uint32_t active, std::uint32_t executed,
                      const AddressPattern& pattern, RequestCounter& counter);
  template <Mode mode>
  bool record_inline(std::uint32_t site, trace::MemorySpace space, std::uint32_t active, std::uint32_t executed,
                     const AddressPattern& pattern, int width);
  template <Mode mode>
  bool record(std::uint32_t site, trace::MemorySpace space, std::uint32_t active, std::uint32_t executed,
              const AddressPattern& pattern, int width);
  void find_pattern(const MemoryOp& memory, std::uint32_t executed);
  void find_kept_pattern(const MemoryOp& memory, std::uint32_t executed);
  void transfer(const MemoryOp& memory, std::uintptr_t host, const AddressPattern& pattern, std::uint32_t executed,
                bool global);
  void apply_atomic(const MemoryOp& memory, std::uintptr_t host, const AddressPattern& pattern, std::uint32_t executed,
                    bool global);
  void defer(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed);
  bool announce(const MemoryOp& memory, const Region& region, std::uint32_t executed);
  void announce_write(const Region& region, const AddressPattern& pattern, std::uint32_t executed, std::uint64_t width);
  bool check_lane(const MemoryOp& memory, const AddressPattern& one, int lane);
  bool check_scattered(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed);
  bool transfer_scattered(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed);
  bool check_own_shared(const MemoryOp& memory, WrittenMap& map, bool range, std::uint32_t executed);
  template <typename Map>
  bool check_written(const MemoryOp& memory, trace::MemorySpace space, Map& map, std::uint64_t base,
                     std::uint64_t window, const AddressPattern& pattern, std::uint32_t executed);
  void note_poll(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed);
  // Seeded schedules (worker_schedule.cpp). True: the running warp's turn ends before its access.
  bool preempt();
  void end_turn_early(const Operation* next);
  // Reports to the race detector (worker_races.cpp).
  void watch_access(const MemoryOp& memory, std::uint32_t executed);
  void watch_shared(RaceDetector::Request& request, const std::array<std::uint64_t, 32>& addresses,
                    std::uint32_t executed);
  void watch_copy(const MemoryOp& memory, std::uint32_t executed, std::uint32_t reading,
                  const std::array<std::uint32_t, 32>& given);
  template <Mode mode>
  bool order(const Operation& operation, std::uint32_t active);
  template <Mode mode>
  bool frame_access(const Operation& operation, std::uint32_t active, bool is_load);

  // Exchange between lanes (worker_exchange.cpp).
  struct SourceValues {
    std::array<std::uint64_t, 32> lane{};
    std::uint32_t predicate = 0;
  };
  // Lanes of the running path that name the same members.
  struct Party {
    std::uint32_t members, executed;
    std::uint32_t present;  // including members that wait on other paths
  };
  struct Parties {
    std::array<Party, 32> party;  // the first `count` are set
    std::size_t count = 0;
    std::uint32_t incomplete = 0;  // lanes of parties that wait for others
    auto begin() const { return party.begin(); }
    auto end() const { return party.begin() + static_cast<std::ptrdiff_t>(count); }
  };
  template <Mode mode>
  Then exchange(const Operation& operation, std::uint32_t active);
  template <Mode mode>
  bool exchange_event(const ExchangeOp& op, Code code, std::uint32_t active, std::uint32_t executed);
  void find_parties(const Operation& operation, std::uint32_t executed, Parties& parties) const;
  bool ignores_members(Code code, const Parties& parties, std::uint32_t executed) const;
  void complete(const Operation& operation, const Parties& parties);
  void perform(const ExchangeOp& op, Code code, std::byte* file, std::uint32_t executed, const Party& party,
               const SourceValues& values);
  Then wait_for_others(const Operation& operation, std::uint32_t active, const Parties& parties);
  bool joins(const Path& path, const Operation& operation, const FunctionCode& code, std::uint32_t members) const;
  std::uint32_t present_at(const Path& at) const;
  bool find_path();
  Path& part_off(std::uint32_t lanes);
  bool switch_path();
  template <Mode mode>
  bool vote_event(std::uint32_t site, trace::EventKind kind, std::uint32_t active, std::uint32_t executed,
                  std::uint64_t number);
  // Tensor cores (worker_tensor.cpp).
  template <Mode mode>
  Then tensor(const Operation& operation, std::uint32_t active);
  bool find_columns(const TensorOp& op, SparseColumns& columns);
  template <Mode mode>
  bool perform_tensor(const TensorOp& op, std::uint32_t active);
  // (worker_warpgroup.cpp)
  template <Mode mode>
  bool multiply_in_warpgroup(const TensorOp& op, std::uint32_t active);
  template <Mode mode>
  Then wait_for_products(const Operation& operation, std::uint32_t active);
  bool join_warpgroup(const TensorOp& op, const std::array<std::uint64_t, 3>& operands);
  bool take_operand(const TensorOp& op, bool of_a, std::uint64_t descriptor, std::byte* lines);
  bool take_chunk(const TensorOp& op, std::uint64_t descriptor, bool of_a, std::uint32_t address, std::byte* to);
  void close_products();
  bool leave_warpgroup();
  void parted_warpgroup_fault(const ptx::Instruction& instruction, std::uint32_t other, const Wording& what);
  template <Mode mode>
  bool move_rows(const TensorOp& op, std::uint32_t active);
  template <Mode mode>
  bool move_fragment(const TensorOp& op, std::uint32_t active);
  template <typename OffsetOf>
  void move_elements(const TensorOp& op, std::uint64_t from, bool shared, OffsetOf&& offset_of);
  template <Mode mode>
  bool request_of(const TensorOp& op, MemoryOp& memory, std::uint32_t active, std::uint32_t lanes);
  bool is_shared(const MemoryOp& memory, std::uint32_t lanes);
  std::byte* place_of(std::uint64_t address, bool shared);
  void incomplete_warp_fault(std::uint32_t missing);
  std::uint64_t clock_jump(const Operation& operation, std::uint64_t issued);
  template <Mode mode>
  bool clock(const Operation& operation, std::uint32_t active);

  // mbarrier objects (worker_mbarrier.cpp).
  struct MbarrierPlace;
  template <Mode mode>
  Then mbarrier(const Operation& operation, std::uint32_t active);
  Then wait_for_phase(const MbarrierOp& op, std::uint32_t executed);
  bool update_mbarrier(const MbarrierOp& op, int lane);
  bool find_mbarrier(std::uint32_t site, std::uint64_t address, bool generic, bool whole_cluster, int lane,
                     MbarrierPlace& place);
  bool load_mbarrier(MbarrierPlace& place);
  void store_mbarrier(const MbarrierPlace& place);
  bool change_mbarrier(const MbarrierOp& op, MbarrierPlace& place, std::uint32_t value);
  bool count_arrivals(const MbarrierOp& op, MbarrierPlace& place, std::uint32_t count);
  bool add_transaction(MbarrierPlace& place, std::int64_t bytes);
  bool token_fault(const MbarrierOp& op, const MbarrierPlace& place, std::uint64_t given);
  void mbarrier_fault(const MbarrierPlace& place, const char* code, const Wording& what, Wording cure);
  bool is_mbarrier(std::uint32_t site, std::uint64_t address, int lane);
  bool complete_on(std::uint32_t site, std::uint64_t address, std::uint32_t bytes, int lane);
  std::uint64_t address_in(std::uint32_t slot, std::uint64_t offset, bool wide, int lane) const;
  void note_wait(std::uint32_t site, std::uint32_t object, std::uint64_t seen);
  bool try_other_path();
  void remark_initialised_again(const MbarrierPlace& place);
  void remark_ended_again(const MbarrierPlace& place);
  void watch_mbarrier(const MbarrierOp& op, std::uint32_t executed);
  // Bulk copies (worker_bulk_copy.cpp).
  template <Mode mode>
  Then bulk_copy(const Operation& operation, std::uint32_t active);
  struct BulkSide;
  bool copy_in_bulk(const BulkCopyOp& op, int lane);
  bool find_bulk_side(const BulkCopyOp& op, BulkSide& side);
  std::byte* take_bulk_side(const BulkSide& side);
  bool own_bulk_side(const BulkCopyOp& op, BulkSide& side, bool whole_cluster);
  void move_in_bulk(const BulkCopyOp& op, const BulkSide& from, const BulkSide& to);
  bool copy_in_bulk_to(const BulkCopyOp& op, const BulkSide& from, BulkSide to, std::uint64_t object);
  bool find_ranks(std::uint32_t site, std::uint32_t mask, int lane, std::uint32_t& ranks);
  bool completes_in_same_block(std::uint32_t site, std::uint64_t address, std::uint64_t object, int lane);
  void watch_bulk_side(const BulkCopyOp& op, const BulkSide& side, std::uint32_t mbarrier,
                       std::uint32_t mbarrier_owner);
  template <Mode mode>
  bool async_store(const Operation& operation, std::uint32_t active);
  void watch_async_store(const MemoryOp& memory, std::uint64_t address, std::uint64_t object, int lane);
  void remark_not_counted(std::uint32_t site);
  bool has_remarked(std::string_view code) const;      // of any site
  void remark_unfenced(std::uint32_t site, int lane);  // after an access of the asynchronous proxy
  // Changes of tensor maps (worker_tensor_map.cpp).
  bool make_own(std::uint32_t site, int lane, std::uint64_t& address);
  struct MapPlace;
  template <Mode mode>
  bool change_tensor_map(const Operation& operation, std::uint32_t active);
  bool replace_in_map(const TensorMapOp& op, int lane);
  bool copy_map(const TensorMapOp& op, int lane);
  std::byte* find_map(std::uint32_t site, const MapPlace& place);
  void watch_map(std::uint32_t site, const MapPlace& place);
  // Copies by tensor map (worker_tensor_copy.cpp).
  template <Mode mode>
  Then tensor_copy(const Operation& operation, std::uint32_t active);
  struct TensorCopy;
  bool copy_tensor(const TensorCopyOp& op, int lane);
  bool names_the_same(const TensorCopyOp& op, int a, int b) const;
  bool read_tensor_map(TensorCopy& copy);
  bool tensor_copy_fault(const TensorCopy& copy, const char* code, const Wording& what, Wording cure);
  bool check_tensor_copy(TensorCopy& copy, std::uint64_t address);
  bool carry_out(TensorCopy& copy, std::uint64_t address);
  bool check_coordinates(const TensorCopy& copy);
  bool find_rows(TensorCopy& copy);
  void round_up(const TensorCopy& copy, TensorRow& row) const;
  bool find_row(TensorCopy& copy, const TensorRow& row, bool& written);
  void watch_tensor_copy(const TensorCopy& copy);
  std::byte* take_row(const TensorCopy& copy, const TensorRow& row);
  void load_rows(const TensorCopy& copy);
  void store_rows(const TensorCopy& copy);
  // The barrier of the cluster (worker_cluster.cpp).
  template <Mode mode>
  Then cluster_barrier(const Operation& operation, std::uint32_t active);
  template <Mode mode>
  bool cluster_address(const Operation& operation, std::uint32_t active);

  // alloca, stacksave, stackrestore (worker_local.cpp).
  static constexpr std::uint64_t max_local_bytes = 512 * 1024;  // per thread, as on the hardware
  template <Mode mode>
  bool use_stack(const Operation& operation, std::uint32_t active);
  bool allocate_on_stack(const StackOp& op, int lane, std::uint64_t base, std::uint64_t& held);
  bool cluster_is_complete() const;
  void complete_cluster_phase();

  // Barriers and calls (worker_barrier.cpp, worker_call.cpp).
  template <Mode mode>
  Then barrier(const Operation& operation, std::uint32_t active);
  Then meet(const BarrierOp& op, std::uint32_t active, std::uint32_t executed);
  Then meet_whole_block(std::uint32_t number, std::uint32_t lanes);
  void arrive(const BarrierOp& op, std::uint32_t number, std::uint32_t count, std::uint32_t lanes);
  bool check_barrier(std::uint32_t number, std::uint32_t count, bool whole_block);
  void open_if_complete(std::uint32_t number);
  void open_barrier(Barrier& barrier, std::uint8_t number);
  void lanes_exited();
  template <Mode mode>
  Then call(const Operation& operation, std::uint32_t active);
  void enter_function(const FunctionCode& callee, const CallOp& call, std::uint32_t lanes);
  void copy_to_local(const Frame& frame, std::uint32_t lanes);
  // Sets a lane's result of a function that the system provides.
  void give_result(const CallOp& call, int lane, std::uint64_t value);
  void note_stack(const Frame& frame);
  bool print(const CallOp& call, std::uint32_t lanes);
  void assertion_failed(const CallOp& call, std::uint32_t lanes);
  std::uint64_t argument(const CallOp& call, std::size_t number, int lane) const;
  // As peek(), for a text up to its end.
  bool peek_text(int lane, std::uint64_t address, std::string& text);

  // The device heap (worker_heap.cpp).
  HeapCall heap_call(const CallOp& call, int lane) const;
  void allocate_on_heap(const CallOp& call, std::uint32_t lanes);
  bool free_on_heap(const CallOp& call, std::uint32_t lanes);
  void bad_free_fault(const CallOp& call, int lane, std::uint64_t address);
  static Wording who_called(const HeapCall& call);
  Wording name_of_allocation(std::uint64_t bytes, const HeapCall& by) const;
  Wording name_in_messages(const Region& region) const;

  // Textures and surfaces (worker_texture.cpp).
  template <Mode mode>
  bool texture(const Operation& operation, std::uint32_t active);
  const TextureObject* texture_of(const TextureOp& op, int lane);
  bool unwritten_texel(const TextureOp& op, const TextureObject& object, int lane, const TexelPlace& place);
  int level_of(const TextureOp& op, const TextureObject& object, int lane);
  bool fetch_texel(const TextureOp& op, const TextureObject& object, int lane);
  bool access_surface(const TextureOp& op, const TextureObject& object, int lane);
  std::byte* place_in_surface(const TextureOp& op, const TextureObject& object, int lane, bool& outside);
  void note_texture(const TextureObject& object);
  void answer_query(const TextureOp& op, const TextureObject& object, int lane);
  bool texture_fault(const TextureOp& op, int lane, const char* code, const Wording& what, Wording cure);
  void remark_outside(const TextureOp& op, const TextureObject& object, int lane);
  void remark_edge(const TextureOp& op, const TextureObject& object, int lane);
  void remark_gradients(const TextureOp& op, const TextureObject& object, int lane);

  // Finds out what threads wait for (worker_deadlock.cpp).
  struct Waiters;
  Waiters find_waiters(const BlockState& block) const;
  void diagnose_mbarrier(const BlockState& block, const Warp& warp);

  // Faults (worker_faults.cpp).
  struct FaultyAccess {
    std::uint32_t site = no_site;
    trace::Operation operation{};
    std::uint64_t bytes = 0;
  };
  const Region* region_meant(const ptx::Instruction& instruction, std::uint64_t address) const;
  void access_fault(const FaultyAccess& faulty, trace::MemorySpace space, int lane, std::uint64_t address,
                    const char* code);
  bool use_after_free_fault(const FaultyAccess& faulty, const Wording& access, std::uint64_t address);
  void fail(const ptx::Instruction& instruction, std::string code, Wording message, Wording cure);
  static trace::FaultPlace place_in(const Warp& warp, std::uint32_t lanes);
  void memory_fault(const MemoryOp& memory, trace::MemorySpace space, int lane, std::uint64_t address,
                    const char* code);
  // A fault or a remark. True: the access continues.
  bool unwritten_read(const MemoryOp& memory, trace::MemorySpace space, int lane, std::uint64_t address);
  void trap_fault(std::uint32_t lanes);
  void exchange_fault(std::uint32_t missing);
  void not_a_member_fault(int lane, std::uint32_t members);
  void remark_not_a_member(std::uint32_t site, int lane, std::uint32_t members);
  void remark_other_masks(std::uint32_t site, const Parties& parties, std::uint32_t executed);
  std::uint32_t key_of(const ptx::Instruction& instruction) const;
  std::uint32_t key_of(const TextureOp& op) const;
  void remark_undefined_conversion(const CallOp& call, int lane, std::string_view format);
  void check_divisor(std::uint32_t slot, std::uint32_t bytes, std::uint32_t executed);
  void remark_atomic_on_local(std::uint32_t site, int lane, std::uint64_t offset);
  void remark_absent_source(std::uint32_t site, int lane, int source, std::uint32_t members, std::uint32_t value);
  void remark_passed_barrier(std::uint32_t site, std::uint32_t lanes);
  Wording who(int lane) const;
  Wording lanes_text(std::uint32_t mask) const;
  const ptx::Instruction& current() const;
  bool refill();

  const LaunchContext& context_;
  AccessSets* sets_;
  Schedule* schedule_;   // nullptr = the standard order
  RaceDetector* races_;  // nullptr = off
  const LaneKernels& lanes_;
  Recorder recorder_;
  std::vector<Reach> reaches_;                    // by site
  std::vector<WrittenOverlay> written_;           // by region
  std::vector<std::vector<Frame*>> free_frames_;  // by function
  std::vector<Frame*> own_frames_;                // the kernel's, by warp of a block; not in free_frames_
  // The kernel's slots whose contents differ between blocks, and their contents for block of_block_number_.
  struct OfBlock {
    const SpecialSlot* slot = nullptr;
    alignas(64) std::array<std::uint64_t, 32> lanes{};
  };
  std::vector<OfBlock> of_block_;
  std::optional<std::uint32_t> of_block_number_;
  std::vector<std::unique_ptr<Frame>> frames_;
  Slabs files_;  // for the frames
  std::vector<DeferredReduction> deferred_;

  // What is running now.
  BlockState* block_ = nullptr;
  Warp* warp_ = nullptr;
  // Not in a row: gcc would join the two stores at a path's start, and so wait for one before it makes the other.
  Frame* frame_ = nullptr;
  const Operation* operation_ = nullptr;
  std::byte* registers_ = nullptr;
  AddressPattern* pattern_ = &found_;  // of the access: found_ or a kept one
  AddressPattern found_, second_pattern_, in_block_;
  struct KeptPattern {                     // MemoryOp::kept_at
    const std::byte* addresses = nullptr;  // the address register of one warp
    std::uint64_t offset = 0;
    std::uint32_t executed = 0;
    AddressPattern pattern;
  };
  std::array<KeptPattern, kept_patterns> kept_;
  // The host address of each warp's last gapless access, by site. Enough entries for 32 sites.
  std::array<std::uintptr_t, 1024> last_at_{};
  std::uintptr_t& last_at(std::uint32_t site) { return last_at_[(site * 32 + warp_->index) % last_at_.size()]; }
  std::vector<const TextureObject*> noted_textures_;
  std::unique_ptr<WarpgroupInput> product_input_;

  std::int64_t credit_ = 0;  // warp instructions until refill()
  std::uint64_t steps_ = 0;  // issued as credit
  std::uint64_t step_limit_ = 0;
  std::uint64_t clock_start_ = 0;  // steps when the block began
  std::uint64_t clock_last_ = 0;   // the last time that was read
  std::uint64_t clock_ahead_ = 0;  // ahead of the issued instructions
  const Warp* clock_reader_ = nullptr;
  bool out_of_steps_ = false, cancelled_ = false, progressed_ = false, preempted_ = false;
  std::optional<Diagnostic> fault_;
  std::optional<trace::FaultPlace> fault_place_;  // of fault_
  std::map<std::uint32_t, Remark> remarks_;
  StackUse stack_;
  const Frame* watched_ = nullptr;
};

}  // namespace lanescope::sim
