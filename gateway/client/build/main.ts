import path from 'node:path';
import { buildPackage } from './build.ts';

const folder = path.resolve(import.meta.dirname, '../dist');
await buildPackage(folder);
process.stdout.write(`${folder} is ready for npm pack and npm publish\n`);
