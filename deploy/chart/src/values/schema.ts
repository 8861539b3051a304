import { type Schema, schemaOf } from './value.ts';
import { COMPONENTS, VALUES } from './values.ts';

const PROGRAM = '#/$defs/program';

/** The JSON schema of the values; an unknown key is an error. */
export function valuesSchema(): Schema {
  const { defaults, ...rest } = VALUES;
  if (!defaults) throw new Error('the values have no defaults');
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Values of the chart ces',
    type: 'object',
    description: 'Made from deploy/chart/src/values by `npm run chart:generate`.',
    additionalProperties: false,
    properties: {
      ...Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, schemaOf(value)])),
      defaults: { description: defaults.description, $ref: PROGRAM },
      components: {
        type: 'object',
        description: 'What holds for one program.',
        additionalProperties: false,
        properties: Object.fromEntries(
          Object.entries(COMPONENTS).map(([name, { description }]) => [name, { description, $ref: PROGRAM }]),
        ),
      },
    },
    $defs: { program: schemaOf(defaults) },
  };
}
