# SPDX-License-Identifier: Apache-2.0
# Libraries from the distribution, linked statically: the program must run
# wherever its wheel is installed, and there only libc can be relied on.

function(pyro_static_library target)
  cmake_parse_arguments(ARG "" "HEADER" "ARCHIVES" ${ARGN})
  find_path(${target}_INCLUDE_DIR ${ARG_HEADER} REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE "${${target}_INCLUDE_DIR}")
  foreach(archive IN LISTS ARG_ARCHIVES)
    find_library(${target}_${archive} lib${archive}.a REQUIRED)
    target_link_libraries(${target} INTERFACE "${${target}_${archive}}")
  endforeach()
endfunction()

pyro_static_library(pyro_zstd HEADER zstd.h ARCHIVES zstd)
pyro_static_library(pyro_zlib HEADER zlib.h ARCHIVES z)
target_compile_definitions(pyro_zlib INTERFACE ZLIB_CONST)
pyro_static_library(pyro_libevent HEADER event2/http.h ARCHIVES event_extra event_core)
# libdw reads compressed sections through the others.
pyro_static_library(pyro_libdw HEADER elfutils/libdw.h ARCHIVES dw elf lzma bz2 z zstd)
# Headers only: its shared library would be one that a wheel's user lacks.
pyro_static_library(pyro_toml HEADER toml++/toml.h)
# Headers only; writes protobuf without its run-time library.
pyro_static_library(pyro_protozero HEADER protozero/pbf_writer.hpp)

# fmt is used as a library, but compiled here. As headers only, each of the thirty files that format
# something compiled all of it: 3.4 s instead of 0.5 for one with a single fmt::format.
find_package(fmt REQUIRED)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_library(pyro_fmt STATIC "${CMAKE_CURRENT_LIST_DIR}/fmt.cc")
  target_link_libraries(pyro_fmt PRIVATE fmt::fmt-header-only)
  # That compiles all of libstdc++'s headers, too: with a fence that ThreadSanitizer does not know.
  target_compile_options(pyro_fmt PRIVATE -fkeep-inline-functions -Wno-tsan)
  target_include_directories(pyro_fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)
else()
  # Others cannot be told to keep what nobody calls.
  add_library(pyro_fmt INTERFACE)
  target_link_libraries(pyro_fmt INTERFACE fmt::fmt-header-only)
endif()
