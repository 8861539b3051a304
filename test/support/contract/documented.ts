import { expect } from 'vitest';
import type { Answer } from '../subscriber.ts';

interface DocumentedAnswer {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content: { readonly 'application/json': { readonly examples?: Readonly<Record<string, unknown>> } };
}

export interface Document {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, { readonly responses: Readonly<Record<string, DocumentedAnswer>> }>>>
  >;
  readonly components: { readonly headers: Readonly<Record<string, unknown>> };
}

export async function readDocument(baseUrl: string): Promise<Document> {
  return (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Document;
}

/**
 * Expects that the document lists status, error code and headers of the answer for this operation.
 */
export function expectDocumented(document: Document, method: string, path: string, answer: Answer): void {
  const shown = `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`;
  const documented = document.paths[path]?.[method.toLowerCase()]?.responses[answer.status];
  expect(documented, shown).toBeDefined();
  if (answer.status >= 400)
    expect(Object.keys(documented?.content['application/json'].examples ?? {}), shown).toContain(
      answer.body.error.code,
    );
  const named = Object.keys(documented?.headers ?? {});
  const undocumented = Object.keys(document.components.headers).filter(
    (name) => answer.headers.has(name) && !named.includes(name),
  );
  expect(undocumented, shown).toEqual([]);
}
