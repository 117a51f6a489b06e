// SPDX-License-Identifier: Apache-2.0
// Losses that are so many that the figures have to be read with care. What a loss means is in its class; its words may be any.
import type { CounterId } from '../../data/schema';
import type { Counter } from '../../model/report';

/** Below this, figures can be trusted as they are. */
const MUCH_LOST = 0.05;
const MEMORY_SAMPLES: CounterId = 'memory_samples';

/** `samples`: how many of time there are. */
export function loudLosses(losses: readonly Counter[], costs: readonly Counter[], samples: number): Counter[] {
  const memorySamples = costs.find(({ id }) => id === MEMORY_SAMPLES)?.value ?? 0;
  const isMuch = (lost: number, of: number) => lost > (of + lost) * MUCH_LOST;
  return losses.filter((loss) => {
    switch (loss.class) {
      case 'lost_samples':
        return isMuch(loss.value, samples);
      case 'lost_memory_samples':
        return isMuch(loss.value, memorySamples);
      case 'lost_threads':
        return loss.value > 0;
      default:
        return false;
    }
  });
}
