# The peer for `lanescope bench --peers`. Only built if OpenCL's headers and loader are installed (Debian: oclgrind
# ocl-icd-opencl-dev opencl-headers).
find_path(OPENCL_HEADERS CL/cl.h)
find_library(OPENCL_LOADER OpenCL)
if(OPENCL_HEADERS AND OPENCL_LOADER)
  add_executable(lanescope_opencl_peer EXCLUDE_FROM_ALL bench/peers/opencl_peer.cpp)
  target_include_directories(lanescope_opencl_peer SYSTEM PRIVATE ${OPENCL_HEADERS})
  target_link_libraries(lanescope_opencl_peer PRIVATE ${OPENCL_LOADER})
  lanescope_warnings(lanescope_opencl_peer)
endif()
