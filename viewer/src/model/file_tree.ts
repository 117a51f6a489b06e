// SPDX-License-Identifier: Apache-2.0
// Files in their folders, as a list of rows.

export interface TreeFile {
  file: number;
  path: string;
  heat: number;
}

export interface TreeRow {
  /** Of folders: the path up to it, unique in the tree. */
  key: string;
  name: string;
  depth: number;
  /** -1: a folder. */
  file: number;
  /** Of a folder: the sum of its files. */
  heat: number;
}

interface Folder {
  name: string;
  key: string;
  folders: Map<string, Folder>;
  files: TreeFile[];
}

/**
 * Hottest first at every level. Folders that hold nothing but one folder are one row with it, and
 * folders whose key `isFolded` tells are rows without content.
 */
export function fileTree(files: readonly TreeFile[], isFolded: (key: string) => boolean): TreeRow[] {
  const root: Folder = { name: '', key: '', folders: new Map(), files: [] };
  for (const file of files) {
    const parts = file.path.split('/');
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      let next = folder.folders.get(part);
      if (!next) folder.folders.set(part, (next = { name: part, key: `${folder.key}${part}/`, folders: new Map(), files: [] }));
      folder = next;
    }
    folder.files.push(file);
  }
  const rows: TreeRow[] = [];
  addContent(joined(root), 0, rows, isFolded);
  return rows;
}

/** The folder, or the one far inside it that is the first to hold more than one folder. */
function joined(folder: Folder): Folder {
  let at = folder;
  while (at.files.length === 0 && at.folders.size === 1) {
    const [only] = at.folders.values();
    at = { ...only, name: at.key === '' ? only.name : `${at.name}/${only.name}` };
  }
  return at;
}

function heatOf(folder: Folder): number {
  let sum = folder.files.reduce((total, { heat }) => total + heat, 0);
  for (const inner of folder.folders.values()) sum += heatOf(inner);
  return sum;
}

function addContent(folder: Folder, depth: number, rows: TreeRow[], isFolded: (key: string) => boolean): void {
  const folders = [...folder.folders.values()].map((inner) => ({ folder: joined(inner), heat: heatOf(inner) }));
  const items = [
    ...folders.map(({ folder: inner, heat }) => ({ name: inner.name, heat, folder: inner, file: -1 })),
    ...folder.files.map(({ file, path, heat }) => ({ name: path.slice(path.lastIndexOf('/') + 1), heat, folder: null, file })),
  ];
  items.sort((a, b) => b.heat - a.heat || (a.name < b.name ? -1 : 1));
  for (const { name, heat, folder: inner, file } of items) {
    rows.push({ key: inner ? inner.key : `${folder.key}${name}#${file}`, name, depth, file, heat });
    if (inner && !isFolded(inner.key)) addContent(inner, depth + 1, rows, isFolded);
  }
}
