// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { patternOf } from '../model/search';
import { Popup } from './popup';

export interface Item {
  index: number;
  title: string;
  note: string;
}

const MOST_SHOWN = 200;

/** Any number of many: all when none is ticked. */
export function Picker(props: {
  /** "thread", "threads" */
  one: string;
  many: string;
  items: Item[];
  picked: number[];
  onPick: (picked: number[]) => void;
}) {
  const { items, picked } = props;
  const only = picked.length === 1 ? items.find(({ index }) => index === picked[0]) : undefined;
  const title = picked.length === 0 ? `All ${props.many}` : only ? only.title : `${picked.length} ${props.many}`;
  return (
    <Popup title={<span class="picker-title">{title}</span>} label={`Which ${props.many}: ${title}`} class={picked.length ? 'is-set' : ''}>
      {() => <List {...props} />}
    </Popup>
  );
}

function List({ one, many, items, picked, onPick }: Parameters<typeof Picker>[0]) {
  const [filter, setFilter] = useState('');
  const pattern = patternOf(filter);
  const found = filter ? items.filter(({ title, note }) => pattern.test(`${title} ${note}`)) : items;
  const isPicked = new Set(picked);
  const toggle = (index: number) => {
    onPick(isPicked.has(index) ? picked.filter((other) => other !== index) : [...picked, index].sort((a, b) => a - b));
  };
  return (
    <div class="picker">
      {items.length > 8 && (
        <input
          type="search"
          placeholder={`Filter ${many}`}
          aria-label={`Filter ${many}`}
          value={filter}
          onInput={(event) => setFilter(event.currentTarget.value)}
        />
      )}
      <div class="picker-actions">
        <button type="button" disabled={picked.length === 0} onClick={() => onPick([])}>
          All {many}
        </button>
        {filter && found.length > 0 && found.length <= MOST_SHOWN && (
          <button type="button" onClick={() => onPick(found.map(({ index }) => index))}>
            These {found.length}
          </button>
        )}
      </div>
      <div class="picker-list">
        {found.slice(0, MOST_SHOWN).map(({ index, title, note }) => (
          <label key={index}>
            <input type="checkbox" checked={isPicked.has(index)} onChange={() => toggle(index)} />
            <span class="picker-item">
              <bdi>{title}</bdi> <small>{note}</small>
            </span>
          </label>
        ))}
        {found.length === 0 && <p class="note">no such {one}</p>}
        {found.length > MOST_SHOWN && <p class="note">and {found.length - MOST_SHOWN} more: filter to see them</p>}
      </div>
    </div>
  );
}
