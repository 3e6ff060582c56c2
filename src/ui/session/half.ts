import { PAGES } from '../place.ts'

/** The half of the session that scripts hold; the other half is a cookie that they cannot read. */
export const HALF_NAME = `cacpd ${PAGES}`

export const halfOfSession = (): string => localStorage.getItem(HALF_NAME) ?? ''

export const UI_HEADER = 'X-CACPD-UI'
