# Measures how soon the window responds. Only built on request.
if(TARGET lanescope_gui)
  add_executable(lanescope_window_bench EXCLUDE_FROM_ALL bench/window/window_bench.cpp)
  target_link_libraries(lanescope_window_bench PRIVATE lanescope_gui)
  lanescope_warnings(lanescope_window_bench)
endif()
