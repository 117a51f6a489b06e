# SPDX-License-Identifier: Apache-2.0
"""Errors of the compiler, with their carets."""
for text in ("x = (", "def f():\nreturn", "1 +", "for", "'"):
    try:
        compile(text, "<text>", "exec")
    except SyntaxError as error:
        print(type(error).__name__, error, error.lineno, error.offset)
exec(compile("def f(x):\n    return x.a.b\nf(5)", "<text>", "exec"))
