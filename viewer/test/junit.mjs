// SPDX-License-Identifier: Apache-2.0
// A reporter for node's test runner: JUnit, which node itself writes only from version 21 on.
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text) =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character]).replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd]/g, '\ufffd');

function outcome(event) {
  const { details, skip } = event.data;
  if (skip !== undefined) return `<skipped message="${escaped(String(skip))}"/>`;
  if (event.type === 'test:pass') return '';
  const error = details.error?.cause ?? details.error;
  return `<failure>${escaped(String(error?.stack ?? error))}</failure>`;
}

/** One line for each test; what has tests inside is no test itself, but can fail by itself. */
export default async function* junit(source) {
  yield '<testsuites><testsuite name="viewer">\n';
  for await (const event of source) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { name, details } = event.data;
    const holdsOthers = details.type === 'suite' || /\.mjs$/.test(name);
    if (holdsOthers && (event.type === 'test:pass' || details.error?.failureType === 'subtestsFailed')) continue;
    const seconds = ((details.duration_ms ?? 0) / 1000).toFixed(3);
    yield `<testcase name="${escaped(name)}" time="${seconds}">${outcome(event)}</testcase>\n`;
  }
  yield '</testsuite></testsuites>\n';
}
