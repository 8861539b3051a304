import { StartupError } from '@ces/chassis/service/lifecycle';
import { isCancel, password } from '@clack/prompts';

/**
 * `source.setting=value` pairs; empty without a terminal. Asked before the service starts, whose
 * environment has them.
 */
export async function askSourceApiKeys(): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return '';
  const { sources } = await import('@ces/acquisition/sources/registry');
  const wanted = sources.flatMap(({ name, verified, settings = [] }) =>
    verified ? settings.filter(({ secret, required }) => secret && required).map((setting) => ({ name, setting })) : [],
  );
  const pairs: string[] = [];
  for (const [description, same] of Map.groupBy(wanted, ({ setting }) => setting.description)) {
    const names = same.map(({ name }) => name).join(', ');
    const key = await ask(`Have you a ${description}, for ${names}? Enter skips them.`);
    if (key) pairs.push(...same.map(({ name, setting }) => `${name}.${setting.name}=${key}`));
  }
  return pairs.join(',');
}

async function ask(message: string): Promise<string> {
  const validate = (text: string | undefined) =>
    /[\s,=]/.test(text?.trim() ?? '') ? 'A key has no spaces, commas or =.' : undefined;
  const answer = await password({ message, validate, output: process.stderr });
  if (isCancel(answer)) throw new StartupError('Cancelled. Nothing was started.');
  return (answer ?? '').trim();
}
