import type { Finding, Interface } from '../model.ts'
import type { Content } from './content.ts'

/** What was read of content. */
export interface Read extends Pick<Interface, 'form' | 'operations' | 'graphql' | 'protobuf'> {
  /** What was found on the way; left out where that is in `content`. */
  readonly findings?: readonly Finding[]
  /** Left out of what is text in a language of its own. */
  readonly content?: Content
}
