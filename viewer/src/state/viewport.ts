// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Range } from '../model/selection';
import type { Viewport } from '../render/flame';
import { bounded } from '../render/zoom';
import { option, setOption } from './app';

const WRITE_AFTER_MS = 250;

/** The part on the screen; the address remembers it, as the option `name`, once it has come to rest. */
export function useViewport(name: string, whole: Range): [Viewport, (viewport: Viewport) => void] {
  const remembered = option(name, '');
  const [viewport, setViewport] = useState<Viewport>(() => parse(remembered, whole));
  const written = useRef(remembered);
  const timer = useRef(0);
  const extent = `${whole.begin},${whole.end}`;
  const lastExtent = useRef(extent);

  const set = (next: Viewport) => {
    setViewport(next);
    clearTimeout(timer.current);
    timer.current = window.setTimeout(() => {
      written.current = textOf(next, whole);
      setOption(name, written.current, '');
    }, WRITE_AFTER_MS);
  };
  // Another selection has other positions: what was zoomed to is elsewhere.
  useEffect(() => {
    if (extent === lastExtent.current) return;
    lastExtent.current = extent;
    set({ ...whole, scroll: 0 });
  }, [extent]);
  // Back and forward.
  useEffect(() => {
    if (remembered === written.current) return;
    written.current = remembered;
    clearTimeout(timer.current);
    setViewport(parse(remembered, whole));
  }, [remembered]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return [viewport, set];
}

function textOf({ begin, end, scroll }: Viewport, whole: Range): string {
  if (begin === whole.begin && end === whole.end && scroll === 0) return '';
  return [begin, end, scroll].map((value) => Math.round(value)).join('_');
}

function parse(text: string, whole: Range): Viewport {
  const found = /^(\d{1,16})_(\d{1,16})_(\d{1,7})$/.exec(text);
  if (!found || Number(found[1]) >= Number(found[2])) return { ...whole, scroll: 0 };
  return { ...bounded({ begin: Number(found[1]), end: Number(found[2]) }, whole), scroll: Number(found[3]) };
}
