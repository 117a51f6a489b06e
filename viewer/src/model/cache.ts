// SPDX-License-Identifier: Apache-2.0

/** The last few results, by the JSON of what they were made of. */
export class Cache<Value> {
  private readonly values = new Map<string, Value>();

  constructor(private readonly most: number) {}

  get(of: unknown, make: () => Value): Value {
    const key = JSON.stringify(of);
    const known = this.values.get(key);
    const value = known ?? make();
    // A Map remembers the order of insertion: the first one is the one not asked for longest.
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.most) this.values.delete(this.values.keys().next().value!);
    return value;
  }
}
