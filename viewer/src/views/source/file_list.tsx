// SPDX-License-Identifier: Apache-2.0
import { useMemo, useState } from 'preact/hooks';
import { FILE_KIND } from '../../data/schema';
import { fileTree, TreeFile, TreeRow } from '../../model/file_tree';
import type { FileFigures } from '../../model/line_figures';
import type { MatchedPlace } from '../../model/matched_places';
import { catalog, metric } from '../../state/app';
import { formatCount, formatFull, formatShare } from '../../text/amount';

/** All files that were seen, in their folders; libraries are folded until somebody asks. */
export function FileList(props: {
  figures: FileFigures;
  current: number;
  onOpen: (file: number) => void;
  addsUp: boolean;
  /** Functions that the search has found. */
  matches: readonly MatchedPlace[];
}) {
  const { figures } = props;
  const [showLibraries, setShowLibraries] = useState(false);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const { files } = catalog();
  const [own, library] = useMemo(() => {
    const all = Array.from(figures.file, (file, i): TreeFile => ({ file, path: files.path[file], heat: figures.heat[i] }));
    return [FILE_KIND.own, FILE_KIND.library].map((kind) => all.filter(({ file }) => files.kind[file] === kind));
  }, [figures]);
  const toggle = (key: string) => {
    const next = new Set(folded);
    if (!next.delete(key)) next.add(key);
    setFolded(next);
  };
  const counts = new Map<number, number>();
  for (const { file } of props.matches) counts.set(file, (counts.get(file) ?? 0) + 1);
  const matchesOf = (file: number) => counts.get(file) ?? 0;
  /** Of a folder only while it is folded: else its files say it. */
  const matchesIn = ({ file, key }: TreeRow, of: readonly TreeFile[]) => {
    if (file >= 0) return matchesOf(file);
    return folded.has(key) ? of.reduce((sum, one) => sum + (one.path.startsWith(key) ? matchesOf(one.file) : 0), 0) : 0;
  };
  const inLibraries = library.reduce((sum, { file }) => sum + matchesOf(file), 0);
  const isCurrentLibrary = library.some(({ file }) => file === props.current);
  const librariesOpen = showLibraries || isCurrentLibrary || own.length === 0;
  const tree = (of: TreeFile[]) => (
    <FileRows
      rows={fileTree(of, (key) => folded.has(key))}
      {...props}
      isFolded={(key) => folded.has(key)}
      onToggle={toggle}
      matchesIn={(row) => matchesIn(row, of)}
    />
  );
  return (
    <nav class="file-list" aria-label="Files">
      <h2>Your files</h2>
      {own.length > 0 ? tree(own) : <p class="note">none was seen</p>}
      {library.length > 0 && (
        <>
          <button type="button" class="plain library-head" aria-expanded={librariesOpen} onClick={() => setShowLibraries(!showLibraries)}>
            <span class={librariesOpen ? 'twist open' : 'twist'} aria-hidden="true" />
            Libraries <span class="faint">{formatCount(library.length)} files</span>
            {!librariesOpen && <MatchCount count={inLibraries} />}
          </button>
          {librariesOpen && tree(library)}
        </>
      )}
    </nav>
  );
}

function FileRows(props: {
  rows: TreeRow[];
  figures: FileFigures;
  current: number;
  addsUp: boolean;
  isFolded: (key: string) => boolean;
  onOpen: (file: number) => void;
  onToggle: (key: string) => void;
  matchesIn: (row: TreeRow) => number;
}) {
  const { unit } = metric.value;
  const { total } = props.figures;
  const { files } = catalog();
  const samplesOf = (file: number) => props.figures.samples[props.figures.file.indexOf(file)] ?? 0;
  return (
    <ul>
      {props.rows.map((row) => {
        const { key, name, depth, file, heat } = row;
        const isFolder = file < 0;
        const showsHeat = heat > 0 && (!isFolder || props.addsUp);
        return (
          <li key={key}>
            <button
              type="button"
              class={`plain file-row ${isFolder ? 'folder' : ''}`}
              aria-current={file >= 0 && file === props.current ? 'true' : undefined}
              aria-expanded={isFolder ? !props.isFolded(key) : undefined}
              title={isFolder ? key : `${files.path[file]}\n${formatFull(heat, unit, total, samplesOf(file))}`}
              style={{ paddingLeft: `${8 + depth * 13}px` }}
              onClick={() => (isFolder ? props.onToggle(key) : props.onOpen(file))}
            >
              {!isFolder && heat > 0 && <span class="file-heat" style={{ width: `${total > 0 ? (100 * heat) / total : 0}%` }} />}
              {isFolder && <span class={props.isFolded(key) ? 'twist' : 'twist open'} aria-hidden="true" />}
              <bdi class="file-name">{name}</bdi>
              <MatchCount count={props.matchesIn(row)} />
              <span class="faint">{showsHeat ? formatShare(heat, total) : ''}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}

function MatchCount({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <mark class="match-count" title="functions that the search has found">
      {formatCount(count)}<span class="only-read"> found</span>
    </mark>
  );
}
