# SPDX-License-Identifier: Apache-2.0
# Fetches what the viewer is built with into the build tree, as its lock file says.
file(COPY "${FROM}/package.json" "${FROM}/package-lock.json" DESTINATION "${TO}")
if(EXISTS "${FROM}/.npmrc")
  file(COPY "${FROM}/.npmrc" DESTINATION "${TO}")
endif()
execute_process(COMMAND "${NPM}" ci --omit=dev --no-audit --no-fund --loglevel=error
  WORKING_DIRECTORY "${TO}" RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "the viewer's packages could not be fetched: npm needs the network once")
endif()
file(TOUCH "${STAMP}")
