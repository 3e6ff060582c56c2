export type FileRules = Readonly<typeof FILE_RULES>

/** The limits of files that operators can change; the settings are in `settings.ts`. */
export const FILE_RULES = {
  /** How many bytes all files of one caller may have together. */
  bytesPerCaller: 128 * 1024 * 1024,
  /** How long a file that no packet names is kept, because such a packet may still come. */
  unnamedSeconds: 86_400,
}
