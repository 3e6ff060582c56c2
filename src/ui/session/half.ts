import { PAGES } from '../place.ts'

/** The half of the session that scripts hold; the other half is a cookie that they cannot read. */
const NAME = `cacpd ${PAGES}`

export const halfOfSession = (): string => localStorage.getItem(NAME) ?? ''

export function keepHalf(token: string): void {
  localStorage.setItem(NAME, token)
}

export function dropHalf(): void {
  localStorage.removeItem(NAME)
}

export const UI_HEADER = 'X-CACPD-UI'
