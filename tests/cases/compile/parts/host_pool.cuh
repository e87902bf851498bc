class Pool {
 public:
  Pool() {}
  void create(std::size_t count) { OR_EXIT(memory::allocate(data_, count)); }
  __device__ int get(int i) { return data_[i]; }

 private:
  int* data_;
};
