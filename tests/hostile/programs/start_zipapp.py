# SPDX-License-Identifier: Apache-2.0
"""A zip application with a package in it, run as a child and by runpy."""
import runpy
import subprocess
import sys
import zipfile

with zipfile.ZipFile("app.zip", "w") as archive:
    main = "import inside\nprint(__name__, inside.x, __file__[-15:])"
    for name, text in (("__main__.py", main), ("inside.py", "x=5")):
        archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), text)
print(subprocess.run([sys.executable, "app.zip"], stdout=subprocess.PIPE).stdout)
runpy.run_path("app.zip", run_name="__main__")
