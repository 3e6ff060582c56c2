import * as z from 'zod'
import type { JsonObject } from '../../protocol/json/json.ts'

/** Declared files that are there and that no digest covers, so that nobody would notice when they change. */

/** Larger files are not looked at. */
export const MOST_FILE_BYTES = 64 * 1024 * 1024

/** Why a declared file counts as not there. */
export const WHY_IGNORED = {
  missing: 'there is no such file',
  absolute: 'it is not named from the root of the repository',
  outside: 'it is outside of the repository',
  link: 'it is a symbolic link or in a folder that is one, and links are not followed',
  special: 'it is no ordinary file',
  large: 'it is larger than 64 MiB',
  unreadable: 'it cannot be read',
} as const
export type WhyIgnored = keyof typeof WHY_IGNORED

/** What a declared file is like: the SHA-256 of its content in hex, or why it counts as not there. */
export type FileLook = { readonly sha256: string } | { readonly ignored: WhyIgnored }

/** As a repo's daemon states it; a newer one may know other reasons. */
const IgnoredFile = z.object({ path: z.string().max(1024), why: z.string().max(20) })
export type IgnoredFile = z.output<typeof IgnoredFile>

/** Most of them in a statement. */
export const MOST_IGNORED = 20

/** A file that is gone may be declared on purpose; any other that counts as not there was hardly meant so. */
export const ignoredAmong = (paths: readonly string[], looks: readonly FileLook[]): IgnoredFile[] =>
  notThere(paths, looks)
    .filter(({ why }) => why !== 'missing')
    .slice(0, MOST_IGNORED)

export const notThere = (paths: readonly string[], looks: readonly FileLook[]): IgnoredFile[] =>
  paths.flatMap((path, index) => {
    const look = looks[index]
    return look !== undefined && 'ignored' in look ? [{ path, why: look.ignored }] : []
  })

/** In the body of a statement about files. The key came later than the kind, so that anything may be there. */
export const ignoredIn = ({ ignored }: JsonObject): readonly IgnoredFile[] =>
  z.array(IgnoredFile).max(MOST_IGNORED).safeParse(ignored).data ?? []

/** A reason that only a newer daemon knows is told without it. */
export const whyIgnored = ({ why }: Pick<IgnoredFile, 'why'>): string =>
  Object.hasOwn(WHY_IGNORED, why) ? WHY_IGNORED[why as WhyIgnored] : 'it counts as not there'
