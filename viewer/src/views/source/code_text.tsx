// SPDX-License-Identifier: Apache-2.0
import type { ComponentChild } from 'preact';
import { Token, tokenizeLine, TokenState } from '../../text/python_tokens';
import { shownSource } from '../../data/shown';

// A longer line is data, not code; nobody reads it here.
const LONGEST_LINE = 2000;

/** One line of Python in colours, with what is looked for marked. */
export function CodeText({ text, state, wanted }: { text: string; state: TokenState | undefined; wanted: string }) {
  const cut = text.length > LONGEST_LINE ? text.slice(0, LONGEST_LINE) : text;
  const tokens: Token[] = state ? tokenizeLine(cut, state).tokens : [{ kind: 'plain', text: cut }];
  const marks = marksIn(cut, wanted);
  let at = 0;
  return (
    <bdi>
      {tokens.map((token, i) => {
        const begin = at;
        at += token.text.length;
        const content = marks.length === 0 ? shownSource(token.text) : marked(token.text, begin, marks);
        return token.kind === 'plain' ? <span key={i}>{content}</span> : <span key={i} class={`token-${token.kind}`}>{content}</span>;
      })}
      {cut !== text && <span class="faint"> … ({text.length} characters)</span>}
    </bdi>
  );
}

interface Mark {
  begin: number;
  end: number;
}

function marksIn(text: string, wanted: string): Mark[] {
  const marks: Mark[] = [];
  if (wanted === '') return marks;
  const [lower, part] = [text.toLowerCase(), wanted.toLowerCase()];
  // Letters whose lower case is longer would move everything behind them.
  if (lower.length !== text.length) return marks;
  for (let at = lower.indexOf(part); at >= 0; at = lower.indexOf(part, at + part.length)) marks.push({ begin: at, end: at + part.length });
  return marks;
}

/** A token that stands at `begin` of its line, in pieces with and without a mark. */
function marked(text: string, begin: number, marks: readonly Mark[]) {
  const pieces: ComponentChild[] = [];
  let at = 0;
  for (const mark of marks) {
    const [from, to] = [Math.max(at, mark.begin - begin), Math.min(text.length, mark.end - begin)];
    if (from >= to) continue;
    pieces.push(shownSource(text.slice(at, from)), <mark>{shownSource(text.slice(from, to))}</mark>);
    at = to;
  }
  pieces.push(shownSource(text.slice(at)));
  return pieces;
}
