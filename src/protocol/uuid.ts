import { z } from 'zod'

const FORMS =
  /^(?:urn:uuid:)?(?:\{([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12})\}|([0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}))$/i

/** With or without dashes, braces and `urn:uuid:`, in any case; it comes out with dashes, in lower case. */
export const Uuid = z
  .string()
  .max(100)
  .regex(FORMS, 'must be a UUID')
  .meta({ format: 'uuid' })
  .transform((text) => {
    const hex = text.replace(/^urn:uuid:|[{}-]/gi, '').toLowerCase()
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
  })
