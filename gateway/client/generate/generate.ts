import openapiTS, { astToString, type SchemaObject } from 'openapi-typescript';

const HEAD = '// Made from the OpenAPI document by `npm run -w @ces/client generate`.\n';

export async function generateTypes(document: object): Promise<string> {
  const { openapi, info, paths, components } = document as Document;
  const bodies = { openapi, info, paths: {}, components: { schemas: components.schemas } };
  const nodes = await openapiTS(bodies, { immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true });
  return `${HEAD}${astToString(nodes)}${errorCodeType(paths)}`;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Paths;
  readonly components: { readonly schemas: Record<string, SchemaObject> };
}

type Paths = Readonly<Record<string, Readonly<Record<string, DocumentedCall>>>>;

interface DocumentedCall {
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
}

interface DocumentedAnswer {
  readonly content?: { readonly 'application/json'?: { readonly examples?: object } };
}

/** Collects the codes from the examples: every code has one under each of its statuses. */
function errorCodeType(paths: Paths): string {
  const answers = Object.values(paths)
    .flatMap((calls) => Object.values(calls))
    .flatMap(({ responses }) => Object.values(responses));
  const codes = new Set(answers.flatMap(({ content }) => Object.keys(content?.['application/json']?.examples ?? {})));
  const members = [...codes].sort().map((code) => `\n    | '${code}'`);
  return `/** Codes of errors that the interface documents; values may be added. */\nexport type ErrorCode =${members.join('')};\n`;
}
