// SPDX-License-Identifier: Apache-2.0
#include "agent/guest/exec_target.h"

#include <elf.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

namespace pyrometer::agent {
namespace {

class ExecTargetTest : public testing::Test {
 protected:
  ExecTargetTest() : folder_(testing::TempDir() + "exec_target_" + std::to_string(getpid())) {
    std::filesystem::create_directory(folder_);
  }
  ~ExecTargetTest() override { std::filesystem::remove_all(folder_); }

  std::string File(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    chmod(path.c_str(), 0755);
    return path;
  }

  // A program of 64 bits that names `linker`, or none.
  static std::string Program(const std::string& linker, Elf64_Half machine) {
    Elf64_Ehdr header{};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_machine = machine;
    header.e_phoff = sizeof header;
    header.e_phentsize = sizeof(Elf64_Phdr);
    header.e_phnum = 2;
    Elf64_Phdr load{}, interp{};
    load.p_type = PT_LOAD;
    interp.p_type = linker.empty() ? PT_NOTE : PT_INTERP;
    interp.p_offset = sizeof header + 2 * sizeof interp;
    interp.p_filesz = linker.size() + 1;
    std::string bytes(sizeof header + 2 * sizeof interp, '\0');
    std::memcpy(bytes.data(), &header, sizeof header);
    std::memcpy(bytes.data() + sizeof header, &load, sizeof load);
    std::memcpy(bytes.data() + sizeof header + sizeof load, &interp, sizeof interp);
    return bytes + linker + '\0';
  }

  std::string folder_;
};

constexpr char kShell[] = "/bin/sh";
#if defined(__x86_64__)
constexpr Elf64_Half kOurs = EM_X86_64, kOther = EM_AARCH64;
constexpr char kGlibc[] = "/somewhere/else/ld-linux-x86-64.so.2";
#else
constexpr Elf64_Half kOurs = EM_AARCH64, kOther = EM_X86_64;
constexpr char kGlibc[] = "/somewhere/else/ld-linux-aarch64.so.1";
#endif

TEST_F(ExecTargetTest, DynamicProgramsOfThisMachine) {
  EXPECT_TRUE(TakesAgent(kShell));
  EXPECT_TRUE(TakesAgent(File("a", Program(kGlibc, kOurs)).c_str()));
}

TEST_F(ExecTargetTest, TheDynamicLinkerItself) {
  const std::string linker = std::filesystem::path(kGlibc).filename();
  EXPECT_TRUE(TakesAgent(File(linker, Program("", kOurs)).c_str()));
  EXPECT_FALSE(TakesAgent((folder_ + "/absent/" + linker).c_str()));
}

TEST_F(ExecTargetTest, OthersDoNot) {
  EXPECT_FALSE(TakesAgent(File("static", Program("", kOurs)).c_str()));
  EXPECT_FALSE(TakesAgent(File("musl", Program("/lib/ld-musl-x86_64.so.1", kOurs)).c_str()));
  EXPECT_FALSE(TakesAgent(File("machine", Program(kGlibc, kOther)).c_str()));
  std::string narrow = Program(kGlibc, kOurs);
  narrow[EI_CLASS] = ELFCLASS32;
  EXPECT_FALSE(TakesAgent(File("narrow", narrow).c_str()));
  EXPECT_FALSE(TakesAgent(File("text", "echo hello\n").c_str()));
  EXPECT_FALSE(TakesAgent(File("empty", "").c_str()));
  EXPECT_FALSE(TakesAgent((folder_ + "/absent").c_str()));
  EXPECT_FALSE(TakesAgent(folder_.c_str()));
}

TEST_F(ExecTargetTest, CutAnywhereIsRefusedOrRead) {
  const std::string whole = Program(kGlibc, kOurs);
  for (size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(TakesAgent(File("cut", whole.substr(0, size)).c_str())) << size;
}

TEST_F(ExecTargetTest, ScriptsAreWhatTheirInterpreterIs) {
  EXPECT_TRUE(TakesAgent(File("good", "#!/bin/sh\necho\n").c_str()));
  EXPECT_TRUE(TakesAgent(File("spaced", "#! \t/bin/sh -e\necho\n").c_str()));
  const std::string other = File("static", Program("", kOurs));
  EXPECT_FALSE(TakesAgent(File("bad", "#!" + other + "\n").c_str()));
  EXPECT_FALSE(TakesAgent(File("none", "#!\n").c_str()));
  const std::string self = folder_ + "/self";
  EXPECT_FALSE(TakesAgent(File("self", "#!" + self + "\n").c_str()));
}

TEST_F(ExecTargetTest, NamesAreLookedUpOnThePath) {
  const std::string before = getenv("PATH");
  File("tool", "#!/bin/sh\n");
  setenv("PATH", ("/absent:" + folder_).c_str(), 1);
  EXPECT_TRUE(TakesAgentOnPath("tool"));
  EXPECT_FALSE(TakesAgentOnPath("no-such-tool"));
  EXPECT_TRUE(TakesAgentOnPath(kShell));
  setenv("PATH", before.c_str(), 1);
}

TEST_F(ExecTargetTest, OpenFilesKeepTheirPosition) {
  const int fd = open(kShell, O_RDONLY);
  EXPECT_TRUE(TakesAgent(fd));
  EXPECT_EQ(lseek(fd, 0, SEEK_CUR), 0);
  close(fd);
}

}  // namespace
}  // namespace pyrometer::agent
