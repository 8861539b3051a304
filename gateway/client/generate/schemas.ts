import type { SchemaObject } from 'openapi-typescript';

export interface BodySchemas {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, never>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaObject>> };
}

interface Document extends Omit<BodySchemas, 'paths'> {
  readonly paths: Paths;
}

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>;

interface DocumentedCall {
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

interface DocumentedAnswer {
  readonly content?: { readonly 'application/json'?: { readonly examples?: object } };
}

export function bodySchemasOf(document: object): BodySchemas {
  const { openapi, info, components } = document as Document;
  return { openapi, info, paths: {}, components: { schemas: components.schemas } };
}

/** Collects the codes from the examples: every code has one under each of its statuses. */
export function errorCodesOf(document: object): readonly string[] {
  const answers = Object.values((document as Document).paths)
    .flatMap((calls) => Object.values(calls))
    .flatMap(({ responses }) => Object.values(responses));
  const codes = new Set(answers.flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {})));
  return [...codes].sort();
}
