import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const OVERLAY = 0x794c7630

/** The file system that containers have for a disk of their own; it can be mounted once at a time. */
export const isOverlay = (directory: string): boolean =>
  process.platform === 'linux' && statfsSync(directory).type === OVERLAY

export interface ContainerDisk extends Disposable {
  readonly path: string
  /** As when its container ends, others start, and it starts again. */
  mountAgain(): void
}

/** It needs what a small disk needs. */
export function containerDisk(): ContainerDisk {
  const base = mkdtempSync(join(tmpdir(), 'cacpd-overlay-'))
  const mounted: string[] = []
  const mount = (name: string): string => {
    const [lower, upper, work, path] = ['lower', 'upper', 'work', 'merged'].map((part) => {
      const folder = join(base, name, part)
      mkdirSync(folder, { recursive: true })
      return folder
    })
    const options = `lowerdir=${lower},upperdir=${upper},workdir=${work}`
    execFileSync('mount', ['-t', 'overlay', '-o', options, 'cacpd-test', path ?? ''])
    mounted.push(path ?? '')
    return path ?? ''
  }
  const unmount = () => {
    for (const path of mounted.splice(0)) execFileSync('umount', ['--lazy', path])
  }
  const path = mount('disk')
  return {
    path,
    mountAgain() {
      unmount()
      mount('disk of another')
      mount('disk')
    },
    [Symbol.dispose]() {
      unmount()
      rmSync(base, { recursive: true })
    },
  }
}
