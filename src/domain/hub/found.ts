/** What a look at a hub shows. */
export interface HubFound {
  /** The name of the server, and the program that it runs. */
  readonly server: string
  readonly version: string
  readonly isEncrypted: boolean
  /** The largest message that it takes, in bytes. */
  readonly maxPayload: number
  readonly streams: readonly FoundStream[]
}

export interface FoundStream {
  readonly name: string
  /** False where it has to be made first. */
  readonly isThere: boolean
  readonly messages: number
  readonly bytes: number
  readonly replicas: number
}

/** What became of a stream or a bucket when it was to be made. */
export interface MadeStream {
  readonly name: string
  readonly did: 'made' | 'changed' | 'in_order'
}

export interface StreamLimits {
  /** On how many servers of a cluster each message is kept. */
  readonly replicas: number
  /** Of one stream; beyond it nothing new is stored. */
  readonly maxBytes?: number | undefined
}
