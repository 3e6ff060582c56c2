import { readOperatorKey } from '../../io/place/data-dir.ts'
import { locateDataDir } from '../../io/place/find-daemon.ts'
import { command } from '../form/command.ts'

/** Works also while the daemon is stopped. */
export const key = command({
  about: 'print the operator key, to send as Authorization: Bearer <key>',
  note: 'Whoever has it may do everything here: keep it to yourself.',
  examples: ['curl http://127.0.0.1:8080/peers -H "Authorization: Bearer $(cacpd key)"'],
  result: async ({ data }, { env, cwd }) => ({
    key: await readOperatorKey(await locateDataDir({ dataDir: data, env, cwd })),
  }),
  show: (result) => result.key,
})
