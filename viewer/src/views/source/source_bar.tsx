// SPDX-License-Identifier: Apache-2.0
import type { RefObject } from 'preact';
import type { Charge } from '../../model/places';
import { option, setOption } from '../../state/app';
import { shownCount } from '../../text/amount';
import { Segmented } from '../../widgets/segmented';

export const CHARGES = [
  { value: 'own', title: 'Your code', hint: 'what libraries do is charged to the line of yours that called them' },
  { value: 'self', title: 'Self', hint: 'only what the line does itself, native functions that it calls included' },
  { value: 'total', title: 'Total', hint: 'with everything that the line calls' },
] as const;

const MODES = [
  { value: 'code', title: 'Code', hint: 'in order of lines (t)' },
  { value: 'table', title: 'Table', hint: 'sorted by any figure (t)' },
] as const;

export type Mode = (typeof MODES)[number]['value'];

export function chargeOf(): Charge {
  const asked = option('source.charge', 'own');
  return CHARGES.find(({ value }) => value === asked)?.value ?? 'own';
}

export const setCharge = (value: Charge) => setOption('source.charge', value, 'own');
export const modeOf = (): Mode => (option('source.mode', 'code') === 'table' ? 'table' : 'code');
export const setMode = (mode: Mode) => setOption('source.mode', mode, 'code');
/** Without the files and the panel. */
export const isWide = () => option('source.panels', 'show') === 'hide';
export const togglePanels = () => setOption('source.panels', isWide() ? 'show' : 'hide', 'show');

/** What stands above the code: the file, what its lines are charged with, and ways from line to line. */
export function SourceBar(props: {
  path: string;
  charge: Charge;
  mode: Mode;
  hasHot: boolean;
  onHot: (step: 1 | -1) => void;
  /** How many functions the search of the page has found in all files. */
  matches: number;
  onMatch: (step: 1 | -1) => void;
  find: RefObject<HTMLInputElement | null>;
  wanted: string;
  onWanted: (wanted: string) => void;
  /** Lines with what is wanted. */
  found: number;
  onFound: (step: 1 | -1) => void;
  onLeaveFind: () => void;
}) {
  const onFindKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter') props.onFound(event.shiftKey ? -1 : 1);
    else if (event.key === 'Escape') props.onLeaveFind();
    else return;
    event.preventDefault();
  };
  return (
    <div class="view-bar">
      <strong class="file-title" title={props.path}><bdi>{props.path}</bdi></strong>
      <Segmented label="What a line is charged with" choices={CHARGES} value={props.charge} onChange={setCharge} />
      <Segmented label="Order" choices={MODES} value={props.mode} onChange={setMode} />
      <span class="hot-steps">
        <button type="button" disabled={!props.hasHot} aria-label="Hot line before" title="Hot line before (p)" onClick={() => props.onHot(-1)}>↑</button>
        <button type="button" disabled={!props.hasHot} aria-label="Next hot line" title="Next hot line (n)" onClick={() => props.onHot(1)}>↓ hot</button>
      </span>
      {props.matches > 0 && (
        <span class="hot-steps">
          <button type="button" aria-label="Match before" title="Function that the search has found, before (,)" onClick={() => props.onMatch(-1)}>↑</button>
          <button type="button" aria-label="Next match" title="Next function that the search has found (.)" onClick={() => props.onMatch(1)}>↓ match</button>
        </span>
      )}
      <button type="button" class="toggle" aria-pressed={isWide()} title="Hide the files and the panel: more room for code (e)" onClick={togglePanels}>Wide</button>
      <span class="find">
        <input
          type="search"
          ref={props.find}
          placeholder="Find in this file"
          aria-label="Find in this file"
          value={props.wanted}
          onInput={(event) => props.onWanted(event.currentTarget.value)}
          onKeyDown={onFindKey}
        />
        <output aria-live="polite">{props.wanted && shownCount(props.found, 'line')}</output>
      </span>
    </div>
  );
}
