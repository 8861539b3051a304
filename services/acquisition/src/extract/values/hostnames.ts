import { normaliseHostname } from '@ces/proto/hostname';

const MAX_LENGTH = 2048;

export function hostnameOf(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  if (!trimmed || trimmed.length > MAX_LENGTH) return undefined;
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (!URL.canParse(address)) return undefined;
  const { hostname, protocol } = new URL(address);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const normal = normaliseHostname(hostname);
  return normal && /\.[a-z][a-z0-9-]*$/.test(normal) ? normal : undefined;
}
