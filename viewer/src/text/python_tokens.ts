// SPDX-License-Identifier: Apache-2.0
// Enough of Python's grammar to colour its source, line by line.

export type TokenKind = 'plain' | 'comment' | 'string' | 'keyword' | 'number' | 'definition' | 'decorator';

export interface Token {
  kind: TokenKind;
  text: string;
}

/** A string or, inside an f-string, an expression that is open at some point. */
interface OpenString {
  quote: string;
  isFormat: boolean;
}
interface OpenExpression {
  /** Brackets that are open inside it. */
  depth: number;
  /** After the colon: text, in which there may be further expressions. */
  inFormat: boolean;
}
type Open = OpenString | OpenExpression;

/** What is open at the end of a line, outermost first. Never changed: lines share it. */
export type TokenState = readonly Open[];

export const START: TokenState = [];

const KEYWORDS = new Set(
  ('False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield').split(' '),
);

const WORD = /[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Mc}\p{Nd}\p{Pc}]*/uy;
const NUMBER = /(?:0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)[jJ]?/y;
const STRING_START = /([a-zA-Z]{0,3})("""|'''|"|')/y;
const SOFT_KEYWORD = /^\s*(match|case|type)\s+[^=\s.,):]/;

/** Whether a word that may also be a name begins a statement. */
function isStatement(word: string, line: string): boolean {
  const found = SOFT_KEYWORD.exec(line);
  return found !== null && found[1] === word && (word === 'type' || /:\s*(?:#.*)?$/.test(line));
}

export function tokenizeLine(line: string, state: TokenState): { tokens: Token[]; state: TokenState } {
  const lexer = new LineLexer(line, state);
  return { tokens: lexer.run(), state: lexer.open };
}

/** The state at the start of every line, so that any line can be coloured by itself later. */
export function lineStates(lines: readonly string[]): TokenState[] {
  let state = START;
  return lines.map((line) => {
    const before = state;
    state = tokenizeLine(line, state).state;
    return before;
  });
}

class LineLexer {
  open: Open[];
  private at = 0;
  private readonly tokens: Token[] = [];
  private defines = false;
  /** Only white space so far. */
  private atStart = true;

  constructor(private readonly line: string, state: TokenState) {
    this.open = state.map((one) => ({ ...one }));
  }

  run(): Token[] {
    while (this.at < this.line.length) {
      const inner = this.open[this.open.length - 1];
      if (inner && 'quote' in inner) this.string(inner);
      else if (inner && inner.inFormat) this.format(inner);
      else this.code(inner ?? null);
    }
    this.endLine();
    return this.tokens;
  }

  /** A string in single quotes ends with its line, unless a backslash or an open expression continues it. */
  private endLine(): void {
    const inner = this.open[this.open.length - 1];
    if (!inner || !('quote' in inner) || inner.quote.length === 3) return;
    if (!/(?:^|[^\\])(?:\\\\)*\\$/.test(this.line)) this.open.pop();
  }

  private push(kind: TokenKind, text: string): void {
    if (text === '') return;
    this.atStart &&= kind === 'plain' && /^\s+$/.test(text);
    const last = this.tokens[this.tokens.length - 1];
    if (last && last.kind === kind) last.text += text;
    else this.tokens.push({ kind, text });
    this.at += text.length;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    return pattern.exec(this.line);
  }

  private string(inner: OpenString): void {
    let end = this.at;
    while (end < this.line.length) {
      const sign = this.line[end];
      if (sign === '\\') end += 2;
      else if (this.line.startsWith(inner.quote, end)) {
        this.push('string', this.line.slice(this.at, end + inner.quote.length));
        this.open.pop();
        return;
      } else if (inner.isFormat && sign === '{') {
        if (this.line[end + 1] === '{') end += 2;
        else {
          this.push('string', this.line.slice(this.at, end + 1));
          this.open.push({ depth: 0, inFormat: false });
          return;
        }
      } else ++end;
    }
    this.push('string', this.line.slice(this.at));
  }

  /** After the colon of an expression in an f-string. */
  private format(inner: OpenExpression): void {
    let end = this.at;
    while (end < this.line.length && this.line[end] !== '{' && this.line[end] !== '}') ++end;
    this.push('string', this.line.slice(this.at, Math.min(this.line.length, end + 1)));
    if (end >= this.line.length) return;
    if (this.line[end] === '{') this.open.push({ depth: 0, inFormat: false });
    else this.open.splice(this.open.indexOf(inner));
  }

  private code(inner: OpenExpression | null): void {
    const sign = this.line[this.at];
    if (sign === '#') return this.push('comment', this.line.slice(this.at));
    if (/\s/.test(sign)) return this.push('plain', /^\s+/.exec(this.line.slice(this.at))![0]);
    const string = this.match(STRING_START);
    if (string && /^(?:|[rRbBuUfFtT]|[rR][bBfFtT]|[bBfFtT][rR])$/.test(string[1])) {
      this.push('string', string[0]);
      this.open.push({ quote: string[2], isFormat: /[ft]/i.test(string[1]) });
      return;
    }
    const word = this.match(WORD);
    if (word) return this.word(word[0]);
    if (/[\d.]/.test(sign)) {
      const number = this.match(NUMBER);
      if (number && number[0] !== '.' && number[0] !== '') return this.push('number', number[0]);
    }
    if (sign === '@' && this.atStart && this.open.length === 0) {
      return this.push('decorator', /^@[\w.\s]*/.exec(this.line.slice(this.at))![0]);
    }
    if (inner && this.closes(inner, sign)) return;
    this.push('plain', String.fromCodePoint(this.line.codePointAt(this.at)!));
  }

  private word(text: string): void {
    const isDefinition = this.defines;
    this.defines = text === 'def' || text === 'class';
    const isKeyword = KEYWORDS.has(text) || (this.atStart && this.open.length === 0 && isStatement(text, this.line));
    this.push(isDefinition ? 'definition' : isKeyword ? 'keyword' : 'plain', text);
  }

  /** Whether the sign ends the expression, or the part of it before its format. */
  private closes(inner: OpenExpression, sign: string): boolean {
    if ('([{'.includes(sign)) ++inner.depth;
    else if (inner.depth > 0 && ')]}'.includes(sign)) --inner.depth;
    else if (sign === '}') {
      this.push('string', sign);
      this.open.splice(this.open.indexOf(inner));
      return true;
    } else if (inner.depth === 0 && sign === ':') {
      this.push('string', sign);
      inner.inFormat = true;
      return true;
    }
    return false;
  }
}
