// SPDX-License-Identifier: Apache-2.0

/**
 * Nodes of a growing tree, found by (parent, key): an open-addressing hash in typed arrays. A Map
 * with keys of its own would take ten times as long for a million nodes.
 */
export class NodeTable {
  private parent: Int32Array;
  private key: Int32Array;
  private slots: Int32Array;
  private mask: number;
  private count = 1;

  /** `expected`: how many nodes there will be at most, or a first guess. */
  constructor(expected: number) {
    const room = Math.max(16, expected + 1);
    this.parent = new Int32Array(room);
    this.key = new Int32Array(room);
    this.key[0] = -1;
    const size = 2 ** Math.ceil(Math.log2(room * 2));
    // Slots hold node numbers; 0 is free, because the root is never looked up.
    this.slots = new Int32Array(size);
    this.mask = size - 1;
  }

  get nodes(): number {
    return this.count;
  }

  child(parent: number, key: number): number {
    let slot = mix(parent, key) & this.mask;
    for (;;) {
      const node = this.slots[slot];
      if (node === 0) break;
      if (this.parent[node] === parent && this.key[node] === key) return node;
      slot = (slot + 1) & this.mask;
    }
    if (this.count === this.parent.length) {
      this.grow();
      slot = this.free(parent, key);
    }
    const node = this.count++;
    this.parent[node] = parent;
    this.key[node] = key;
    this.slots[slot] = node;
    return node;
  }

  /** The innermost of `node` and its callers that has this key. */
  ancestor(node: number, key: number): number | undefined {
    for (; node !== 0; node = this.parent[node]) if (this.key[node] === key) return node;
    return undefined;
  }

  finish(): { nodes: number; parent: Int32Array; key: Int32Array } {
    return { nodes: this.count, parent: this.parent.slice(0, this.count), key: this.key.slice(0, this.count) };
  }

  private free(parent: number, key: number): number {
    let slot = mix(parent, key) & this.mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & this.mask;
    return slot;
  }

  private grow(): void {
    const enlarge = (old: Int32Array) => {
      const larger = new Int32Array(old.length * 2);
      larger.set(old);
      return larger;
    };
    this.parent = enlarge(this.parent);
    this.key = enlarge(this.key);
    this.slots = new Int32Array(this.slots.length * 2);
    this.mask = this.slots.length - 1;
    for (let node = 1; node < this.count; ++node) this.slots[this.free(this.parent[node], this.key[node])] = node;
  }
}

function mix(parent: number, key: number): number {
  let hash = Math.imul(parent, 0x9e3779b1) ^ Math.imul(key + 1, 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}
