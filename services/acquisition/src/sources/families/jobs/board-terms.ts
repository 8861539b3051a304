import type { Source } from '../../../connector/source.ts';

export function boardTerms(homepage: string, board: string) {
  return {
    homepage,
    licence: {
      name: 'Published by the employer for everybody to read; no licence stated',
      uri: homepage,
      attribution: board,
    },
    kinds: ['job_posting', 'technology_use'],
    mode: 'scheduled',
  } as const satisfies Partial<Source>;
}
