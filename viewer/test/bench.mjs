// SPDX-License-Identifier: Apache-2.0
// What the steps of the model cost at full size: node test/bench.mjs [samples stacks]
import { bundled } from './bundled.mjs';

await bundled('bench', "import './test/bench_model';");
