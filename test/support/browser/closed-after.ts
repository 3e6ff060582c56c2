interface Fixture {
  onCleanup(cleanup: () => Promise<void>): void
}

/** What tests share: opened when the first of them asks for it, so that skipped tests start nothing, and closed after all. */
export const closedAfter =
  <T>(open: () => Promise<T>, close: (opened: T) => Promise<void>) =>
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what is needed, which is nothing
  async ({}: object, { onCleanup }: Fixture): Promise<T> => {
    const opened = await open()
    onCleanup(() => close(opened))
    return opened
  }

export const disposedAfter = <T extends AsyncDisposable>(open: () => Promise<T>) =>
  closedAfter(open, async (opened) => await opened[Symbol.asyncDispose]())
