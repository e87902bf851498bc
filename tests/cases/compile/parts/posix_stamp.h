#pragma once
#include <unistd.h>
#if !defined(__GNUC__)
#error this needs g++
#endif
#if defined(_POSIX_VERSION) && _POSIX_VERSION >= 200112L
typedef unsigned long long Stamp;
#else
#error no stamps
#endif
