// Objects that live in managed memory: their class has members for the host that call CUDA's API; kernels take what derives
// from it.
// kernel: age
#include <stdio.h>
class InManagedMemory {
 public:
  void* operator new(size_t bytes) {
    void* memory;
    cudaMallocManaged(&memory, bytes);
    cudaDeviceSynchronize();
    return memory;
  }
  void operator delete(void* memory) { cudaFree(memory); }
};
struct Person : public InManagedMemory {
  char* name;
  int years;
};
__global__ void age(Person* person) {
  printf("%s\n", person->name);
  person->years += 1;
}
int main() {
  Person* person = new Person;
  age<<<1, 1>>>(person);
  delete person;
}
