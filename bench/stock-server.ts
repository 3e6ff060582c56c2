import { randomUUID } from 'node:crypto'
import express from 'express'
import { Low } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { tellPort } from './child.ts'

/** What people would write instead: express, its body parser, and lowdb's own file adapter. Never synced to disk. */

export interface StockContract {
  contract_id: string
  type: string
  name: string
  version: number
  status: string
  content: unknown
  created_at: string
}

export interface StockData {
  projects: { project_id: string; name: string; contracts: StockContract[] }[]
}

type Call = { id: number; method: string; params: Record<string, unknown> & { projectId: string } }

const [file = ''] = process.argv.slice(2)
const db = new Low<StockData>(new JSONFile(file), { projects: [] })
await db.read()

const app = express()
app.use(express.json())
app.post('/', async (request, response) => {
  const { id, method, params } = request.body as Call
  const project = db.data.projects.find((one) => one.project_id === params.projectId)
  if (project === undefined) {
    response.json({ jsonrpc: '2.0', id, error: { code: -32602, message: 'No such project' } })
    return
  }
  if (method === 'cacp/project/get') {
    response.json({ jsonrpc: '2.0', id, result: project })
    return
  }
  if (method !== 'cacp/contract/propose') {
    response.json({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    return
  }
  const contract: StockContract = {
    contract_id: randomUUID(),
    type: String(params['type']),
    name: String(params['name']),
    version: 1,
    status: 'proposed',
    content: params['content'],
    created_at: new Date().toISOString(),
  }
  await db.update(() => project.contracts.push(contract))
  response.json({
    jsonrpc: '2.0',
    id,
    result: { contractId: contract.contract_id, version: 1, status: 'proposed' },
  })
})

tellPort(app)
