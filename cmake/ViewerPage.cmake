# SPDX-License-Identifier: Apache-2.0
# Builds the viewer in the build tree: npm and its scripts write beside what they
# read, and the source tree stays as it is.
file(COPY "${FROM}/" DESTINATION "${TO}"
  PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE PATTERN test EXCLUDE)
execute_process(COMMAND "${NPM}" run --silent build WORKING_DIRECTORY "${TO}" RESULT_VARIABLE failed)
if(failed OR NOT EXISTS "${TO}/dist/page.html")
  message(FATAL_ERROR "the viewer could not be built")
endif()
file(TOUCH "${TO}/dist/page.html")
