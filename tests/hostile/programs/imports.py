# SPDX-License-Identifier: Apache-2.0
"""Import hooks, reloads, lazy and failing imports: no module that the program did not ask for."""
import importlib
import importlib.abc
import importlib.machinery
import sys

before = set(sys.modules)


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        print("asked for", name)
        return importlib.machinery.ModuleSpec(name, self) if name.startswith("invented") else None

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        module.value = len(module.__name__)


sys.meta_path.insert(0, Finder())
import invented_one  # noqa: E402

print(invented_one.value, importlib.import_module("invented_two").value)
try:
    import missing_module
except ImportError as error:
    print(error)
with open("on_disk.py", "w") as file:
    file.write("value = 1\nprint(__name__, __file__[-10:])\n")
sys.path.insert(0, "")
import on_disk  # noqa: E402

importlib.reload(on_disk)
print(sorted(set(sys.modules) - before), len(sys.meta_path))
