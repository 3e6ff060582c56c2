const MIB = 1024 * 1024

/** The limits of files that operators can change; the settings are in `settings.ts`. */
export interface FileRules {
  /** How many bytes all files of one caller may have together. */
  readonly bytesPerCaller: number
  /** How long a file that no packet names is kept, because such a packet may still come. */
  readonly unnamedSeconds: number
}

export const FILE_RULES: FileRules = { bytesPerCaller: 128 * MIB, unnamedSeconds: 86_400 }
