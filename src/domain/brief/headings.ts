/** What stands above the sections of a brief that tell what happened; the others tell how things stand. */
export const CONTRACTS_CHANGED = 'Contracts changed'
export const MESSAGES = 'Messages'
export const NEW_DECISIONS = 'New decisions'
/** In a brief for who has read none before: what was decided, whenever that was. */
export const DECISIONS = 'Decisions'
