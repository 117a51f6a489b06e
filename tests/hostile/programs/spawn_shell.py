# SPDX-License-Identifier: Apache-2.0
"""Children that are no Python: a shell, a pipeline, os.system, popen, a static program, programs that do not exist."""
import os
import subprocess

print(subprocess.run(["/bin/sh", "-c", "echo shell $((6 * 7)); exit 7"], stdout=subprocess.PIPE))
print(subprocess.run("printf 'a\\nb\\n' | sort -r | cat", shell=True, stdout=subprocess.PIPE).stdout)
print(os.system("exit 3") >> 8, os.popen("echo popen; echo $0").read())
for command in (["/does/not/exist"], ["does-not-exist-at-all"], ["/"], ["/etc/passwd"]):
    try:
        subprocess.run(command, check=True)
    except OSError as error:
        print(type(error).__name__, error)
static = os.environ.get("HOSTILE_STATIC_PROGRAM")
if static:
    print(subprocess.run([static, "one", "two"], stdout=subprocess.PIPE, stderr=subprocess.PIPE))
    print(subprocess.run([static], env={}, stdout=subprocess.PIPE, stderr=subprocess.PIPE))
print(subprocess.run(["env"], env={"ONLY": "this"}, stdout=subprocess.PIPE).stdout)
print(subprocess.run(["false"]).returncode, subprocess.run(["sh", "-c", "kill -9 $$"]).returncode)
