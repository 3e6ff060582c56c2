/** The error code of the operating system, such as `ENOENT`; undefined for other errors. */
export const systemCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined

export const isMissing = (error: unknown): boolean => systemCode(error) === 'ENOENT'

/** What is looked for; undefined where there is no such file. */
export const ifThere = <Found>(looking: Promise<Found>): Promise<Found | undefined> =>
  looking.catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })

/** For what may have been made before. */
export function unlessThere(error: unknown): void {
  if (systemCode(error) !== 'EEXIST') throw error
}

const FULL = new Set<unknown>(['ENOSPC', 'EDQUOT'])

export const isDiskFull = (error: unknown): boolean => FULL.has(systemCode(error))
