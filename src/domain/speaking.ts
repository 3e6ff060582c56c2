import type { Env } from './env.ts'
import type { Kind } from './statements/kind.ts'
import { type Saying, type SpeaksBy, say, timeToSay, type Unsigned } from './statements/say.ts'
import type { ProjectView } from './view.ts'

/** Makes statements in a project under one claim, or as its founder, each stamped after all that is known of its subject. */
export type Speak = <Body, Content>(
  kind: Kind<Body, Content>,
  saying: Omit<Saying<Body, Content>, 'at'>,
) => Unsigned

export const speakIn =
  (found: Pick<ProjectView, 'newestAbout'>, by: SpeaksBy, env: Pick<Env, 'now' | 'newNonce'>): Speak =>
  (kind, { about, ...said }) =>
    say(kind, by, { ...said, about, at: timeToSay(env.now, found.newestAbout(about), by.since) }, env)
