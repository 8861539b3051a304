import { Refusal } from '@ces/cli/refusal';
import { goOn } from '../../support/bench.ts';
import { type BuiltEngine, build, type FilledPeer } from './engine.ts';
import { fillFts5 } from './fts5-engine.ts';
import type { GeneratedRecord } from './generated-record.ts';
import { fillMiniSearch } from './minisearch-engine.ts';
import { fillTantivy } from './tantivy-engine.ts';
import { buildTantivy } from './tantivy-process.ts';

export const PEERS = ['tantivy', 'fts5', 'minisearch'] as const;
export type PeerName = (typeof PEERS)[number];

export interface Peers extends AsyncDisposable {
  readonly built: readonly BuiltEngine[];
  readonly leftOut: readonly string[];
}

type Fill = (record: GeneratedRecord) => Promise<FilledPeer>;

export function peerNamed(text: string): PeerName {
  const found = PEERS.find((name) => name === text);
  if (!found) throw new Refusal(`There is no peer ${text}: name some of ${PEERS.join(', ')}.`);
  return found;
}

export async function fillPeers(
  record: GeneratedRecord,
  names: readonly PeerName[],
  signal: AbortSignal,
): Promise<Peers> {
  await using opening = new AsyncDisposableStack();
  const all: BuiltEngine[] = [];
  const leftOut: string[] = [];
  for (const name of names) {
    goOn(signal);
    const fill = await fillOf(name);
    if (typeof fill === 'string') {
      leftOut.push(fill);
      continue;
    }
    const { peer, built } = await build(record, fill);
    opening.use(peer);
    all.push(...built);
  }
  const stack = opening.move();
  return { built: all, leftOut, [Symbol.asyncDispose]: () => stack[Symbol.asyncDispose]() };
}

async function fillOf(name: PeerName): Promise<Fill | string> {
  if (name === 'fts5') return fillFts5;
  if (name === 'minisearch') return fillMiniSearch;
  const built = await buildTantivy();
  if ('reason' in built) return `Tantivy was left out: ${built.reason}.`;
  return (record) => fillTantivy(record, built.program);
}
