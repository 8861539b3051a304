import type { Dependencies } from '../dependencies.ts';

/** Starts a rebuild beside the running index; the projector does it. */
export async function rebuildIndex({ index, wakeProjector }: Dependencies) {
  const started = await index.beginRebuild();
  wakeProjector();
  return { started };
}
