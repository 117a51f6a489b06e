# SPDX-License-Identifier: Apache-2.0
# The viewer (viewer/, TypeScript) as one HTML file that becomes part of the program.

set(PYRO_VIEWER_PAGE "" CACHE FILEPATH "A page that was built before, instead of building viewer/ with npm")

# pyro_viewer_page(SOURCE): SOURCE of this folder gets the path of the page as
# PYRO_VIEWER_PAGE, and is compiled again when the page has changed.
function(pyro_viewer_page source)
  set(page "${PYRO_VIEWER_PAGE}")
  if(NOT page)
    set(page "${PROJECT_BINARY_DIR}/viewer/dist/page.html")
    pyro_build_viewer("${page}")
  endif()
  set_source_files_properties(${source} PROPERTIES
    COMPILE_DEFINITIONS "PYRO_VIEWER_PAGE=\"${page}\"" OBJECT_DEPENDS "${page}")
endfunction()

# In the build tree; see ViewerPage.cmake.
function(pyro_build_viewer page)
  set(from "${PROJECT_SOURCE_DIR}/viewer")
  set(copy "${PROJECT_BINARY_DIR}/viewer")
  find_program(PYRO_NPM npm)
  if(NOT PYRO_NPM)
    message(FATAL_ERROR "npm is missing, which builds the viewer: install the packages nodejs and npm")
  endif()
  file(GLOB inputs CONFIGURE_DEPENDS "${from}/*.*" "${from}/.npmrc")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${from}/src/*" "${from}/tools/*")
  # Packages are fetched again only when their list changes.
  add_custom_command(OUTPUT "${copy}.packages"
    COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DTO=${copy} -DNPM=${PYRO_NPM} -DSTAMP=${copy}.packages
      -P "${PROJECT_SOURCE_DIR}/cmake/ViewerPackages.cmake"
    DEPENDS "${from}/package.json" "${from}/package-lock.json" "${PROJECT_SOURCE_DIR}/cmake/ViewerPackages.cmake"
    COMMENT "Fetching the viewer's packages" VERBATIM)
  add_custom_command(OUTPUT "${page}"
    COMMAND ${CMAKE_COMMAND} -DFROM=${from} -DTO=${copy} -DNPM=${PYRO_NPM}
      -P "${PROJECT_SOURCE_DIR}/cmake/ViewerPage.cmake"
    DEPENDS ${inputs} ${sources} "${copy}.packages" "${PROJECT_SOURCE_DIR}/cmake/ViewerPage.cmake"
    COMMENT "Building the viewer" VERBATIM)
  add_custom_target(viewer DEPENDS "${page}")
endfunction()
