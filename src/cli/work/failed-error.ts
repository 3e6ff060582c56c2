/** A run, or work that was sent, came to its end, and that was not the one hoped for. */
export class FailedError extends Error {
  override readonly name = 'FailedError'
  readonly kind: string

  constructor(message: string, kind: string) {
    super(message)
    this.kind = kind
  }
}
