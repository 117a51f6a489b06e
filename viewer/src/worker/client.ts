// SPDX-License-Identifier: Apache-2.0
// The page's side of the worker.
import type { Question, Questions, Request, Response } from './protocol';

/** A question was overtaken by a newer one on its channel: its answer is not wanted any more. */
export const OVERTAKEN = Symbol('overtaken');

interface Waiting {
  request: Request;
  channel: string;
  resolve: (output: never) => void;
  reject: (reason: unknown) => void;
}

/**
 * At most one question of each channel is with the worker, and one more waits for its turn: a
 * newer one takes its place. So a drag with a hundred steps costs as many answers as there is time for.
 */
export class Client {
  private readonly worker: Worker;
  private readonly asked = new Map<number, Waiting>();
  private readonly busy = new Set<string>();
  private readonly next = new Map<string, Waiting>();
  private count = 0;
  onBroken: (why: string) => void = () => {};
  onProgress: (what: string, share: number | null) => void = () => {};

  constructor(code: string) {
    const url = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }));
    this.worker = new Worker(url);
    URL.revokeObjectURL(url);
    this.worker.onmessage = ({ data }: MessageEvent<Response>) => this.receive(data);
    this.worker.onerror = (event) => {
      for (const waiting of this.asked.values()) waiting.reject(new Error(event.message || 'the worker does not start'));
      this.asked.clear();
    };
  }

  ask<Q extends Question>(question: Q, input: Questions[Q]['in'], channel: string): Promise<Questions[Q]['out']> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { request: { id: ++this.count, question, input }, channel, resolve, reject };
      if (!this.busy.has(channel)) return this.send(waiting);
      this.next.get(channel)?.reject(OVERTAKEN);
      this.next.set(channel, waiting);
    });
  }

  private send(waiting: Waiting): void {
    this.busy.add(waiting.channel);
    this.asked.set(waiting.request.id, waiting);
    this.worker.postMessage(waiting.request);
  }

  private receive(response: Response): void {
    if ('progress' in response) return this.onProgress(response.progress, response.share);
    if ('broken' in response) return this.onBroken(response.broken);
    const waiting = this.asked.get(response.id);
    if (!waiting) return;
    this.asked.delete(response.id);
    this.busy.delete(waiting.channel);
    const next = this.next.get(waiting.channel);
    if (next) {
      this.next.delete(waiting.channel);
      this.send(next);
    }
    if ('error' in response) waiting.reject(new Error(response.error));
    else waiting.resolve(response.output as never);
  }
}
