# SPDX-License-Identifier: Apache-2.0
"""Reads the data of the page (docs/format/page-data.md), written from that text alone."""

import base64
import json
import re
import zlib

TEXT, NUMBERS, DELTAS, CONSTANT, STRINGS = range(5)


class PageData:
    """Sections by name: columns as lists of numbers, `string` as texts, `meta` as what its JSON says."""

    def __init__(self, data):
        self._bytes, self._at = data, 0
        assert self._take(8) == b"PYROPAGE"
        assert int.from_bytes(self._take(4), "little") == 1
        self.sections = {}
        for _ in range(int.from_bytes(self._take(4), "little")):
            name = self._take(self._take(1)[0]).decode("ascii")
            assert name not in self.sections
            self.sections[name] = self._section()
        assert self._at == len(data)
        # Data that come later have none.
        self.meta = json.loads(self.sections["meta"]) if "meta" in self.sections else None

    def __getitem__(self, name):
        return self.sections[name]

    def texts(self, name):
        return [self["string"][number] for number in self[name]]

    def stack(self, node):
        """[(function, line), ...], root first."""
        names, frames = self.texts("function.name"), []
        while node:
            frame = self["stack.frame"][node]
            frames.append((names[self["frame.function"][frame]], self["frame.line"][frame]))
            node = self["stack.parent"][node]
        return frames[::-1]

    def _take(self, count):
        taken = self._bytes[self._at : self._at + count]
        assert len(taken) == count, "cut off"
        self._at += count
        return taken

    def _varint(self):
        value = shift = 0
        while True:
            byte = self._take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def _section(self):
        encoding, count, length = self._take(1)[0], self._varint(), self._varint()
        end = self._at + length
        section = self._decode(encoding, count)
        assert self._at == end
        return section

    def _decode(self, encoding, count):
        if encoding == TEXT:
            return self._take(count).decode("utf-8")
        if encoding == CONSTANT:
            return [self._varint()] * count
        numbers = [self._varint() for _ in range(count)]
        if encoding == STRINGS:
            return [self._take(length).decode("utf-8") for length in numbers]
        if encoding == DELTAS:
            values, value = [], 0
            for number in numbers:
                value += (number >> 1) ^ -(number & 1)
                values.append(value)
            return values
        assert encoding == NUMBERS
        return numbers


def pieces_of_html(html):
    """What stands in a page that is one file: {"data": PageData, ...}."""
    elements = re.findall(r'<script type="application/octet-stream" id="(\w+)">([A-Za-z0-9+/=]*)</script>', html)
    return {name: PageData(zlib.decompress(base64.b64decode(text))) for name, text in elements}
