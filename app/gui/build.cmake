# The window is a library of its own, so that its tests use the same objects as the program.
file(GLOB_RECURSE gui_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/app/gui/*.cpp)
add_library(lanescope_gui STATIC ${gui_sources})
target_include_directories(lanescope_gui PUBLIC ${CMAKE_SOURCE_DIR}/app)
target_link_libraries(lanescope_gui PUBLIC lanescope_engine lanescope_imgui
                                    PRIVATE lanescope_glad lanescope_md4c lanescope_png_writer)
lanescope_warnings(lanescope_gui)
# Painting code needs little run time, but much time to compile.
target_compile_options(lanescope_gui PRIVATE $<$<CONFIG:Release>:-Og>)
lanescope_short_build(lanescope_gui 60)
if(TARGET lanescope)
  target_link_libraries(lanescope PRIVATE lanescope_gui)
  target_compile_definitions(lanescope PRIVATE LANESCOPE_HAS_GUI=1)
endif()
