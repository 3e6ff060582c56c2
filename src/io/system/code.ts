/** What the operating system calls a failure, such as `ENOENT`; undefined for what did not come from there. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT'])

export const isDiskFull = (error: unknown): boolean => FULL.has(systemCode(error))
