/** Where requests go. */
export const PROCESS_PATH = '/process'

/** The answer of `GET /`. It lists only paths that exist, because some clients try them all. */
export function serviceInformation({ version }: { version: string }) {
  return {
    service: 'cacpd',
    version,
    mode: 'daemon',
    endpoints: {
      process: PROCESS_PATH,
      stream: PROCESS_PATH,
      health: '/health',
      methods: '/methods',
      agent_card: '/.well-known/agent.json',
    },
  }
}
