// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Tip {
  x: number;
  y: number;
  content: ComponentChildren;
}

/** The one tooltip of the page, beside the pointer; null: none. */
export const tip = signal<Tip | null>(null);

const DISTANCE = 14;

export function Tooltip() {
  const element = useRef<HTMLDivElement>(null);
  const shown = tip.value;
  useLayoutEffect(() => {
    if (!shown || !element.current) return;
    const { offsetWidth, offsetHeight, style } = element.current;
    const right = shown.x + DISTANCE + offsetWidth <= window.innerWidth;
    const x = right ? shown.x + DISTANCE : Math.max(4, shown.x - DISTANCE - offsetWidth);
    const below = shown.y + DISTANCE + offsetHeight <= window.innerHeight;
    const y = below ? shown.y + DISTANCE : Math.max(4, shown.y - DISTANCE - offsetHeight);
    style.transform = `translate(${x}px, ${y}px)`;
  });
  if (!shown) return null;
  return (
    <div class="tooltip" role="tooltip" ref={element}>
      {shown.content}
    </div>
  );
}
