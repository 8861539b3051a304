// Guides work without it. It fills in the address and sample key of this service, turns examples in
// several languages into tabs, and searches the guides.

/** Notations of the guides for the address and the API key, by language. */
const ADDRESS = [
  [/\$base_url\b|https:\/\/evidence\.example\b/g, (address) => address],
  [/process\.env\.base_url \?\? ''/g, (address) => `'${address}'`],
  [/os\.environ\["base_url"\]/g, (address) => `"${address}"`],
];
const KEY = [
  [/\$\{process\.env\.api_key\}|\$api_key\b|ces_live_…/g, (key) => key],
  [/process\.env\.api_key \?\? ''/g, (key) => `'${key}'`],
  [/os\.environ\["api_key"\]/g, (key) => `"${key}"`],
];

/** An example that a reader can run as it is. Without a key, its notation stays. */
export function fillIn(text, { address, key }) {
  const withAddress = replaceAll(text, ADDRESS, address);
  return key === undefined ? withAddress : replaceAll(withAddress, KEY, key);
}

function replaceAll(text, notations, value) {
  return notations.reduce((filled, [notation, write]) => filled.replace(notation, () => write(value)), text);
}

const MOST_FOUND = 8;
const SNIPPET = 120;

/** The sections that hold a word for each of the query's, by its beginning; the best first. */
export function findSections(sections, query) {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length === 0) return [];
  return sections
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND)
    .map(({ section }) => ({ ...section, snippet: snippetOf(section.text, words) }));
}

function scoreOf({ guide, heading, text }, words) {
  const scores = words.map((word) => 8 * count(guide, word, 1) + 4 * count(heading, word, 1) + count(text, word, 3));
  return scores.includes(0) ? 0 : scores.reduce((sum, score) => sum + score, 0);
}

/** How often a word of the text begins with `word`, at most `most` times. */
function count(text, word, most) {
  let found = 0;
  for (let at = wordAt(text, word, 0); at >= 0 && found < most; at = wordAt(text, word, at + 1)) found += 1;
  return found;
}

function wordAt(text, word, from) {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(word, from); at >= 0; at = lower.indexOf(word, at + 1))
    if (at === 0 || !/[\p{L}\p{N}]/u.test(lower[at - 1] ?? '')) return at;
  return -1;
}

function snippetOf(text, words) {
  const first = Math.max(0, Math.min(...words.map((word) => Math.max(0, wordAt(text, word, 0)))) - 30);
  const start = first === 0 ? 0 : text.indexOf(' ', first) + 1;
  return `${start > 0 ? '… ' : ''}${text.slice(start, start + SNIPPET).trim()}${text.length > start + SNIPPET ? ' …' : ''}`;
}

const REMEMBERED = 'ces-docs-language';

if (typeof document !== 'undefined') {
  for (const [index, group] of document.querySelectorAll('.examples').entries()) makeTabs(group, index);
  choose(remembered());
  for (const form of document.querySelectorAll('form.docs-search')) makeSearch(form);
  fillPage();
}

async function fillPage() {
  const address = location.origin;
  const note = document.querySelector('.filled-in');
  const examples = [...document.querySelectorAll('figure.code:not(.output) code')];
  if (!note || examples.length === 0) return;
  const credentials = note.dataset.sampleKeys === undefined ? {} : await readSampleKeys();
  const key = credentials.builder;
  for (const code of examples) code.textContent = fillIn(code.textContent, { address, key });
  note.textContent =
    key === undefined
      ? `The examples have the address of this service. Set api_key to your API key.`
      : `The examples have the address of this service and its sample key, so they run as they are.`;
  note.hidden = false;
}

async function readSampleKeys() {
  const response = await fetch('/explore/sample-keys.json').catch(() => undefined);
  return response?.ok ? ((await response.json()).credentials ?? {}) : {};
}

/**
 * Tabs by the ARIA Authoring Practices: arrow keys move, and only the chosen tab takes focus. A
 * figure may not be a tab panel, so each gets one around it.
 */
function makeTabs(group, index) {
  const figures = [...group.querySelectorAll('figure')];
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  for (const [at, figure] of figures.entries()) {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.setAttribute('role', 'tab');
    tab.id = `tab-${index}-${at}`;
    tab.textContent = figure.querySelector('figcaption')?.textContent ?? '';
    tab.dataset.language = figure.dataset.language;
    const panel = document.createElement('div');
    panel.id = `example-${index}-${at}`;
    panel.dataset.language = figure.dataset.language;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    figure.replaceWith(panel);
    panel.append(figure);
    tab.setAttribute('aria-controls', panel.id);
    tab.addEventListener('click', () => choose(tab.dataset.language));
    list.append(tab);
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const tabs = [...list.children];
    const next = tabs.at((tabs.indexOf(document.activeElement) + step) % tabs.length);
    choose(next.dataset.language);
    next.focus();
    event.preventDefault();
  });
  group.prepend(list);
}

/** All examples of the page change together. */
function choose(language) {
  for (const group of document.querySelectorAll('.examples')) {
    const panels = [...group.querySelectorAll('[role="tabpanel"]')];
    const shown = panels.find((panel) => panel.dataset.language === language) ?? panels[0];
    for (const panel of panels) panel.hidden = panel !== shown;
    for (const tab of group.querySelectorAll('[role="tab"]')) {
      const isShown = tab.dataset.language === shown.dataset.language;
      tab.setAttribute('aria-selected', String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
  }
  remember(language);
}

function remembered() {
  try {
    return localStorage.getItem(REMEMBERED) ?? 'sh';
  } catch {
    return 'sh';
  }
}

/** Browsers that store nothing refuse. */
function remember(language) {
  try {
    localStorage.setItem(REMEMBERED, language);
  } catch {}
}

function makeSearch(form) {
  const [input, results] = [form.querySelector('input'), form.querySelector('ul')];
  let sections;
  const show = async () => {
    sections ??= fetch('/docs/search.json').then((response) => response.json());
    const query = input.value;
    const found = findSections(await sections, query);
    if (query !== input.value) return;
    results.replaceChildren(...found.map(itemOf));
    if (found.length === 0 && query.trim() !== '') results.replaceChildren(emptyItem());
  };
  input.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    results.querySelector('a')?.click();
  });
  form.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return;
    input.value = '';
    results.replaceChildren();
    input.focus();
  });
  form.hidden = false;
}

function itemOf({ url, guide, heading, snippet }) {
  const [item, link, title, text] = ['li', 'a', 'strong', 'span'].map((name) => document.createElement(name));
  link.href = url;
  title.textContent = heading === guide ? guide : `${guide}: ${heading}`;
  text.textContent = snippet;
  link.append(title, text);
  item.append(link);
  return item;
}

function emptyItem() {
  const item = document.createElement('li');
  item.textContent = 'No guide has these words.';
  return item;
}
