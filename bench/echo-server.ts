import { createServer } from 'node:http'
import { tellPort } from './child.ts'

/** The fastest JSON server that plain Node can be: parses the body and answers it. The yardstick of every figure. */
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString())
    const text = JSON.stringify(body)
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  })
})

tellPort(server)
