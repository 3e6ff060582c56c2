import { createServer, type ServerResponse } from 'node:http'
import { tellPort } from './child.ts'

/** The least that tells everybody: whatever is posted goes to all who follow, and then the answer to who posted it. */
const readers = new Set<ServerResponse>()

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    response.flushHeaders()
    readers.add(response)
    response.on('close', () => readers.delete(response))
    return
  }
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  const event = Buffer.concat([Buffer.from('data: '), body, Buffer.from('\n\n')])
  for (const reader of readers) reader.write(event)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
  response.end(body)
})

tellPort(server)
