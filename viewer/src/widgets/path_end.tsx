// SPDX-License-Identifier: Apache-2.0

/** A path of which, where room is short, the beginning is cut off: its end says more. */
export function PathEnd({ text }: { text: string }) {
  return <span class="path-end"><bdi dir="ltr">{text}</bdi></span>;
}
