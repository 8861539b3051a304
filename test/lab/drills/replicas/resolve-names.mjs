// Preloaded into every process of the drill: names under `.replicas.test` are answered from the file CES_DRILL_NAMES,
// as a name server answers for a headless Service. All others are looked up as ever.
import dns from 'node:dns';
import { readFile } from 'node:fs/promises';

const lookUp = dns.promises.lookup;

dns.promises.lookup = async (host, options) => {
  if (!host.endsWith('.replicas.test')) return await lookUp(host, options);
  const addresses = JSON.parse(await readFile(process.env.CES_DRILL_NAMES, 'utf8'))[host] ?? [];
  if (addresses.length === 0) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
  return addresses.map((address) => ({ address, family: 4 }));
};
