import { assetUrl, styleSheets } from './assets.ts';
import { escapeHtml, link } from './html.ts';

export const NAME = 'Company Evidence Search';

const NAVIGATION = [
  ['/', 'Home'],
  ['/explore', 'Explore'],
  ['/docs', 'Docs'],
  ['/docs/reference', 'Reference'],
  ['/sources', 'Sources'],
] as const;

export interface Page {
  readonly title: string;
  readonly description: string;
  readonly section?: (typeof NAVIGATION)[number][0];
  readonly body: string;
  readonly head?: string;
  readonly layout?: 'home' | 'docs' | 'guide';
  readonly ownMain?: boolean;
}

export function shell({ title, description, section, body, head = '', layout, ownMain = false }: Page): string {
  const fullTitle = title === NAME ? NAME : `${title} · ${NAME}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(fullTitle)}</title>
<meta name="description" content="${escapeHtml(description)}">
<link rel="icon" href="${assetUrl('icon.svg')}" type="image/svg+xml">
${styleSheets('theme.css', 'pages.css', 'parts.css')}<script src="${assetUrl('pages.js')}" defer></script>
${head}</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="site">
<a class="brand" href="/"><img src="${assetUrl('icon.svg')}" alt="" width="26" height="26">${NAME}</a>
<nav aria-label="Site"><ul>${NAVIGATION.map((entry) => navigationItem(entry, section)).join('')}</ul></nav>
</header>
${ownMain ? `<section id="main" tabindex="-1">\n${body}\n</section>` : `<main id="main" tabindex="-1"${layout === undefined ? '' : ` class="${layout}"`}>\n${body}\n</main>`}
<footer class="site">
<p>A matching company is not a guarantee of buying intent, and an empty result is not proof of absence.</p>
<p>${link('/docs/contract', 'What you can rely on')} · ${link('/openapi.json', 'OpenAPI')} · ${link('/llms.txt', 'llms.txt')} · ${link('/sources', 'Sources and licences')}</p>
</footer>
</body>
</html>
`;
}

function navigationItem([url, text]: (typeof NAVIGATION)[number], section: string | undefined): string {
  return `<li><a href="${url}"${url === section ? ' aria-current="page"' : ''}>${text}</a></li>`;
}
