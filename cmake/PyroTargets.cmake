# SPDX-License-Identifier: Apache-2.0
# What every target of this project has in common.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

add_compile_options(-Wall -Wextra -Wshadow -Wnon-virtual-dtor
  $<$<COMPILE_LANGUAGE:CXX>:-Wold-style-cast> -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ 12 sees overlapping copies in "literal" + std::string where there are none.
  add_compile_options(-Wno-restrict)
else()
  # clang blames callers of std::stable_sort for what libstdc++ uses inside of it.
  add_compile_options(-Wno-deprecated-declarations)
endif()
if(PYRO_SANITIZE)
  add_compile_options(-fsanitize=${PYRO_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=${PYRO_SANITIZE})
endif()

# pyro_compile_together(TARGET ALONE sources...): several files in one compilation, because most of
# the time goes into headers and templates that they share: the program takes half as long to build,
# the tests a third. Files under ALONE use a name in a way that another file of the folder does not.
function(pyro_compile_together target)
  cmake_parse_arguments(ARG "" "" "ALONE" ${ARGN})
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${PYRO_TOGETHER} UNITY_BUILD_BATCH_SIZE 8)
  set_source_files_properties(${ARG_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# What the agent links: it must get only the files that it uses, as others need the C++ runtime.
set(PYRO_OF_AGENT base sigsafe os cpython unwind transport)

# pyro_library(NAME SOURCES... [ALONE...] DEPS targets...): the static library of one
# folder. A folder of headers only gives no SOURCES.
function(pyro_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;DEPS" ${ARGN})
  if(ARG_SOURCES)
    add_library(pyro_${name} STATIC ${ARG_SOURCES} ${ARG_ALONE})
    if(NOT name IN_LIST PYRO_OF_AGENT)
      pyro_compile_together(pyro_${name} ALONE ${ARG_ALONE})
    endif()
    target_include_directories(pyro_${name} PUBLIC "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(pyro_${name} PUBLIC ${ARG_DEPS})
  else()
    add_library(pyro_${name} INTERFACE)
    target_include_directories(pyro_${name} INTERFACE "${PROJECT_SOURCE_DIR}/src")
    target_link_libraries(pyro_${name} INTERFACE ${ARG_DEPS})
  endif()
endfunction()

# pyro_test(NAME SOURCES... [ALONE...] DEPS targets...): the unit tests of one folder.
function(pyro_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;ALONE;DEPS" ${ARGN})
  if(NOT PYRO_TESTS)
    return()
  endif()
  add_executable(${name}_test ${ARG_SOURCES} ${ARG_ALONE})
  pyro_compile_together(${name}_test ALONE ${ARG_ALONE})
  target_link_libraries(${name}_test PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  # What is tested is optimised; to compile the tests themselves that way took half of a build.
  target_compile_options(${name}_test PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O0>)
  # One for all: each took eight seconds of its own.
  get_property(first GLOBAL PROPERTY PYRO_FIRST_TEST)
  if(first)
    target_precompile_headers(${name}_test REUSE_FROM ${first})
  else()
    target_precompile_headers(${name}_test PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    set_property(GLOBAL PROPERTY PYRO_FIRST_TEST ${name}_test)
  endif()
  add_test(NAME ${name} COMMAND ${name}_test)
endfunction()
