import type { FastifyReply, FastifyRequest } from 'fastify';
import { appendListHeader } from '../../http/answer-headers.ts';

/** Answers with JSON, or with a page when a browser asks. */
export function sendPage(request: FastifyRequest, reply: FastifyReply, json: object, page: () => string): FastifyReply {
  appendListHeader(reply, 'vary', 'Accept');
  reply.header('cache-control', 'public, max-age=300');
  const wantsPage = /\btext\/html\b/.test(request.headers.accept ?? '');
  return wantsPage ? reply.type('text/html; charset=utf-8').send(page()) : reply.send(json);
}

export function htmlPage(title: string, body: string): string {
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body><h1>${escapeHtml(title)}</h1>${body}</body></html>\n`;
}

export function link(url: string, text: string): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
