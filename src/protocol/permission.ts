import * as z from 'zod'

/** The permissions of project tokens, by the names of the reference implementation. */
export const Permission = z.enum([
  'project:read',
  'project:write',
  'contract:propose',
  'contract:respond',
  'context:share',
  'implementation:update',
  'file:share',
  'gate:read',
])
export type Permission = z.output<typeof Permission>
