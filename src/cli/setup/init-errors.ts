/** Not all is as it should be; what could be done has been done. */
export class Unfinished extends Error {
  override readonly name = 'Unfinished'
  readonly kind = 'unfinished'
  readonly next: string
  readonly data: unknown

  constructor(message: string, next: string, data: unknown) {
    super(message)
    this.next = next
    this.data = data
  }
}
