import { StartupError } from '@ces/chassis/service/lifecycle';
import { fillVolumes } from './volumes.ts';

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0)
  throw new StartupError('Arguments: DIRECTORY, with a folder for each container that deploy/compose.yaml starts.');
const written = await fillVolumes(folder);
process.stdout.write(
  written.length === 0
    ? 'secrets are there\n'
    : `secrets drawn: ${written.join(', ')}; keep a copy of ${folder}/kept/secrets.json where backups are\n`,
);
