__global__ void k(float* a) {
  a[0] = b;
}
int main() {
  undefined_thing();
}
