import { type Leaf, list, type Schema, text } from './value.ts';

const CIDR: Schema = { type: 'string', pattern: '^[0-9a-fA-F.:]+/\\d{1,3}$' };
const SECRET_OF_PROGRAM = { pattern: '^([a-z0-9.-]|\\{program\\})*$' };
export const SCALAR: Schema = { type: ['string', 'number', 'boolean'] };

export function optionalCidr(description: string, preset: string): Leaf {
  return text(description, preset, { pattern: `^$|${CIDR.pattern}` });
}

export function cidrs(description: string, preset: readonly string[] = []): Leaf {
  return list(description, CIDR, preset);
}

export function peers(description: string): Leaf {
  return list(`${description}: peers of a NetworkPolicy.`);
}

/** The name of a Secret; each program's name replaces `{program}`. */
export function secretOfProgram(description: string): Leaf {
  return text(description, '', SECRET_OF_PROGRAM);
}

export function settings(description: string): Leaf {
  return {
    description,
    default: {},
    schema: {
      type: 'object',
      propertyNames: { pattern: '^(CES_[A-Z0-9_]+|NATS_URL|OTEL_EXPORTER_OTLP_ENDPOINT)$' },
      additionalProperties: SCALAR,
    },
  };
}
