// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <link.h>

#include <cstdint>
#include <string>

namespace pyrometer::symbolize {

// One build of testdata/sample.cc, loaded, for tests.
class SampleLibrary {
 public:
  explicit SampleLibrary(const std::string& name)
      : path_(std::string(PYRO_SAMPLES) + "/" + name), handle_(dlopen(path_.c_str(), RTLD_NOW)) {}
  ~SampleLibrary() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  SampleLibrary(const SampleLibrary&) = delete;
  SampleLibrary& operator=(const SampleLibrary&) = delete;

  const std::string& path() const { return path_; }
  bool ok() const { return handle_ != nullptr; }

  // The return address that the exported `function` answers, as in the file.
  uint64_t ReturnAddressFrom(const char* function) const {
    auto* call = reinterpret_cast<void* (*)()>(dlsym(handle_, function));
    return reinterpret_cast<uint64_t>(call()) - bias();
  }
  uint64_t AddressOf(const char* symbol) const {
    return reinterpret_cast<uint64_t>(dlsym(handle_, symbol)) - bias();
  }
  uint32_t Number(const char* symbol) const {
    return static_cast<uint32_t>(*static_cast<const int*>(dlsym(handle_, symbol)));
  }

 private:
  uint64_t bias() const {
    link_map* map = nullptr;
    dlinfo(handle_, RTLD_DI_LINKMAP, static_cast<void*>(&map));
    return map->l_addr;
  }

  std::string path_;
  void* handle_;
};

}  // namespace pyrometer::symbolize
