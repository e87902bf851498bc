// Stream capture of the runtime API.

#include "device/api/runtime/runtime.h"

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return answer([&](Device&) { return begin_capture(stream, mode); }, Tells::nothing);
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return answer([&](Device&) { return end_capture(stream, reinterpret_cast<void**>(graph)); }, Tells::nothing);
}
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** last, std::size_t* count) {
  return answer([&](Device&) { return tell_capture(stream, status, id, graph, last, count); }, Tells::nothing);
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return cudaStreamGetCaptureInfo_v2(stream, status, nullptr, nullptr, nullptr, nullptr);
}
// The edges of a capture have no data.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                     cudaGraph_t* graph, const cudaGraphNode_t** last, const cudaGraphEdgeData** edges,
                                     std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return cudaStreamGetCaptureInfo_v2(stream, status, id, graph, last, count);
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                                        cudaGraph_t* graph, const cudaGraphNode_t** last,
                                        const cudaGraphEdgeData** edges, std::size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, last, edges, count);
}
cudaError_t cudaStreamGetCaptureInfo_of_12(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                           unsigned long long* id) {
  return cudaStreamGetCaptureInfo_v2(stream, status, id, nullptr, nullptr, nullptr);
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  int number = mode == nullptr ? -1 : static_cast<int>(*mode);
  const Status status = exchange_capture_mode(&number);
  if (status == Status::success) *mode = static_cast<cudaStreamCaptureMode>(number);
  return remember(status);
}
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph, const cudaGraphNode_t* after,
                                          const cudaGraphEdgeData* edges, std::size_t count,
                                          cudaStreamCaptureMode mode) {
  if (edges != nullptr) return remember(Status::not_supported);
  return answer(
      [&](Device&) {
        return begin_capture_to(stream, graph, reinterpret_cast<const void* const*>(after), count, mode);
      },
      Tells::nothing);
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                const cudaGraphEdgeData* edges, std::size_t count, unsigned flags) {
  if (edges != nullptr) return remember(Status::not_supported);
  return answer(
      [&](Device&) { return set_last_captured(stream, reinterpret_cast<const void* const*>(nodes), count, flags); },
      Tells::nothing);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* nodes,
                                                   const cudaGraphEdgeData* edges, std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, edges, count, flags);
}
cudaError_t cudaStreamUpdateCaptureDependencies_of_12(cudaStream_t stream, cudaGraphNode_t* nodes, std::size_t count,
                                                      unsigned flags) {
  return cudaStreamUpdateCaptureDependencies(stream, nodes, nullptr, count, flags);
}

}  // extern "C"
