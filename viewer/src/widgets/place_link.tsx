// SPDX-License-Identifier: Apache-2.0
import { catalog } from '../state/app';
import { showSource } from '../state/jump';

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

/** "pipeline.py:46", which leads to the source. */
export function PlaceLink(props: { file: number; line: number; function?: number; path?: string }) {
  const path = props.path ?? catalog().files.path[props.file] ?? '';
  const text = `${baseName(path)}${props.line > 0 ? `:${props.line}` : ''}`;
  if (props.file < 0) return <bdi class="place" title={path}>{text}</bdi>;
  return (
    <button
      type="button"
      class="place link"
      title={`${path}${props.line > 0 ? `:${props.line}` : ''}`}
      onClick={(event) => {
        event.stopPropagation();
        showSource(props.file, props.line, props.function ?? -1);
      }}
    >
      <bdi>{text}</bdi>
    </button>
  );
}
