interface Found {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  /** The page that contains the link. */
  readonly from: string;
  readonly links: readonly string[];
}

export type Crawled = ReadonlyMap<string, Found>;

export async function crawl(origin: string, start: string): Promise<Crawled> {
  const found = new Map<string, Found>();
  const waiting = [{ path: start, from: start }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { path, from } = next;
    if (found.has(path)) continue;
    const response = await fetch(origin + path, { headers: { accept: 'text/html,*/*' } });
    const type = response.headers.get('content-type') ?? '';
    const text = await response.text();
    const links = type.startsWith('text/html') ? linksOf(text, path) : [];
    found.set(path, { status: response.status, type, text, from, links });
    for (const link of links) waiting.push({ path: link.replace(/#.*$/, ''), from: path });
  }
  return found;
}

export function attributesOf(html: string, name: string): readonly string[] {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value ?? '');
}

function linksOf(html: string, path: string): readonly string[] {
  return [...attributesOf(html, 'href'), ...attributesOf(html, 'src')]
    .map((link) => (link.startsWith('#') ? path + link : link))
    .filter((link) => link.startsWith('/'));
}

const VOID = new Set(['meta', 'link', 'img', 'br', 'hr', 'input']);

/** Finds elements closed out of order, headings that skip a level, and duplicate ids. */
export function faultsOf(html: string): readonly string[] {
  const open: string[] = [];
  const faults: string[] = [];
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)\b[^>]*>/g)) {
    if (VOID.has(name)) continue;
    if (!end) open.push(name);
    else if (open.pop() !== name) faults.push(`</${name}> closes another element`);
  }
  if (open.length > 0) faults.push(`${open.join(', ')} stay open`);
  const levels = [...html.matchAll(/<h([1-6])\b/g)].map(([, level]) => Number(level));
  for (const [index, level] of levels.entries())
    if (level > (levels[index - 1] ?? 0) + 1) faults.push(`heading ${index + 1} skips a level`);
  const ids = attributesOf(html, 'id');
  return [...faults, ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id ${id} stands twice`)];
}
