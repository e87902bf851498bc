#pragma once
// The result of a call: the values of cudaError_t. CUresult has the same values, except for a few that only the runtime
// API has (driver_status()). Meanings: the documentation of cudaError_t in driver_types.h.

#include <string_view>

#include "core/diagnostic.h"

namespace lanescope::device {

enum class Status : int {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  initialization_error = 3,
  invalid_configuration = 9,
  invalid_pitch = 12,
  invalid_symbol = 13,
  invalid_device_pointer = 17,
  invalid_channel_descriptor = 20,
  invalid_memcpy_direction = 21,
  invalid_filter_setting = 26,
  invalid_norm_setting = 27,
  missing_configuration = 52,
  invalid_device_function = 98,
  invalid_device = 101,
  invalid_image = 200,
  invalid_context = 201,
  map_failed = 205,
  no_kernel_image = 209,
  unsupported_limit = 215,
  peer_access_unsupported = 217,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  file_not_found = 301,
  operating_system = 304,
  invalid_handle = 400,
  illegal_state = 401,
  not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_access_already_enabled = 704,
  peer_access_not_enabled = 705,
  context_is_destroyed = 709,
  assertion = 710,
  too_many_peers = 711,
  host_memory_already_registered = 712,
  host_memory_not_registered = 713,
  illegal_instruction = 715,
  misaligned_address = 716,
  invalid_address_space = 717,
  launch_failure = 719,
  cooperative_launch_too_large = 720,
  not_permitted = 800,
  not_supported = 801,
  capture_unsupported = 900,
  capture_invalidated = 901,
  capture_merge = 902,
  capture_unmatched = 903,
  capture_unjoined = 904,
  capture_implicit = 906,
  captured_event = 907,
  graph_update_failure = 910,
  invalid_cluster_size = 912,
  unknown = 999,
};

// The status of a launch that ended with this error or could not start.
Status status_of(const Diagnostic& error);
// After such a status every later call in the process gives the same, because the GPU's context is lost.
bool is_sticky(Status status);
// CUresult has no value for some errors of the runtime API. Converts those.
int driver_status(Status status);

}  // namespace lanescope::device
