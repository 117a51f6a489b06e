// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineStates, START, tokenizeLine } from './python_tokens';

/** "k:def d:f": what is not plain, by the first letter of its kind. */
function marked(line: string, state = START): string {
  return tokenizeLine(line, state).tokens
    .filter(({ kind }) => kind !== 'plain')
    .map(({ kind, text }) => `${kind === 'definition' ? 'name' : kind[0]}:${text}`)
    .join(' ');
}

function markedLines(text: string): string[] {
  const lines = text.split('\n');
  return lineStates(lines).map((state, i) => marked(lines[i], state));
}

test('keywords, names of functions, numbers, comments, decorators', () => {
  assert.equal(marked('def größe(x): return x is not None  # why'), 'k:def name:größe k:return k:is k:not k:None c:# why');
  assert.equal(marked('x = 0xFF + 1_000.5e-3j + .5 - a1.real'), 'n:0xFF n:1_000.5e-3j n:.5');
  assert.equal(marked('    @cache.method(key)'), 'd:@cache.method');
  assert.equal(marked('a @ b'), '');
  assert.equal(marked('classes = define'), '');
});

test('match and case only where they are statements', () => {
  assert.equal(marked('match point:'), 'k:match');
  assert.equal(marked('    case [x, y]:'), 'k:case');
  assert.equal(marked('match = case.type'), '');
});

test('strings with escapes, prefixes and quotes of the other sort', () => {
  assert.equal(marked(String.raw`a = "x\"y" + rb'\'' + 'it"s'`), String.raw`s:"x\"y" s:rb'\'' s:'it"s'`);
  assert.equal(marked('xyz"not a prefix"'), 's:"not a prefix"');
  assert.equal(marked('"# no comment" # comment'), 's:"# no comment" c:# comment');
});

test('strings over several lines', () => {
  assert.deepEqual(markedLines('x = """a\n# b " \'\'\'\nc"""; pass'), ['s:"""a', 's:# b " \'\'\'', 's:c""" k:pass']);
  assert.deepEqual(markedLines("x = 'a\\\nb'; pass"), ["s:'a\\", "s:b' k:pass"]);
  assert.deepEqual(markedLines("x = 'never closed\npass"), ["s:'never closed", 'k:pass']);
  assert.deepEqual(markedLines("x = 'even\\\\\npass"), ["s:'even\\\\", 'k:pass']);
});

test('expressions inside f-strings are code again', () => {
  assert.equal(marked('f"a {x if y else 3:>{w}.2f} b {{no}} {d[\'k\']}"'), 's:f"a { k:if k:else n:3 s::>{ s:}.2f} b {{no}} { s:\'k\' s:}"');
  assert.equal(marked('f"{f"{1}" + "2"}"'), 's:f"{f"{ n:1 s:}" s:"2"}"');
  assert.deepEqual(markedLines('f"""{\n  a if b else 1\n} tail"""; pass'), ['s:f"""{', 'k:if k:else n:1', 's:} tail""" k:pass']);
});

test('every character comes out again, whatever the text', () => {
  const pieces = ['"', "'", '"""', "'''", 'f"', '{', '}', ':', '\\', '#', '(', ')', 'def ', 'é', '😀', ' ', '\t', '0x', '.', '\u0000', 'rb'];
  let seed = 7;
  const random = () => (seed = (Math.imul(seed, 1103515245) + 12345) >>> 0) / 2 ** 32;
  let state = START;
  for (let i = 0; i < 3000; ++i) {
    const line = Array.from({ length: Math.floor(random() * 14) }, () => pieces[Math.floor(random() * pieces.length)]).join('');
    const result = tokenizeLine(line, state);
    assert.equal(result.tokens.map(({ text }) => text).join(''), line);
    state = result.state.length > 40 ? START : result.state;
  }
});
