/** Where requests go. */
export const PROCESS_PATH = '/process'

/** What `GET /` tells about this service. Only paths that there are: some clients try them all. */
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
