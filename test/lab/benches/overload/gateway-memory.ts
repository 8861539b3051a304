import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { table } from '@ces/cli/output/table';
import type { Cluster } from '../../cluster/cluster.ts';

/** Bytes by what they are for. */
type Memory = Readonly<Record<string, number>>;

export interface MemoryReport {
  readonly asItIs: Memory;
  /** Once what is dead is collected. */
  readonly collected: Memory;
}

const WRITTEN_WITHIN_MS = 60_000;

/** What the gateway's memory consists of, whenever it is asked. */
export interface GatewayMemory {
  read(): Promise<MemoryReport>;
}

/** Starts the gateway again so that it can say; `flags` are Node's beside those. */
export async function watchGatewayMemory(cluster: Cluster, flags: string): Promise<GatewayMemory> {
  const gateway = cluster.services.find(({ name }) => name.startsWith('gateway-'));
  if (!gateway) throw new Error('the cluster has no gateway');
  const file = path.join(cluster.servers.directory, 'gateway-memory.json');
  const preload = `--import ${path.join(import.meta.dirname, 'memory-report.mjs')}`;
  await cluster.restartWith(gateway, { NODE_OPTIONS: `${preload} ${flags}`.trim(), CES_LAB_MEMORY_FILE: file });
  return {
    async read() {
      await rm(file, { force: true });
      process.kill(gateway.current.pid, 'SIGUSR2');
      for (const until = performance.now() + WRITTEN_WITHIN_MS; performance.now() < until; await pause(200)) {
        const text = await readFile(file, 'utf8').catch(() => '');
        if (text !== '') return JSON.parse(text) as MemoryReport;
      }
      throw new Error('the gateway did not say what its memory consists of');
    },
  };
}

export function memoryTable(before: MemoryReport, after: MemoryReport, later: MemoryReport): string {
  const reports = [before.collected, after.asItIs, after.collected, later.asItIs];
  const rows = Object.keys(before.asItIs).map((what) => [
    what,
    ...reports.map((memory) => ((memory[what] ?? 0) / 2 ** 20).toFixed(0)),
  ]);
  return table(['gateway, MiB', 'before the crowd', 'after it', 'collected', 'half a minute later'], rows);
}
