# SPDX-License-Identifier: Apache-2.0
"""Holds a block and makes many that it does not hold."""
held = bytearray(64 << 20)  # mark: held
for number in range(20):
    dropped = [str(i) for i in range(20_000)]  # mark: dropped
print(len(held), len(dropped))
