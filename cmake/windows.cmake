# Toolchain: 64-bit Windows 10 and later, by Debian's mingw-w64 (g++-mingw-w64-x86-64-posix).
#
#   cmake -S . -B build/windows -G Ninja -DCMAKE_TOOLCHAIN_FILE=cmake/windows.cmake -DLANESCOPE_HEADERS=FOLDER …
#
# LANESCOPE_HEADERS: a folder whose usr/ has the header libraries of third_party/packages.txt, and nothing of this system's C
# library. packaging/windows fills one, and third_party/fetch windows brings the rest.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES LANESCOPE_HEADERS)
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32 ${LANESCOPE_HEADERS})
set(CMAKE_PREFIX_PATH /usr)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
