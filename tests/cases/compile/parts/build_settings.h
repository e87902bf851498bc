#pragma once
#if defined(HAVE_GETTIMEOFDAY)
#define CLOCK_KIND timeval
#else
#error No clock: run configure
#endif
CLOCK_KIND now();
