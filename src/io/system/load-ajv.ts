import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)

/** Loaded with `require`, because the exports of these packages do not fit type-checked imports. */
export function loadAjv() {
  const { Ajv2020 } = load('ajv/dist/2020.js') as typeof import('ajv/dist/2020.js')
  const addFormats = load('ajv-formats') as (ajv: unknown) => void
  return { Ajv2020, addFormats }
}

/** The same for schemas of earlier drafts. */
export const loadOldAjv = () => (load('ajv') as typeof import('ajv')).Ajv
