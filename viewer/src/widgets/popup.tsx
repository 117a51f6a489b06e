// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** A button that opens a panel below it; a click elsewhere or Escape closes it. */
export function Popup(props: {
  title: ComponentChildren;
  label: string;
  class?: string;
  children: (close: () => void) => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const closeOutside = (event: Event) => {
      if (!root.current!.contains(event.target as Node)) setOpen(false);
    };
    window.addEventListener('pointerdown', closeOutside, true);
    return () => window.removeEventListener('pointerdown', closeOutside, true);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    close();
  };
  return (
    <div class={`popup ${props.class ?? ''}`} ref={root} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={button}
        class="popup-button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={props.label}
        onClick={() => setOpen(!isOpen)}
      >
        {props.title}
        <span class="caret" aria-hidden="true" />
      </button>
      {isOpen && (
        <div class="popup-panel" role="dialog" aria-label={props.label}>
          {props.children(close)}
        </div>
      )}
    </div>
  );
}
