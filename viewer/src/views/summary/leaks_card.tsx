// SPDX-License-Identifier: Apache-2.0
import { leaksOf, ReportPlace } from '../../model/report';
import { catalog } from '../../state/app';
import { fileOfPath } from '../../state/source_place';
import { formatBytes } from '../../text/amount';
import { calledName } from '../../text/called_name';
import { PlaceLink } from '../../widgets/place_link';
import { Card } from './card';

/** Memory that keeps growing. */
export function LeaksCard() {
  const of = catalog();
  const leaks = leaksOf(of.meta);
  if (leaks.length === 0) return null;
  const link = (place: ReportPlace) => (
    <><bdi class="code">{calledName(place.function)}</bdi> <PlaceLink file={fileOfPath(of, place.path)} path={place.path} line={place.line} /></>
  );
  return (
    <Card title="Memory that keeps growing" ofWholeRun class="leaks">
      <ul>
        {leaks.slice(0, 5).map((leak, i) => (
          <li key={i}>
            <div>
              <strong>{formatBytes(leak.rate)}/s</strong>{' '}
              <span class="faint">({formatBytes(leak.low)} to {formatBytes(leak.high)}/s, {probability(leak.probability)} sure)</span>{' '}
              {link(leak.place)}
            </div>
            <div class="faint">
              {formatBytes(leak.live)} live at the end, {leak.survivalPercent.toFixed(0)} % of what it allocates stays
              {leak.types.length > 0 && <>; <bdi>{leak.types.slice(0, 3).map(({ name, bytes }) => `${name} ${formatBytes(bytes)}`).join(', ')}</bdi></>}
            </div>
            {leak.stack.length > 1 && (
              <details>
                <summary>Stack</summary>
                <ol class="stack">{leak.stack.map((place, at) => <li key={at}>{link(place)}</li>)}</ol>
              </details>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Never "100 %": growth by accident is always possible. */
function probability(value: number): string {
  return `${Math.min(99.9, Math.floor(value * 1000) / 10)} %`;
}
