#include "job/run/lesson_cures.h"

namespace lanescope::job {

namespace {

// In a lesson, the learner can change only the code: launch and folder are the lesson's.
const OwnCure in_a_lesson[] = {
    {"Launch it as a cooperative kernel.",
     "Remove grid.sync(), or use it in a variant that the lesson launches as a cooperative kernel."},
    {"Check the index against the size of the shared array. An extern array has only the bytes that the launch passes.",
     "Check the index against the size of the shared array. An extern array has only the bytes that the lesson's "
     "launch "
     "passes; give the array a fixed size if it needs more."},
    {"Declare less shared memory, or use extern __shared__ and pass its size at launch.",
     "Use less shared memory per block, for "
     "example a smaller tile."},
    {"Make the size a constant (constexpr int N = …), or use `extern __shared__ float s[];` and give the bytes at the "
     "launch.",
     "Make the size a constant (constexpr int N = …)."},
    {"Put `{}` next to the source or in an include path, or remove the line if no kernel needs it.",
     "Lessons have only CUDA's own headers: remove this line, and write what the kernel needs into the code."},
    {"Put `{}` next to the source or in an include path if a kernel needs its contents.",
     "Lessons have only CUDA's own headers: write what the kernel needs into the code."},
    {"`{}` is part of the host API: kernels cannot call it. Only kernels are compiled here; memory and launches come "
     "from the "
     "arguments of the run.",
     "Remove the call: kernels cannot call the host API, and the lesson allocates memory and launches the kernel."},
};

}  // namespace

std::span<const OwnCure> cures_in_a_lesson() {
  return in_a_lesson;
}

}  // namespace lanescope::job
