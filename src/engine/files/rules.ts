const MIB = 1024 * 1024

/** The bounds of files that operators move; settings of the same meaning are in `settings.ts`. */
export interface FileRules {
  /** What all files together may be that one caller brought. */
  readonly bytesPerCaller: number
  /** How long a file is kept that no packet names. */
  readonly unnamedSeconds: number
}

export const FILE_RULES: FileRules = { bytesPerCaller: 128 * MIB, unnamedSeconds: 86_400 }
