// Preloaded into every process of the drill. Resolves names under `.replicas.test` from the file
// CES_DRILL_NAMES, as DNS does for a headless Service. All other names resolve normally.
import dns from 'node:dns';
import { readFile } from 'node:fs/promises';

const lookUp = dns.promises.lookup;

dns.promises.lookup = async (host, options) => {
  if (!host.endsWith('.replicas.test')) return await lookUp(host, options);
  const addresses = JSON.parse(await readFile(process.env.CES_DRILL_NAMES, 'utf8'))[host] ?? [];
  if (addresses.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: 4 }));
};
