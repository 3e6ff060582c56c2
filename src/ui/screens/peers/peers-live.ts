/** How often what is in no feed is asked for while it is looked at. */
export const PEERS_LIVE = { local: ['peers', 'invites'], everySeconds: 5 } as const
