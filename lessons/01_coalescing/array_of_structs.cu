struct Particle {
  float x, y, z, mass;
};

// The masses lie 16 bytes apart: the three coordinates between them move as well.
__global__ void array_of_structs(const Particle* particles, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // @phase load
  const float mass = particles[i].mass;
  // @phase store
  out[i] = mass;
}
