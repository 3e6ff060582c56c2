/** The error code of the operating system, such as `ENOENT`; undefined for other errors. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export const isMissing = (error: unknown): boolean => systemCode(error) === 'ENOENT'

const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT'])

export const isDiskFull = (error: unknown): boolean => FULL.has(systemCode(error))
