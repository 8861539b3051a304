import { Ajv2020, type AnySchema, type ValidateFunction } from 'ajv/dist/2020.js';
import { ErrorBody } from '../schema/error.ts';
import { Pending } from '../schema/operation.ts';
import type { Route } from './route.ts';

const ajv = new Ajv2020({ strict: true, allErrors: true, strictNumbers: true });
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
const compiled = new WeakMap<object, ValidateFunction>();

/** For tests. Throws when an answer does not match the route's schema. */
export function checkAnswer(route: Route, status: number, body: string): void {
  const schema = status === 200 ? route.endpoint.result.schema : status === 202 ? Pending : ErrorBody;
  const matches = compiled.get(schema) ?? compile(schema);
  if (!matches(JSON.parse(body)))
    throw new Error(`${route.method} ${route.url} ${status} ${ajv.errorsText(matches.errors)} in ${body}`);
}

function compile(schema: AnySchema & object): ValidateFunction {
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}
