export interface SlowStatement {
  readonly database: string;
  readonly text: string;
  readonly times: number;
  readonly mostMs: number;
  readonly totalMs: number;
}

export const LOG_SLOW_STATEMENTS = { log_min_duration_statement: '200ms', log_line_prefix: '%m %d ' };

const MOST = 10;
const SHOWN_CHARACTERS = 100;
const ENTRY = /^\d{4}-\d\d-\d\d \S+ \S+ (?<database>\S+) LOG: {2}duration: (?<ms>[\d.]+) ms {2}[^:]+: (?<text>.*)$/s;

export function slowStatements(log: string): SlowStatement[] {
  const found = new Map<string, SlowStatement>();
  for (const entry of log.split(/\n(?!\t)/)) {
    const { database = '', ms = '0', text = '' } = ENTRY.exec(entry)?.groups ?? {};
    if (!database) continue;
    const words = text.replace(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS);
    const before = found.get(`${database} ${words}`) ?? { times: 0, mostMs: 0, totalMs: 0 };
    found.set(`${database} ${words}`, {
      database,
      text: words,
      times: before.times + 1,
      mostMs: Math.max(before.mostMs, Number(ms)),
      totalMs: before.totalMs + Number(ms),
    });
  }
  return [...found.values()].sort((a, b) => b.totalMs - a.totalMs).slice(0, MOST);
}
