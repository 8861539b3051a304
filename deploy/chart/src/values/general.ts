import { group, list, oneOf, text, type Value } from './value.ts';

export const GENERAL = {
  global: group('Set by Helm for parent charts.', {}, { open: true }),
  image: group('The one image of all programs.', {
    repository: text('Where it is.', 'company-evidence-search', { minLength: 1 }),
    tag: text('Its tag; default the appVersion of the chart.'),
    digest: text('Its digest (sha256:…); goes before the tag.', '', { pattern: '^(sha256:[0-9a-f]{64})?$' }),
    pullPolicy: oneOf('When it is pulled.', ['Always', 'IfNotPresent', 'Never'], 'IfNotPresent'),
    pullSecrets: list('Secrets of the registry.', {
      type: 'object',
      description: 'A reference.',
      additionalProperties: false,
      properties: { name: { type: 'string', description: 'Name of the Secret.' } },
    }),
  }),
} satisfies Record<string, Value>;
