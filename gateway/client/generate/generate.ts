import openapiTS, { astToString } from 'openapi-typescript';
import { bodySchemasOf, errorCodesOf } from './schemas.ts';

const HEAD = '// Made from the OpenAPI document by `npm run -w @ces/client generate`.\n';

export async function generateTypes(document: object): Promise<string> {
  const options = { immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true };
  const nodes = await openapiTS({ ...bodySchemasOf(document) }, options);
  return `${HEAD}${astToString(nodes)}${errorCodeType(errorCodesOf(document))}`;
}

function errorCodeType(codes: readonly string[]): string {
  const members = codes.map((code) => `\n    | '${code}'`);
  return `/** Codes of errors that the interface documents; values may be added. */\nexport type ErrorCode =${members.join('')};\n`;
}
