import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Authority } from './certificates.ts';

/** A Secret as the kubelet mounts it: links to files behind a link to a folder, which is swapped, so that all change at once. */
export class MountedSecret implements AsyncDisposable {
  readonly #folder: string;
  readonly #names: readonly string[];
  #version = 0;

  private constructor(folder: string, names: readonly string[]) {
    this.#folder = folder;
    this.#names = names;
  }

  /** With a certificate by `by` for `names`, whose authority is what peers are checked with. */
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

  /** A new certificate by `by`, and `trusted` (PEM) to check peers with. */
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
