// SPDX-License-Identifier: Apache-2.0
#include "cli/capture_argument.h"

#include "capture/session_directory.h"
#include "cli/capture_file.h"

namespace pyrometer::cli {

void AddCaptureArgument(CLI::App& app, std::string* path) {
  app.add_option("file", *path,
                 "The capture, or the spool directory of a run whose launcher was killed;\n"
                 "without it, the last run")
      ->type_name("FILE");
}

std::string CapturePath(const std::string& given) {
  const std::string path = given.empty() ? LastRunPath() : given;
  const std::string capture = capture::SessionDirectory::CaptureOf(path);
  return capture.empty() ? path : capture;
}

}  // namespace pyrometer::cli
