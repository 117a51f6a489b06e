# SPDX-License-Identifier: Apache-2.0
"""Rewrites a FASTQ file: trims bad tails, drops short reads, counts bases.

Half text work, half file work: the profile shows Python, the C code of the
string methods, and the time in the kernel side by side.

    ./pyrometer run examples/fastq.py
"""

import collections
import os
import random
import tempfile

READS = 240_000
READ_LENGTH = 100
MIN_QUALITY = 20
MIN_LENGTH = 50


def write_reads(path):
    """Makes an input file of about 52 MB, the same at every run."""
    chance = random.Random(11)
    pool = "".join(chance.choices("ACGT", k=5_000))
    good, bad = chr(33 + 35), chr(33 + 5)
    with open(path, "w") as out:
        for number in range(READS):
            start = chance.randrange(len(pool) - READ_LENGTH)
            tail = chance.randrange(READ_LENGTH)
            bases = pool[start : start + READ_LENGTH]
            out.write(f"@read{number}\n{bases}\n+\n{good * (READ_LENGTH - tail)}{bad * tail}\n")


def records(path):
    """Yields (name, bases, qualities), four lines at a time."""
    with open(path) as lines:
        for name in lines:
            bases = next(lines).rstrip("\n")
            next(lines)
            yield name.rstrip("\n"), bases, next(lines).rstrip("\n")


def trimmed_length(qualities):
    """Where the good part ends: walks back over the bad tail."""
    end = len(qualities)
    while end and ord(qualities[end - 1]) - 33 < MIN_QUALITY:
        end -= 1
    return end


def rewrite(source, target):
    kept = 0
    bases_seen = collections.Counter()
    with open(target, "w") as out:
        for name, bases, qualities in records(source):
            end = trimmed_length(qualities)
            if end < MIN_LENGTH:
                continue
            kept += 1
            bases_seen.update(bases[:end])
            out.write(f"{name}\n{bases[:end]}\n+\n{qualities[:end]}\n")
            if kept % 1000 == 0:
                out.flush()
                os.fsync(out.fileno())  # careful, and it costs
    return kept, bases_seen


def main():
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "reads.fastq")
        target = os.path.join(folder, "trimmed.fastq")
        write_reads(source)
        kept, bases = rewrite(source, target)
        share = 100 * (bases["G"] + bases["C"]) / sum(bases.values())
        print(f"kept {kept} of {READS} reads, {os.path.getsize(target)} bytes, GC {share:.2f} %")


if __name__ == "__main__":
    main()
