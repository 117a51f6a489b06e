// SPDX-License-Identifier: Apache-2.0
// Names come from the profiled program, and so from anybody. They are shown as text, and nothing in
// them may move, hide or reorder what stands around them.

export const LONGEST_NAME = 400;

// Control and format characters (bidirectional controls, zero-width ones, tags), separators of lines,
// what is no character at all, and letters that look like nothing.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}\u034f\u115f\u1160\u3164\uffa0]/gu;

/** The name with everything invisible written out, not longer than a screen can take. */
export function shownName(name: string, longest = LONGEST_NAME): string {
  // Cut first: the rest of a name of megabytes is not worth a look. Never between two halves of a character.
  let cut = name;
  if (name.length > longest) {
    const half = name.charCodeAt(longest - 1);
    cut = name.slice(0, half >= 0xd800 && half < 0xdc00 ? longest - 1 : longest);
  }
  const shown = cut.replace(HIDDEN, writtenOut);
  return cut === name ? shown : `${shown}… (${name.length} characters)`;
}

/** Lines of source keep their tabs; everything else invisible is written out. */
export function shownSource(line: string): string {
  return line.replace(HIDDEN, (character) => (character === '\t' ? character : writtenOut(character)));
}

function writtenOut(character: string): string {
  const code = character.codePointAt(0)!;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
