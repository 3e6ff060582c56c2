import { stat } from 'node:fs/promises'

/** False also for a path that may not be read: that is not ours. */
export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )
