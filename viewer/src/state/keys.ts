// SPDX-License-Identifier: Apache-2.0
// Keyboard shortcuts: what is registered is what works and what the help sheet lists.
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

export interface Shortcut {
  /** As KeyboardEvent.key says it; several do the same. */
  keys: string[];
  title: string;
  run: (event: KeyboardEvent) => void;
}

export interface ShortcutGroup {
  title: string;
  readonly shortcuts: Shortcut[];
}

export const groups = signal<ShortcutGroup[]>([]);

/** Shortcuts that hold while a component is shown. A key of what was shown later counts: a view's before the page's. */
export function useShortcuts(title: string, shortcuts: Shortcut[]): void {
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const group: ShortcutGroup = {
      title,
      get shortcuts() {
        return latest.current;
      },
    };
    groups.value = [...groups.peek(), group];
    return () => {
      groups.value = groups.peek().filter((other) => other !== group);
    };
  }, [title]);
}

/** Where keys mean text, they are no shortcuts. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return !!target && (target.tagName === 'INPUT' || target.tagName === 'TEXTAREA' || target.tagName === 'SELECT');
}

/** Where a key presses what has the focus, it is no shortcut either. */
function isPressing(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement | null;
  return (event.key === 'Enter' || event.key === ' ') && !!target?.closest('button, a, summary');
}

/** What stands above the page has its own keys. */
function isElsewhere(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

export function listenToKeys(): void {
  window.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTyping(event) || isPressing(event) || isElsewhere()) return;
    for (const group of [...groups.peek()].reverse()) {
      const found = group.shortcuts.find(({ keys }) => keys.includes(event.key));
      if (!found) continue;
      event.preventDefault();
      found.run(event);
      return;
    }
  });
}
