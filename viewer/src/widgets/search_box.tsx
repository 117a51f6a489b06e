// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { metric, select, selection } from '../state/app';
import { useSearch } from '../state/search';
import { formatAmount, formatShare } from '../text/amount';

const PAUSE_MS = 150;

/** Searches after a short pause in typing; says what share all matches have together. */
export function SearchBox({ inputRef }: { inputRef: { current: HTMLInputElement | null } }) {
  const { search } = selection.value;
  const [text, setText] = useState(search);
  const timer = useRef(0);
  useEffect(() => setText(search), [search]);
  const found = useSearch();
  const type = (value: string) => {
    setText(value);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => select({ search: value }), PAUSE_MS);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      clearTimeout(timer.current);
      setText('');
      select({ search: '' });
      inputRef.current?.blur();
    } else if (event.key === 'Enter') {
      clearTimeout(timer.current);
      select({ search: text });
    }
  };
  return (
    <div class="search" role="search">
      <input
        type="search"
        ref={inputRef}
        placeholder="Search functions and files (regex)"
        aria-label="Search functions and files, a regular expression"
        value={text}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <output class="search-result" aria-live="polite">
        {search && found && (
          <>
            {found.matches.keys} found · {formatAmount(found.matches.total, metric.value.unit)} ·{' '}
            {formatShare(found.matches.total, found.whole.total)}
          </>
        )}
      </output>
    </div>
  );
}
