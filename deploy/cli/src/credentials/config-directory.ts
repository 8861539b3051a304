import path from 'node:path';

/** XDG Base Directory. Undefined without a home folder, as in many containers. */
export function configDirectory({ XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string | undefined {
  if (XDG_CONFIG_HOME && path.isAbsolute(XDG_CONFIG_HOME)) return path.join(XDG_CONFIG_HOME, 'ces');
  return HOME ? path.join(HOME, '.config/ces') : undefined;
}
