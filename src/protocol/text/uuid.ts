import * as z from 'zod'

const HEX = '[0-9a-fA-F]'
const DIGITS = `${HEX}{8}-?(?:${HEX}{4}-?){3}${HEX}{12}`
/** Both cases are written out, because the described schema cannot have flags. */
const FORMS = new RegExp(`^(?:urn:uuid:)?(?:\\{${DIGITS}\\}|${DIGITS})$`)

/** Accepts dashes or none, braces and `urn:uuid:`, in any case; returns dashes and lower case. */
export const Uuid = z
  .string()
  .max(100)
  .regex(FORMS, 'must be a UUID')
  .meta({ format: 'uuid' })
  .transform((text) => {
    const hex = text.replace(/^urn:uuid:|[{}-]/g, '').toLowerCase()
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  })

const CANONICAL = new RegExp(`^${HEX}{8}-(?:${HEX}{4}-){3}${HEX}{12}$`)

/** Whether a text has the form that `Uuid` returns. */
export const isUuid = (text: string): boolean => CANONICAL.test(text)
