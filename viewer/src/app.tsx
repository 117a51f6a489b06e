// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { catalog, view } from './state/app';
import { useShortcuts } from './state/keys';
import { VIEWS, View } from './views/registry';
import { HelpSheet } from './widgets/help';
import { Tooltip } from './widgets/tooltip';
import { ExportMenu, TopBar } from './widgets/top_bar';

/** Title, tabs, what is selected, and the view. */
export function App() {
  const [help, setHelp] = useState(false);
  const offered = offeredViews();
  const current = offered.find(({ id }) => id === view.value) ?? offered[0];
  useShortcuts('Page', [
    ...offered.map(({ id, title }, i) => ({ keys: [String(i + 1)], title, run: () => { view.value = id; } })),
    { keys: ['?'], title: 'This help', run: () => setHelp(true) },
  ]);
  const Content = current.component;
  return (
    <div class="app">
      <header class="head">
        <h1 title={catalog().title}>
          <span class="brand">pyrometer</span> <bdi>{catalog().title}</bdi>
        </h1>
        <Tabs offered={offered} current={current.id} />
        <div class="head-actions">
          <ExportMenu />
          <button type="button" class="icon" aria-label="Keyboard shortcuts" title="Keyboard shortcuts (?)" onClick={() => setHelp(true)}>
            ?
          </button>
        </div>
      </header>
      <TopBar />
      <main>
        <div id="view" role="tabpanel" aria-labelledby={`tab-${current.id}`}>
          <Content key={current.id} />
        </div>
      </main>
      <Tooltip />
      {help && <HelpSheet onClose={() => setHelp(false)} />}
    </div>
  );
}

export function offeredViews(): View[] {
  return VIEWS.filter(({ isOffered }) => !isOffered || isOffered());
}

function Tabs({ offered, current }: { offered: View[]; current: string }) {
  // On a phone the tabs are wider than the screen.
  useEffect(() => document.getElementById(`tab-${current}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' }), [current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const at = offered.findIndex(({ id }) => id === current);
    const next = offered[(at + step + offered.length) % offered.length];
    view.value = next.id;
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <nav class="tabs" role="tablist" aria-label="Views" onKeyDown={onKeyDown}>
      {offered.map(({ id, title }, i) => (
        <button
          type="button"
          role="tab"
          key={id}
          id={`tab-${id}`}
          aria-selected={id === current}
          aria-controls="view"
          tabIndex={id === current ? 0 : -1}
          title={`${title} (${i + 1})`}
          onClick={() => { view.value = id; }}
        >
          {title}
        </button>
      ))}
    </nav>
  );
}
