import { cp, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PublishFailure } from './failure.ts';
import type { Order } from './order.ts';
import type { Tools } from './tools.ts';
import type { Tree } from './tree.ts';

/** Repository of the chart, relative to the path of the registry. */
export const CHART = 'charts/ces';
const HELD_BY_CHART = /^image:\n(?:(?: {2}.*)?\n)+/m;

export interface NamedImage {
  readonly registry: string;
  readonly repository: string;
  readonly digest: string;
}

/** Copies the chart before `make-app.sh` reduces the tree. */
export async function takeChart({ folder }: Tree): Promise<string> {
  const chart = `${folder}-chart/ces`;
  await mkdir(path.dirname(chart));
  await cp(path.join(folder, 'charts/ces'), chart, { recursive: true, preserveTimestamps: true });
  return chart;
}

/** Values name the image by digest. Pushed to this run's registry. */
export async function pushChart(
  { helm, crane }: Tools,
  chart: string,
  { version }: Order,
  image: NamedImage,
  { seconds }: Tree,
  scratch: string,
): Promise<string> {
  const file = path.join(chart, 'values.yaml');
  await writeFile(file, withImage(await readFile(file, 'utf8'), image));
  await utimes(file, seconds, seconds);
  const packed = path.dirname(chart);
  await helm('package', chart, '--version', version, '--app-version', version, '--destination', packed);
  const archive = path.join(packed, `ces-${version}.tgz`);
  // helm takes the creation date of what it pushes from the archive's mtime.
  await utimes(archive, seconds, seconds);
  await helm('push', archive, `oci://${path.posix.dirname(`${scratch}/${CHART}`)}`, '--plain-http');
  return `${scratch}/${CHART}@${(await crane('digest', `${scratch}/${CHART}:${version}`)).trim()}`;
}

/** Replaces registry, repository and digest in the chart's values; comments stay. */
export function withImage(values: string, image: NamedImage): string {
  const [block] = HELD_BY_CHART.exec(values) ?? [];
  if (block === undefined) throw new PublishFailure('The values of the chart have no image.');
  const changed = Object.entries(image).reduce((lines, [name, value]) => {
    const line = new RegExp(`^  ${name}: .*$`, 'm');
    if (!line.test(lines)) throw new PublishFailure(`The values of the chart have no image.${name}.`);
    return lines.replace(line, `  ${name}: ${value}`);
  }, block);
  return values.replace(block, changed);
}
