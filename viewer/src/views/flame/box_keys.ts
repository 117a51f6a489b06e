// SPDX-License-Identifier: Apache-2.0
import type { Layout } from '../../model/layout';
import type { Range } from '../../model/selection';
import { ROW_HEIGHT, Viewport } from '../../render/flame';
import { moved, zoomed } from '../../render/zoom';
import { useShortcuts } from '../../state/keys';
import type { Direction } from './box_marks';

const LEAST_SPAN = 10;

/** Keys that move and zoom what is shown, and go from box to box. */
export function useBoxKeys(
  { layout, extent, viewport, onViewport }: { layout: Layout; extent: Range; viewport: Viewport; onViewport: (viewport: Viewport) => void },
  does: { step: (direction: Direction) => void; reset: () => void; zoomToChosen: () => void; chooseNothing: () => void },
): void {
  const zoomBy = (factor: number) => onViewport({ ...viewport, ...zoomed(viewport, extent, factor, 0.5, LEAST_SPAN) });
  const moveBy = (share: number) => onViewport({ ...viewport, ...moved(viewport, extent, share) });
  const scrollBy = (rows: number) => {
    const deepest = (layout.rows.length - 2) * ROW_HEIGHT;
    onViewport({ ...viewport, scroll: Math.max(0, Math.min(deepest, viewport.scroll + rows * ROW_HEIGHT)) });
  };
  useShortcuts('Flame: look around', [
    { keys: ['w', '+'], title: 'Zoom in', run: () => zoomBy(0.7) },
    { keys: ['s', '-'], title: 'Zoom out', run: () => zoomBy(1 / 0.7) },
    { keys: ['a'], title: 'Move to the left', run: () => moveBy(-0.2) },
    { keys: ['d'], title: 'Move to the right', run: () => moveBy(0.2) },
    { keys: ['0'], title: 'Show everything', run: does.reset },
    { keys: ['PageDown', 'PageUp'], title: 'Deeper, and back', run: (event) => scrollBy(event.key === 'PageDown' ? 10 : -10) },
    { keys: ['ArrowDown'], title: 'First call of the chosen box', run: () => does.step('in') },
    { keys: ['ArrowUp'], title: 'Its caller', run: () => does.step('out') },
    {
      keys: ['ArrowLeft', 'ArrowRight'],
      title: 'Its neighbours',
      run: (event) => does.step(event.key === 'ArrowLeft' ? 'before' : 'after'),
    },
    { keys: ['Enter'], title: 'Zoom to the chosen box', run: does.zoomToChosen },
    { keys: ['Escape'], title: 'Choose nothing', run: does.chooseNothing },
  ]);
}
