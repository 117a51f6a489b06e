// SPDX-License-Identifier: Apache-2.0
import type { MemoryParts, Part } from '../../model/memory_parts';
import { MEMORY_PARTS } from '../../model/metrics';
import { catalog, chosen, select } from '../../state/app';
import { formatBytes, formatCount, formatSamples, formatShare } from '../../text/amount';
import { shownName } from '../../data/shown';
import { PlaceLink } from '../../widgets/place_link';

const MOST_ROWS = 12;

/** What the amount is made of. */
export function MemoryPanel({ parts, isAtExit }: { parts: MemoryParts | null; isAtExit: boolean }) {
  if (!parts) return <aside class="detail memory-panel" />;
  const { threads, processes } = catalog();
  const threadName = (number: number) => {
    const { name, tid, main, process } = threads[number];
    const own = name || (main ? 'main' : `thread ${tid}`);
    return processes.length > 1 ? `${own} (${processes[process].pid})` : own;
  };
  const { bytes: whole } = parts.whole;
  return (
    <aside class="detail memory-panel" aria-label="What the memory is made of">
      <Chosen />
      <section>
        <h3>By kind</h3>
        <ul>{MEMORY_PARTS.map(({ name, head, meaning }, kind) => parts.kinds[kind].bytes > 0 && <PartRow key={name} name={head} hint={meaning} part={parts.kinds[kind]} whole={whole} />)}</ul>
      </section>
      <section>
        <h3>Mean size of blocks, by place</h3>
        <Sizes sizes={parts.sizes} />
      </section>
      {isAtExit && parts.types.length > 0 && (
        <section>
          <h3>Types of what is left</h3>
          <ul>{parts.types.slice(0, MOST_ROWS).map((part) => <PartRow key={part.name} name={shownName(part.name) || 'not known'} part={part} whole={whole} />)}</ul>
        </section>
      )}
      {parts.threads.length > 0 && threads.length > 1 && (
        <section>
          <h3>By thread</h3>
          <ul>
            {parts.threads.slice(0, MOST_ROWS).map((part) => (
              <PartRow key={part.thread} name={threadName(part.thread)} hint="Select this thread" part={part} whole={whole} onClick={() => select({ threads: [part.thread] })} />
            ))}
          </ul>
        </section>
      )}
    </aside>
  );
}

/** The function that was clicked, with the way to its source. */
function Chosen() {
  const { functions } = catalog();
  const owner = chosen.value;
  if (owner < 0) return null;
  return (
    <section>
      <h3>Chosen</h3>
      <p><bdi>{functions.name[owner]}</bdi> <PlaceLink file={functions.file[owner]} line={functions.line[owner]} function={owner} /></p>
    </section>
  );
}

function PartRow({ name, hint, part, whole, onClick }: { name: string; hint?: string; part: Part; whole: number; onClick?: () => void }) {
  const count = `${formatCount(part.blocks)} blocks · ${formatSamples(part.samples)}`;
  return (
    <li class="part" title={hint ? `${hint}\n${count}` : count}>
      {onClick ? <button type="button" onClick={onClick}><bdi>{name}</bdi></button> : <bdi class="part-name">{name}</bdi>}
      <span class="amount">{formatBytes(part.bytes)}</span>
      <span class="amount faint">{formatShare(part.bytes, whole)}</span>
      <span class="memory-bar" style={{ width: `${whole > 0 ? (100 * part.bytes) / whole : 0}%` }} />
    </li>
  );
}

/** Bars of bytes; sizes in between that nothing has are shown, so that the picture is true. */
function Sizes({ sizes }: { sizes: Part[] }) {
  const first = sizes.findIndex(({ bytes }) => bytes > 0);
  if (first < 0) return <p class="note">nothing</p>;
  const most = sizes.reduce((max, { bytes }) => Math.max(max, bytes), 0);
  return (
    <ol class="sizes">
      {sizes.slice(first).map((part, i) => {
        const power = first + i;
        return (
          <li key={power} title={`${powerOfTwo(power)} to ${powerOfTwo(power + 1)}: ${formatBytes(part.bytes)} in ${formatCount(part.blocks)} blocks · ${formatSamples(part.samples)}`}>
            <span class="faint size-name">{powerOfTwo(power)}</span>
            <span class="size-track"><span class="size-bar" style={{ width: `${(100 * part.bytes) / most}%` }} /></span>
            <span class="amount">{part.bytes > 0 ? formatBytes(part.bytes) : ''}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** "4 KiB": the one place where bytes come in powers of two. */
function powerOfTwo(power: number): string {
  return `${2 ** (power % 10)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'][Math.floor(power / 10)]}`;
}
