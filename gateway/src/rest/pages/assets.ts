import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { etagOf, sendTagged } from './send-page.ts';

const FOLDER = new URL('../../../assets/', import.meta.url);
const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';
const TYPES = {
  'theme.css': CSS,
  'pages.css': CSS,
  'parts.css': CSS,
  'home.css': CSS,
  'answer.css': CSS,
  'guide.css': CSS,
  'sources.css': CSS,
  'reference.css': CSS,
  'docs.js': SCRIPT,
  'pages.js': SCRIPT,
  'reference-settings.js': SCRIPT,
  'icon.svg': 'image/svg+xml',
} as const;

/** The URL contains a digest of the content. */
export const IMMUTABLE_CACHE = 'public, max-age=31536000, immutable';

type AssetName = keyof typeof TYPES;

interface Asset {
  readonly url: string;
  readonly bytes: Buffer;
}

const ASSETS = Object.fromEntries(Object.keys(TYPES).map((name) => [name, readAsset(name)])) as Record<
  AssetName,
  Asset
>;

export function assetUrl(name: AssetName): string {
  return ASSETS[name].url;
}

export function styleSheets(...names: readonly AssetName[]): string {
  return names.map((name) => `<link rel="stylesheet" href="${assetUrl(name)}">\n`).join('');
}

/** `name.css` becomes `/assets/name.<digest>.css`. */
export function hashedUrl(name: string, content: Buffer | string): string {
  return `/assets/${name.replace(/(?=\.\w+$)/, `.${etagOf(content).slice(1, -1)}`)}`;
}

export function registerAssets(app: FastifyInstance): void {
  for (const [name, { url, bytes }] of Object.entries(ASSETS)) {
    const tagged = { etag: etagOf(bytes), cacheControl: IMMUTABLE_CACHE, bytes };
    app.get(url, { exposeHeadRoute: true }, (request, reply) =>
      sendTagged(request, reply.type(TYPES[name as AssetName]), tagged),
    );
  }
}

function readAsset(name: string): Asset {
  const bytes = readFileSync(new URL(name, FOLDER));
  return { url: hashedUrl(name, bytes), bytes };
}
