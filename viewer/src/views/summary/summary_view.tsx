// SPDX-License-Identifier: Apache-2.0
import { EVERYTHING } from '../../model/selection';
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
  const { name, title, group, declared } = metric.value;
  const suffix = name === EVERYTHING.metric ? '' : ` by ${declared === undefined ? title.toLowerCase() : title}`;
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
        <RankingCard title={`Hottest lines${suffix}`} metric={name} by="line" most={8} always />
        <RankingCard title={`Hottest functions${suffix}`} metric={name} by="function" most={8} always />
      </div>
      <div class="cards">
        <LeaksCard />
        {hasMemory && extra('live_at_peak') && <RankingCard title="Most memory at peak" metric="live_at_peak" by="line" />}
        {hasMemory && extra('allocated') && <RankingCard title="Most allocated" metric="allocated" by="line" />}
        {hasMemory && extra('copied') && <RankingCard title="Copies" metric="copied" by="line" />}
        {group !== 'Memory' && extra('wait') && <RankingCard title="Waits, all threads" metric="wait" by="line" />}
        {extra('gil_wait') && <RankingCard title="Waits for the GIL" metric="gil_wait" by="line" />}
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
