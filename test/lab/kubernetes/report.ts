import { writeFile } from 'node:fs/promises';

export interface Row {
  readonly row: string;
  readonly seconds: number;
  readonly figures: Readonly<Record<string, number | string>>;
  readonly faults: readonly string[];
}

export interface Seen {
  readonly figures?: Row['figures'];
  readonly faults?: readonly string[];
}

const SHOWN_FAULTS = 40;

/**
 * Collects the rows of a run. An exception becomes a fault of its row, and later rows still run.
 */
export class Report {
  readonly rows: Row[] = [];

  async row(row: string, look: () => Promise<Seen | undefined>): Promise<boolean> {
    const begun = performance.now();
    const { figures = {}, faults = [] } = await look().then(
      (seen) => seen ?? {},
      (error: Error) => ({ figures: {}, faults: [error.message] }),
    );
    const seconds = Math.round((performance.now() - begun) / 100) / 10;
    this.rows.push({ row, seconds, figures, faults });
    const said = Object.entries(figures).map(([name, value]) => `${name} ${value}`);
    const result = faults.length === 0 ? 'ok' : `${faults.length} faults`;
    process.stdout.write(`${[`${row}: ${result}`, `${seconds} s`, ...said].join('; ')}\n`);
    for (const fault of faults.slice(0, SHOWN_FAULTS)) process.stdout.write(`  ${fault}\n`);
    return faults.length === 0;
  }

  get faults(): number {
    return this.rows.reduce((sum, { faults }) => sum + faults.length, 0);
  }

  async write(file: string): Promise<void> {
    await writeFile(file, `${JSON.stringify(this.rows, undefined, 2)}\n`);
  }
}
