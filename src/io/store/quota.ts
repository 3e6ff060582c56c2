/** How many bytes the store holds, counted where they come and go: entities, local tables and files together. */
export class Quota {
  readonly limit: number
  used = 0

  constructor(limit: number) {
    this.limit = limit
  }

  get isExceeded(): boolean {
    return this.used > this.limit
  }
}
