# SPDX-License-Identifier: Apache-2.0
"""Locale, encodings, UTF-8 mode and time zone."""
import locale
import os
import subprocess
import sys

CODE = """
import locale, sys
print(locale.setlocale(locale.LC_ALL, ''), sys.stdout.encoding, sys.getfilesystemencoding())
print(ascii(sys.argv[1:]), sys.flags.utf8_mode)
"""
for language in ("C", "C.UTF-8", "POSIX", "does_not_EXIST"):
    done = subprocess.run(
        [sys.executable, "-c", CODE, "\u00e4\u20ac"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": language},
    )
    print(language, done.returncode, done.stdout, done.stderr.decode()[-100:])
print(locale.getlocale(), sys.stdin.encoding, sys.stderr.errors, os.fsencode("\udcff"))
