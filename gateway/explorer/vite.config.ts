import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/explore/',
  plugins: [react(), compressed()],
  build: {
    target: 'es2022',
    // The Content-Security-Policy does not allow data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
});

/** Writes a .br and a .gz next to each file, so that the gateway compresses nothing at run time. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle({ dir = '' }) {
      for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
        if (!/\.(?:js|css|html|svg)$/.test(name)) continue;
        const file = path.join(dir, name);
        const content = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(content));
        writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
      }
    },
  };
}
