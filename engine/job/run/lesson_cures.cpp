#include "job/run/lesson_cures.h"

namespace lanescope::job {

namespace {

// The lesson gives the launch and the folder: the code alone is the learner's to change.
const OwnCure in_a_lesson[] = {
    {"Launch it as a cooperative kernel.",
     "Leave grid.sync() out, or use it in a variant that the lesson launches as a cooperative kernel."},
    {"Check the index against the size of the shared array; an extern one has only the bytes that the launch passes.",
     "Check the index against the size of the shared array. An extern one has only the bytes that the lesson's launch passes: one that "
     "needs more needs a size of its own."},
    {"Declare less, or use extern __shared__ and pass the size with the launch.", "Use less shared memory in a block."},
    {"Make the size a constant (constexpr int N = …), or use `extern __shared__ float s[];` and give the bytes at the launch.",
     "Make the size a constant (constexpr int N = …)."},
    {"Put `{}` beside the source or in an include path, or take the line out if no kernel needs it.",
     "In a lesson there are CUDA's own headers only: take the line out, and write what the kernel needs of it into the code."},
    {"Put `{}` beside the source or in an include path if what it says matters to a kernel.",
     "In a lesson there are CUDA's own headers only: write what matters to the kernel into the code."},
    {"`{}` belongs to the host's API: kernels cannot call it. Only kernels are compiled here; memory and launches come from the "
     "arguments of the run.",
     "Take the call out: kernels cannot call the host's API, and the lesson gives memory and launches."},
};

}  // namespace

std::span<const OwnCure> cures_in_a_lesson() { return in_a_lesson; }

}  // namespace lanescope::job
