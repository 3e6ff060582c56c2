import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/** The state of this user for all repositories, outside of any repository, so that none can bring its own. */
export const stateDirOf = (env: Readonly<Record<string, string | undefined>>): string =>
  resolve(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'cacpd')
