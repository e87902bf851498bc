// Words that streams and nodes of graphs write or wait for, in the driver API.

#include <vector>

#include "device/api/driver/driver.h"
#include "device/api/graph_structure.h"
#include "device/api/stream_words.h"

namespace lanescope::device::api {

namespace {

using Operations = std::vector<CUstreamBatchMemOpParams>;
constexpr unsigned most_operations = 256;

StreamWord word_of(const CUstreamBatchMemOpParams& from) {
  const auto& wait = from.waitValue;
  const auto& write = from.writeValue;
  switch (from.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
      return {wait.address, 4, wait.value, wait.flags};
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return {wait.address, 8, wait.value64, wait.flags};
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
      return {write.address, 4, write.value, write.flags};
    default:
      return {write.address, 8, write.value64, write.flags};
  }
}

bool is_wait(const CUstreamBatchMemOpParams& of) {
  return of.operation == CU_STREAM_MEM_OP_WAIT_VALUE_32 || of.operation == CU_STREAM_MEM_OP_WAIT_VALUE_64;
}

Status check(Device& on, const CUstreamBatchMemOpParams& of) {
  switch (of.operation) {
    case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    case CU_STREAM_MEM_OP_WAIT_VALUE_64:
      return check_wait(on, word_of(of));
    case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    case CU_STREAM_MEM_OP_WRITE_VALUE_64:
      return check_write(on, word_of(of));
    case CU_STREAM_MEM_OP_BARRIER:
      return of.memoryBarrier.flags <= CU_STREAM_MEMORY_BARRIER_TYPE_GPU ? Status::success : Status::invalid_value;
    case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
      return Status::not_supported;
  }
  return Status::invalid_value;
}

Status check(Device& on, unsigned count, const CUstreamBatchMemOpParams* list, unsigned flags) {
  if (flags != 0 || count > most_operations || (list == nullptr && count != 0)) return Status::invalid_value;
  for (unsigned i = 0; i < count; ++i)
    if (const Status status = check(on, list[i]); status != Status::success) return status;
  return Status::success;
}

// A barrier orders what is in order anyway.
Status execute(Device& on, const Operations& all) {
  for (const CUstreamBatchMemOpParams& one : all) {
    if (one.operation == CU_STREAM_MEM_OP_BARRIER) continue;
    const Status status = is_wait(one) ? wait_for_word(on, word_of(one)) : write_word(on, word_of(one));
    if (status != Status::success) return status;
  }
  return Status::success;
}

// The parameters of a node, with the list that they point to.
struct BatchNode {
  CUcontext context = nullptr;
  Operations operations;
};

NodeWork node_of(CUcontext context, Operations operations) {
  return {NodeKind::batch_mem_op, [operations](Device& on) { return execute(on, operations); },
          BatchNode{context, operations}};
}

CUresult submit(CUstream stream, unsigned count, const CUstreamBatchMemOpParams* list, unsigned flags) {
  return driver_answer(
      [&](Device& on) {
        if (const Status known = expect_stream(stream); known != Status::success) return known;
        Status status = check(on, count, list, flags);
        if (status != Status::success || count == 0) return status;
        const Operations all(list, list + count);
        if (Stream* captured = captured_stream(stream)) {
          NodeWork made = node_of(reinterpret_cast<CUcontext>(current_context()), all);
          return note(*captured, made.kind, made.work, made.parameters);
        }
        status = allowed_in(stream);
        return status == Status::success ? execute(on, all) : status;
      },
      Reports::nothing);
}

CUresult submit_one(CUstream stream, CUstreamBatchMemOpType operation, CUdeviceptr address, cuuint64_t value,
                    unsigned flags) {
  CUstreamBatchMemOpParams one{};
  one.operation = operation;
  one.waitValue.address = address;
  one.waitValue.value64 = value;
  one.waitValue.flags = flags;
  return submit(stream, 1, &one, 0);
}

Status made_of(Device& on, const CUDA_BATCH_MEM_OP_NODE_PARAMS* from, NodeWork& to) {
  if (from == nullptr || from->count == 0) return Status::invalid_value;
  const Status status = check(on, from->count, from->paramArray, from->flags);
  if (status == Status::success) to = node_of(from->ctx, {from->paramArray, from->paramArray + from->count});
  return status;
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuStreamWriteValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return submit_one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_32, address, value, flags);
}
CUresult cuStreamWriteValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return submit_one(stream, CU_STREAM_MEM_OP_WRITE_VALUE_64, address, value, flags);
}
CUresult cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value, unsigned flags) {
  return submit_one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_32, address, value, flags);
}
CUresult cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value, unsigned flags) {
  return submit_one(stream, CU_STREAM_MEM_OP_WAIT_VALUE_64, address, value, flags);
}
CUresult cuStreamBatchMemOp(CUstream stream, unsigned count, CUstreamBatchMemOpParams* list, unsigned flags) {
  return submit(stream, count, list, flags);
}

CUresult cuGraphAddBatchMemOpNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                                  const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return driver_answer([&](Device& on) {
    NodeWork made;
    const Status status = made_of(on, parameters, made);
    return status == Status::success ? add_node(place_of(to), graph, handles(after), count, made) : status;
  });
}
CUresult cuGraphBatchMemOpNodeGetParams(CUgraphNode handle, CUDA_BATCH_MEM_OP_NODE_PARAMS* to) {
  return driver_answer([&](Device&) {
    GraphNode* node = find_node(handle);
    auto* known = node == nullptr ? nullptr : std::any_cast<BatchNode>(&node->parameters);
    if (to == nullptr || known == nullptr) return Status::invalid_value;
    *to = {known->context, static_cast<unsigned>(known->operations.size()), known->operations.data(), 0};
    return Status::success;
  });
}
CUresult cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return driver_answer([&](Device& on) {
    NodeWork made;
    const Status status = made_of(on, parameters, made);
    return status == Status::success ? set_work_of(find_node(node), made) : status;
  });
}
// The number of operations cannot change, as on an H200.
CUresult cuGraphExecBatchMemOpNodeSetParams(CUgraphExec exec, CUgraphNode handle,
                                            const CUDA_BATCH_MEM_OP_NODE_PARAMS* parameters) {
  return driver_answer([&](Device& on) {
    NodeWork made;
    GraphNode* node = find_in(exec, handle);
    const auto* known = node == nullptr ? nullptr : std::any_cast<BatchNode>(&node->parameters);
    const Status status = made_of(on, parameters, made);
    if (status != Status::success) return status;
    if (known == nullptr || known->operations.size() != parameters->count) return Status::invalid_value;
    return set_work_of(node, made);
  });
}

}  // extern "C"
