import path from 'node:path';
import { findModule } from '@ces/chart/check/programs';
import { cached } from './cache.ts';
import { type Image, makeImage, single } from './images.ts';
import { buildProgram } from './programs.ts';

/** As the product's own pods run. */
const USER = '65532:65532';

/** Programs, each a folder of a Go module, and what their build leaves out: of where Prometheus finds pods, all but Kubernetes. */
const PROGRAMS = {
  prometheus: ['github.com/prometheus/prometheus@v0.316.0', './cmd/prometheus', 'remove_all_sd,enable_kubernetes_sd'],
  adapter: ['sigs.k8s.io/prometheus-adapter@v0.12.0', './cmd/adapter', ''],
} as const;

type Name = keyof typeof PROGRAMS;

/** What scaling by series of the product needs beside metrics-server: Prometheus, and what makes metrics of a cluster of its series. */
export async function makeScalingImages(): Promise<Image[]> {
  const images: Image[] = [];
  for (const name of Object.keys(PROGRAMS) as Name[]) {
    const program = path.join(await build(name), name);
    images.push(await makeImage(single(name, program, USER), [program]));
  }
  return images;
}

async function build(name: Name): Promise<string> {
  const [module, command, tags] = PROGRAMS[name];
  return await cached(name, [module, tags], async (folder) => {
    const flags = ['-tags', tags, '-ldflags', '-s -w'];
    await buildProgram(await findModule(module), command, path.join(folder, name), flags);
  });
}
