/** Headings of the sections of a brief about what happened; the other sections describe the present state. */
export const CONTRACTS_CHANGED = 'Contracts changed'
export const MESSAGES = 'Messages'
export const NEW_DECISIONS = 'New decisions'
/** In a reader's first brief: the latest decisions, whenever they were made. */
export const DECISIONS = 'Decisions'
