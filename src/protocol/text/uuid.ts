import { z } from 'zod'

const HEX = '[0-9a-fA-F]'
const DIGITS = `${HEX}{8}-?(?:${HEX}{4}-?){3}${HEX}{12}`
/** Both cases are spelled out, because the described schema has no place for a flag. */
const FORMS = new RegExp(`^(?:urn:uuid:)?(?:\\{${DIGITS}\\}|${DIGITS})$`)

/** With or without dashes, braces and `urn:uuid:`, in any case; it comes out with dashes, in lower case. */
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

/** Whether a text is one as it comes out of there. */
export const isUuid = (text: string): boolean => CANONICAL.test(text)
