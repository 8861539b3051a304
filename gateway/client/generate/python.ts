import { bodySchemasOf, errorCodesOf } from './schemas.ts';

export function pythonDocument(document: object): string {
  const { components, ...head } = bodySchemasOf(document);
  const description = 'Codes of errors that the interface documents; values may be added.';
  const ErrorCode = { type: 'string', description, enum: errorCodesOf(document) };
  return JSON.stringify({ ...head, components: { schemas: { ...components.schemas, ErrorCode } } });
}
