// SPDX-License-Identifier: Apache-2.0
#include "cli/recording/recording.h"

#include <stdlib.h>
#include <sys/wait.h>

#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "profile/profile_loader.h"

// A command of its own, as it were: what it does with a recording is not what `run` does.
namespace pyrometer::cli {
namespace {

namespace fs = std::filesystem;

class RecordingTest : public testing::Test {
 protected:
  RecordingTest() {
    char folder[] = "/tmp/pyrometer_recording_XXXXXX";
    folder_ = mkdtemp(folder);
  }
  ~RecordingTest() override { fs::remove_all(folder_); }

  std::string path() const { return folder_ + "/run.pyro"; }

  // Runs `command` to its end.
  RecordingEnd Record(const std::vector<std::string>& command) {
    auto file = CaptureFile::Create(path());
    EXPECT_TRUE(file.ok());
    auto recording = Recording::Create(
        {.command = command, .agent = PYRO_TEST_AGENT, .options = {}}, &file.value());
    EXPECT_TRUE(recording.ok());
    const base::Status started = recording.value()->StartProgram();
    started_ = started.ok();
    if (!started_) return {};
    const RecordingEnd end = recording.value()->AwaitProgram();
    EXPECT_TRUE(file->Publish().ok());
    return end;
  }

  bool started_ = false;

 private:
  std::string folder_;
};

TEST_F(RecordingTest, OfAPythonIsInTheFile) {
  const std::string program =
      "total = 0\n"
      "for i in range(3_000_000): total += i * i\n"
      "raise SystemExit(total % 7)\n";
  testing::internal::CaptureStderr();
  const RecordingEnd end = Record({"python3", "-c", program});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  ASSERT_TRUE(started_);
  uint64_t total = 0;
  for (uint64_t i = 0; i < 3'000'000; ++i) total += i * i;
  EXPECT_TRUE(WIFEXITED(end.program.status));
  EXPECT_EQ(static_cast<uint64_t>(WEXITSTATUS(end.program.status)), total % 7);
  EXPECT_EQ(end.why_none, "");
  EXPECT_TRUE(end.written.ok());
  EXPECT_FALSE(end.has_running);
  const auto profile = profile::LoadProfileFile(path());
  ASSERT_TRUE(profile.ok());
  EXPECT_GT(profile->samples.size(), 5u);
}

TEST_F(RecordingTest, OfAProgramWithoutAPythonSaysWhyThereIsNone) {
  const RecordingEnd end = Record({"true"});
  ASSERT_TRUE(started_);
  EXPECT_EQ(end.program.status, 0);
  EXPECT_EQ(end.why_none, "no CPython was found in the program");
}

TEST_F(RecordingTest, OfAProgramThatIsNotThereDoesNotStart) {
  Record({"/no/such/program"});
  EXPECT_FALSE(started_);
}

}  // namespace
}  // namespace pyrometer::cli
