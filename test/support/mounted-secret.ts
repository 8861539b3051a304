import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Authority } from './certificates.ts';

/**
 * A Secret as the kubelet mounts it: links through a `..data` link that is swapped, so that all
 * files change atomically.
 */
export class MountedSecret implements AsyncDisposable {
  readonly #folder: string;
  readonly #names: readonly string[];
  #version = 0;

  private constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    this.#names = names;
  }

  /** `by` issues the certificate for `names` and is the authority that checks peers. */
  static async create(by: Authority, names: readonly string[]): Promise<MountedSecret> {
    const secret = new MountedSecret(await mkdtemp(path.join(tmpdir(), 'ces-secret-')), names);
    await secret.replace(by, by.pem);
    for (const name of ['tls.crt', 'tls.key', 'ca.crt'])
      await symlink(path.join('..data', name), path.join(secret.#folder, name));
    return secret;
  }

  get files() {
    const file = (name: string) => path.join(this.#folder, name);
    return { certFile: file('tls.crt'), keyFile: file('tls.key'), caFile: file('ca.crt') };
  }

  async replace(by: Authority, trusted: string): Promise<void> {
    this.#version += 1;
    const name = `..version-${this.#version}`;
    const next = path.join(this.#folder, name);
    await mkdir(next);
    await by.issue(next, this.#names);
    await writeFile(path.join(next, 'ca.crt'), trusted);
    await symlink(name, `${next}.link`);
    await rename(`${next}.link`, path.join(this.#folder, '..data'));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return rm(this.#folder, { recursive: true });
  }
}
