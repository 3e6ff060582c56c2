import { expect } from 'vitest'
import { peersOf } from '../../cluster/pairs.ts'
import { FakeAgent } from '../../support/hub/fake-agent.ts'
import { needNatsServer } from '../../support/hub/need-nats-server.ts'
import { hubAt, preparedHub } from '../../support/hub/prepared-hub.ts'
import { story } from './two-repos-story.ts'

needNatsServer()

story(
  'a person sees who is on the hub, lets one in, and reads what is wrong with it',
  async ({ person, repos }) => {
    await using hub = await preparedHub()
    await using fake = await FakeAgent.on(hub.url)
    await fake.putCard()
    await repos.backend.rpc('cacp/hub/connect', hubAt(hub.url))
    await person.goto('peers')
    const row = person
      .getByRole('region', { name: 'Other daemons' })
      .getByRole('listitem')
      .filter({ hasText: fake.agentId })
    await row.getByRole('button', { name: 'Approve' }).click()
    const dialog = person.getByRole('dialog')
    const [seen] = (await repos.backend.rpc('cacp/peer/list')).onHub
    await dialog.getByText(seen.fingerprint).waitFor()
    await dialog.getByRole('button', { name: 'Approve' }).click()
    await dialog.getByText(/Done\. On disk/).waitFor()
    await dialog.getByRole('button', { name: 'Close' }).click()
    const approved = (await peersOf(repos.backend)).find(
      ({ agentId }: { agentId: string }) => agentId === fake.agentId,
    )
    expect(approved).toMatchObject({ trust: 'approved', fingerprint: seen.fingerprint })

    const own = person.getByRole('region', { name: 'This daemon' })
    await own.getByText('current').waitFor()
    await hub.stop('SIGKILL')
    await own.getByText(`The hub at ${hub.url} cannot be reached`).waitFor()
    await own.getByText('See whether the server runs and can be reached at this address').waitFor()
  },
)
