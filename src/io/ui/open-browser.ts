import { spawn } from 'node:child_process'
import type { Env } from '../place/own-command.ts'

/** Whether the person sits at another machine, so that a browser that is started here is not seen. */
export const isOverSsh = ({ SSH_CONNECTION, BROWSER }: Env): boolean =>
  // Editors that connect over ssh name a program that opens the browser at the other end.
  Boolean(SSH_CONNECTION) && !BROWSER

/**
 * The program that shows an address in the person's browser; undefined where there is no screen. A package for this
 * would bring a dozen others along, for what every system has a program for. No shell reads the address.
 */
export function browserCommand(env: Env, platform: NodeJS.Platform): readonly string[] | undefined {
  const { BROWSER, WSL_DISTRO_NAME, DISPLAY, WAYLAND_DISPLAY } = env
  if (BROWSER) return [BROWSER]
  if (isOverSsh(env)) return undefined
  if (platform === 'darwin') return ['open']
  if (platform === 'win32' || WSL_DISTRO_NAME) return ['rundll32.exe', 'url.dll,FileProtocolHandler']
  return DISPLAY || WAYLAND_DISPLAY ? ['xdg-open'] : undefined
}

/** A program that still runs by then is the browser itself. */
const STARTED_MILLIS = 3000

/** Whether a browser was started with the address. */
export async function openBrowser(url: string, env: Env): Promise<boolean> {
  const [program, ...words] = browserCommand(env, process.platform) ?? []
  if (program === undefined) return false
  return new Promise((resolve) => {
    const child = spawn(program, [...words, url], { detached: true, stdio: 'ignore', env })
    const started = setTimeout(() => resolve(true), STARTED_MILLIS)
    child.on('error', () => end(false))
    child.on('exit', (code) => end(code === 0))
    child.unref()
    function end(isOpened: boolean) {
      clearTimeout(started)
      resolve(isOpened)
    }
  })
}
