export const SCOPES = ['search', 'lookup', 'usage'] as const;
export type Scope = (typeof SCOPES)[number];
