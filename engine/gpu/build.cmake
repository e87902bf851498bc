# cuda.h comes with the fetched CUDA headers; only this folder may include it.
file(GLOB gpu_sources CONFIGURE_DEPENDS engine/gpu/*.cpp)
set_source_files_properties(${gpu_sources} PROPERTIES INCLUDE_DIRECTORIES "${LANESCOPE_DEPS}/cuda/include")
