// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef } from 'preact/hooks';
import { groups } from '../state/keys';

const NAMES: Record<string, string> = {
  ArrowLeft: '←', ArrowRight: '→', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc', ' ': 'Space', PageDown: 'PgDn', PageUp: 'PgUp',
};

/** All shortcuts that work at this moment. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog class="help" ref={dialog} aria-label="Keyboard shortcuts" onClose={onClose} onClick={(event) => {
      if (event.target === dialog.current) dialog.current!.close();
    }}>
      <div class="help-content">
        <header>
          <h2>Keyboard</h2>
          <button type="button" onClick={() => dialog.current!.close()}>Close</button>
        </header>
        <div class="help-groups">
          {groups.value.map(({ title, shortcuts }) => (
            <section key={title}>
              <h3>{title}</h3>
              <dl>
                {shortcuts.map((shortcut) => (
                  <div key={shortcut.title}>
                    <dt>{shortcut.keys.map((key) => <kbd key={key}>{NAMES[key] ?? key}</kbd>)}</dt>
                    <dd>{shortcut.title}</dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
        </div>
      </div>
    </dialog>
  );
}
