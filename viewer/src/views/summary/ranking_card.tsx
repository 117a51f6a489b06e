// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import type { Charge } from '../../model/places';
import { metricTable, selection, view } from '../../state/app';
import { useQuery } from '../../state/query';
import { formatAmount, formatCount } from '../../text/amount';
import { Card } from './card';
import { PlaceList } from './place_list';

/** The lines or functions with most of a metric; nothing at all when no place has any of it. */
export function RankingCard(props: {
  title: string;
  metric: string;
  by: 'line' | 'function';
  charge?: Charge;
  most?: number;
  /** Says so when there is nothing, instead of not being there. */
  always?: boolean;
  note?: ComponentChildren;
  class?: string;
}) {
  const { most = 5, charge = 'own' } = props;
  const of = { ...selection.value, metric: props.metric };
  const name = `ranking ${props.title}`;
  const asked = { selection: of, by: props.by, most };
  const own = useQuery('ranking', { ...asked, charge }, name).output;
  const isEmpty = own !== null && own.rows.length === 0 && own.total > 0;
  // A program that is library code altogether: its innermost Python frames are all there is to show.
  const other = useQuery('ranking', isEmpty && charge === 'own' ? { ...asked, charge: 'self' } : null, `${name}, all code`).output;
  const ranking = isEmpty ? other : own;
  const places = ranking?.rows.map(({ place }) => place) ?? [];
  const intervals = useQuery(
    'intervals', places.length > 0 ? { selection: of, by: props.by, charge: isEmpty ? 'self' : charge, places } : null, `${name}, intervals`,
  );
  const { unit } = metricTable.value.of(props.metric);
  if (!ranking || ranking.rows.length === 0) {
    if (!props.always) return null;
    return <Card title={props.title} class={props.class}><p class="note">{own ? 'Nothing of this metric in what is selected.' : '…'}</p></Card>;
  }
  const note = props.note ?? (isEmpty ? 'none in your own code: all Python code' : `${formatAmount(ranking.total, unit)} in all`);
  return (
    <Card title={props.title} note={note} class={props.class}>
      <PlaceList ranking={isEmpty ? { ...ranking, elsewhere: 0 } : ranking} unit={unit} most={most} intervals={intervals.pending ? null : intervals.output} />
      {ranking.places > most && props.metric === selection.value.metric && (
        <button type="button" class="link more" onClick={() => { view.value = 'table'; }}>All {formatCount(ranking.places)}</button>
      )}
    </Card>
  );
}
