# SPDX-License-Identifier: Apache-2.0
"""A run that ends at once, without site."""
# run: -I -S {file}
print("done")
