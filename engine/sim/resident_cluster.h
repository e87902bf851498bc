#pragma once
// The blocks of one cluster, which run together. (Without clusters, each block is a cluster.)

#include <vector>

#include "core/clusters.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

class ResidentCluster {
 public:
  // Cluster number `cluster` of `clusters`. Its blocks are not started.
  ResidentCluster(const Clusters& clusters, std::uint32_t cluster) : blocks_(clusters.blocks()) {
    for (std::uint32_t rank = 0; rank < blocks_.size(); ++rank) {
      by_rank_.push_back(&blocks_[rank]);
      blocks_[rank].index = clusters.block(cluster, rank);
      blocks_[rank].rank = rank;
    }
    for (BlockState& block : blocks_)
      if (blocks_.size() > 1) block.cluster = by_rank_;
  }
  ResidentCluster(const ResidentCluster&) = delete;
  ResidentCluster& operator=(const ResidentCluster&) = delete;
  std::vector<BlockState>& blocks() { return blocks_; }  // by rank

 private:
  std::vector<BlockState> blocks_;
  std::vector<BlockState*> by_rank_;
};

}  // namespace lanescope::sim
