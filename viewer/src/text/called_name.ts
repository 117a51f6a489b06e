// SPDX-License-Identifier: Apache-2.0

/** "similarity()": "<module>" and the like are not called. */
export function calledName(name: string): string {
  return name.endsWith('>') ? name : `${name}()`;
}
