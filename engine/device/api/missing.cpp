// Entry points without an implementation: each is a weak function that counts its calls and answers "not supported".

#include "device/api/library.h"

using lanescope::device::api::Counted;
using lanescope::device::api::missing_in_driver;
using lanescope::device::api::missing_in_runtime;

#if defined(__x86_64__)
#define JUMP(to) "jmp " #to "@PLT"
#elif defined(__aarch64__)
#define JUMP(to) "b " #to
#endif

#include "missing.inc"
