import { spawnSync } from 'node:child_process'

/** Words before a command that have it run in a pid namespace of its own, as a container does; it ends with them. */
const OWN_PIDS = ['unshare', '--pid', '--fork', '--kill-child=SIGKILL']
const AS_ROOT = process.getuid?.() === 0 ? [] : ['--map-root-user']

export const NAMESPACES = {
  /** It sees the /proc of whoever started it, in which its own pid names another process. */
  'a pid namespace': [...OWN_PIDS, ...AS_ROOT],
  'a pid namespace with a /proc of its own': [...OWN_PIDS, ...AS_ROOT, '--mount-proc'],
  'a container': [...OWN_PIDS, ...AS_ROOT, '--mount-proc', '--net', '--ipc', '--uts'],
} as const

const CONTAINER = NAMESPACES['a container']

/** They need Linux, `unshare`, and root or the right of users to make namespaces. */
export const hasNamespaces: boolean =
  spawnSync(CONTAINER[0] ?? '', [...CONTAINER.slice(1), 'true'], { stdio: 'ignore' }).status === 0

/** Words before a command that have it run on a host of that name. */
export const withHostName = (name: string): readonly string[] => [
  ...['unshare', '--uts', ...AS_ROOT],
  ...['sh', '-c', 'hostname "$0" && exec "$@"', name],
]

/** It needs what namespaces need, and the program `hostname`. */
export const canNameHosts: boolean = spawnSync('env', [...withHostName('other'), 'true']).status === 0
