import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { appendListHeader } from '../../http/answer-headers.ts';

/** Nothing inline, no requests by scripts. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** They read the search index and sample keys of this origin. */
export const DOCS_POLICY = PAGE_POLICY.replace("img-src 'self';", "img-src 'self'; connect-src 'self';");

const HTML = 'text/html; charset=utf-8';
const FOR_A_WHILE = 'public, max-age=300';

export interface Content {
  readonly type: string;
  /** A function is called at the first request: the process starts sooner. */
  readonly text: string | (() => string);
  readonly policy?: string;
}

export function serveDocsPage(app: FastifyInstance, url: string, html: Content['text']): void {
  serveContent(app, url, { type: HTML, text: html, policy: DOCS_POLICY });
}

export function serveContent(app: FastifyInstance, url: string, content: Content): void {
  const send = contentSender(content);
  app.get(url, { exposeHeadRoute: true }, send);
}

export function sendPageOrJson(
  request: FastifyRequest,
  reply: FastifyReply,
  json: object,
  page: () => string,
  policy = PAGE_POLICY,
): FastifyReply {
  appendListHeader(reply, 'vary', 'Accept');
  if (wantsPage(request)) return contentSender({ type: HTML, text: page(), policy })(request, reply);
  return reply.header('cache-control', FOR_A_WHILE).send(json);
}

export function wantsPage({ headers }: FastifyRequest): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}

export function asPage(reply: FastifyReply): void {
  reply.type(HTML).header('content-security-policy', PAGE_POLICY);
}

interface Tagged {
  readonly etag: string;
  readonly cacheControl: string;
  readonly bytes: Buffer | string;
}

export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, cacheControl, bytes }: Tagged,
): FastifyReply {
  reply.headers({ etag, 'cache-control': cacheControl });
  const known = request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
  return known ? reply.status(304).removeHeader('content-type').send() : reply.send(bytes);
}

export function etagOf(content: Buffer | string): string {
  return `"${hash('sha256', content).slice(0, 16)}"`;
}

function contentSender({
  type,
  text,
  policy,
}: Content): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  let tagged: Tagged | undefined;
  return (request, reply) => {
    tagged ??= tag(typeof text === 'string' ? text : text());
    if (policy !== undefined) reply.header('content-security-policy', policy);
    return sendTagged(request, reply.type(type), tagged);
  };
}

function tag(text: string): Tagged {
  return { etag: etagOf(text), cacheControl: FOR_A_WHILE, bytes: text };
}
