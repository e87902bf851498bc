#pragma once
// What a site's sums say about one of its requests.

#include "trace/trace.h"

namespace lanescope::metrics {

// False if a generic access reached global or local memory and shared memory too: its requests have sectors or
// wavefronts, so neither sum may be divided by their number.
inline bool requests_are_alike(const trace::MemoryTotals& of_site) {
  return of_site.sectors == 0 || of_site.wavefronts == 0;
}

}  // namespace lanescope::metrics
