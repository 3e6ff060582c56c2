import * as z from 'zod'

/**
 * Arguments that several tools share. Descriptions are short, because every word costs context; the methods resolve
 * names.
 */
export const projectId = z.string().optional().describe('ID or name; default: current or only project')
export const contractId = z.string().describe('ID or name')

export const EXAMPLE_PROJECT = '01934a7c-66f1-7c1a-9a33-1f0d4a5b6c7d'
export const EXAMPLE_CONTRACT = '01934a7c-91b2-7d40-8e21-5c6b7a8d9e0f'
export const EXAMPLE_TARGET = { projectId: EXAMPLE_PROJECT, contractId: EXAMPLE_CONTRACT }
