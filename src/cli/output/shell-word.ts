import { shellLine } from '../../setup/service/shell-line.ts'

/** A word of a line that is suggested, as a POSIX shell wants it. */
export const quoted = (word: string): string => shellLine([word], false)

/** What a suggested command needs at its end to ask the daemon that was named, if one was. */
export const sameDaemon = ({ data }: { readonly data?: string | undefined }): string =>
  data === undefined ? '' : ` --data ${quoted(data)}`
