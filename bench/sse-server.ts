import { once } from 'node:events'
import { createServer } from 'node:http'
import { tellPort } from './child.ts'

/** The fastest event stream that plain Node can be: says the text that it is sent, as often as it is told. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { text, repeat } = JSON.parse(Buffer.concat(chunks).toString()) as { text: string; repeat: number }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (let time = 0; time < repeat; time++) {
    const isRoom = response.write(`data: ${JSON.stringify({ delta: text })}\n\n`)
    if (!isRoom) await once(response, 'drain')
  }
  response.end()
})

tellPort(server)
