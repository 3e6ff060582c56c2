import { command } from '../form/command.ts'
import { AGENT_ID } from '../form/options.ts'
import { printableLine } from '../output/printable.ts'
import { UsageError } from '../program/report.ts'

export const use = command({
  about: 'choose the project that commands and agents of this repository mean; alone, show it',
  words: { '[project]': 'ID, the beginning of it, or name' },
  options: { '--clear': 'choose none any more', ...AGENT_ID },
  examples: ["cacpd use 'User Auth'", 'cacpd use', 'cacpd use --clear'],
  ask: ({ project, clear }) => {
    if (project !== undefined && clear === true)
      throw new UsageError('Name a project, or clear the choice: one of the two')
    return async (client) => {
      if (clear === true) return client.call('cacp/project/use', { clear })
      if (project === undefined) return client.call('cacp/project/current', {})
      const { projectId } = await client.call('cacp/lookup', { projectId: project })
      return client.call('cacp/project/use', { projectId })
    }
  },
  show: ({ projectId, name, isSet }) =>
    projectId === null
      ? 'none: choose one with `cacpd use PROJECT`, or name it in each command'
      : printableLine(`${name} (${projectId})${isSet ? '' : ', because there is no other'}`),
})
