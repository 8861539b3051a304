import { cp } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'rolldown';

/** One script of a file of this folder, with the client that is installed in `folder`. */
export async function bundle(folder: string, name: string): Promise<string> {
  const input = path.join(folder, name);
  await cp(path.join(import.meta.dirname, name), input);
  const output = { format: 'iife', minify: true } as const;
  const built = await build({ input, platform: 'browser', output, write: false });
  return built.output[0].code.replaceAll('</script', '<\\/script');
}
