#pragma once
__device__ inline int thrice(int value) {
  return 3 * vaule;
}
