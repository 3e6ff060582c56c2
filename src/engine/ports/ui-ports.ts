/** A file of the page that people see, ready to be sent. */
export interface PageFile {
  readonly type: string
  readonly bytes: Uint8Array
  /** Compressed when somebody first asks for that: most daemons show their page to nobody. */
  gzipped(): Promise<Uint8Array>
  readonly etag: string
  /** Its name says what is in it, so that a browser can keep it for ever. */
  readonly isHashed: boolean
}

/** The page that people see: one document, and the files that it loads by name. */
export interface Page {
  readonly document: PageFile
  readonly assets: ReadonlyMap<string, PageFile>
  /** Names this build: a page that is older than the daemon has another one. */
  readonly build: string
}

/** The daemon of another repository on this machine. */
export interface OtherDaemon {
  readonly repo: string
  readonly url: string
  /** Missing if that daemon shows no page. */
  readonly uiUrl?: string
}
