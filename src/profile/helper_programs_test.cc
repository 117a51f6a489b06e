// SPDX-License-Identifier: Apache-2.0
#include "profile/helper_programs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "profile/testing/check_invariants.h"

namespace pyrometer::profile {
namespace {

using ::testing::ElementsAre;

// Processes with one thread and one sample each, all with the stack
// <string>:1 > <string>:8 > lib.py:1 > <string>:1.
class HelperProgramsTest : public ::testing::Test {
 protected:
  HelperProgramsTest() {
    profile_.strings = {"", "<string>", "lib.py", "<module>"};
    profile_.codes = {{format::StringId(1), format::StringId(3), 1},
                      {format::StringId(2), format::StringId(3), 1}};
    for (const auto& [code, line] : {std::pair(0u, 1u), {0u, 8u}, {1u, 1u}})
      profile_.frames.push_back({.code = format::CodeId(code), .line = line});
    profile_.stacks = {{},
                       {format::StackId(0), format::FrameId(0)},
                       {format::StackId(1), format::FrameId(1)},
                       {format::StackId(2), format::FrameId(2)},
                       {format::StackId(3), format::FrameId(0)}};
  }

  void Process(uint64_t pid, uint64_t parent, std::vector<std::string> argv) {
    const format::ProcessId process(static_cast<uint32_t>(profile_.processes.size()));
    const format::ThreadId thread(static_cast<uint32_t>(profile_.threads.size()));
    profile_.processes.push_back({{.pid = pid, .parent_pid = parent, .argv = argv}, {}});
    profile_.threads.push_back({{.process = process, .tid = pid}, {}});
    SampleColumns& samples = profile_.samples;
    samples.time_ns.push_back(1);
    samples.thread.push_back(thread);
    samples.stack.push_back(format::StackId(4));
    samples.activity.push_back(format::Activity::kPython);
    samples.weight_ns.push_back(1);
    samples.count.push_back(1);
    samples.task.push_back({});
    profile_.memory_changes.push_back({.thread = thread, .stack = format::StackId(2)});
  }

  std::vector<std::string> FilesOf(format::StackId stack) const {
    std::vector<std::string> files;
    for (; stack != format::kEmptyStack; stack = profile_.stacks[stack.value].parent) {
      const format::FrameInfo& frame = profile_.frames[profile_.stacks[stack.value].frame.value];
      files.insert(files.begin(), profile_.Text(profile_.codes[frame.code.value].filename));
    }
    return files;
  }
  // The files of the sample of a process, named anew.
  std::vector<std::string> Named(size_t process) {
    NameHelperPrograms(profile_);
    EXPECT_EQ(testing::BrokenInvariant(profile_), "");
    return FilesOf(profile_.samples.stack[process]);
  }

  Profile profile_;
};

TEST_F(HelperProgramsTest, TheUsersKeepsItsName) {
  Process(1, 99, {"python", "-c", "main()"});
  Process(2, 98, {"python", "-c", "other()"});
  EXPECT_THAT(Named(0), ElementsAre("<string>", "<string>", "lib.py", "<string>"));
  EXPECT_THAT(Named(1), ElementsAre("<string>", "<string>", "lib.py", "<string>"));
}

TEST_F(HelperProgramsTest, ThatOfAChildGetsAnother) {
  Process(1, 99, {"python", "-c", "main()"});
  Process(2, 1, {"python", "-c", "spawn_main()"});
  const char* name = kHelperProgram;
  EXPECT_THAT(Named(1), ElementsAre(name, name, "lib.py", "<string>"));
  EXPECT_THAT(Named(0), ElementsAre("<string>", "<string>", "lib.py", "<string>"));
  EXPECT_THAT(FilesOf(profile_.memory_changes[1].stack), ElementsAre(name, name));
  EXPECT_THAT(FilesOf(profile_.memory_changes[0].stack), ElementsAre("<string>", "<string>"));
}

TEST_F(HelperProgramsTest, AForkRunsTheProgramOfItsParent) {
  Process(1, 99, {"python", "-c", "main()"});
  Process(2, 1, {"python", "-c", "main()"});
  Process(3, 1, {"python", "-c", "spawn_main()"});
  Process(4, 3, {"python", "-c", "spawn_main()"});
  EXPECT_THAT(Named(1).front(), "<string>");
  EXPECT_THAT(Named(3).front(), kHelperProgram);
}

TEST_F(HelperProgramsTest, WhatUvAsksAnInterpreterIsNotTheUsers) {
  Process(1, 99, {"python", "-I", "-c", "from python.get_interpreter_info import main; main()"});
  Process(2, 99, {"python", "-c", "main()"});
  const char* name = kHelperProgram;
  EXPECT_THAT(Named(0), ElementsAre(name, name, name, name));
  EXPECT_THAT(Named(1), ElementsAre("<string>", "<string>", "lib.py", "<string>"));
}

TEST_F(HelperProgramsTest, LibrariesKeepTheirNamesInWhatUvAsks) {
  profile_.strings[2] = "/usr/lib/python3.12/platform.py";
  Process(1, 99, {"python", "-I", "-c", "from python.get_interpreter_info import main; main()"});
  const char* name = kHelperProgram;
  EXPECT_THAT(Named(0), ElementsAre(name, name, "/usr/lib/python3.12/platform.py", name));
}

}  // namespace
}  // namespace pyrometer::profile
