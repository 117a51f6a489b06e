// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileTree } from './file_tree';

const FILES = ['/srv/app/a.py', '/srv/app/deep/er/b.py', '/srv/app/deep/er/c.py', '/srv/app/z.py'];
const tree = (heats: number[], folded: string[] = []) =>
  fileTree(FILES.map((path, file) => ({ file, path, heat: heats[file] })), (key) => folded.includes(key))
    .map(({ name, depth, file, heat }) => `${' '.repeat(depth)}${name} ${file} ${heat}`);

test('hottest first, single folders joined, sums of folders', () => {
  assert.deepEqual(tree([5, 3, 4, 0]), ['deep/er -1 7', ' c.py 2 4', ' b.py 1 3', 'a.py 0 5', 'z.py 3 0']);
});

test('a folded folder keeps its row', () => {
  assert.deepEqual(tree([5, 3, 4, 0], ['/srv/app/deep/er/']), ['deep/er -1 7', 'a.py 0 5', 'z.py 3 0']);
});

test('files without folders, equal names, odd paths', () => {
  const rows = fileTree([{ file: 0, path: '<string>', heat: 1 }, { file: 1, path: '', heat: 0 }, { file: 2, path: '//x', heat: 0 }], () => false);
  assert.deepEqual(rows.filter(({ file }) => file >= 0).map(({ file }) => file).sort(), [0, 1, 2]);
  assert.equal(new Set(rows.map(({ key }) => key)).size, rows.length);
});
