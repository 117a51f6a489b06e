// SPDX-License-Identifier: Apache-2.0
#include "cli/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "format/layout.h"

namespace pyrometer::cli {
namespace {

namespace fs = std::filesystem;

bool IsCapture(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  uint8_t magic[sizeof format::kFileMagic];
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): a stream's idea of bytes
  return file.read(reinterpret_cast<char*>(magic), sizeof magic) && format::HasFileMagic(magic);
}

bool IsSpecial(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  return fs::exists(status) && !fs::is_regular_file(status);
}

}  // namespace

base::Error CannotWrite(const std::string& path) {
  return {"cannot write " + path + ": " + std::strerror(errno)};
}

base::Status OutputFile::Check(const std::string& path) {
  if (path == "-") return {};
  std::error_code error;
  if (fs::is_directory(path, error))
    return base::Error{"cannot write " + path + ": it is a folder"};
  const bool exists = fs::exists(path, error);
  if (exists && access(path.c_str(), W_OK) != 0) return CannotWrite(path);
  if (IsSpecial(path)) return {};
  if (exists && IsCapture(path))
    return base::Error{path + " is a capture of pyrometer; it is left as it is"};
  const fs::path folder =
      exists ? fs::canonical(path, error).parent_path() : fs::path(path).parent_path();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) return CannotWrite(path);
  return {};
}

OutputFile::OutputFile(const std::string& path) : path_(path) {
  if (path != "-") {
    if (!IsSpecial(path)) {
      // What a link points to is replaced, not the link.
      std::error_code error;
      if (const fs::path target = fs::canonical(path, error); !error) path_ = target;
      partial_ = path_ + "." + std::to_string(getpid()) + ".partial";
    }
    constexpr mode_t kMode = 0666;  // less what the user does not want
    file_.Reset(open((partial_.empty() ? path_ : partial_).c_str(),
                     O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, kMode));
    if (!file_.valid()) open_error_ = errno;
  }
  stream_.rdbuf(&writer_.emplace(path == "-" ? STDOUT_FILENO : file_.get()));
}

OutputFile::~OutputFile() {
  writer_.reset();
  if (!partial_.empty()) unlink(partial_.c_str());
}

base::Status OutputFile::Publish() {
  const int write_error = writer_->Finish();
  errno = open_error_ != 0 ? open_error_ : write_error;
  if (path_ == "-") {
    if (errno != 0) return base::Error{"cannot write to standard output"};
    return {};
  }
  if (errno != 0 || close(file_.Release()) != 0) return CannotWrite(path_);
  if (partial_.empty()) return {};
  if (std::rename(partial_.c_str(), path_.c_str()) != 0) return CannotWrite(path_);
  partial_.clear();
  return {};
}

}  // namespace pyrometer::cli
