export interface Row {
  readonly client: string;
  readonly check: string;
  readonly outcome: 'ok' | 'failed' | 'not run';
  readonly seen: string;
}

export type Say = (row: Row) => void;

export async function makeCheck(say: Say, client: string, check: string, see: () => Promise<string>): Promise<void> {
  try {
    say({ client, check, outcome: 'ok', seen: await see() });
  } catch (error) {
    say({ client, check, outcome: 'failed', seen: error instanceof Error ? error.message : String(error) });
  }
}

export function rowText({ client, check, outcome, seen }: Row): string {
  return `${client.padEnd(8)} ${outcome.padEnd(7)} ${check}: ${seen.replaceAll(/\s+/g, ' ').slice(0, LONGEST)}`;
}

const LONGEST = 400;
