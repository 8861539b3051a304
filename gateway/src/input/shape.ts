import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import type { Static, TSchema } from 'typebox';
import { InvalidInput } from '../output/public-error.ts';

/** No coercion, no removal, no defaults. Formats are meaning, which operations judges for every surface alike. */
const ajv = new Ajv2020({
  strict: true,
  allErrors: true,
  coerceTypes: false,
  removeAdditional: false,
  useDefaults: false,
  validateFormats: false,
});

/** Mistakes that one message names. */
const MAX_NAMED = 5;

export type ShapeCheck<T> = (value: unknown) => T;

/** A function that returns its argument as what the schema says, or throws InvalidInput that names what is wrong. */
export function shapeCheck<S extends TSchema>(schema: S, subject = 'The body'): ShapeCheck<Static<S>> {
  const matches = ajv.compile<Static<S>>(schema);
  return (value) => {
    if (matches(value)) return value;
    throw new InvalidInput(describe(matches.errors ?? [], subject));
  };
}

function describe(errors: readonly ErrorObject[], subject: string): string {
  const mistakes = [...new Set(errors.map((error) => describeOne(error, subject)))];
  const more = mistakes.length > MAX_NAMED ? ` and ${mistakes.length - MAX_NAMED} more` : '';
  return `${mistakes.slice(0, MAX_NAMED).join('; ')}${more}.`;
}

function describeOne(error: ErrorObject, subject: string): string {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const at = path === '' ? subject : `\`${path}\``;
  const member = (name: unknown) => `\`${[path, String(name).slice(0, 100)].filter(Boolean).join('.')}\``;
  switch (error.keyword) {
    case 'required':
      return `${member(error.params.missingProperty)} is required`;
    case 'additionalProperties':
      return `${member(error.params.additionalProperty)} is not a known field`;
    case 'enum':
      return `${at} must be one of ${error.params.allowedValues.join(', ')}`;
    default:
      return `${at} ${error.message}`;
  }
}
