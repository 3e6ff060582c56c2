/** Stands in a request for an id that no other request has. */
export const NEW_ID = '00000000-0000-4000-8000-000000000000'

/** How a dialect is asked to echo a text, and how a delta is told from everything else in its answer. */
export interface DialectRequest {
  path: string
  body: unknown
  headers?: Readonly<Record<string, string>>
  mark: string
}

export interface Echo {
  text: string
  repeat: number
}

/** The same echo in every dialect. */
export function dialectRequests({ text, repeat }: Echo): Record<string, DialectRequest> {
  return {
    'Agent API': {
      path: '/process',
      body: {
        input: [{ role: 'user', content: [{ type: 'text', text }] }],
        biz_params: { work_type: 'echo', text, repeat },
      },
      mark: '"delta":true',
    },
    'Coreason transport': {
      path: '/v1/assist',
      body: {
        request_id: NEW_ID,
        session_id: NEW_ID,
        payload: { text, repeat },
        metadata: { capability: 'echo' },
      },
      mark: 'event: ai.coreason.node.stream',
    },
    'CAP wire format': {
      path: '/v1/assist',
      body: {
        request_id: NEW_ID,
        context: { session_id: NEW_ID, user: { id: 'u1', name: 'Bench' } },
        payload: { query: text, meta: { capability: 'echo', text, repeat } },
      },
      mark: '"op":"delta"',
    },
    Chiffon: {
      path: '/api/agent/message',
      body: {
        protocol_version: '1.0',
        message_id: NEW_ID,
        from_agent: 'orchestrator',
        to_agent: 'code',
        timestamp: '2026-11-16T09:00:00Z',
        trace_id: NEW_ID,
        request_id: NEW_ID,
        type: 'work_request',
        payload: { task_id: NEW_ID, work_type: 'echo', parameters: { text, repeat }, hints: {} },
      },
      mark: `"output":${JSON.stringify(text)}`,
    },
    'A2A 1.0': {
      path: '/',
      headers: { 'A2A-Version': '1.0' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'SendStreamingMessage',
        params: {
          message: {
            messageId: NEW_ID,
            role: 'ROLE_USER',
            parts: [{ text: 'Say it.' }],
            metadata: { 'urn:cacp:2.0': { workType: 'echo', parameters: { text, repeat } } },
          },
        },
      },
      mark: `{"text":${JSON.stringify(text)}}`,
    },
  }
}

/** A whole HTTP request, ready to be written to a socket; the connection ends with its answer. */
export function streamRequest({ path, body, headers = {} }: DialectRequest, key: string): string {
  const text = JSON.stringify(body)
  return [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    'Accept: text/event-stream',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    text,
  ].join('\r\n')
}
