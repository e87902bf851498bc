#include "device/status.h"

#include <algorithm>
#include <iterator>

namespace lanescope::device {

namespace {

struct StatusRow {
  std::string_view code;
  Status status;
};

// launch_timeout is the watchdog's answer where a GPU would hang.
constexpr StatusRow status_rows[] = {
    {"memory.null", Status::illegal_address},
    {"memory.write_to_constant", Status::illegal_address},
    {"memory.misaligned", Status::misaligned_address},
    {"warp.not_in_mask", Status::illegal_instruction},
    {"warp.mask_not_reached", Status::launch_timeout},
    {"run.assertion_failed", Status::assertion},
    {"run.deadlock", Status::launch_timeout},
    {"run.trap", Status::launch_failure},
    {"run.step_budget", Status::launch_timeout},
    {"run.unsupported_instruction", Status::not_supported},
    {"run.unresolved_function", Status::invalid_ptx},
    {"launch.empty", Status::invalid_configuration},
    {"launch.grid_too_large", Status::invalid_configuration},
    {"launch.block_too_large", Status::invalid_configuration},
    {"launch.shared_too_large", Status::invalid_value},
    {"launch.empty_cluster", Status::invalid_cluster_size},
    {"launch.cluster_too_large", Status::invalid_cluster_size},
    {"launch.cluster_not_portable", Status::invalid_cluster_size},
    {"launch.cluster_does_not_divide", Status::invalid_cluster_size},
    {"launch.cluster_not_as_declared", Status::invalid_cluster_size},
    {"launch.blocks_are_clusters", Status::not_supported},
    {"launch.cooperative_too_large", Status::cooperative_launch_too_large},
};

}  // namespace

Status status_of(const Diagnostic& error) {
  const auto* row = std::ranges::find(status_rows, std::string_view(error.code), &StatusRow::code);
  if (row != std::end(status_rows)) return row->status;
  if (error.code.starts_with("barrier.")) return Status::launch_timeout;
  // According to the documentation, cudaErrorLaunchFailure covers accesses past shared memory; the other cases are
  // cudaErrorIllegalAddress.
  if (error.code == "memory.out_of_bounds" && error.message.find(" at shared ") == std::string::npos)
    return Status::illegal_address;
  return Status::launch_failure;
}

bool is_sticky(Status status) {
  switch (status) {
    case Status::illegal_address:
    case Status::launch_timeout:
    case Status::assertion:
    case Status::illegal_instruction:
    case Status::misaligned_address:
    case Status::invalid_address_space:
    case Status::launch_failure:
      return true;
    default:
      return false;
  }
}

int driver_status(Status status) {
  switch (status) {
    case Status::invalid_configuration:
    case Status::invalid_pitch:
    case Status::invalid_device_pointer:
    case Status::invalid_channel_descriptor:
    case Status::invalid_memcpy_direction:
    case Status::invalid_filter_setting:
    case Status::invalid_norm_setting:
      return static_cast<int>(Status::invalid_value);
    case Status::invalid_symbol:
      return static_cast<int>(Status::not_found);
    case Status::invalid_device_function:
    case Status::missing_configuration:
      return static_cast<int>(Status::invalid_handle);
    default:
      return static_cast<int>(status);
  }
}

}  // namespace lanescope::device
