// SPDX-License-Identifier: Apache-2.0
import { catalog, metric, selection } from '../../state/app';
import { GilCard, LoopBlocksCard, RegionsCard } from './concurrency_cards';
import { LeaksCard } from './leaks_card';
import { MemoryCard } from './memory_card';
import { ImportsCard, ProcessesCard, RanksCard } from './process_cards';
import { RankingCard } from './ranking_card';
import { LoudLosses, Notes, RunFacts } from './run_facts';
import { TimeCard } from './time_card';
import { Verdicts } from './verdicts';

/** The first screen: what the run is bound by, and where to look. */
export function SummaryView() {
  const { hasMemory, hasAwaits } = catalog();
  const { id, title, unit } = metric.value;
  const suffix = id === 'time' ? '' : ` by ${title.toLowerCase()}`;
  const extra = (other: string) => other !== selection.value.metric;
  return (
    <div class="summary" role="region" tabIndex={0} aria-label="Summary">
      <LoudLosses />
      <Verdicts />
      <Notes />
      <div class="cards pair">
        <TimeCard />
        <MemoryCard />
      </div>
      <div class="cards pair">
        <RankingCard title={`Hottest lines${suffix}`} metric={id} by="line" most={8} always />
        <RankingCard title={`Hottest functions${suffix}`} metric={id} by="function" most={8} always />
      </div>
      <div class="cards">
        <LeaksCard />
        {hasMemory && extra('peak') && <RankingCard title="Most memory at the peak" metric="peak" by="line" />}
        {hasMemory && extra('allocated') && <RankingCard title="Most allocated" metric="allocated" by="line" />}
        {hasMemory && extra('copied') && <RankingCard title="Copies" metric="copied" by="line" />}
        {unit === 'time' && extra('waits') && <RankingCard title="Waits, all threads" metric="waits" by="line" />}
        {extra('gil') && <RankingCard title="Waits for the GIL" metric="gil" by="line" />}
        <GilCard />
        <LoopBlocksCard />
        {hasAwaits && extra('await') && <RankingCard title="Tasks wait at" metric="await" by="line" note="time of tasks, not of threads" />}
        <ProcessesCard />
        <RanksCard />
        <RegionsCard />
        <ImportsCard />
      </div>
      <RunFacts />
    </div>
  );
}
