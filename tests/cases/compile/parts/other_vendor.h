// Names of two vendors' host libraries, as portable code has them.
#pragma once
#if defined(__HIP_PLATFORM_AMD__)
#define ON_HIP 1
#else
#define ON_HIP 0
#endif
#if ON_HIP
#include <hip/hip_runtime.h>
using blas_handle = hipblasHandle_t;
#else
using blas_handle = cublasLtHandle_t;
#endif
class Context {
 public:
  blas_handle handle;
  Context() { handle = make_handle(); }
};
